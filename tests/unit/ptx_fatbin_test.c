/* ptx_fatbin: containers built here as nvcc 13.0 builds them, then damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <lz4.h>
#include <string.h>
#include <zstd.h>

#include "base/buffer.h"
#include "ptx/fatbin.h"

enum { PLAIN = 0x11, LZ4 = 0x2011, ZSTD = 0x8011, EXACT = 0x100000, ROOM = 1 << 20 };

static const char ptx[] = "\n\n.version 9.0\n.target sm_90\n.address_size 64\n.visible .entry e()\n{\n\tret;\n}\n"
                          "// text that repeats, text that repeats, text that repeats, text that repeats\n";

/* ---- building ---------------------------------------------------------------------------------------------------- */

static void put(Buffer *buffer, uint64_t value, size_t bytes)
{
    buffer_append(buffer, &value, bytes);
}

typedef struct Spec {
    uint16_t kind;
    uint32_t architecture;
    uint64_t flags;
} Spec;

static size_t pack(const Spec *spec, const char *text, size_t size, char *packed, size_t room)
{
    if (spec->flags & 0x2000)
        return (size_t)LZ4_compress_default(text, packed, (int)size, (int)room);
    if (spec->flags & 0x8000)
        return ZSTD_compress(packed, room, text, size, 3);
    memcpy(packed, text, size);
    return size;
}

static void put_entry(Buffer *buffer, Spec spec, const char *text, size_t size)
{
    static char packed[8192];
    const size_t length = pack(&spec, text, size, packed, sizeof packed), padded = (length + 7) / 8 * 8;
    const bool is_plain = (spec.flags & 0xA000) == 0;
    put(buffer, spec.kind, 2);
    put(buffer, 0x0101, 2);
    put(buffer, 0x50, 4);
    put(buffer, padded, 8);
    put(buffer, is_plain ? 0 : length, 4);
    put(buffer, 0x40, 4);
    put(buffer, 0, 2);
    put(buffer, 9, 2);
    put(buffer, spec.architecture, 4);
    put(buffer, 0, 8);
    put(buffer, spec.flags, 8);
    put(buffer, 0, 8);
    put(buffer, is_plain ? 0 : size, 8);
    put(buffer, 0x48, 8);
    put(buffer, 0, 8);
    buffer_append(buffer, packed, length);
    put(buffer, 0, padded - length);
}

static void put_container(Buffer *buffer, const Spec *specs, size_t count)
{
    const size_t start = buffer->size;
    put(buffer, 0xBA55ED50, 4);
    put(buffer, 1, 2);
    put(buffer, 16, 2);
    put(buffer, 0, 8);
    for (size_t i = 0; i < count; i++)
        put_entry(buffer, specs[i], ptx, sizeof ptx);
    const uint64_t content = buffer->size - start - 16;
    memcpy(buffer->data + start + 8, &content, sizeof content);
}

