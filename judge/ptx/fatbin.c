/* Fat binaries. A container is a header and entries one after another; an entry is a header, of a length that it names,
 * and a payload, perhaps compressed. All numbers are little-endian:
 *
 *   container  +0 u32 magic, +4 u16 version, +6 u16 length of this header, +8 u64 length of what follows
 *   entry      +0 u16 kind, +4 u32 length of this header, +8 u64 length of the payload with its padding,
 *              +16 u32 compressed length, +24 u16 minor, +26 u16 major version, +28 u32 architecture,
 *              +40 u64 flags, +56 u64 length once decompressed */
#include "ptx/fatbin.h"

#include <elf.h>
#include <inttypes.h>
#include <limits.h>
#include <lz4.h>
#include <string.h>
#include <zstd.h>

#include "base/buffer.h"

enum {
    MAGIC_BYTES = 4,
    CONTAINER_HEADER_BYTES = 16,
    ENTRY_HEADER_BYTES = 64, /* the least that has all fields */
    CONTAINER_VERSION = 1,
    CONTAINER_ALIGN = 8,
};
#define MAGIC UINT32_C(0xBA55ED50)

enum {
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_EXACT = 0x100000,
};

/* Bytes being read, and what is read out of them. */
typedef struct Reader {
    Arena *arena;
    const uint8_t *data;
    uint64_t size;
    uint64_t text_room; /* bytes that texts may still take */
    Buffer entries;     /* PtxFatbinEntry */
    Error *error;
} Reader;

static uint64_t number_at(const Reader *reader, uint64_t offset, unsigned bytes)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++)
        number |= (uint64_t)reader->data[offset + i] << (8 * i);
    return number;
}

/* Whether `size` bytes at `offset` lie within `end`, which lies within the data. */
static bool has_bytes(uint64_t offset, uint64_t size, uint64_t end)
{
    return offset <= end && size <= end - offset;
}

bool ptx_fatbin_is(const void *data, size_t size)
{
    const Reader reader = {.data = data, .size = size};
    return size >= MAGIC_BYTES && number_at(&reader, 0, MAGIC_BYTES) == MAGIC;
}

/* ---- payloads ---------------------------------------------------------------------------------------------------- */

typedef struct Payload {
    uint64_t offset, size;  /* as stored */
    uint64_t unpacked_size; /* size if it is plain */
} Payload;

static bool unpack_plain(const uint8_t *from, size_t size, char *to, size_t to_size)
{
    (void)to_size; /* equal */
    memcpy(to, from, size);
    return true;
}

static bool unpack_lz4(const uint8_t *from, size_t size, char *to, size_t to_size)
{
    if (size > INT_MAX || to_size > INT_MAX)
        return false;
    return LZ4_decompress_safe((const char *)from, to, (int)size, (int)to_size) == (int)to_size;
}

static bool unpack_zstd(const uint8_t *from, size_t size, char *to, size_t to_size)
{
    const size_t result = ZSTD_decompress(to, to_size, from, size);
    return !ZSTD_isError(result) && result == to_size;
}

typedef struct Compression {
    const char *name;
    uint64_t flag;
    bool (*unpack)(const uint8_t *from, size_t size, char *to, size_t to_size);
} Compression;

static const Compression compressions[] = {
    {"none", 0, unpack_plain},
    {"lz4", FLAG_LZ4, unpack_lz4},
    {"zstd", FLAG_ZSTD, unpack_zstd},
};

static const Compression *find_compression(uint64_t flags)
{
    for (size_t i = 0; i < sizeof compressions / sizeof *compressions; i++)
        if ((flags & (FLAG_LZ4 | FLAG_ZSTD)) == compressions[i].flag)
            return &compressions[i];
    return NULL;
}

