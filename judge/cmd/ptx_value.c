#include "cmd/ptx_value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"

typedef enum ValueKind { VALUE_UNSIGNED, VALUE_SIGNED, VALUE_FLOAT } ValueKind;

struct PtxValueType {
    const char *name;
    uint8_t bytes;
    ValueKind kind;
};

static const PtxValueType types[] = {
    {"u8", 1, VALUE_UNSIGNED}, {"u16", 2, VALUE_UNSIGNED}, {"u32", 4, VALUE_UNSIGNED}, {"u64", 8, VALUE_UNSIGNED},
    {"b8", 1, VALUE_UNSIGNED}, {"b16", 2, VALUE_UNSIGNED}, {"b32", 4, VALUE_UNSIGNED}, {"b64", 8, VALUE_UNSIGNED},
    {"s8", 1, VALUE_SIGNED},   {"s16", 2, VALUE_SIGNED},   {"s32", 4, VALUE_SIGNED},   {"s64", 8, VALUE_SIGNED},
    {"f32", 4, VALUE_FLOAT},   {"f64", 8, VALUE_FLOAT},
};

static const PtxValueType *find_type(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, text, length) == 0)
            return &types[i];
    return NULL;
}

static void store_float(const PtxValueType *type, double number, uint8_t *to)
{
    const float single = (float)number;
    if (type->bytes == 4)
        memcpy(to, &single, sizeof single);
    else
        memcpy(to, &number, sizeof number);
}

static void store_integer(const PtxValueType *type, uint64_t value, uint8_t *to)
{
    memcpy(to, &value, type->bytes); /* little-endian, as every machine that this runs on */
}

static bool store_text(const PtxValueType *type, const char *text, uint8_t *to)
{
    char *end = NULL;
    errno = 0;
    if (type->kind == VALUE_FLOAT)
        store_float(type, strtod(text, &end), to);
    else if (type->kind == VALUE_SIGNED)
        store_integer(type, (uint64_t)strtoll(text, &end, 0), to);
    else
        store_integer(type, strtoull(text, &end, 0), to);
    return *text && !*end && !errno;
}

/* ---- buffers ----------------------------------------------------------------------------------------------- */

static void fill_iota(PtxArgument *argument)
{
    for (uint64_t i = 0; i < argument->count; i++) {
        uint8_t *to = argument->bytes + i * argument->type->bytes;
        if (argument->type->kind == VALUE_FLOAT)
            store_float(argument->type, (double)i, to);
        else
            store_integer(argument->type, i, to);
    }
}

/* SplitMix64 (Steele, Lea, Flood 2014): floats in [0, 1), integers of all bits. */
static void fill_random(PtxArgument *argument, uint64_t seed)
{
    for (uint64_t i = 0; i < argument->count; i++) {
        uint64_t x = seed += UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
        x ^= x >> 31;
        uint8_t *to = argument->bytes + i * argument->type->bytes;
        if (argument->type->kind == VALUE_FLOAT)
            store_float(argument->type, (double)(x >> 40) * 0x1p-24, to);
        else
            store_integer(argument->type, x, to);
    }
}

static bool fill_file(PtxArgument *argument, const char *path, Error *error)
{
    auto_buffer Buffer content = {0};
    if (!fd_read_file(path, argument->size_bytes, &content, error))
        return false;
    memcpy(argument->bytes, buffer_text(&content), content.size);
    return true;
}

static bool fill(PtxArgument *argument, const char *how, Error *error)
{
    char *end = NULL;
    if (strcmp(how, "zero") == 0)
        return true;
    if (strcmp(how, "iota") == 0)
        return fill_iota(argument), true;
    if (strncmp(how, "file=", 5) == 0)
        return fill_file(argument, how + 5, error);
    if (strncmp(how, "random=", 7) == 0) {
        fill_random(argument, strtoull(how + 7, &end, 10));
        return (how[7] && !*end) || error_input(error, "random= needs a number, not '%s'", how + 7);
    }
    if (strncmp(how, "fill=", 5) != 0)
        return error_input(error, "a buffer is filled by zero, iota, fill=VALUE, random=SEED or file=PATH, not '%s'",
                           how);
    for (uint64_t i = 0; i < argument->count; i++)
        if (!store_text(argument->type, how + 5, argument->bytes + i * argument->type->bytes))
            return error_input(error, "'%s' is no %s", how + 5, argument->type->name);
    return true;
}

