/* Generator: gen KIND N HIGHEST SEED prints one input of N columns up to HIGHEST.
 *
 * random     any heights
 * bowl       high at both ends, falling to the middle, a little uneven
 * mountain   the other way round: hardly any water
 * basin      both ends at HIGHEST, low and random between them: the largest answer
 * rising     rising from left to right, a little uneven
 * comb       high and low in turn */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { RANDOM, BOWL, MOUNTAIN, BASIN, RISING, COMB, KIND_COUNT } Kind;

static const char *const kind_names[KIND_COUNT] = {
    [RANDOM] = "random", [BOWL] = "bowl",     [MOUNTAIN] = "mountain",
    [BASIN] = "basin",   [RISING] = "rising", [COMB] = "comb",
};

static uint64_t random_state;

/* splitmix64 */
static uint64_t random_next(void)
{
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int64_t random_below(int64_t bound)
{
    return (int64_t)(random_next() % (uint64_t)bound);
}

/* A slope's height at `place` of `length`, a hundredth of the highest up or down. */
static int64_t uneven(int64_t place, int64_t length, int64_t highest)
{
    int64_t bump = highest / 100;
    int64_t height = place * highest / length + random_below(2 * bump + 1) - bump;
    return height < 0 ? 0 : height > highest ? highest : height;
}

static int64_t height_at(Kind kind, int64_t i, int64_t n, int64_t highest)
{
    int64_t to_end = i < n - 1 - i ? i : n - 1 - i;
    switch (kind) {
    case BOWL:
        return highest - uneven(2 * to_end, n, highest);
    case MOUNTAIN:
        return uneven(2 * to_end, n, highest);
    case BASIN:
        return to_end == 0 ? highest : random_below(1000);
    case RISING:
        return uneven(i, n, highest);
    case COMB:
        return i % 2 == 0 ? highest - random_below(highest / 10 + 1) : random_below(highest / 2 + 1);
    default:
        return random_below(highest + 1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: gen KIND N HIGHEST SEED\n");
        return 2;
    }
    int kind = 0;
    while (kind < KIND_COUNT && strcmp(kind_names[kind], argv[1]) != 0)
        kind++;
    if (kind == KIND_COUNT) {
        fprintf(stderr, "gen: no kind \"%s\"\n", argv[1]);
        return 2;
    }
    int64_t n = atoi(argv[2]), highest = atoi(argv[3]);
    random_state = (uint64_t)atoi(argv[4]);

    printf("%d\n", (int)n);
    for (int64_t i = 0; i < n; i++)
        printf("%d%c", (int)height_at((Kind)kind, i, n, highest), i + 1 < n ? ' ' : '\n');
    return 0;
}
