/* The table of instruction forms, and how an instruction finds its row. */
#include "ptx/opcode.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const PtxOpcode ptx_opcodes[] = {
#define PTX_OPCODE(pattern, types, operands, family, handler, meaning)                                                 \
    {pattern, types, operands, PTX_FAMILY_##family, handler, meaning},
#include "ptx/opcodes.def"
#undef PTX_OPCODE
};
const size_t ptx_opcode_count = sizeof ptx_opcodes / sizeof *ptx_opcodes;

static const char *const family_names[] = {
    [PTX_FAMILY_MOVE] = "move",       [PTX_FAMILY_INTEGER] = "integer", [PTX_FAMILY_BITS] = "bits",
    [PTX_FAMILY_FLOAT] = "float",     [PTX_FAMILY_HALF] = "half",       [PTX_FAMILY_CONVERT] = "convert",
    [PTX_FAMILY_COMPARE] = "compare", [PTX_FAMILY_MEMORY] = "memory",   [PTX_FAMILY_ATOMIC] = "atomic",
    [PTX_FAMILY_CONTROL] = "control", [PTX_FAMILY_WARP] = "warp",       [PTX_FAMILY_ASYNC] = "async",
    [PTX_FAMILY_TENSOR] = "tensor",   [PTX_FAMILY_REFUSED] = "refused",
};
_Static_assert(sizeof family_names / sizeof *family_names == PTX_FAMILY_COUNT, "a family without a name");

const char *ptx_family_name(PtxFamily family)
{
    return family_names[family];
}

/* ---- the index: rows of a mnemonic, in the table's order --------------------------------------------------- */

enum { BUCKETS = 1024 };

struct PtxOpcodeIndex {
    uint32_t first[BUCKETS]; /* row + 1; 0: none */
    uint32_t *next;          /* by row: the following row of the bucket + 1 */
};

uint32_t ptx_word_hash(const char *text, size_t length)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 16777619u;
    return hash;
}

static uint32_t mnemonic_bucket(const char *text, size_t length)
{
    return ptx_word_hash(text, length) % BUCKETS;
}

static size_t mnemonic_length(const char *pattern)
{
    return strcspn(pattern, ".{<");
}

PtxOpcodeIndex *ptx_opcode_index_new(Arena *arena)
{
    PtxOpcodeIndex *index = arena_alloc(arena, sizeof *index);
    index->next = arena_new_array(arena, uint32_t, ptx_opcode_count + 1);
    for (size_t row = ptx_opcode_count; row-- > 0;) {
        const char *pattern = ptx_opcodes[row].pattern;
        const uint32_t bucket = mnemonic_bucket(pattern, mnemonic_length(pattern));
        index->next[row] = index->first[bucket];
        index->first[bucket] = (uint32_t)row + 1;
    }
    return index;
}

/* ---- dotted parts ------------------------------------------------------------------------------------------ */

typedef struct Matcher {
    const PtxInstruction *instruction;
    PtxOpcodeMatch *match;
} Matcher;

/* Whether `name` stands in the list of variable `letter` of "T=u16,u32 U=f32". */
static bool type_is_listed(const char *types, char letter, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = types; *at;) {
        const bool is_mine = at[0] == letter && at[1] == '=';
        at += at[0] && at[1] == '=' ? 2 : 0;
        for (; *at && *at != ' '; at += *at == ',') {
            const size_t word = strcspn(at, ", ");
            if (is_mine && word == length && memcmp(at, name, length) == 0)
                return true;
            at += word;
        }
        at += strspn(at, " ");
    }
    return false;
}

static bool match_parts(Matcher *matcher, const char *pattern, uint32_t part, uint32_t group);