enum { BUFFER_BYTES_MAX = 1 << 30 };

/* "TYPE:COUNT[:HOW]" */
static bool parse_buffer(Arena *arena, const char *text, PtxArgument *ret, Error *error)
{
    const size_t length = strcspn(text, ":");
    ret->type = find_type(text, length);
    if (!ret->type || text[length] != ':')
        return error_input(error,
                           "a buffer is buffer:TYPE:COUNT[:CONTENT], TYPE one of u8 ... u64, s8 ... s64, f32, f64");
    char *end;
    errno = 0;
    ret->count = strtoull(text + length + 1, &end, 10);
    ret->is_buffer = true;
    if (errno || ret->count == 0 || ret->count > BUFFER_BYTES_MAX / ret->type->bytes || (*end && *end != ':'))
        return error_input(error, "a buffer has 1 element to 1 GiB, not '%s'", text + length + 1);
    ret->size_bytes = ret->count * ret->type->bytes;
    ret->bytes = arena_alloc(arena, ret->size_bytes);
    return fill(ret, *end ? end + 1 : "zero", error);
}

bool ptx_argument_parse(Arena *arena, const char *text, PtxArgument *ret_argument, Error *error)
{
    *ret_argument = (PtxArgument){0};
    const size_t length = strcspn(text, ":");
    if (length == 6 && memcmp(text, "buffer", 6) == 0 && text[6] == ':')
        return parse_buffer(arena, text + 7, ret_argument, error) || error_wrap(error, "--arg %s", text);
    ret_argument->type = find_type(text, length);
    if (!ret_argument->type || text[length] != ':')
        return error_input(error, "--arg %s: not TYPE:VALUE or buffer:TYPE:COUNT[:CONTENT]", text);
    ret_argument->size_bytes = ret_argument->type->bytes;
    ret_argument->bytes = arena_alloc(arena, sizeof(uint64_t));
    return store_text(ret_argument->type, text + length + 1, ret_argument->bytes) ||
           error_input(error, "--arg %s: '%s' is no %s", text, text + length + 1, ret_argument->type->name);
}

bool ptx_argument_place(PtxMachine *machine, PtxArgument *argument, Error *error)
{
    if (!argument->is_buffer)
        return true;
    argument->address = ptx_machine_allocate(machine, argument->size_bytes);
    return (argument->address &&
            ptx_machine_write(machine, argument->address, argument->bytes, argument->size_bytes)) ||
           error_input(error, "a buffer of %" PRIu64 " bytes does not fit into the machine's memory",
                       argument->size_bytes);
}

static void print_element(const PtxValueType *type, const uint8_t *at, FILE *stream)
{
    uint64_t bits = 0;
    memcpy(&bits, at, type->bytes);
    if (type->kind == VALUE_UNSIGNED) {
        fprintf(stream, "%" PRIu64, bits);
    } else if (type->kind == VALUE_SIGNED) {
        const int shift = 64 - 8 * type->bytes;
        fprintf(stream, "%" PRId64, (int64_t)(bits << shift) >> shift);
    } else if (type->bytes == 4) {
        float number;
        memcpy(&number, at, sizeof number);
        fprintf(stream, "%.9g", (double)number);
    } else {
        double number;
        memcpy(&number, at, sizeof number);
        fprintf(stream, "%.17g", number);
    }
}

bool ptx_argument_print(const PtxMachine *machine, const PtxArgument *argument, uint64_t count, FILE *stream,
                        Error *error)
{
    count = count < argument->count ? count : argument->count;
    const uint64_t size = count * argument->type->bytes;
    auto_free uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes || !ptx_machine_read(machine, argument->address, bytes, size))
        return error_fault(error, "a buffer can't be read back");
    for (uint64_t i = 0; i < count; i++) {
        fputs(i ? " " : "", stream);
        print_element(argument->type, bytes + i * argument->type->bytes, stream);
    }
    fputs(count < argument->count ? " ...\n" : "\n", stream);
    return true;
}
