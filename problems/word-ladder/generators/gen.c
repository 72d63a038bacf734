/* Generator: gen KIND LENGTH N [LETTERS] SEED prints one input.
 *
 * random LENGTH N LETTERS SEED    distinct words over the first LETTERS letters, two of them start and end
 * missing LENGTH N LETTERS SEED   the same without the end word in the list
 * apart LENGTH N LETTERS SEED     two dense halves that no step joins; start in one, end in the other
 * snake LENGTH N SEED             one ladder of N words without a short cut: the list is all of it */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 10, MAX_WORDS = 10000, SLOTS = 1 << 18, HALF_LETTERS = 4 };

typedef struct Word {
    char letters[MAX_LENGTH + 1];
} Word;

static uint64_t random_state;
static Word words[MAX_WORDS];
static int word_count;
static Word slots[SLOTS]; /* a set of words and patterns, open addressing; "" is a free slot */

/* splitmix64 */
static uint64_t random_next(void)
{
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int random_below(int bound)
{
    return (int)(random_next() % (uint64_t)bound);
}

static Word *set_slot(const Word *word)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = word->letters; *c; c++)
        hash = (hash ^ (uint32_t)*c) * 16777619u;
    uint32_t i = hash % SLOTS;
    while (slots[i].letters[0] && strcmp(slots[i].letters, word->letters) != 0)
        i = (i + 1) % SLOTS;
    return &slots[i];
}

static bool set_has(const Word *word)
{
    return set_slot(word)->letters[0] != '\0';
}

static void set_add(const Word *word)
{
    *set_slot(word) = *word;
}

/* The word with a star in place of one letter: two words are one step apart iff they share a pattern. */
static Word pattern_of(const Word *word, int place)
{
    Word pattern = *word;
    pattern.letters[place] = '*';
    return pattern;
}

static Word random_word(int length, int letters)
{
    Word word = {{0}};
    for (int i = 0; i < length; i++)
        word.letters[i] = (char)('a' + random_below(letters));
    return word;
}

static void add_word(const Word *word)
{
    set_add(word);
    words[word_count++] = *word;
}

static void shuffle_words(void)
{
    for (int i = word_count - 1; i > 0; i--) {
        int j = random_below(i + 1);
        Word word = words[i];
        words[i] = words[j];
        words[j] = word;
    }
}

static void print_input(const Word *start, const Word *end)
{
    printf("%d\n%s %s\n", word_count, start->letters, end->letters);
    for (int i = 0; i < word_count; i++)
        puts(words[i].letters);
}

static void make_random(int length, int n, int letters, bool is_end_missing)
{
    int64_t possible = 1;
    for (int i = 0; i < length; i++)
        possible *= letters;
    if (n + 1 > possible)
        n = (int)possible - (is_end_missing ? 1 : 0);
    Word end = random_word(length, letters);
    if (is_end_missing)
        set_add(&end);
    else
        add_word(&end);
    while (word_count < n) {
        Word word = random_word(length, letters);
        if (!set_has(&word))
            add_word(&word);
    }
    Word start = words[word_count - 1];
    shuffle_words();
    print_input(&start, &end);
}

/* Words that begin with "ab" and with "cd" differ in two letters. */
static void make_apart(int length, int n, int letters)
{
    while (word_count < n) {
        Word word = random_word(length, letters);
        for (int i = 0; i < length - HALF_LETTERS; i++)
            word.letters[i] = 'm';
        memcpy(word.letters, word_count % 2 ? "ab" : "cd", 2);
        if (!set_has(&word))
            add_word(&word);
    }
    Word start = words[0], end = words[1];
    shuffle_words();
    print_input(&start, &end);
}

/* A word may follow in the snake if the only word one step from it is the last one. */
static bool is_free(const Word *word, int changed_place)
{
    for (int place = 0; word->letters[place]; place++) {
        Word pattern = pattern_of(word, place);
        if (place != changed_place && set_has(&pattern))
            return false;
    }
    return true;
}

static void add_snake_word(const Word *word)
{
    words[word_count++] = *word;
    for (int place = 0; word->letters[place]; place++) {
        Word pattern = pattern_of(word, place);
        set_add(&pattern);
    }
}

static void make_snake(int length, int n)
{
    Word word = random_word(length, 26);
    int last_place = -1;
    add_snake_word(&word);
    while (word_count < n) {
        Word next = word;
        int place = random_below(length);
        next.letters[place] = (char)('a' + random_below(26));
        if (place == last_place || next.letters[place] == word.letters[place] || !is_free(&next, place))
            continue;
        add_snake_word(&next);
        word = next;
        last_place = place;
    }
    Word start = words[0], end = words[word_count - 1];
    shuffle_words();
    print_input(&start, &end);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    int number[4] = {0};
    int count = argc - 2;
    if (count < 3 || count > 4) {
        fprintf(stderr, "usage: gen KIND LENGTH N [LETTERS] SEED\n");
        return 2;
    }
    for (int i = 0; i < count; i++)
        number[i] = atoi(argv[i + 2]);
    int length = number[0], n = number[1], letters = number[2];
    random_state = (uint64_t)number[count - 1];
    if (length < 1 || length > MAX_LENGTH || n < 2 || n > MAX_WORDS) {
        fprintf(stderr, "gen: LENGTH or N out of bounds\n");
        return 2;
    }

    if (strcmp(kind, "random") == 0 && count == 4)
        make_random(length, n, letters, false);
    else if (strcmp(kind, "missing") == 0 && count == 4)
        make_random(length, n, letters, true);
    else if (strcmp(kind, "apart") == 0 && count == 4)
        make_apart(length, n, letters);
    else if (strcmp(kind, "snake") == 0 && count == 3)
        make_snake(length, n);
    else {
        fprintf(stderr, "gen: no kind \"%s\" with %d numbers\n", kind, count);
        return 2;
    }
    return 0;
}