static bool match_type(Matcher *matcher, const char *pattern, uint32_t part, uint32_t group)
{
    if (part >= matcher->instruction->modifier_count)
        return false;
    const char letter = pattern[2];
    const char *word = matcher->instruction->modifiers[part];
    PtxType *bound = &matcher->match->types[letter - 'T'];
    const PtxType type = ptx_type_find(word, strlen(word));
    if (type == PTX_TYPE_NONE || (*bound != PTX_TYPE_NONE && *bound != type) ||
        !type_is_listed(matcher->match->opcode->types, letter, word))
        return false;
    const PtxType before = *bound;
    *bound = type;
    if (match_parts(matcher, pattern + 3, part + 1, group))
        return true;
    *bound = before;
    return false;
}

/* Takes the words of ".a.b" (up to `end`) from the instruction's parts; returns the number taken, or -1. */
static int match_words(const Matcher *matcher, const char *text, const char *end, uint32_t part)
{
    int taken = 0;
    while (text < end) {
        const char *word = text + 1;
        const size_t length = strcspn(word, ".{<|}>");
        if (part + (uint32_t)taken >= matcher->instruction->modifier_count)
            return -1;
        const char *got = matcher->instruction->modifiers[part + (uint32_t)taken];
        if (strlen(got) != length || memcmp(got, word, length) != 0)
            return -1;
        taken++;
        text = word + length;
    }
    return taken;
}

static bool match_group(Matcher *matcher, const char *pattern, uint32_t part, uint32_t group)
{
    const char *close = pattern + strcspn(pattern, *pattern == '{' ? "}" : ">");
    for (const char *choice = pattern + 1; choice < close;) {
        const char *end = choice + strcspn(choice, "|}>");
        const int taken = match_words(matcher, choice, end, part);
        if (taken >= 0 && group < PTX_CHOICES_MAX) {
            matcher->match->choices[group] = choice + 1;
            if (match_parts(matcher, close + 1, part + (uint32_t)taken, group + 1))
                return true;
        }
        choice = end + 1;
    }
    if (group < PTX_CHOICES_MAX)
        matcher->match->choices[group] = NULL;
    return *pattern == '{' && match_parts(matcher, close + 1, part, group + 1);
}

static bool match_parts(Matcher *matcher, const char *pattern, uint32_t part, uint32_t group)
{
    if (*pattern == '\0')
        return part == matcher->instruction->modifier_count;
    if (strcmp(pattern, ".*") == 0)
        return true;
    if (strcmp(pattern, ".*") == 0)
        return true;
    if (*pattern == '{' || *pattern == '<')
        return match_group(matcher, pattern, part, group);
    if (pattern[0] == '.' && pattern[1] == '$')
        return match_type(matcher, pattern, part, group);
    const char *end = pattern + 1 + strcspn(pattern + 1, ".{<");
    const int taken = match_words(matcher, pattern, end, part);
    return taken >= 0 && match_parts(matcher, end, part + (uint32_t)taken, group);
}

/* ---- operands ---------------------------------------------------------------------------------------------- */