/* An object with one section of that name around `content`. */
static void put_elf(Buffer *buffer, const char *name, const Buffer *content)
{
    Elf64_Ehdr header = {.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1},
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 3,
                         .e_shstrndx = 1,
                         .e_shoff = sizeof header};
    Elf64_Shdr sections[3] = {{0}};
    const size_t names = sizeof header + sizeof sections;
    sections[1] = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = names, .sh_size = strlen(name) + 2};
    sections[2] = (Elf64_Shdr){
        .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = names + strlen(name) + 2, .sh_size = content->size};
    buffer_append(buffer, &header, sizeof header);
    buffer_append(buffer, sections, sizeof sections);
    buffer_append(buffer, "", 1);
    buffer_append(buffer, name, strlen(name) + 1);
    buffer_append(buffer, content->data, content->size);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static void every_compression_gives_the_text(void **state)
{
    (void)state;
    static const struct {
        uint64_t flags;
        const char *name;
    } rows[] = {{PLAIN, "none"}, {LZ4, "lz4"}, {ZSTD, "zstd"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        auto_arena Arena *arena = arena_new();
        auto_buffer Buffer buffer = {0};
        auto_error Error error = {0};
        PtxFatbin fatbin;
        put_container(&buffer, &(Spec){PTX_FATBIN_PTX, 90, rows[i].flags}, 1);
        buffer_string(&buffer, "trailing");
        assert_true(ptx_fatbin_is(buffer.data, buffer.size));
        assert_true(ptx_fatbin_read(arena, buffer.data, buffer.size, ROOM, &fatbin, &error));
        assert_int_equal(fatbin.entry_count, 1);
        const PtxFatbinEntry *entry = ptx_fatbin_choose(&fatbin);
        assert_ptr_equal(entry, fatbin.entries);
        assert_int_equal(entry->architecture, 90);
        assert_int_equal(entry->major, 9);
        assert_int_equal(entry->minor, 0);
        assert_string_equal(entry->compression, rows[i].name);
        assert_string_equal(entry->text, ptx);
        assert_int_equal(entry->text_size, sizeof ptx - 1);
    }
}

static void the_best_architecture_is_chosen(void **state)
{
    (void)state;
    static const struct {
        Spec specs[5];
        size_t count;
        int chosen; /* -1: none */
    } rows[] = {
        {{{PTX_FATBIN_PTX, 80, PLAIN},
          {PTX_FATBIN_ELF, 90, PLAIN},
          {PTX_FATBIN_PTX, 90, ZSTD},
          {PTX_FATBIN_PTX, 100, LZ4}},
         4,
         2},
        {{{PTX_FATBIN_PTX, 90, PLAIN}, {PTX_FATBIN_PTX, 90, PLAIN | EXACT}, {PTX_FATBIN_PTX, 90, PLAIN}}, 3, 1},
        {{{PTX_FATBIN_PTX, 75, PLAIN}, {PTX_FATBIN_PTX, 87, PLAIN | EXACT}, {PTX_FATBIN_PTX, 70, PLAIN}}, 3, 0},
        {{{PTX_FATBIN_ELF, 90, PLAIN}}, 1, -1},
        {{{PTX_FATBIN_PTX, 100, PLAIN}}, 1, -1},
        {{{0}}, 0, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        auto_arena Arena *arena = arena_new();
        auto_buffer Buffer buffer = {0};
        auto_error Error error = {0};
        PtxFatbin fatbin;
        put_container(&buffer, rows[i].specs, rows[i].count);
        assert_true(ptx_fatbin_read(arena, buffer.data, buffer.size, ROOM, &fatbin, &error));
        assert_int_equal(fatbin.entry_count, rows[i].count);
        const PtxFatbinEntry *chosen = ptx_fatbin_choose(&fatbin);
        assert_int_equal(chosen ? chosen - fatbin.entries : -1, rows[i].chosen);
        for (size_t k = 0; k < fatbin.entry_count; k++)
            assert_true((fatbin.entries[k].text != NULL) == (fatbin.entries[k].kind == PTX_FATBIN_PTX));
    }
}

static void other_kinds_are_left_out(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    auto_buffer Buffer buffer = {0};
    auto_error Error error = {0};
    PtxFatbin fatbin;
    put_container(&buffer, (Spec[]){{16, 90, PLAIN}, {PTX_FATBIN_PTX, 90, PLAIN}}, 2);
    assert_true(ptx_fatbin_read(arena, buffer.data, buffer.size, ROOM, &fatbin, &error));
    assert_int_equal(fatbin.entry_count, 1);
    assert_int_equal(fatbin.entries[0].kind, PTX_FATBIN_PTX);
}

static void objects_hold_containers_one_after_another(void **state)
{
    (void)state;
    static const char *const names[] = {".nv_fatbin", "__nv_fatbin"};
    for (size_t i = 0; i < 2; i++) {
        auto_arena Arena *arena = arena_new();
        auto_buffer Buffer content = {0}, object = {0};
        auto_error Error error = {0};
        PtxFatbin fatbin;
        put_container(&content, &(Spec){PTX_FATBIN_PTX, 90, LZ4}, 1);
        put(&content, 0, 8);
        put_container(&content, (Spec[]){{PTX_FATBIN_ELF, 90, PLAIN}, {PTX_FATBIN_PTX, 80, ZSTD}}, 2);
        put_elf(&object, names[i], &content);
        assert_true(ptx_fatbin_read_elf(arena, object.data, object.size, ROOM, &fatbin, &error));
        assert_int_equal(fatbin.entry_count, 3);
        assert_string_equal(fatbin.entries[2].text, ptx);
    }
}

/* ---- refusing ---------------------------------------------------------------------------------------------------- */

/* Where a container with one entry is changed, and what is said then. */
static void damage_is_named(void **state)
{
    (void)state;
    static const struct {
        uint64_t flags;
        size_t offset;
        uint64_t value;
        size_t bytes;
        const char *message;
    } rows[] = {
        {PLAIN, 0, 1, 1, "no fat binary begins at offset 0"},
        {PLAIN, 4, 2, 2, "the fat binary at offset 0 has version 2 and a header of 16 bytes"},
        {PLAIN, 6, 15, 2, "the fat binary at offset 0 has version 1 and a header of 15 bytes"},
        {PLAIN, 6, 0xFFFF, 2, "the fat binary at offset 0 is cut off"},
        {PLAIN, 8, UINT64_MAX, 8, "the fat binary at offset 0 is cut off"},
        {PLAIN, 8, 8, 8, "the fat binary's entry at offset 16 has no room for its header"},
        {PLAIN, 20, 0, 4, "the fat binary's entry at offset 16 has a header of 0 bytes"},
        {PLAIN, 20, UINT32_MAX, 4, "the fat binary's entry at offset 16 has a header of 4294967295 bytes"},
        {PLAIN, 24, UINT64_MAX - 63, 8, "the fat binary's entry at offset 16 passes the end of its container"},
        {ZSTD, 32, UINT32_MAX, 4, "the fat binary's entry at offset 16 passes the end of its container"},
        {ZSTD, 56, 0xA011, 4, "the fat binary's entry at offset 16 is compressed in two ways at once"},
        {ZSTD, 56, LZ4, 4, "the PTX at offset 96 of the fat binary is damaged (lz4)"},
        {LZ4, 56, ZSTD, 4, "the PTX at offset 96 of the fat binary is damaged (zstd)"},
        {ZSTD, 72, sizeof ptx + 1, 8, "the PTX at offset 96 of the fat binary is damaged (zstd)"},
        {ZSTD, 72, sizeof ptx - 1, 8, "the PTX at offset 96 of the fat binary is damaged (zstd)"},
        {LZ4, 72, sizeof ptx + 1, 8, "the PTX at offset 96 of the fat binary is damaged (lz4)"},
        {LZ4, 32, 3, 4, "the PTX at offset 96 of the fat binary is damaged (lz4)"},
        {LZ4, 72, UINT64_MAX, 8, "the PTX at offset 96 of the fat binary is too large (18446744073709551615 bytes)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        auto_arena Arena *arena = arena_new();
        auto_buffer Buffer buffer = {0};
        auto_error Error error = {0};
        PtxFatbin fatbin;
        put_container(&buffer, &(Spec){PTX_FATBIN_PTX, 90, rows[i].flags}, 1);
        memcpy(buffer.data + rows[i].offset, &rows[i].value, rows[i].bytes);
        assert_false(ptx_fatbin_read(arena, buffer.data, buffer.size, ROOM, &fatbin, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_string_equal(error_text(&error), rows[i].message);
    }
}

static void texts_together_have_a_limit(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    auto_buffer Buffer buffer = {0};
    auto_error Error error = {0};
    PtxFatbin fatbin;
    put_container(&buffer, (Spec[]){{PTX_FATBIN_PTX, 80, ZSTD}, {PTX_FATBIN_PTX, 90, ZSTD}}, 2);
    assert_false(ptx_fatbin_read(arena, buffer.data, buffer.size, 2 * sizeof ptx - 1, &fatbin, &error));
    assert_non_null(strstr(error_text(&error), "is too large"));
    error_clear(&error);
    assert_true(ptx_fatbin_read(arena, buffer.data, buffer.size, 2 * sizeof ptx, &fatbin, &error));
}

/* Every prefix of a container, in memory of just that size for the sanitizer. */
static void prefixes_are_refused(void **state)
{
    (void)state;
    auto_buffer Buffer content = {0}, object = {0};
    put_container(&content, &(Spec){PTX_FATBIN_PTX, 90, ZSTD}, 1);
    put_elf(&object, ".nv_fatbin", &content);
    for (size_t size = 0; size < object.size; size++) {
        auto_arena Arena *arena = arena_new();
        auto_buffer Buffer copy = {0};
        auto_error Error error = {0}, elf_error = {0};
        PtxFatbin fatbin;
        buffer_append(&copy, object.data, size);
        assert_false(ptx_fatbin_read_elf(arena, copy.data, size, ROOM, &fatbin, &elf_error));
        assert_int_equal(elf_error.kind, ERROR_INPUT);
        if (size >= content.size)
            continue;
        buffer_done(&copy);
        buffer_append(&copy, content.data, size);
        assert_false(ptx_fatbin_read(arena, copy.data, size, ROOM, &fatbin, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
    }
}

static void objects_without_gpu_code_are_named(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    auto_buffer Buffer content = {0}, object = {0};
    auto_error Error error = {0};
    PtxFatbin fatbin;
    put(&content, 0, 8);
    put_elf(&object, ".text", &content);
    assert_false(ptx_fatbin_is(object.data, object.size));
    assert_false(ptx_fatbin_is("\x50\xED\x55", 3));
    assert_false(ptx_fatbin_read_elf(arena, object.data, object.size, ROOM, &fatbin, &error));
    assert_string_equal(error_text(&error), "the ELF file has no section .nv_fatbin: it holds no GPU code");
    error_clear(&error);
    buffer_done(&object);
    put_elf(&object, "__nv_relfatbin", &content);
    assert_false(ptx_fatbin_read_elf(arena, object.data, object.size, ROOM, &fatbin, &error));
    assert_string_equal(error_text(&error), "the GPU code of the ELF file is still to be linked (nvcc -rdc=true)");
    error_clear(&error);
    assert_false(ptx_fatbin_read_elf(arena, ptx, sizeof ptx, ROOM, &fatbin, &error));
    assert_string_equal(error_text(&error), "not an ELF64 file of a little-endian machine");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compression_gives_the_text),
        cmocka_unit_test(the_best_architecture_is_chosen),
        cmocka_unit_test(other_kinds_are_left_out),
        cmocka_unit_test(objects_hold_containers_one_after_another),
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(texts_together_have_a_limit),
        cmocka_unit_test(prefixes_are_refused),
        cmocka_unit_test(objects_without_gpu_code_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
