#include "ptx/builtin.h"

#include <string.h>

#include "ptx/access.h"
#include "ptx/console.h"

/* The arguments and the result of one lane's call. */
typedef struct BuiltinCall {
    PtxWarp *warp;
    const PtxOp *op;
    const PtxCall *call;
    unsigned lane;
} BuiltinCall;

static uint8_t *place(const BuiltinCall *self, const PtxPlacement *where)
{
    return ptx_placement(where, self->warp->frame, self->warp->parameters, self->warp->parameter_stride, self->lane);
}

static uint64_t argument(const BuiltinCall *self, uint32_t index)
{
    uint64_t value = 0;
    const PtxPlacement *where = &self->call->arguments[index];
    memcpy(&value, place(self, where), where->bytes < sizeof value ? where->bytes : sizeof value);
    return value;
}

static void set_result(const BuiltinCall *self, uint64_t value)
{
    if (self->call->result_count) {
        const PtxPlacement *where = &self->call->results[0];
        memcpy(place(self, where), &value, where->bytes < sizeof value ? where->bytes : sizeof value);
    }
}

/* Copies a terminated text from generic address `address`; false after a trap. */
static bool read_text(const BuiltinCall *self, uint64_t address, char *ret_text, size_t size)
{
    for (size_t i = 0; i + 1 < size; i++) {
        const uint8_t *byte = ptx_access(self->warp, self->op, self->lane, PTX_SPACE_NONE, address + i, 1, false);
        if (!byte)
            return false;
        ret_text[i] = (char)*byte;
        if (*byte == 0)
            return true;
    }
    ret_text[size - 1] = '\0';
    return true;
}

enum { FORMAT_MAX = 4096, TEXT_MAX = 1024 };

/* One argument of printf: in the buffer, at its natural alignment. */
static bool next_argument(const BuiltinCall *self, uint64_t *at, uint32_t bytes, uint64_t *ret_value)
{
    *at = (*at + bytes - 1) / bytes * bytes;
    const uint8_t *value = ptx_access(self->warp, self->op, self->lane, PTX_SPACE_NONE, *at, bytes, false);
    if (!value)
        return false;
    *ret_value = 0;
    memcpy(ret_value, value, bytes);
    *at += bytes;
    return true;
}

/* One conversion of the format, from '%'. Advances both positions. */
static bool print_conversion(const BuiltinCall *self, const char **format, uint64_t *at)
{
    PtxFormat conversion;
    char text[TEXT_MAX];
    uint64_t value = 0;
    ptx_format_read(format, &conversion);
    if (conversion.argument_bytes && !next_argument(self, at, conversion.argument_bytes, &value))
        return false;
    if (conversion.letter == 's' && value == 0)
        strcpy(text, "(null)");
    else if (conversion.letter == 's' && !read_text(self, value, text, sizeof text))
        return false;
    ptx_console_format(self->warp->worker->console, &conversion, value, text);
    return true;
}

static bool builtin_vprintf(const BuiltinCall *self)
{
    char format[FORMAT_MAX];
    if (!read_text(self, argument(self, 0), format, sizeof format))
        return false;
    uint64_t at = argument(self, 1);
    int32_t arguments = 0;
    for (const char *next = format; *next;) {
        const size_t plain = strcspn(next, "%");
        ptx_console_write(self->warp->worker->console, next, plain);
        next += plain;
        if (*next == '%' && next[1] == '%') {
            ptx_console_write(self->warp->worker->console, "%", 1);
            next += 2;
        } else if (*next && (arguments++, !print_conversion(self, &next, &at))) {
            return false;
        }
    }
    set_result(self, (uint32_t)arguments);
    return true;
}

/* __assertfail(message, file, line, function, character size) */
static bool builtin_assertfail(const BuiltinCall *self)
{
    char message[128] = "", file[128] = "", function[96] = "";
    if (!read_text(self, argument(self, 0), message, sizeof message) ||
        !read_text(self, argument(self, 1), file, sizeof file) ||
        !read_text(self, argument(self, 3), function, sizeof function))
        return false;
    ptx_trap(self->warp, self->op, self->lane, PTX_TRAP_ASSERT, 0, "%s:%u: %s: assertion `%s' failed", file,
             (unsigned)argument(self, 2), function, message);
    return false;
}

static bool builtin_malloc(const BuiltinCall *self)
{
    const uint64_t size = argument(self, 0);
    set_result(self, size ? ptx_memory_allocate(self->warp->launch->memory, size, NULL, false) : 0);
    return true;
}

static bool builtin_free(const BuiltinCall *self)
{
    const uint64_t address = argument(self, 0);
    if (address == 0 || ptx_memory_free(self->warp->launch->memory, address))
        return true;
    ptx_trap(self->warp, self->op, self->lane, PTX_TRAP_OUT_OF_BOUNDS, address,
             "free of an address that malloc did not give");
    return false;
}

static const struct {
    const char *name;
    uint32_t argument_count;
    bool (*call)(const BuiltinCall *self);
} builtins[] = {
    {"vprintf", 2, builtin_vprintf},
    {"__assertfail", 5, builtin_assertfail},
    {"malloc", 1, builtin_malloc},
    {"free", 1, builtin_free},
};

bool ptx_builtin_call(PtxWarp *warp, const PtxOp *op, const PtxCall *call)
{
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        if (strcmp(builtins[i].name, call->declared->name) != 0 || builtins[i].argument_count != call->argument_count)
            continue;
        for (PTX_EACH_LANE(lane, warp->mask)) {
            const BuiltinCall self = {warp, op, call, lane};
            if (!builtins[i].call(&self))
                return false;
        }
        return true;
    }
    ptx_trap(warp, op, (unsigned)__builtin_ctz(warp->mask), PTX_TRAP_CALL, 0, "the function '%s' is not defined",
             call->declared->name);
    return false;
}
