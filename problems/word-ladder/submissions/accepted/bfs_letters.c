/* Breadth-first search that tries every letter at every place and looks the word up in a hash table.
 * A word is packed into 50 bits, five a letter. Time O(n * length * 26), space O(n). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SLOTS = 1 << 15, MAX_WORDS = 10000 };

typedef struct Entry {
    uint64_t word; /* 0: free */
    int rungs;     /* words of the shortest ladder that ends here; 0: not reached */
} Entry;

static Entry table[SLOTS];
static Entry *queue[MAX_WORDS];

static uint64_t pack(const char *letters)
{
    uint64_t word = 0;
    for (int i = 0; letters[i]; i++)
        word |= (uint64_t)(letters[i] - 'a' + 1) << (5 * i);
    return word;
}

static Entry *find(uint64_t word)
{
    uint32_t i = (uint32_t)((word * 0x9e3779b97f4a7c15u) >> 49);
    while (table[i].word && table[i].word != word)
        i = (i + 1) % SLOTS;
    return &table[i];
}

int main(void)
{
    int n;
    char start_letters[11], end_letters[11], letters[11];
    if (scanf("%d %10s %10s", &n, start_letters, end_letters) != 3)
        return 1;
    for (int i = 0; i < n; i++) {
        if (scanf("%10s", letters) != 1)
            return 1;
        uint64_t word = pack(letters);
        find(word)->word = word;
    }

    int length = (int)strlen(start_letters);
    int head = 0, tail = 0;
    Entry start = {.word = pack(start_letters), .rungs = 1};
    find(start.word)->rungs = 1; /* if it is in the list, it is not entered again */
    for (Entry *entry = &start; entry; entry = head < tail ? queue[head++] : NULL)
        for (int place = 0; place < length; place++) {
            uint64_t others = entry->word & ~((uint64_t)31 << (5 * place));
            for (uint64_t letter = 1; letter <= 26; letter++) {
                Entry *next = find(others | letter << (5 * place));
                if (next->word && next->rungs == 0) {
                    next->rungs = entry->rungs + 1;
                    queue[tail++] = next;
                }
            }
        }
    Entry *end = find(pack(end_letters));
    printf("%d\n", end->word ? end->rungs : 0);
    return 0;
}
