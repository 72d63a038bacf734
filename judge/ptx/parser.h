/* Inside of the PTX parser: its state and the parts that its files offer each other. Others use syntax.h.
 *
 * A function that parses returns false when the text is wrong; the first reason is kept in `error`. The parser stands
 * at one token; a broken token matches nothing, so that every loop ends. */
#ifndef GAVEL_PTX_PARSER_H
#define GAVEL_PTX_PARSER_H

#include "base/buffer.h"
#include "ptx/lexer.h"
#include "ptx/scope.h"

/* What a text may ask for, so that a small one can't take all memory. Those of a module count over all functions; the
 * largest module seen, radix sort and scans of a library for many types, has 40,000 instructions and 50,000 registers.
 */
enum {
    PTX_TEXT_BYTES_MAX = 64 << 20,
    PTX_NESTING_MAX = 64, /* brackets in an operand, expression or initialiser */
    PTX_REGISTERS_MAX = 1 << 20,
    PTX_MODULE_REGISTERS_MAX = 2 << 20,
    PTX_MODULE_VARIABLES_MAX = 1 << 18,
    PTX_MODULE_FUNCTIONS_MAX = 1 << 16,
    PTX_MODULE_LABELS_MAX = 1 << 20,
    PTX_MODULE_INSTRUCTIONS_MAX = 1 << 20,
    PTX_MODULE_OPERANDS_MAX = 4 << 20,
    PTX_MODULE_NAMES_MAX = 3 << 20,
    PTX_OPERAND_ITEMS_MAX = 64 << 10,
    PTX_DIMENSIONS_MAX = 16,
    PTX_FILES_MAX = 64 << 10,
    PTX_INLINE_DEPTH_MAX = 64,
};
#define PTX_ARRAY_BYTES_MAX (UINT64_C(4) << 30)
#define PTX_IMAGE_BYTES_MAX (UINT64_C(256) << 20)

/* A label that was named: `*target` becomes its instruction once its scope, or one around it, has it. */
typedef struct PtxPendingLabel {
    const PtxName *name;
    PtxPlace place;
    uint32_t *target;
} PtxPendingLabel;

/* The function being parsed. */
typedef struct PtxBody {
    PtxFunction *function;
    Buffer registers;                         /* PtxRegister */
    Buffer variables;                         /* PtxVariable * */
    Buffer instructions;                      /* PtxInstruction */
    Buffer label_names;                       /* const char * */
    Buffer label_targets;                     /* uint32_t */
    Buffer pending;                           /* PtxPendingLabel */
    size_t pending_marks[PTX_SCOPES_MAX + 1]; /* by depth: size of `pending` where the scope began */
    const PtxSourceLocation *location;
} PtxBody;

/* The places of `.loc` so far, by file, line and column: see location.c. */
typedef struct PtxLocations {
    struct PtxLocationEntry *slots;
    uint32_t size, count; /* size: a power of two, or 0 */
    uint32_t file_max;    /* largest file index that was named */
} PtxLocations;

typedef struct PtxParser {
    Arena *arena;
    PtxSyntax *syntax;
    PtxSyntaxError *error;
    bool has_failed;
    PtxLexer lexer;
    PtxToken token;
    PtxScopes scopes;
    uint32_t nesting;
    Buffer variables, functions; /* pointers */
    Buffer files;                /* const char * */
    Buffer aliases;              /* see parse_module.c */
    Buffer operands;             /* PtxOperand: a stack of lists being read */
    Buffer image;                /* bytes of the initialiser being read */
    Buffer relocations;          /* PtxRelocation */
    PtxLocations locations;
    PtxBody body;
    uint64_t register_total, variable_total, label_total, instruction_total, operand_total, image_total;
} PtxParser;

/* ---- parser.c: tokens, errors, limits -----------------------------------------------------------------------------
 */