static PtxType scaled_type(PtxType type, char scale)
{
    static const struct {
        PtxType narrow, wide;
    } pairs[] = {{PTX_TYPE_U8, PTX_TYPE_U16},  {PTX_TYPE_S8, PTX_TYPE_S16},  {PTX_TYPE_B8, PTX_TYPE_B16},
                 {PTX_TYPE_U16, PTX_TYPE_U32}, {PTX_TYPE_S16, PTX_TYPE_S32}, {PTX_TYPE_B16, PTX_TYPE_B32},
                 {PTX_TYPE_U32, PTX_TYPE_U64}, {PTX_TYPE_S32, PTX_TYPE_S64}, {PTX_TYPE_B32, PTX_TYPE_B64},
                 {PTX_TYPE_F16, PTX_TYPE_F32}, {PTX_TYPE_F32, PTX_TYPE_F64}, {PTX_TYPE_B64, PTX_TYPE_B128}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((scale == 'w' ? pairs[i].narrow : pairs[i].wide) == type)
            return scale == 'w' ? pairs[i].wide : pairs[i].narrow;
    return PTX_TYPE_NONE;
}

static PtxType role_type(const PtxOpcodeMatch *match, const char *text, size_t length)
{
    if (length == 1 && *text >= 'T' && *text <= 'V')
        return match->types[*text - 'T'];
    if (length == 2 && (*text == 'w' || *text == 'n') && text[1] >= 'T' && text[1] <= 'V')
        return scaled_type(match->types[text[1] - 'T'], *text);
    return ptx_type_find(text, length);
}

static const char *read_role(const PtxOpcodeMatch *match, const char *text, PtxRole *ret_role)
{
    *ret_role = (PtxRole){.letter = *text++};
    if (*text == ':') {
        const size_t length = strcspn(++text, "+?[| ");
        ret_role->type = role_type(match, text, length);
        text += length;
    }
    for (; *text && *text != ' ' && *text != '|'; text++) {
        ret_role->may_be_wider |= *text == '+';
        ret_role->is_optional |= *text == '?';
        if (*text == '[') {
            ret_role->is_vector = true;
            for (text++; *text >= '0' && *text <= '9'; text++)
                ret_role->vector_count = (uint8_t)(ret_role->vector_count * 10 + (*text - '0'));
        }
    }
    return text;
}

static void read_roles(PtxOpcodeMatch *match)
{
    const char *text = match->opcode->operands;
    match->role_count = 0;
    bool is_second = false;
    while (*text) {
        assert(match->role_count < PTX_ROLES_MAX);
        PtxRole *role = &match->roles[match->role_count++];
        text = read_role(match, text, role);
        role->is_second = is_second;
        is_second = *text == '|';
        text += *text == '|' ? 1 : strspn(text, " ");
    }
}

static uint32_t written_vector(const PtxInstruction *instruction)
{
    for (uint32_t i = 0; i < instruction->modifier_count; i++) {
        const char *word = instruction->modifiers[i];
        if (word[0] == 'v' && word[1] >= '2' && word[1] <= '8' && word[2] == '\0')
            return (uint32_t)(word[1] - '0');
    }
    return 0;
}

static bool is_value(const PtxOperand *operand, bool may_be_sink)
{
    static const bool is_source[] = {
        [PTX_OPERAND_REGISTER] = true, [PTX_OPERAND_SPECIAL] = true,  [PTX_OPERAND_INTEGER] = true,
        [PTX_OPERAND_FLOAT] = true,    [PTX_OPERAND_VARIABLE] = true, [PTX_OPERAND_FUNCTION] = true,
        [PTX_OPERAND_STRING] = false};
    if (may_be_sink)
        return operand->kind == PTX_OPERAND_REGISTER || operand->kind == PTX_OPERAND_SINK;
    return operand->kind == PTX_OPERAND_SINK || is_source[operand->kind];
}

static bool role_fits(const PtxInstruction *instruction, const PtxRole *role, const PtxOperand *operand)
{
    const bool is_destination = role->letter == 'd' || role->letter == 'q';
    switch (role->letter) {
    case 'A':
    case 'B':
    case 'C': return operand->kind == PTX_OPERAND_ADDRESS;
    case 'L': return operand->kind == PTX_OPERAND_LABEL;
    case 'F': return operand->kind == PTX_OPERAND_FUNCTION || operand->kind == PTX_OPERAND_REGISTER;
    case 'P': return operand->kind == PTX_OPERAND_LIST;
    case 'X': return true;
    case 'i': return operand->kind == PTX_OPERAND_INTEGER || operand->kind == PTX_OPERAND_FLOAT;
    default: break;
    }
    if (!role->is_vector)
        return is_value(operand, is_destination);
    const uint32_t wanted = role->vector_count ? role->vector_count : written_vector(instruction);
    if (operand->kind != PTX_OPERAND_VECTOR || (wanted && operand->item_count != wanted))
        return false;
    for (uint32_t i = 0; i < operand->item_count; i++)
        if (!is_value(&operand->items[i], is_destination) && !is_value(&operand->items[i], true))
            return false;
    return true;
}

/* Whether the operands have the form of the row. */
static bool operands_fit(const PtxInstruction *instruction, const PtxOpcodeMatch *match)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < match->role_count; i++) {
        const PtxRole *role = &match->roles[i];
        const bool has_second = i + 1 < match->role_count && match->roles[i + 1].is_second;
        if (next >= instruction->operand_count) {
            if (!role->is_optional)
                return false;
            continue;
        }
        const PtxOperand *operand = &instruction->operands[next];
        const bool is_pair = operand->kind == PTX_OPERAND_PAIR;
        if (is_pair != has_second && !(has_second && match->roles[i + 1].is_optional))
            return false;
        if (!role_fits(instruction, role, is_pair ? &operand->items[0] : operand))
            return false;
        if (is_pair && !role_fits(instruction, &match->roles[i + 1], &operand->items[1]))
            return false;
        i += has_second;
        next++;
    }
    return next == instruction->operand_count;
}

