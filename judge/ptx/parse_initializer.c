/* Initial values of variables (PTX ISA 9.0, 5.4.4): numbers, addresses of variables and functions, single bytes of
 * addresses. They are written into an image that ends at the last byte that isn't zero, until the variable is done. */
#include <assert.h>
#include <string.h>

#include "ptx/parser.h"

typedef struct Initializer {
    PtxParser *parser;
    const PtxVariable *variable;
    uint32_t element_bytes;
    uint64_t dimensions[PTX_DIMENSIONS_MAX + 1]; /* with the vector, if it is one */
    uint64_t strides[PTX_DIMENSIONS_MAX + 1];    /* elements of one item of each dimension */
    uint32_t count;
    uint64_t used; /* items of the first dimension */
} Initializer;

/* ---- the image --------------------------------------------------------------------------------------------------- */

static bool write_value(PtxParser *parser, uint64_t offset, const void *value, size_t bytes)
{
    static const char zeros[4096];
    Buffer *image = &parser->image;
    if (offset + bytes > PTX_IMAGE_BYTES_MAX)
        return ptx_parser_fail(parser, parser->token.place, "an initial value lies beyond 256 MiB");
    while (image->size < offset + bytes && !image->has_failed) {
        const uint64_t missing = offset + bytes - image->size;
        buffer_append(image, zeros, missing < sizeof zeros ? missing : sizeof zeros);
    }
    if (image->has_failed)
        return ptx_parser_fail(parser, parser->token.place, "out of memory");
    memcpy(image->data + offset, value, bytes);
    return true;
}

