/* Reads the manifest that generate.py writes and the files that it names: shared by run_ops.c and run_ops_gpu.c. Faults
 * end the program: it is a test's. */
#ifndef GAVEL_TESTS_OPS_MANIFEST_H
#define GAVEL_TESTS_OPS_MANIFEST_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPS_ADDRESSES_MAX = 16, OPS_PATH_MAX = 4096 };

typedef struct OpsFile {
    char name[256];
    void *ptx, *input;
    size_t ptx_size, input_size, output_size;
} OpsFile;

typedef struct OpsEntry {
    char name[64];
    uint32_t thread_count, address_count;
    uint64_t offsets[OPS_ADDRESSES_MAX];
    char kinds[OPS_ADDRESSES_MAX]; /* 'i' or 'o': of the inputs, of the results */
} OpsEntry;

/* A test takes a file: loads it, runs its entries, and writes output_size bytes. */
typedef struct OpsVisitor {
    void (*begin)(void *context, const OpsFile *file);
    void (*entry)(void *context, const OpsFile *file, const OpsEntry *entry);
    void (*end)(void *context, const OpsFile *file);
    void *context;
} OpsVisitor;

__attribute__((format(printf, 1, 2), noreturn)) static inline void ops_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

static inline void *ops_read(const char *directory, const char *name, const char *suffix, size_t *ret_size)
{
    char path[OPS_PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s%s", directory, name, suffix) >= (int)sizeof path)
        ops_fail("%s: name too long", name);
    FILE *stream = fopen(path, "rb");
    if (!stream || fseek(stream, 0, SEEK_END) != 0)
        ops_fail("%s: cannot read", path);
    const long size = ftell(stream);
    rewind(stream);
    char *data = malloc((size_t)size + 1);
    if (!data || fread(data, 1, (size_t)size, stream) != (size_t)size)
        ops_fail("%s: cannot read", path);
    data[size] = '\0'; /* the driver wants PTX as a string */
    fclose(stream);
    *ret_size = (size_t)size;
    return data;
}

static inline void ops_read_entry(char *line, OpsEntry *ret_entry)
{
    char *state = NULL, *word = strtok_r(line, " \n", &state);
    *ret_entry = (OpsEntry){0};
    word = strtok_r(NULL, " \n", &state);
    snprintf(ret_entry->name, sizeof ret_entry->name, "%s", word ? word : "");
    word = strtok_r(NULL, " \n", &state);
    ret_entry->thread_count = word ? (uint32_t)strtoul(word, NULL, 10) : 0;
    while ((word = strtok_r(NULL, " \n", &state)) && ret_entry->address_count < OPS_ADDRESSES_MAX) {
        ret_entry->kinds[ret_entry->address_count] = word[0];
        ret_entry->offsets[ret_entry->address_count++] = strtoull(word + 2, NULL, 10);
    }
}

static inline void ops_close_file(const OpsVisitor *visitor, OpsFile *file)
{
    if (!file->ptx)
        return;
    visitor->end(visitor->context, file);
    free(file->ptx);
    free(file->input);
    *file = (OpsFile){0};
}

/* Visits all files of directory/manifest; `only`: files whose name begins so, NULL for all. */
static inline void ops_visit(const char *directory, const char *only, const OpsVisitor *visitor)
{
    size_t size;
    char *manifest = ops_read(directory, "manifest", "", &size), *rest = manifest, *line;
    OpsFile file = {0};
    while ((line = strsep(&rest, "\n"))) {
        char name[256];
        size_t input_size, output_size;
        if (sscanf(line, "file %255s %zu %zu", name, &input_size, &output_size) == 3) {
            ops_close_file(visitor, &file);
            if (only && strncmp(name, only, strlen(only)) != 0)
                continue;
            snprintf(file.name, sizeof file.name, "%s", name);
            file.ptx = ops_read(directory, name, ".ptx", &file.ptx_size);
            file.input = ops_read(directory, name, ".in", &file.input_size);
            file.output_size = output_size;
            visitor->begin(visitor->context, &file);
        } else if (strncmp(line, "entry ", 6) == 0 && file.ptx) {
            OpsEntry entry;
            ops_read_entry(line, &entry);
            visitor->entry(visitor->context, &file, &entry);
        }
    }
    ops_close_file(visitor, &file);
    free(manifest);
}

#endif
