/* ptx_parse: what it makes of PTX, where it says that a text is wrong, and that it can't be made to take all memory.
 * What is accepted and refused was compared with NVIDIA's assembler of CUDA 13.0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "ptx/syntax.h"

#define HEADER ".version 9.0\n.target sm_90a\n.address_size 64\n" /* line 4 is a text's first */

static Arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static PtxSyntax *parse(const char *text, PtxSyntaxError *error)
{
    const char *whole = arena_format(arena, HEADER "%s", text);
    return ptx_parse(arena, "test.ptx", whole, strlen(whole), error);
}

static PtxSyntax *module(const char *text)
{
    PtxSyntaxError error = {0};
    PtxSyntax *syntax = parse(text, &error);
    if (!syntax)
        fail_msg("%" PRIu32 ":%" PRIu32 ": %s", error.place.line, error.place.column, error.message);
    return syntax;
}

/* The function `e` of a module whose kernel has this body. */
static PtxFunction *body(const char *text)
{
    return ptx_syntax_function(module(arena_format(arena, ".entry e {%s}", text)), "e");
}

static const PtxOperand *operand_of(const PtxFunction *function, uint32_t instruction, uint32_t operand)
{
    assert_true(instruction < function->instruction_count);
    assert_true(operand < function->instructions[instruction].operand_count);
    return &function->instructions[instruction].operands[operand];
}

/* ---- the module -------------------------------------------------------------------------------------------------- */

static void head_is_read(void **state)
{
    (void)state;
    const PtxSyntax *syntax = module(".file 2 \"a b.cu\", 123, 456\n.file 1 \"C:\\\\x.cu\"\n.pragma \"x\", \"y\";\n"
                                     "# 1 \"x.cu\"\n  // nothing\n/* nothing\n */\r\n@@DWARF .byte 1\n");
    assert_string_equal(syntax->name, "test.ptx");
    assert_int_equal(syntax->version_major, 9);
    assert_int_equal(syntax->version_minor, 0);
    assert_string_equal(syntax->target, "sm_90a");
    assert_int_equal(syntax->address_bits, 64);
    assert_int_equal(syntax->file_count, 3);
    assert_null(syntax->files[0]);
    assert_string_equal(syntax->files[1], "C:\\\\x.cu");
    assert_string_equal(syntax->files[2], "a b.cu");
    assert_int_equal(syntax->function_count, 0);
    assert_int_equal(syntax->variable_count, 0);
}

