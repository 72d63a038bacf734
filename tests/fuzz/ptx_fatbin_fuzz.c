/* Fuzz entry of fat binaries, bare and within an object: nothing outside of the input is read, and texts stay within
 * their limit. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/fatbin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_TEXT_BYTES = 1 << 16 };

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check(const PtxFatbin *fatbin)
{
    size_t total = 0;
    for (size_t i = 0; i < fatbin->entry_count; i++) {
        const PtxFatbinEntry *entry = &fatbin->entries[i];
        require(entry->kind == PTX_FATBIN_PTX || entry->kind == PTX_FATBIN_ELF);
        require((entry->text != NULL) == (entry->kind == PTX_FATBIN_PTX));
        if (entry->text)
            require(strlen(entry->text) == entry->text_size);
        total += entry->text_size;
    }
    require(total <= MAX_TEXT_BYTES);
    const PtxFatbinEntry *chosen = ptx_fatbin_choose(fatbin);
    require(!chosen || chosen->text != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    auto_arena Arena *arena = arena_new();
    auto_error Error error = {0};
    PtxFatbin fatbin;
    const bool is_read = ptx_fatbin_is(data, size)
                             ? ptx_fatbin_read(arena, data, size, MAX_TEXT_BYTES, &fatbin, &error)
                             : ptx_fatbin_read_elf(arena, data, size, MAX_TEXT_BYTES, &fatbin, &error);
    if (is_read)
        check(&fatbin);
    else
        require(error.kind == ERROR_INPUT && error.message[0] != '\0');
    return 0;
}