/* The low bytes of `bits`, as a little-endian machine has them. Zeros are there already. */
static bool put_bits(Initializer *self, uint64_t element, uint64_t bits)
{
    const uint32_t bytes = self->element_bytes < sizeof bits ? self->element_bytes : sizeof bits;
    bits &= UINT64_MAX >> (64 - 8 * bytes);
    return bits == 0 || write_value(self->parser, element * self->element_bytes, &bits, bytes);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static bool double_value(PtxConstant constant, double *ret)
{
    float single;
    const uint32_t bits = (uint32_t)constant.bits;
    switch (constant.kind) {
    case PTX_CONSTANT_SINGLE:
        memcpy(&single, &bits, sizeof single);
        *ret = single;
        return true;
    case PTX_CONSTANT_DOUBLE: memcpy(ret, &constant.bits, sizeof *ret); return true;
    default: return false;
    }
}

static bool float_bits(PtxType type, PtxConstant constant, uint64_t *ret)
{
    double value;
    if (type == PTX_TYPE_F32 && constant.kind == PTX_CONSTANT_SINGLE) {
        *ret = constant.bits;
        return true;
    }
    if (!double_value(constant, &value))
        return false;
    if (type == PTX_TYPE_F64) {
        memcpy(ret, &value, sizeof value);
        return true;
    }
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    *ret = bits;
    return true;
}

/* The bits of a constant in an element of that type; false: such an element can't hold it. */
static bool element_bits(PtxType type, PtxConstant constant, uint64_t *ret)
{
    const bool is_float = constant.kind == PTX_CONSTANT_SINGLE || constant.kind == PTX_CONSTANT_DOUBLE;
    if (type == PTX_TYPE_F32 || type == PTX_TYPE_F64)
        return float_bits(type, constant, ret);
    const uint32_t width = constant.kind == PTX_CONSTANT_SINGLE ? 4 : 8;
    *ret = constant.bits;
    return !is_float || (ptx_type_row(type)->class == PTX_CLASS_BITS && ptx_type_row(type)->bytes == width);
}

static bool put_constant(Initializer *self, uint64_t element, PtxPlace place, PtxConstant constant)
{
    uint64_t bits;
    if (!element_bits(self->variable->type, constant, &bits))
        return ptx_parser_fail(self->parser, place, "a .%s can't begin as this constant",
                               ptx_type_row(self->variable->type)->name);
    return put_bits(self, element, bits);
}

static bool has_fixed_address(const PtxVariable *variable)
{
    return variable->space == PTX_SPACE_GLOBAL || variable->space == PTX_SPACE_CONST;
}

/* `name + offset`, `generic(name) + offset` */
static bool parse_address(Initializer *self, PtxRelocation *ret)
{
    PtxParser *parser = self->parser;
    ret->is_generic = ptx_token_is(&parser->token, PTX_TOKEN_NAME, "generic");
    if (ret->is_generic) {
        ptx_parser_advance(parser);
        if (!ptx_parser_expect(parser, '('))
            return false;
    }
    const PtxPlace place = parser->token.place;
    PtxName *name;
    if (!ptx_parser_name(parser, "a constant or the name of a variable", &name))
        return false;
    const PtxSymbol symbol = ptx_scopes_find(&parser->scopes, name);
    if (symbol.kind == PTX_SYMBOL_VARIABLE && has_fixed_address(symbol.variable))
        ret->variable = symbol.variable;
    else if (symbol.kind == PTX_SYMBOL_FUNCTION)
        ret->function = symbol.function;
    else
        return ptx_parser_fail(parser, place, "`%.40s` is no global variable or function declared before", name->text);
    return (!ret->is_generic || ptx_parser_expect(parser, ')')) && ptx_parse_offset(parser, &ret->addend);
}

static bool put_address(Initializer *self, uint64_t element, PtxRelocation relocation)
{
    relocation.offset = element * self->element_bytes;
    return ptx_parser_push(self->parser, &self->parser->relocations, &relocation, sizeof relocation);
}

/* `0xff00(name)`: the byte of an address under a mask; the mask has been read, its `(` has not. */
static bool parse_masked(Initializer *self, uint64_t element, PtxPlace place, PtxConstant mask)
{
    PtxParser *parser = self->parser;
    PtxRelocation relocation = {.bytes = 1};
    while (relocation.shift < 64 && mask.bits >> relocation.shift != 0xFF)
        relocation.shift += 8;
    if (relocation.shift == 64 || mask.bits << (56 - relocation.shift) != UINT64_C(0xFF) << 56)
        return ptx_parser_fail(parser, place, "a mask is 0xFF, perhaps followed by bytes of zeros");
    return ptx_parser_expect(parser, '(') && parse_address(self, &relocation) && ptx_parser_expect(parser, ')') &&
           put_address(self, element, relocation);
}

static bool parse_element(Initializer *self, uint64_t element)
{
    PtxParser *parser = self->parser;
    const PtxPlace place = parser->token.place;
    if (parser->token.kind == PTX_TOKEN_NAME && !ptx_constant_begins(parser)) {
        PtxRelocation relocation = {.bytes = self->element_bytes < 8 ? self->element_bytes : 8};
        return parse_address(self, &relocation) && put_address(self, element, relocation);
    }
    PtxConstant constant;
    if (!ptx_parse_constant(parser, &constant))
        return false;
    if (ptx_parser_at(parser, '('))
        return parse_masked(self, element, place, constant);
    return put_constant(self, element, place, constant);
}

/* ---- braces ------------------------------------------------------------------------------------------------------ */

/* `{ item, ... }` of one dimension, the first item being `element`. Items left out are zeros. */
static bool parse_list(Initializer *self, uint32_t level, uint64_t element)
{
    PtxParser *parser = self->parser;
    uint64_t items = 0;
    if (!ptx_parser_expect(parser, '{'))
        return false;
    while (!ptx_parser_at(parser, '}')) {
        if (items >= self->dimensions[level])
            return ptx_parser_fail(parser, parser->token.place, "more initial values than `%.40s` has room for",
                                   self->variable->name);
        const uint64_t at = element + items * self->strides[level];
        if (at > PTX_ARRAY_BYTES_MAX)
            return ptx_parser_fail(parser, parser->token.place, "`%.40s` is larger than 4 GiB", self->variable->name);
        if (level + 1 < self->count ? !parse_list(self, level + 1, at) : !parse_element(self, at))
            return false;
        items++;
        if (!ptx_parser_accept(parser, ','))
            break;
    }
    if (level == 0)
        self->used = items;
    return ptx_parser_expect(parser, '}');
}

/* Samplers and texture references begin as lists of properties, which the machine doesn't have. */
static bool skip_properties(PtxParser *parser)
{
    uint32_t depth = 0;
    do {
        if (parser->token.kind == PTX_TOKEN_END || parser->token.kind == PTX_TOKEN_BROKEN)
            return ptx_parser_expected(parser, "`}`");
        depth += ptx_parser_at(parser, '{');
        depth -= depth > 0 && ptx_parser_at(parser, '}');
        ptx_parser_advance(parser);
    } while (depth > 0);
    return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool keep_image(PtxParser *parser, PtxVariable *variable)
{
    variable->relocation_count = parser->relocations.size / sizeof(PtxRelocation);
    variable->relocations = ptx_parser_keep(parser, parser->relocations.data, parser->relocations.size);
    if (parser->image.size == 0)
        return true;
    assert(parser->image.size <= variable->size_bytes);
    if (!ptx_parser_charge(parser, &parser->image_total, variable->size_bytes, PTX_IMAGE_BYTES_MAX,
                           "bytes of initial values"))
        return false;
    uint8_t *image = arena_alloc(parser->arena, variable->size_bytes);
    memcpy(image, parser->image.data, parser->image.size);
    variable->image = image;
    return true;
}

static void init_dimensions(Initializer *self, const uint64_t *dimensions, uint32_t count)
{
    memcpy(self->dimensions, dimensions, count * sizeof *dimensions);
    self->count = count;
    if (self->variable->vector > 1)
        self->dimensions[self->count++] = self->variable->vector;
    if (self->variable->is_unsized)
        self->dimensions[0] = PTX_IMAGE_BYTES_MAX;
    uint64_t stride = 1;
    for (uint32_t i = self->count; i-- > 0; stride *= self->dimensions[i])
        self->strides[i] = stride;
}

bool ptx_parse_initializer(PtxParser *parser, PtxVariable *variable, uint64_t *dimensions, uint32_t dimension_count)
{
    Initializer self = {.parser = parser, .variable = variable, .element_bytes = ptx_type_row(variable->type)->bytes};
    if (ptx_type_row(variable->type)->class == PTX_CLASS_OPAQUE)
        return skip_properties(parser);
    init_dimensions(&self, dimensions, dimension_count);
    parser->image.size = 0;
    parser->relocations.size = 0;
    if (!(self.count ? parse_list(&self, 0, 0) : parse_element(&self, 0)))
        return false;
    if (variable->is_unsized && self.used > 0) {
        dimensions[0] = self.used;
        variable->is_unsized = false;
    }
    return ptx_variable_set_size(parser, variable, dimensions, dimension_count) && keep_image(parser, variable);
}