static bool read_text(Reader *reader, const Compression *compression, Payload payload, PtxFatbinEntry *ret)
{
    if (payload.unpacked_size > reader->text_room)
        return error_input(reader->error,
                           "the PTX at offset %" PRIu64 " of the fat binary is too large (%" PRIu64 " bytes)",
                           payload.offset, payload.unpacked_size);
    reader->text_room -= payload.unpacked_size;
    char *text = arena_alloc(reader->arena, payload.unpacked_size + 1);
    if (!compression->unpack(reader->data + payload.offset, payload.size, text, payload.unpacked_size))
        return error_input(reader->error, "the PTX at offset %" PRIu64 " of the fat binary is damaged (%s)",
                           payload.offset, compression->name);
    ret->text = text;
    ret->text_size = strnlen(text, payload.unpacked_size);
    return true;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

/* Where the payload of the entry at `at` lies; the entry's header is within the data. */
static bool locate_payload(Reader *reader, uint64_t at, uint64_t end, const Compression *compression, Payload *ret,
                           uint64_t *ret_next)
{
    const uint64_t header = number_at(reader, at + 4, 4), padded = number_at(reader, at + 8, 8);
    const uint64_t packed = number_at(reader, at + 16, 4);
    if (header < ENTRY_HEADER_BYTES || !has_bytes(at, header, end))
        return error_input(reader->error,
                           "the fat binary's entry at offset %" PRIu64 " has a header of %" PRIu64 " bytes", at,
                           header);
    if (!has_bytes(at + header, padded, end) || packed > padded)
        return error_input(reader->error,
                           "the fat binary's entry at offset %" PRIu64 " passes the end of its container", at);
    const bool is_plain = compression->flag == 0;
    *ret = (Payload){.offset = at + header,
                     .size = is_plain ? padded : packed,
                     .unpacked_size = is_plain ? padded : number_at(reader, at + 56, 8)};
    *ret_next = at + header + padded;
    return true;
}

/* The entry at `at`; the next one begins at *ret_next. */
static bool read_entry(Reader *reader, uint64_t at, uint64_t end, uint64_t *ret_next)
{
    if (!has_bytes(at, ENTRY_HEADER_BYTES, end))
        return error_input(reader->error, "the fat binary's entry at offset %" PRIu64 " has no room for its header",
                           at);
    const uint64_t kind = number_at(reader, at, 2), flags = number_at(reader, at + 40, 8);
    const Compression *compression = find_compression(flags);
    if (!compression)
        return error_input(reader->error,
                           "the fat binary's entry at offset %" PRIu64 " is compressed in two ways at once", at);
    Payload payload = {0};
    if (!locate_payload(reader, at, end, compression, &payload, ret_next))
        return false;
    if (kind != PTX_FATBIN_PTX && kind != PTX_FATBIN_ELF)
        return true;
    PtxFatbinEntry entry = {
        .kind = (PtxFatbinKind)kind,
        .architecture = (uint32_t)number_at(reader, at + 28, 4),
        .is_exact = (flags & FLAG_EXACT) != 0,
        .major = (uint32_t)number_at(reader, at + 26, 2),
        .minor = (uint32_t)number_at(reader, at + 24, 2),
        .compression = compression->name,
    };
    if (kind == PTX_FATBIN_PTX && !read_text(reader, compression, payload, &entry))
        return false;
    buffer_append(&reader->entries, &entry, sizeof entry);
    return true;
}

/* The container at `at`, which ends at *ret_end. */
static bool read_container(Reader *reader, uint64_t at, uint64_t *ret_end)
{
    if (!has_bytes(at, CONTAINER_HEADER_BYTES, reader->size) || number_at(reader, at, 4) != MAGIC)
        return error_input(reader->error, "no fat binary begins at offset %" PRIu64, at);
    const uint64_t version = number_at(reader, at + 4, 2), header = number_at(reader, at + 6, 2);
    const uint64_t content = number_at(reader, at + 8, 8);
    if (version != CONTAINER_VERSION || header < CONTAINER_HEADER_BYTES)
        return error_input(reader->error,
                           "the fat binary at offset %" PRIu64 " has version %" PRIu64 " and a header of %" PRIu64
                           " bytes",
                           at, version, header);
    if (!has_bytes(at, header, reader->size) || !has_bytes(at + header, content, reader->size))
        return error_input(reader->error, "the fat binary at offset %" PRIu64 " is cut off", at);
    const uint64_t end = at + header + content;
    for (uint64_t entry = at + header; entry < end;)
        if (!read_entry(reader, entry, end, &entry))
            return false;
    *ret_end = end;
    return true;
}

/* Entries are in a list of their own until all is well. */
static bool finish(Reader *reader, bool is_read, PtxFatbin *ret_fatbin)
{
    if (is_read && reader->entries.has_failed)
        is_read = error_fault(reader->error, "out of memory");
    if (is_read) {
        const size_t size = reader->entries.size;
        ret_fatbin->entry_count = size / sizeof(PtxFatbinEntry);
        ret_fatbin->entries = size ? memcpy(arena_alloc(reader->arena, size), reader->entries.data, size) : NULL;
    }
    buffer_done(&reader->entries);
    return is_read;
}

bool ptx_fatbin_read(Arena *arena, const void *data, size_t size, size_t max_text_bytes, PtxFatbin *ret_fatbin,
                     Error *error)
{
    Reader reader = {.arena = arena, .data = data, .size = size, .text_room = max_text_bytes, .error = error};
    uint64_t end = 0;
    return finish(&reader, read_container(&reader, 0, &end), ret_fatbin);
}

/* ---- host objects ------------------------------------------------------------------------------------------------ */

typedef struct Sections {
    uint64_t offset, count;
    Elf64_Shdr names; /* of the sections */
} Sections;

/* The section header; it lies within the data. */
static Elf64_Shdr section_at(const Reader *reader, uint64_t offset, uint64_t index)
{
    Elf64_Shdr section;
    memcpy(&section, reader->data + offset + index * sizeof section, sizeof section);
    return section;
}

static bool is_elf64(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_ident[EI_DATA] == ELFDATA2LSB;
}

static bool find_sections(Reader *reader, Sections *ret)
{
    Elf64_Ehdr header;
    if (!has_bytes(0, sizeof header, reader->size))
        return error_input(reader->error, "not an ELF64 file: too short");
    memcpy(&header, reader->data, sizeof header);
    if (!is_elf64(&header))
        return error_input(reader->error, "not an ELF64 file of a little-endian machine");
    if (header.e_shoff == 0 || header.e_shentsize != sizeof(Elf64_Shdr) ||
        !has_bytes(header.e_shoff, sizeof(Elf64_Shdr), reader->size))
        return error_input(reader->error, "the ELF file has no section headers within it");
    /* Counts that don't fit the header are in section 0. */
    const Elf64_Shdr first = section_at(reader, header.e_shoff, 0);
    const uint64_t names = header.e_shstrndx == SHN_XINDEX ? first.sh_link : header.e_shstrndx;
    ret->offset = header.e_shoff;
    ret->count = header.e_shnum ? header.e_shnum : first.sh_size;
    if (ret->count > (reader->size - ret->offset) / sizeof(Elf64_Shdr) || names >= ret->count)
        return error_input(reader->error, "the ELF file's section headers pass its end");
    ret->names = section_at(reader, ret->offset, names);
    if (!has_bytes(ret->names.sh_offset, ret->names.sh_size, reader->size))
        return error_input(reader->error, "the ELF file's section names pass its end");
    return true;
}

static bool has_name(const Reader *reader, const Sections *sections, const Elf64_Shdr *section, const char *name)
{
    const uint64_t room = section->sh_name < sections->names.sh_size ? sections->names.sh_size - section->sh_name : 0;
    return room > strlen(name) &&
           memcmp(reader->data + sections->names.sh_offset + section->sh_name, name, strlen(name) + 1) == 0;
}

static bool is_fatbin_section(const Reader *reader, const Sections *sections, const Elf64_Shdr *section)
{
    return section->sh_type != SHT_NOBITS &&
           (has_name(reader, sections, section, ".nv_fatbin") || has_name(reader, sections, section, "__nv_fatbin"));
}

/* Containers one after another, aligned with zeros. */
static bool read_section(Reader *reader, const Elf64_Shdr *section)
{
    if (!has_bytes(section->sh_offset, section->sh_size, reader->size))
        return error_input(reader->error, "the section with fat binaries passes the end of the ELF file");
    const uint64_t end = section->sh_offset + section->sh_size;
    uint64_t at = section->sh_offset;
    while (at < end) {
        if (reader->data[at] == 0) {
            at++;
            continue;
        }
        if (!read_container(reader, at, &at))
            return false;
        if (at > end)
            return error_input(reader->error, "a fat binary passes the end of its section");
    }
    return true;
}

static bool read_sections(Reader *reader)
{
    Sections sections = {0};
    bool has_any = false, has_relocatable = false;
    if (!find_sections(reader, &sections))
        return false;
    for (uint64_t i = 0; i < sections.count; i++) {
        const Elf64_Shdr section = section_at(reader, sections.offset, i);
        has_relocatable = has_relocatable || has_name(reader, &sections, &section, "__nv_relfatbin");
        if (!is_fatbin_section(reader, &sections, &section))
            continue;
        has_any = true;
        if (!read_section(reader, &section))
            return false;
    }
    if (!has_any && has_relocatable)
        return error_input(reader->error, "the GPU code of the ELF file is still to be linked (nvcc -rdc=true)");
    return has_any || error_input(reader->error, "the ELF file has no section .nv_fatbin: it holds no GPU code");
}

bool ptx_fatbin_read_elf(Arena *arena, const void *data, size_t size, size_t max_text_bytes, PtxFatbin *ret_fatbin,
                         Error *error)
{
    Reader reader = {.arena = arena, .data = data, .size = size, .text_room = max_text_bytes, .error = error};
    return finish(&reader, read_sections(&reader), ret_fatbin);
}

/* ---- choice ------------------------------------------------------------------------------------------------------ */

enum { MACHINE_ARCHITECTURE = 90 };

static bool can_run(const PtxFatbinEntry *entry)
{
    return entry->kind == PTX_FATBIN_PTX && (entry->is_exact ? entry->architecture == MACHINE_ARCHITECTURE
                                                             : entry->architecture <= MACHINE_ARCHITECTURE);
}

static bool is_better(const PtxFatbinEntry *entry, const PtxFatbinEntry *than)
{
    if (!than || entry->architecture != than->architecture)
        return !than || entry->architecture > than->architecture;
    return entry->is_exact && !than->is_exact;
}

const PtxFatbinEntry *ptx_fatbin_choose(const PtxFatbin *fatbin)
{
    const PtxFatbinEntry *best = NULL;
    for (size_t i = 0; i < fatbin->entry_count; i++)
        if (can_run(&fatbin->entries[i]) && is_better(&fatbin->entries[i], best))
            best = &fatbin->entries[i];
    return best;
}