/* ---- matching ---------------------------------------------------------------------------------------------- */

static bool row_fits(const PtxInstruction *instruction, const PtxOpcode *opcode, PtxOpcodeMatch *match,
                     bool *ret_is_form)
{
    const size_t length = mnemonic_length(opcode->pattern);
    if (strncmp(instruction->mnemonic, opcode->pattern, length) != 0 || instruction->mnemonic[length] != '\0')
        return false;
    *match = (PtxOpcodeMatch){.opcode = opcode};
    Matcher matcher = {.instruction = instruction, .match = match};
    if (!match_parts(&matcher, opcode->pattern + length, 0, 0))
        return false;
    *ret_is_form = true;
    read_roles(match);
    return opcode->handler == NULL || operands_fit(instruction, match);
}

bool ptx_opcode_match(const PtxOpcodeIndex *index, const PtxInstruction *instruction, PtxOpcodeMatch *ret_match,
                      char *ret_message, size_t size)
{
    bool is_form = false;
    const uint32_t bucket = mnemonic_bucket(instruction->mnemonic, strlen(instruction->mnemonic));
    for (uint32_t row = index->first[bucket]; row; row = index->next[row - 1])
        if (row_fits(instruction, &ptx_opcodes[row - 1], ret_match, &is_form))
            return true;
    snprintf(ret_message, size,
             is_form ? "these operands fit no form of the instruction" : "no such instruction is known");
    return false;
}

static const char *memory_class(PtxType type)
{
    static const char *const by_bytes[17] = {[1] = "u8", [2] = "u16", [4] = "b32", [8] = "b64", [16] = "b128"};
    if (type == PTX_TYPE_S8)
        return "s8";
    if (type == PTX_TYPE_S16)
        return "s16";
    const char *name = by_bytes[ptx_type_row(type)->bytes];
    return name ? name : "";
}

/* What stands for "$x" in a handler's name. */
static const char *variable_text(const PtxOpcodeMatch *match, char letter)
{
    if (letter >= 'T' && letter <= 'V')
        return ptx_type_row(match->types[letter - 'T'])->name;
    if (letter >= 'M' && letter <= 'O')
        return ptx_type_row(match->types[letter == 'N' ? 0 : letter == 'M' ? 1 : 2])->plain;
    if (letter == 'Z' || letter == 'Y')
        return memory_class(match->types[letter == 'Z' ? 0 : 1]);
    if (letter >= '1' && letter <= '9')
        return match->choices[letter - '1'] ? match->choices[letter - '1'] : "none";
    return "";
}

bool ptx_opcode_handler_name(const PtxOpcodeMatch *match, char *ret_name, size_t size)
{
    size_t used = 0;
    if (match->opcode->handler == NULL)
        return false;
    for (const char *at = match->opcode->handler; *at; at++) {
        const char *piece = at;
        size_t length = 1;
        if (*at == '$') {
            piece = variable_text(match, *++at);
            length = strcspn(piece, "|}>");
        }
        for (size_t i = 0; i < length; i++) {
            if (piece[i] == '.' || piece[i] == ':')
                continue;
            if (used + 1 >= size)
                return false;
            ret_name[used++] = piece[i];
        }
    }
    ret_name[used] = '\0';
    return true;
}