/* Keeps the reason, unless there is one already. */
void ptx_parser_record(PtxParser *parser, PtxPlace place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Keeps the reason and is false, visibly so for compilers that follow values. */
#define ptx_parser_fail(...) (ptx_parser_record(__VA_ARGS__), false)

/* Records "WHAT expected, not `token`". */
void ptx_parser_record_expected(PtxParser *parser, const char *what);
static inline bool ptx_parser_expected(PtxParser *parser, const char *what)
{
    ptx_parser_record_expected(parser, what);
    return false;
}

void ptx_parser_advance(PtxParser *parser);
bool ptx_parser_at(const PtxParser *parser, uint32_t symbol); /* the token is this symbol */
bool ptx_parser_accept(PtxParser *parser, uint32_t symbol);   /* ... and is then passed */
bool ptx_parser_expect(PtxParser *parser, uint32_t symbol);   /* ... or it is an error */
bool ptx_parser_accept_dotted(PtxParser *parser, const char *word);
/* A name that is not `_`; passes it. */
bool ptx_parser_name(PtxParser *parser, const char *what, PtxName **ret_name);
/* The token's text for messages: at most 40 characters, for "%.*s". */
#define PTX_TOKEN_TEXT(token) (int)((token).length < 40 ? (token).length : 40), (token).text
/* The token as a word of the module. */
PtxName *ptx_parser_intern(PtxParser *parser);

/* One level deeper into brackets; every call that returned true needs ptx_parser_leave. */
bool ptx_parser_enter(PtxParser *parser);
void ptx_parser_leave(PtxParser *parser);

/* Counts `more` against a limit of the module. */
bool ptx_parser_charge(PtxParser *parser, uint64_t *total, uint64_t more, uint64_t limit, const char *what);

/* Asked between statements: whether the module still has few enough names. */
bool ptx_parser_check_names(PtxParser *parser);

/* Appends to a list that lives while parsing. */
bool ptx_parser_push(PtxParser *parser, Buffer *list, const void *item, size_t size);
/* A copy of `size` bytes in the arena; NULL for none. */
void *ptx_parser_keep(PtxParser *parser, const void *data, size_t size);

/* Declares a local symbol; an error if the scope has the name. */
bool ptx_parser_declare(PtxParser *parser, PtxName *name, PtxSymbol symbol);

/* ---- constant.c ----------------------------------------------------------------------------------------------------
 */

typedef enum PtxConstantKind {
    PTX_CONSTANT_SIGNED,
    PTX_CONSTANT_UNSIGNED,
    PTX_CONSTANT_SINGLE, /* 0f...: 32 bits */
    PTX_CONSTANT_DOUBLE, /* 64 bits */
} PtxConstantKind;

typedef struct PtxConstant {
    PtxConstantKind kind;
    uint64_t bits;
} PtxConstant;

/* Whether a constant expression can begin at the token (a parenthesis apart). */
bool ptx_constant_begins(const PtxParser *parser);
/* A constant expression (PTX ISA 9.0, 4.5). */
bool ptx_parse_constant(PtxParser *parser, PtxConstant *ret);
/* What may follow `+` in an address: a product. */
bool ptx_parse_constant_term(PtxParser *parser, PtxConstant *ret);
/* An integer expression. */
bool ptx_parse_integer(PtxParser *parser, uint64_t *ret);
/* A plain number up to `max`; `what` names it in messages. */
bool ptx_parse_number(PtxParser *parser, const char *what, uint64_t max, uint64_t *ret);
/* { + term | - term } */
bool ptx_parse_offset(PtxParser *parser, int64_t *ret);

/* ---- the grammar ---------------------------------------------------------------------------------------------------
 */

/* parse_variable.c */
typedef enum PtxLinkage {
    PTX_LINKAGE_EXTERN = 1 << 0,
    PTX_LINKAGE_VISIBLE = 1 << 1,
    PTX_LINKAGE_WEAK = 1 << 2,
    PTX_LINKAGE_COMMON = 1 << 3,
} PtxLinkage;

/* The state space of that name at the token, or PTX_SPACE_NONE. */
PtxSpace ptx_token_space(const PtxToken *token);
/* `.space .align .type name, name ... ;` with what they contain. In a function they become local symbols. */
bool ptx_parse_variables(PtxParser *parser, unsigned linkage);
/* `( .param ..., ... )` of a function or prototype, in the order written. */
bool ptx_parse_parameters(PtxParser *parser, bool is_prototype, PtxVariable ***ret_variables, uint32_t *ret_count);
/* Sets element count and size from array dimensions; those of an unsized variable are 0. */
bool ptx_variable_set_size(PtxParser *parser, PtxVariable *variable, const uint64_t *dimensions, uint32_t count);
/* What follows `.attribute` */
bool ptx_parse_attribute(PtxParser *parser);

/* parse_initializer.c: what follows `=`. Array dimensions come first to last; if the first was
 * left out, it is set, and the variable's size with it. */
bool ptx_parse_initializer(PtxParser *parser, PtxVariable *variable, uint64_t *dimensions, uint32_t dimension_count);

/* parse_operand.c: operands up to `;`, which is passed. */
bool ptx_parse_operands(PtxParser *parser, PtxInstruction *instruction);

/* parse_body.c: `{ ... }` of a function. */
bool ptx_parse_body(PtxParser *parser, PtxFunction *function);
/* Strings of `.pragma`, which mean nothing here, up to `;`. */
bool ptx_parse_pragma(PtxParser *parser);

/* location.c: `.loc` */
bool ptx_parse_location(PtxParser *parser);

/* parse_function.c */
bool ptx_parse_function(PtxParser *parser, unsigned linkage);
/* `.callprototype (...) _ (...)`, the directive being passed already. */
bool ptx_parse_prototype(PtxParser *parser, PtxFunction **ret_prototype);

#endif
