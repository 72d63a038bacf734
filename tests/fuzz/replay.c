/* main() for fuzz entries without libFuzzer: runs LLVMFuzzerTestOneInput over every file of the given directories, then
 * over random mutations of them that a seed determines. `make test` does this under sanitizers.
 * Usage: X_fuzz [--mutations N] [--seed S] DIRECTORY...
 * When an input ends the process, its bytes and how it came about are written to standard error. */
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

enum { INPUT_MAX_BYTES = 64 * 1024, CHANGES_MAX = 8 };

typedef struct Input {
    char *name;
    uint8_t *data;
    size_t size;
} Input;

typedef struct Corpus {
    Input *inputs;
    size_t count, capacity;
} Corpus;

static void die(const char *what, const char *name)
{
    fprintf(stderr, "replay: %s: ", what);
    perror(name);
    exit(2);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);
    if (!memory)
        die("out of memory", "malloc");
    return memory;
}

/* ---- the input that is running, for the post-mortem ------------------------------------------------------------- */

static Input current;
static uint64_t current_mutation; /* 0: the file itself */

static void print_current(void)
{
    fprintf(stderr, "replay: ended in %s, mutation %" PRIu64 ", %zu bytes:\n", current.name, current_mutation,
            current.size);
    for (size_t i = 0; i < current.size && i < 4096; i++)
        fprintf(stderr, "\\x%02x", current.data[i]);
    fputc('\n', stderr);
}