static void debug_sections_are_skipped(void **state)
{
    (void)state;
    const PtxSyntax *syntax =
        module(".section .debug_str {\n$L__info_string0:\n.b8 95,90,0\n.b32 .debug_x+4\n.b64 a-b\n}\n"
               ".section .debug_info { }\n.global .u32 x;");
    assert_int_equal(syntax->variable_count, 1);
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static const PtxVariable *variable(const char *declaration, const char *name)
{
    const PtxVariable *found = ptx_syntax_variable(module(declaration), name);
    assert_non_null(found);
    return found;
}

static void shapes_of_variables(void **state)
{
    (void)state;
    const PtxVariable *x = variable(".visible .global .attribute(.managed) .align 16 .v4 .f32 x[2][3];", "x");
    assert_int_equal(x->space, PTX_SPACE_GLOBAL);
    assert_int_equal(x->type, PTX_TYPE_F32);
    assert_int_equal(x->vector, 4);
    assert_int_equal(x->element_count, 6);
    assert_int_equal(x->size_bytes, 96);
    assert_int_equal(x->align_bytes, 16);
    assert_true(x->is_visible && x->is_array);
    assert_false(x->is_extern || x->is_weak || x->is_unsized);
    assert_null(x->image);
    assert_int_equal(x->place.line, 4);
    assert_int_equal(x->place.column, 58);
    x = variable(".const[2] .b64 c;", "c");
    assert_int_equal(x->space, PTX_SPACE_CONST);
    assert_int_equal(x->align_bytes, 8);
    assert_int_equal(x->element_count, 1);
    x = variable(".extern .shared .align 128 .b8 s[];", "s");
    assert_true(x->is_extern && x->is_unsized);
    assert_int_equal(x->size_bytes, 0);
    assert_true(variable(".weak .global .u8 w;", "w")->is_weak);
    assert_int_equal(variable(".global .b8 big[4294967296];", "big")->size_bytes, UINT64_C(1) << 32);
}

static void several_names_in_a_declaration(void **state)
{
    (void)state;
    const PtxSyntax *syntax = module(".global .u32 a, b[4], n<3>;");
    assert_int_equal(syntax->variable_count, 5);
    assert_string_equal(syntax->variables[4]->name, "n2");
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(syntax->variables[i]->index, i);
    assert_int_equal(syntax->variables[1]->size_bytes, 16);
}

static void a_declaration_and_its_definition_are_one_variable(void **state)
{
    (void)state;
    const PtxSyntax *syntax = module(".extern .global .u32 x;\n.global .u64 p = x;\n.visible .global .u32 x = 5;\n"
                                     ".extern .global .u32 x;");
    assert_int_equal(syntax->variable_count, 2);
    assert_false(syntax->variables[0]->is_extern);
    assert_int_equal(syntax->variables[0]->image[0], 5);
    assert_ptr_equal(syntax->variables[1]->relocations[0].variable, syntax->variables[0]);
}

static void initial_values(void **state)
{
    (void)state;
    static const struct {
        const char *declaration;
        size_t size;
        const char *image; /* NULL: zeros */
    } rows[] = {
        {".global .u32 x = 0x01020304;", 4, "\4\3\2\1"},
        {".global .b8 x[5] = {1, 2, 0xFF};", 5, "\1\2\xFF\0\0"},
        {".global .b8 x[] = {1, 2, 3};", 3, "\1\2\3"},
        {".global .u16 x[2][2] = {{1}, {2, 3}};", 8, "\1\0\0\0\2\0\3\0"},
        {".global .u8 x[][2] = {{1, 2}, {3}};", 4, "\1\2\3\0"},
        {".global .v2 .u8 x = {1, 2};", 2, "\1\2"},
        {".global .v2 .u8 x[2] = {{1, 2}, {3, 4}};", 4, "\1\2\3\4"},
        {".global .u8 x = 300;", 1, "\x2C"},
        {".global .s16 x = -2;", 2, "\xFE\xFF"},
        {".global .f32 x = 0f3F800000;", 4, "\0\0\x80\x3F"},
        {".global .f32 x = 1.5;", 4, "\0\0\xC0\x3F"},
        {".global .f32 x = -.5;", 4, "\0\0\0\xBF"},
        {".global .f32 x = 0d3FF0000000000000;", 4, "\0\0\x80\x3F"},
        {".global .f64 x = 1e0;", 8, "\0\0\0\0\0\0\xF0\x3F"},
        {".global .f64 x = 0f3F800000;", 8, "\0\0\0\0\0\0\xF0\x3F"},
        {".global .b32 x = 0f3F800000;", 4, "\0\0\x80\x3F"},
        {".global .u64 x = 0xFFFFFFFFFFFFFFFF;", 8, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"},
        {".global .u8 x[4] = {0777U & 0xF, 0b101, 010, WARP_SZ};", 4, "\xF\5\10\x20"},
        {".global .u32 x[3] = {0, 0};", 12, NULL},
        {".global .u32 x[3] = {};", 12, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const PtxVariable *x = variable(rows[i].declaration, "x");
        assert_int_equal(x->size_bytes, rows[i].size);
        assert_false(x->is_unsized);
        assert_true((x->image != NULL) == (rows[i].image != NULL));
        if (x->image)
            assert_memory_equal(x->image, rows[i].image, rows[i].size);
    }
}

static void addresses_as_initial_values(void **state)
{
    (void)state;
    const PtxSyntax *syntax = module(".global .u32 a; .func f() { ret; }\n"
                                     ".global .u64 p[4] = {a + 4 * 2, generic(a), 7, f};\n"
                                     ".global .u8 m[3] = {0xff(a), 0xFF00(generic(a) + 4), 0xFF00000000000000(f)};");
    const PtxVariable *p = ptx_syntax_variable(syntax, "p"), *m = ptx_syntax_variable(syntax, "m");
    assert_int_equal(p->relocation_count, 3);
    assert_ptr_equal(p->relocations[0].variable, syntax->variables[0]);
    assert_int_equal(p->relocations[0].addend, 8);
    assert_int_equal(p->relocations[0].bytes, 8);
    assert_false(p->relocations[0].is_generic);
    assert_true(p->relocations[1].is_generic);
    assert_int_equal(p->relocations[1].offset, 8);
    assert_ptr_equal(p->relocations[2].function, syntax->functions[0]);
    assert_null(p->relocations[2].variable);
    assert_int_equal(p->relocations[2].offset, 24);
    assert_int_equal(p->image[16], 7);
    assert_int_equal(m->relocation_count, 3);
    assert_int_equal(m->relocations[1].shift, 8);
    assert_int_equal(m->relocations[1].bytes, 1);
    assert_int_equal(m->relocations[1].offset, 1);
    assert_int_equal(m->relocations[1].addend, 4);
    assert_true(m->relocations[1].is_generic);
    assert_int_equal(m->relocations[2].shift, 56);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static void a_kernel_with_all_it_can_have(void **state)
{
    (void)state;
    const PtxFunction *e = ptx_syntax_function(
        module(".visible .entry e(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[12], .param .u8 c)\n"
               ".maxntid 128, 2 .minnctapersm 3 .maxnreg 64 .reqnctapercluster 2, 1, 1 .pragma \"x\"; { ret; }"),
        "e");
    assert_true(e->is_entry && e->is_visible && e->has_body && e->uses_clusters);
    assert_false(e->is_extern || e->is_weak || e->is_noreturn);
    assert_int_equal(e->parameter_count, 3);
    assert_int_equal(e->result_count, 0);
    assert_true(e->parameters[0]->is_pointer);
    assert_int_equal(e->parameters[0]->align_bytes, 8); /* 16 is what it points to */
    assert_int_equal(e->parameters[1]->size_bytes, 12);
    assert_int_equal(e->parameters[1]->align_bytes, 8);
    assert_int_equal(e->parameters[2]->index, 2);
    assert_int_equal(e->parameters[2]->space, PTX_SPACE_PARAM);
    assert_int_equal(e->max_threads[0], 128);
    assert_int_equal(e->max_threads[1], 2);
    assert_int_equal(e->max_threads[2], 1);
    assert_int_equal(e->required_threads[0], 0);
    assert_int_equal(e->min_blocks, 3);
    assert_int_equal(e->max_registers, 64);
    assert_int_equal(e->place.column, 17);
}

static void a_forward_declaration_is_the_same_function(void **state)
{
    (void)state;
    const PtxSyntax *syntax =
        module(".visible .func (.param .b32 r) f(.param .b32 a);\n"
               ".entry e { .reg .b32 %r; .param .b32 x; call (x), f, (x); ret; }\n"
               ".func (.param .b32 r1) f(.param .b32 a1) .noreturn { .reg .b32 %r<2>; ld.param.b32 %r1, [a1]; ret; }\n"
               ".extern .func g(.param .b32 _); .weak .func h { ret; }");
    assert_int_equal(syntax->function_count, 4);
    const PtxFunction *f = syntax->functions[0];
    assert_ptr_equal(operand_of(syntax->functions[1], 0, 1)->function, f);
    assert_true(f->has_body && f->is_visible && f->is_noreturn);
    assert_int_equal(f->place.line, 6);
    assert_int_equal(f->register_count, 2);
    assert_string_equal(f->parameters[0]->name, "a1");
    assert_ptr_equal(operand_of(f, 0, 1)->items[0].variable, f->parameters[0]);
    assert_true(syntax->functions[2]->is_extern);
    assert_false(syntax->functions[2]->has_body);
    assert_true(syntax->functions[3]->is_weak);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(syntax->functions[i]->index, i);
}

static void register_parameters_are_registers(void **state)
{
    (void)state;
    const PtxFunction *f = ptx_syntax_function(
        module(".func (.reg .b32 r) f(.reg .pred p, .reg .b64 a) { .reg .b32 t; @p mov.b32 r, t; ret; }"), "f");
    assert_int_equal(f->register_count, 4);
    assert_int_equal(f->parameters[0]->space, PTX_SPACE_REG);
    assert_string_equal(f->registers[0].name, "r");
    assert_int_equal(f->registers[1].type, PTX_TYPE_PRED);
    assert_int_equal(f->instructions[0].guard, 1);
    assert_int_equal(operand_of(f, 0, 1)->index, 3);
}

static void an_alias_has_the_body_of_its_function(void **state)
{
    (void)state;
    const PtxSyntax *syntax = module(".func f() { ret; } .visible .func g(); .alias g, f;");
    const PtxFunction *f = ptx_syntax_function(syntax, "f"), *g = ptx_syntax_function(syntax, "g");
    assert_ptr_equal(f->instructions, g->instructions);
    assert_true(g->has_body && g->is_visible);
    assert_int_equal(g->index, 1);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void registers_of_scopes(void **state)
{
    (void)state;
    const PtxFunction *e = body(".reg .b32 %r<3>, q; .reg .v4 .f32 %v;\n"
                                "{ .reg .b64 %r1; .param .b32 p; mov.b64 %r1, 1; }\n"
                                "{ .param .b64 p; ld.param.b32 %r1, [p]; }");
    static const char *const names[] = {"%r0", "%r1", "%r2", "q", "%v", "%r1"};
    assert_int_equal(e->register_count, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_string_equal(e->registers[i].name, names[i]);
    assert_int_equal(e->registers[4].vector, 4);
    assert_int_equal(e->registers[5].type, PTX_TYPE_B64);
    assert_int_equal(operand_of(e, 0, 0)->index, 5);
    assert_int_equal(operand_of(e, 1, 0)->index, 1);
    assert_int_equal(e->variable_count, 2);
    assert_ptr_equal(operand_of(e, 1, 1)->items[0].variable, e->variables[1]);
}

static void labels_are_those_of_the_innermost_scope(void **state)
{
    (void)state;
    const PtxFunction *e = body(".reg .pred p;\nL: @!p bra L;\n{ bra.uni L; bra END; L: }\n{ L: bra L; }\nEND:");
    assert_int_equal(e->instruction_count, 4);
    assert_true(e->instructions[0].is_guarded && e->instructions[0].is_guard_negated);
    assert_int_equal(operand_of(e, 0, 0)->kind, PTX_OPERAND_LABEL);
    assert_int_equal(operand_of(e, 0, 0)->index, 0);
    assert_int_equal(operand_of(e, 1, 0)->index, 3);
    assert_int_equal(operand_of(e, 2, 0)->index, 4);
    assert_int_equal(operand_of(e, 3, 0)->index, 3);
    assert_int_equal(e->label_count, 4);
    assert_string_equal(e->label_names[3], "END");
    assert_int_equal(e->label_targets[1], 3);
    assert_int_equal(e->label_targets[3], 4);
}

static void tables_of_targets(void **state)
{
    (void)state;
    const PtxSyntax *syntax = module(".func f(); .func g();\n.entry e { .reg .b64 %r; .reg .b32 %i; .param .b32 x;\n"
                                     "T: .branchtargets A, B, A;\nC: .calltargets f, g;\n"
                                     "P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[12]);\n"
                                     "A: brx.idx %i, T;\nB: call (x), %r, (x, 1), P; call %r, C; ret; }");
    const PtxFunction *e = ptx_syntax_function(syntax, "e");
    const PtxTable *t = operand_of(e, 0, 1)->table;
    assert_int_equal(operand_of(e, 0, 1)->kind, PTX_OPERAND_TABLE);
    assert_string_equal(t->name, "T");
    assert_int_equal(t->count, 3);
    assert_int_equal(t->labels[0], 0);
    assert_int_equal(t->labels[1], 1);
    assert_int_equal(t->labels[2], 0);
    const PtxTable *p = operand_of(e, 1, 3)->table;
    assert_int_equal(p->prototype->result_count, 1);
    assert_int_equal(p->prototype->parameter_count, 2);
    assert_int_equal(p->prototype->parameters[1]->size_bytes, 12);
    const PtxTable *c = operand_of(e, 2, 1)->table;
    assert_int_equal(c->count, 2);
    assert_ptr_equal(c->functions[1], syntax->functions[1]);
    assert_null(c->prototype);
    assert_int_equal(e->label_count, 2);
}

static void source_locations(void **state)
{
    (void)state;
    const PtxSyntax *syntax = module(".file 1 \"a.cu\"\n.entry e {\nbar.sync 0;\n.loc 1 10 5\nnop;\n"
                                     ".loc 1 3 7, function_name $L__info_string0, inlined_at 1 10 5\nnop; nop;\n"
                                     ".loc 2 4 8, function_name $L__info_string0+6, inlined_at 1 3 7\nret; }");
    const PtxInstruction *i = ptx_syntax_function(syntax, "e")->instructions;
    assert_null(i[0].location);
    assert_int_equal(i[1].location->line, 10);
    assert_null(i[1].location->inlined_at);
    assert_ptr_equal(i[2].location, i[3].location);
    assert_ptr_equal(i[2].location->inlined_at, i[1].location);
    assert_int_equal(i[4].location->file, 2);
    assert_int_equal(i[4].location->column, 8);
    assert_ptr_equal(i[4].location->inlined_at, i[2].location);
    assert_int_equal(syntax->file_count, 3);
    assert_null(syntax->files[2]);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void modifiers_in_order(void **state)
{
    (void)state;
    static const char *const modifiers[] = {"global", "L1::evict_last", "L2::128B", "v4", "b32"};
    const PtxFunction *e =
        body(".reg .b32 a; .reg .b64 p; ld.global.L1::evict_last.L2::128B.v4.b32 {a, a, _, a}, [p];\n"
             "cp.async.mbarrier .arrive .m16n8k16; frobnicate.16x16 a, [p], {a, {a}}, (1);");
    const PtxInstruction *i = e->instructions;
    assert_string_equal(i[0].mnemonic, "ld");
    assert_int_equal(i[0].modifier_count, 5);
    for (uint32_t k = 0; k < 5; k++)
        assert_string_equal(i[0].modifiers[k], modifiers[k]);
    assert_string_equal(i[1].mnemonic, "cp");
    assert_string_equal(i[1].modifiers[0], "async");
    assert_int_equal(i[1].operand_count, 0);
    assert_string_equal(i[2].modifiers[0], "16x16");
    assert_int_equal(i[2].operand_count, 4);
    assert_int_equal(i[2].place.line, 5);
    assert_int_equal(i[2].place.column, 38);
    assert_int_equal(operand_of(e, 0, 0)->items[2].kind, PTX_OPERAND_SINK);
}

static void constants_are_folded(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {
        {"5", 5},
        {"-5", (uint64_t)-5},
        {"--5", 5},
        {"~0", UINT64_MAX},
        {"!3", 0},
        {"!0", 1},
        {"1+2*3", 7},
        {"(1+2)*3", 9},
        {"7/2 % 2", 1},
        {"-7/2", (uint64_t)-3},
        {"-7 % 4", (uint64_t)-3},
        {"0xFFFFFFFFFFFFFFFF/2", INT64_MAX},
        {"(.u64)-1/2", INT64_MAX},
        {"(.s64)0xFFFFFFFFFFFFFFFF/2", 0},
        {"-0x8000000000000000/-1", 0},
        {"(.s64)0x8000000000000000/-1", UINT64_C(1) << 63},
        {"(.s64)0x8000000000000000%-1", 0},
        {"1<<63>>63", UINT64_MAX},
        {"1<<64", 0},
        {"-1>>64", UINT64_MAX},
        {"0xF0|0x0F^0x3&1", 0xFF & (0xF0 | (0x0F ^ (0x3 & 1)))},
        {"1<2==2>1", 1},
        {"1<=0||2>=2&&1!=1", 0},
        {"1?2:3", 2},
        {"0?2:0?3:4", 4},
        {"WARP_SZ-1", 31},
        {"1.0<2.0", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const PtxFunction *e = body(arena_format(arena, ".reg .b64 r; mov.b64 r, %s;", rows[i].text));
        const PtxOperand *value = operand_of(e, 0, 1);
        assert_int_equal(value->kind, PTX_OPERAND_INTEGER);
        if (value->integer != rows[i].value)
            fail_msg("%s is %" PRIx64, rows[i].text, value->integer);
    }
}

static void floating_point_operands(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_single;
        uint64_t bits;
    } rows[] = {
        {"0f3f800000", true, 0x3F800000},
        {"0FBF800000", true, 0xBF800000},
        {"-0f3F800000", true, 0xBF800000},
        {"0d3FF0000000000000", false, UINT64_C(0x3FF0000000000000)},
        {"1.0", false, UINT64_C(0x3FF0000000000000)},
        {"-.5", false, UINT64_C(0xBFE0000000000000)},
        {"5e-1", false, UINT64_C(0x3FE0000000000000)},
        {"1.+1.", false, UINT64_C(0x4000000000000000)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const PtxFunction *e = body(arena_format(arena, ".reg .f64 r; mov.f64 r, %s;", rows[i].text));
        const PtxOperand *value = operand_of(e, 0, 1);
        assert_int_equal(value->kind, PTX_OPERAND_FLOAT);
        assert_int_equal(value->is_single, rows[i].is_single);
        assert_int_equal(value->integer, rows[i].bits);
    }
}

static void special_registers(void **state)
{
    (void)state;
    const PtxFunction *e = body(".reg .b32 r; mov.u32 r, %tid.x; mov.u32 r, %nctaid.z; mov.u32 r, %envreg31;\n"
                                "mov.u32 r, %lanemask_lt; mov.u64 r, %clock64; mov.u32 r, %pm7; mov.u64 r, %pm0_64;\n"
                                "mov.u32 r, %reserved_smem_offset_1; mov.v4.u32 {r,r,r,r}, %ntid;\n"
                                "{ .reg .b32 %laneid; mov.u32 r, %laneid; }");
    static const struct {
        const char *name;
        uint8_t component;
    } rows[] = {{"tid", 0},     {"nctaid", 2}, {"envreg31", 0}, {"lanemask_lt", 0},
                {"clock64", 0}, {"pm7", 0},    {"pm0_64", 0},   {"reserved_smem_offset_1", 0}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(operand_of(e, i, 1)->kind, PTX_OPERAND_SPECIAL);
        assert_string_equal(operand_of(e, i, 1)->special, rows[i].name);
        assert_int_equal(operand_of(e, i, 1)->component, rows[i].component);
    }
    const PtxOperand *vector = operand_of(e, 8, 1);
    assert_int_equal(vector->kind, PTX_OPERAND_VECTOR);
    assert_int_equal(vector->item_count, 4);
    assert_int_equal(vector->items[2].component, 2);
    assert_int_equal(operand_of(e, 9, 1)->kind, PTX_OPERAND_REGISTER);
}

static void addresses(void **state)
{
    (void)state;
    const PtxFunction *e =
        body(".reg .b64 p; .reg .b32 r, x, y; .shared .b32 s[4];\n"
             "ld.b32 r, [p]; ld.b32 r, [p+4*2]; ld.b32 r, [p+-4]; ld.b32 r, [p-4+1];\n"
             "ld.shared.b32 r, [s+8]; ld.b32 r, [16+4]; ld.shared.b32 r, s[1]; ld.b32 r, [p+8].unified;\n"
             "tex.2d [p, p, {x, y}]; mov.b64 p, s; mov.b64 p, s+4; mov.b64 p, s[3];");
    static const struct {
        PtxOperandKind base;
        int64_t offset;
    } rows[] = {{PTX_OPERAND_REGISTER, 0},  {PTX_OPERAND_REGISTER, 8}, {PTX_OPERAND_REGISTER, -4},
                {PTX_OPERAND_REGISTER, -3}, {PTX_OPERAND_VARIABLE, 8}, {PTX_OPERAND_INTEGER, 0},
                {PTX_OPERAND_VARIABLE, 4},  {PTX_OPERAND_REGISTER, 8}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const PtxOperand *address = operand_of(e, i, 1);
        assert_int_equal(address->kind, PTX_OPERAND_ADDRESS);
        assert_int_equal(address->item_count, 1);
        assert_int_equal(address->items[0].kind, rows[i].base);
        assert_int_equal(address->items[0].offset, 0);
        assert_int_equal(address->offset, rows[i].offset);
    }
    assert_int_equal(operand_of(e, 5, 1)->items[0].integer, 20);
    const PtxOperand *tensor = operand_of(e, 8, 0);
    assert_int_equal(tensor->item_count, 3);
    assert_int_equal(tensor->items[2].kind, PTX_OPERAND_VECTOR);
    assert_int_equal(tensor->items[2].items[1].index, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(operand_of(e, 9 + i, 1)->kind, PTX_OPERAND_VARIABLE);
    assert_int_equal(operand_of(e, 10, 1)->offset, 4);
    assert_int_equal(operand_of(e, 11, 1)->offset, 12);
}

static void pairs_predicates_and_components(void **state)
{
    (void)state;
    const PtxFunction *e =
        body(".reg .pred p, q; .reg .b32 a; .reg .v4 .f32 v;\n"
             "setp.eq.and.b32 p|q, a, 1, !p; setp.eq.b32 _|q, a, 1; mov.f32 v.z, v.r; st.v4.f32 [a], v;\n"
             "vmad.s32.s32.s32 a, a.b0, -a.h1, a;");
    const PtxOperand *pair = operand_of(e, 0, 0);
    assert_int_equal(pair->kind, PTX_OPERAND_PAIR);
    assert_int_equal(pair->items[1].index, 1);
    assert_true(operand_of(e, 0, 3)->is_negated);
    assert_int_equal(operand_of(e, 1, 0)->items[0].kind, PTX_OPERAND_SINK);
    assert_int_equal(operand_of(e, 2, 0)->component, 2);
    assert_int_equal(operand_of(e, 2, 1)->component, 0);
    assert_int_equal(operand_of(e, 3, 1)->kind, PTX_OPERAND_VECTOR);
    assert_int_equal(operand_of(e, 3, 1)->items[3].component, 3);
    assert_string_equal(operand_of(e, 4, 1)->text, "b0");
    assert_true(operand_of(e, 4, 2)->is_negated);
}

static void calls(void **state)
{
    (void)state;
    const PtxSyntax *syntax =
        module(".func (.param .b32 r) f(.param .b32 a) { .param .b32 x; call (x), f, (x); ret; }\n"
               ".func g { ret; }\n.entry e { .param .b32 x; call.uni (_), f, (1); call g; call g, (); }");
    const PtxFunction *f = syntax->functions[0], *e = syntax->functions[2];
    assert_ptr_equal(operand_of(f, 0, 1)->function, f);
    assert_int_equal(operand_of(e, 0, 0)->kind, PTX_OPERAND_LIST);
    assert_int_equal(operand_of(e, 0, 0)->items[0].kind, PTX_OPERAND_SINK);
    assert_int_equal(operand_of(e, 0, 2)->items[0].integer, 1);
    assert_int_equal(e->instructions[1].operand_count, 1);
    assert_int_equal(operand_of(e, 2, 1)->kind, PTX_OPERAND_LIST);
    assert_int_equal(operand_of(e, 2, 1)->item_count, 0);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static void errors_name_place_and_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *message;
    } rows[] = {
        {".foo 3;", 4, 1, "the directive `.foo` is not known here"},
        {"\n  nonsense", 5, 3, "a directive expected, not `nonsense`"},
        {".entry e { .foo; }", 4, 12, "the directive `.foo` is not known in a function"},
        {".entry e() .foo { }", 4, 12, "the directive `.foo` is not known before a function's body"},
        {".entry e { ret }", 4, 16, "an operand expected, not `}`"},
        {".entry e { ret;", 4, 16, "a statement expected, but the text ends"},
        {".entry e { add.s32 %r1, %r1, 1; }", 4, 20, "`%r1` is no register that is declared or predefined"},
        {".entry e { bra L; }", 4, 16, "`L` is not declared, nor a label that can be reached from here"},
        {".entry e { { L: } bra L; }", 4, 23, "`L` is not declared, nor a label that can be reached from here"},
        {".entry e { bra L; { L: } }", 4, 16, "`L` is not declared, nor a label that can be reached from here"},
        {".entry e { L: L: }", 4, 15, "`L` is declared already, in line 4"},
        {".entry e { call f; }", 4, 17, "`f` is not declared"},
        {".entry e { .reg .b32 %r1;\n.reg .b32 %r<2>; }", 5, 11, "`%r1` is declared already, in line 4"},
        {".entry e(.param .b32 a, .param .b32 a) { }", 4, 37, "`a` is declared already, in line 4"},
        {".entry e { .reg .b32 r; @r ret; }", 4, 26, "`r` is no predicate"},
        {".entry e { .reg .b32 r; mov.b32 r, !r; }", 4, 36, "`!` can't stand before this operand"},
        {".entry e { .reg .b32 r; mov.b32 r, -r; }", 4, 36, "`-` can't stand before this operand"},
        {".entry e { .reg .b32 r; ld.b32 r, [x]; }", 4, 36, "`x` is no register or variable to form an address with"},
        {".entry e { .reg .v2 .b32 v; mov.b32 v.z, 1; }", 4, 38, "a component of the vector expected, not `.z`"},
        {".entry e { .reg .b32 r; mov.b32 r, 1|r; }", 4, 38, "a constant expected, not `r`"},
        {".entry e { .loc 1 2 }", 4, 21, "a column expected, not `}`"},
        {".entry e { @", 4, 13, "a predicate expected, but the text ends"},
        {".func f() { ret; } .func f() { ret; }", 4, 26, "`f` is declared already, in line 4"},
        {".func f(.param .b32 a); .func f(.param .b64 a) { }", 4, 31, "`f` has other parameters or results in line 4"},
        {".global .u32 f; .func f();", 4, 23, "`f` is declared already, in line 4"},
        {".global .u32 x; .global .u32 x;", 4, 30, "`x` is declared already, in line 4"},
        {".extern .global .u32 x; .global .u64 x;", 4, 38, "`x` is declared differently in line 4"},
        {".global .align 3 .u32 x;", 4, 16, "an alignment is a power of two, not 3"},
        {".global x;", 4, 1, "a declaration without a type"},
        {".global .u32 .u64 x;", 4, 14, "a type or a name expected, not `.u64`"},
        {".global .pred p;", 4, 1, "a predicate can only be a register"},
        {".reg .b32 r;", 4, 1, "registers, parameters and .local variables belong into functions"},
        {".global .u32 x[];", 4, 14, "`x` has no length"},
        {".global .u32 x[2][];", 4, 19, "a constant expected, not `]`"},
        {".global .u32 x[4294967296];", 4, 14, "`x` is larger than 4 GiB"},
        {".extern .global .u32 x[][4294967296][4294967296];", 4, 22, "`x` is larger than 4 GiB"},
        {".shared .u32 x = 1;", 4, 16, "only .global and .const variables have initial values"},
        {".global .u32 x[1] = {1, 2};", 4, 25, "more initial values than `x` has room for"},
        {".global .u32 x[2][2] = {1};", 4, 25, "`{` expected, not `1`"},
        {".global .u32 x = 1.5;", 4, 18, "a .u32 can't begin as this constant"},
        {".global .f32 x = 1;", 4, 18, "a .f32 can't begin as this constant"},
        {".global .u64 x = x;", 4, 18, "`x` is no global variable or function declared before"},
        {".global .u32 y; .global .u8 x = 0xF0(y);", 4, 33, "a mask is 0xFF, perhaps followed by bytes of zeros"},
        {".global .u32 x = 1/0;", 4, 19, "a constant is divided by zero"},
        {".global .u32 x = 1 + 1.0;", 4, 20, "`+` can't combine constants of these types"},
        {".global .u32 x = 18446744073709551616;", 4, 18, "`18446744073709551616` is no number that PTX has"},
        {".global .u32 x = 0f3F80;", 4, 18, "`0f3F80` is no number that PTX has"},
        {".global .u32 x = 08;", 4, 18, "`08` is no number that PTX has"},
        {".file 1 x", 4, 9, "a file name expected, not `x`"},
        {".file 1 \"x", 4, 9, "a string without a closing quote"},
        {"/* \n", 4, 1, "a comment without an end"},
        {"`", 4, 1, "a character that PTX does not have"},
        {". x", 4, 1, "a dot without a word"},
        {".section .debug_info { ", 4, 24, "the `}` of a section expected, but the text ends"},
        {".func f(); .alias f, f;", 4, 19, "`.alias` names a function without a body, then one with"},
        {".address_size 32", 4, 15, "addresses of 32 bits: only 64 are supported"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PtxSyntaxError error = {0};
        assert_null(parse(rows[i].text, &error));
        if (strcmp(error.message, rows[i].message) != 0 || error.place.line != rows[i].line ||
            error.place.column != rows[i].column)
            fail_msg("%s\n%" PRIu32 ":%" PRIu32 ": %s", rows[i].text, error.place.line, error.place.column,
                     error.message);
    }
}

static void a_text_begins_with_version_and_target(void **state)
{
    (void)state;
    PtxSyntaxError error = {0};
    assert_null(ptx_parse(arena, NULL, NULL, 0, &error));
    assert_string_equal(error.message, "`.version`, with which every PTX text begins, expected, but the text ends");
    assert_null(ptx_parse(arena, "x", ".version 9", 10, &error));
    assert_string_equal(error.message, "a version such as 9.0 expected, not `9`");
    assert_null(ptx_parse(arena, "x", ".version 9.0", 12, NULL));
    assert_non_null(ptx_parse(arena, "x", ".version 9.0 .target sm_90\0 what", 31, &error));
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static void refuses(const char *text, const char *message)
{
    PtxSyntaxError error = {0};
    assert_null(parse(text, &error));
    assert_string_equal(error.message, message);
}

static const char *repeated(const char *before, const char *text, size_t count, const char *after)
{
    auto_buffer Buffer buffer = {0};
    buffer_string(&buffer, before);
    for (size_t i = 0; i < count; i++)
        buffer_string(&buffer, text);
    buffer_string(&buffer, after);
    return arena_string(arena, buffer_text(&buffer));
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    refuses(repeated(".entry e {", "{", 100000, ""), "more than 64 scopes inside each other");
    refuses(repeated(".global .u32 x = ", "(", 100000, "1"), "nested more than 64 levels deep");
    refuses(repeated(".global .u32 x = ", "-", 100000, "1"), "nested more than 64 levels deep");
    refuses(repeated(".global .u32 x = ", "1?", 100000, "1"), "nested more than 64 levels deep");
    refuses(repeated(".global .u32 x = ", "(.s64)", 100000, "1"), "nested more than 64 levels deep");
    refuses(repeated(".entry e { foo ", "{", 100000, ""), "nested more than 64 levels deep");
    refuses(repeated(".entry e { .reg .b32 r; foo ", "[r, ", 100000, ""), "nested more than 64 levels deep");
    refuses(repeated(".global .u32 x", "[1]", 100000, " = 1;"), "an array of more than 16 dimensions");
    assert_non_null(module(repeated(".entry e {", "{", 63, repeated("", "}", 64, ""))));
}

static void counts_are_bounded(void **state)
{
    (void)state;
    assert_int_equal(body(".reg .b32 %r<1048576>;")->register_count, 1 << 20);
    refuses(".entry e { .reg .b32 %r<1048577>; }", "a number of variables is larger than 1048576");
    refuses(".entry e { .reg .b32 q; .reg .b32 %r<1048576>; }", "more than 1048576 registers in a function");
    refuses(repeated("", ".func f;.entry e { .reg .b32 %r<1000000>; } .entry g { .reg .b32 %r<1000000>; }", 1,
                     ".entry h { .reg .b32 %r<100000>; }"),
            "more than 2097152 registers in a module");
    refuses(".global .b8 x<300000>;", "more than 262144 variables in a module");
    refuses(repeated(".entry e { foo", ".m", 21, ";"), "more than 20 modifiers");
    refuses(repeated(".entry e { foo 0", ",0", 65536, ";}"), "more than 65536 operands side by side");
    refuses(repeated(".entry e {", "a;", 1048577, "}"), "more than 1048576 instructions in a module");
    refuses(".global .b8 x[200000000] = {1}; .global .b8 y[100000000] = {1};",
            "more than 268435456 bytes of initial values");
    refuses(".file 65536 \"x\"", "a file index is larger than 65535");
    refuses(".entry e { .loc 65536 1 1 }", "a file index is larger than 65535");
    PtxSyntaxError error = {0};
    assert_null(ptx_parse(arena, "x", ".version", SIZE_MAX, &error));
    assert_string_equal(error.message, "the text is larger than 64 MiB");
}

static void chains_of_inlining_are_bounded(void **state)
{
    (void)state;
    auto_buffer Buffer buffer = {0};
    buffer_string(&buffer, ".entry e {\n.loc 1 1 1\n");
    for (int i = 2; i < 1000; i++)
        buffer_format(&buffer, ".loc 1 %d 1, function_name f, inlined_at 1 %d 1\n", i, i - 1);
    buffer_string(&buffer, "ret; .loc 1 5 5, function_name f, inlined_at 1 5 5\nret; }");
    const PtxFunction *e = ptx_syntax_function(module(buffer_text(&buffer)), "e");
    for (uint32_t i = 0; i < 2; i++) {
        size_t depth = 0;
        for (const PtxSourceLocation *at = e->instructions[i].location; at; at = at->inlined_at)
            depth++;
        assert_in_range(depth, 1, 64);
    }
}

/* 32,000 instructions of usual looks: this machine takes about 20 ms; a quadratic step would take seconds. */
static void long_functions_are_read_fast(void **state)
{
    (void)state;
    auto_buffer Buffer buffer = {0};
    buffer_string(&buffer, ".entry e { .reg .b32 %r<32001>; .reg .b64 %rd<9>; .reg .pred %p<2>;\n");
    for (int i = 0; i < 8000; i++)
        buffer_format(
            &buffer,
            "$L__BB0_%d:\n.loc 1 %d 7\n\tmad.lo.s32 \t%%r%d, %%r%d, %d, %%r7;\n\tld.global.nc.u32 \t%%r9, [%%rd1+%d];\n"
            "\tsetp.ne.s32 \t%%p1, %%r%d, 0;\n\t@%%p1 bra \t$L__BB0_%d;\n",
            i, i, 4 * i, i, i, 4 * i, i, 7999 - i);
    buffer_string(&buffer, "}");
    struct timespec start, end;
    const char *text = buffer_text(&buffer);
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    const PtxFunction *e = ptx_syntax_function(module(text), "e");
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    assert_int_equal(e->instruction_count, 32000);
    const double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    assert_true(seconds < 1.0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(head_is_read),
        TEST(debug_sections_are_skipped),
        TEST(shapes_of_variables),
        TEST(several_names_in_a_declaration),
        TEST(a_declaration_and_its_definition_are_one_variable),
        TEST(initial_values),
        TEST(addresses_as_initial_values),
        TEST(a_kernel_with_all_it_can_have),
        TEST(a_forward_declaration_is_the_same_function),
        TEST(register_parameters_are_registers),
        TEST(an_alias_has_the_body_of_its_function),
        TEST(registers_of_scopes),
        TEST(labels_are_those_of_the_innermost_scope),
        TEST(tables_of_targets),
        TEST(source_locations),
        TEST(modifiers_in_order),
        TEST(constants_are_folded),
        TEST(floating_point_operands),
        TEST(special_registers),
        TEST(addresses),
        TEST(pairs_predicates_and_components),
        TEST(calls),
        TEST(errors_name_place_and_reason),
        TEST(a_text_begins_with_version_and_target),
        TEST(nesting_is_bounded),
        TEST(counts_are_bounded),
        TEST(chains_of_inlining_are_bounded),
        TEST(long_functions_are_read_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