static void on_signal(int signal_number)
{
    print_current(); /* not async-signal-safe, but the process is lost anyway */
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

static void watch_for_death(void)
{
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(print_current);
    (void)signal(SIGABRT, on_signal);
    (void)signal(SIGILL, on_signal);
    (void)signal(SIGTRAP, on_signal);
}

/* Runs one input from a block of exactly its size, so that a sanitizer sees a read past its end. Takes `data`. */
static void run_input(const char *name, uint64_t mutation, const uint8_t *data, size_t size)
{
    uint8_t *exact = allocate(size);
    if (size)
        memcpy(exact, data, size);
    current = (Input){(char *)name, exact, size};
    current_mutation = mutation;
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* ---- corpus ----------------------------------------------------------------------------------------------------- */

static void corpus_add(Corpus *corpus, char *name, uint8_t *data, size_t size)
{
    if (corpus->count == corpus->capacity) {
        corpus->capacity = corpus->capacity ? 2 * corpus->capacity : 64;
        corpus->inputs = realloc(corpus->inputs, corpus->capacity * sizeof *corpus->inputs);
        if (!corpus->inputs)
            die("out of memory", "realloc");
    }
    corpus->inputs[corpus->count++] = (Input){name, data, size};
}

static void read_file(Corpus *corpus, const char *directory, const char *name)
{
    char *path = NULL;
    struct stat status;
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        die("out of memory", name);
    if (stat(path, &status) != 0)
        die("cannot read", path);
    if (!S_ISREG(status.st_mode)) {
        free(path);
        return;
    }
    FILE *file = fopen(path, "rb");
    size_t size = (size_t)status.st_size;
    uint8_t *data = allocate(size);
    if (!file || fread(data, 1, size, file) != size)
        die("cannot read", path);
    (void)fclose(file); /* only read */
    corpus_add(corpus, path, data, size);
}

static int by_bytes(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

/* In order of names, and not by the locale's, so that a seed means the same on every machine. */
static void read_directory(Corpus *corpus, const char *directory)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, NULL, by_bytes);
    if (count < 0)
        die("cannot list", directory);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.')
            read_file(corpus, directory, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

static void corpus_done(Corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++) {
        free(corpus->inputs[i].name);
        free(corpus->inputs[i].data);
    }
    free(corpus->inputs);
}

/* ---- mutations -------------------------------------------------------------------------------------------------- */

typedef struct Mutator {
    uint64_t random;
    const Corpus *corpus;
    uint8_t *data; /* INPUT_MAX_BYTES of room */
    size_t size;
} Mutator;

static uint64_t next_random(Mutator *mutator) /* splitmix64 */
{
    uint64_t value = mutator->random += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

static size_t below(Mutator *mutator, size_t limit)
{
    return limit ? (size_t)(next_random(mutator) % limit) : 0;
}

/* Replaces `removed` bytes at `at` by `added` bytes of `bytes`, as far as there is room. */
static void splice(Mutator *mutator, size_t at, size_t removed, const uint8_t *bytes, size_t added)
{
    size_t tail = mutator->size - at - removed;
    if (added > INPUT_MAX_BYTES - at - tail)
        added = INPUT_MAX_BYTES - at - tail;
    memmove(mutator->data + at + added, mutator->data + at + removed, tail);
    if (added)
        memcpy(mutator->data + at, bytes, added);
    mutator->size = at + added + tail;
}

static void flip_bit(Mutator *mutator)
{
    if (mutator->size)
        mutator->data[below(mutator, mutator->size)] ^= (uint8_t)(1U << below(mutator, 8));
}

static void set_byte(Mutator *mutator)
{
    static const uint8_t special[] = "\0\n\t\r 019-+.eE:\"'{}[]#&*!|>%@,\\/\x7F\x80\xFF";
    if (mutator->size)
        mutator->data[below(mutator, mutator->size)] = special[below(mutator, sizeof special - 1)];
}

/* Random bytes, or one byte many times. */
static void insert_random(Mutator *mutator)
{
    uint8_t bytes[32];
    size_t count = 1 + below(mutator, sizeof bytes);
    bool is_repeated = below(mutator, 2);
    for (size_t i = 0; i < count; i++)
        bytes[i] = is_repeated && i ? bytes[0] : (uint8_t)next_random(mutator);
    splice(mutator, below(mutator, mutator->size + 1), 0, bytes, count);
}

static void remove_range(Mutator *mutator)
{
    size_t at = below(mutator, mutator->size + 1);
    splice(mutator, at, below(mutator, mutator->size - at + 1), NULL, 0);
}

static void copy_range(Mutator *mutator)
{
    uint8_t bytes[256];
    size_t from = below(mutator, mutator->size + 1), rest = mutator->size - from;
    size_t count = below(mutator, (rest < sizeof bytes ? rest : sizeof bytes) + 1);
    memcpy(bytes, mutator->data + from, count);
    splice(mutator, below(mutator, mutator->size + 1), 0, bytes, count);
}

/* A piece of another input of the corpus in place of a piece of this one. */
static void cross(Mutator *mutator)
{
    const Input *other = &mutator->corpus->inputs[below(mutator, mutator->corpus->count)];
    size_t from = below(mutator, other->size + 1), count = below(mutator, other->size - from + 1);
    size_t at = below(mutator, mutator->size + 1);
    splice(mutator, at, below(mutator, mutator->size - at + 1), other->data + from, count);
}

static void cut_end(Mutator *mutator)
{
    mutator->size = below(mutator, mutator->size + 1);
}

static void (*const changes[])(Mutator *mutator) = {flip_bit,     set_byte,   set_byte, insert_random,
                                                    remove_range, copy_range, cross,    cut_end};

/* One to CHANGES_MAX changes of a random input of the corpus; returns that input's name. */
static const char *mutate(Mutator *mutator)
{
    const Input *input = &mutator->corpus->inputs[below(mutator, mutator->corpus->count)];
    mutator->size = input->size < INPUT_MAX_BYTES ? input->size : INPUT_MAX_BYTES;
    memcpy(mutator->data, input->data, mutator->size);
    for (size_t count = 1 + below(mutator, CHANGES_MAX); count > 0; count--)
        changes[below(mutator, sizeof changes / sizeof changes[0])](mutator);
    return input->name;
}

/* ---- contents --------------------------------------------------------------------------------------------------- */

static uint64_t number_argument(const char *text)
{
    char *end;
    uint64_t value = strtoull(text ? text : "", &end, 10);
    if (!text || end == text || *end) {
        fprintf(stderr, "usage: X_fuzz [--mutations N] [--seed S] DIRECTORY...\n");
        exit(2);
    }
    return value;
}

int main(int argc, char **argv)
{
    uint64_t mutations = 0, seed = 1;
    Corpus corpus = {0};
    if (LLVMFuzzerInitialize)
        (void)LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mutations") == 0)
            mutations = number_argument(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = number_argument(argv[++i]);
        else
            read_directory(&corpus, argv[i]);
    }
    corpus_add(&corpus, strdup("the empty input"), allocate(0), 0);

    watch_for_death();
    for (size_t i = 0; i < corpus.count; i++)
        run_input(corpus.inputs[i].name, 0, corpus.inputs[i].data, corpus.inputs[i].size);
    Mutator mutator = {.random = seed, .corpus = &corpus, .data = allocate(INPUT_MAX_BYTES)};
    for (uint64_t i = 1; i <= mutations; i++) {
        const char *name = mutate(&mutator);
        run_input(name, i, mutator.data, mutator.size);
    }
    printf("%" PRIu64 " inputs\n", corpus.count + mutations);
    free(mutator.data);
    corpus_done(&corpus);
    return 0;
}
