/* Generator: gen KIND SIZES... SEED prints one input.
 *
 * random N M SEED          rules that agree with a hidden order
 * cycle N M LENGTH SEED    the same, but a cycle of LENGTH courses is hidden among the rules
 * repeated N M SEED        each rule twice or more
 * chain N SEED             one order only; the rules come last course first
 * diamonds LAYERS SEED     two courses a layer, both before both of the next: 2^LAYERS paths
 * hub N SEED               one course after half of the others and before the rest */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Rules {
    int n, count;
    int *before, *after;
} Rules;

static uint64_t random_state;

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

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        exit(1);
    return memory;
}

/* A random permutation of 1..n. */
static int *shuffled_courses(int n)
{
    int *courses = allocate((size_t)n, sizeof *courses);
    for (int i = 0; i < n; i++)
        courses[i] = i + 1;
    for (int i = n - 1; i > 0; i--) {
        int j = random_below(i + 1);
        int other = courses[j];
        courses[j] = courses[i];
        courses[i] = other;
    }
    return courses;
}

static Rules rules_new(int n, int capacity)
{
    Rules rules = {.n = n};
    rules.before = allocate((size_t)capacity, sizeof *rules.before);
    rules.after = allocate((size_t)capacity, sizeof *rules.after);
    return rules;
}

static void rules_add(Rules *rules, int before, int after)
{
    rules->before[rules->count] = before;
    rules->after[rules->count++] = after;
}

static void rules_shuffle(Rules *rules)
{
    for (int i = rules->count - 1; i > 0; i--) {
        int j = random_below(i + 1);
        int before = rules->before[i], after = rules->after[i];
        rules->before[i] = rules->before[j];
        rules->after[i] = rules->after[j];
        rules->before[j] = before;
        rules->after[j] = after;
    }
}

static void rules_print(const Rules *rules)
{
    printf("%d %d\n", rules->n, rules->count);
    for (int i = 0; i < rules->count; i++)
        printf("%d %d\n", rules->before[i], rules->after[i]);
}

static void add_random(Rules *rules, const int *order, int count)
{
    for (int i = 0; i < count; i++) {
        int x = random_below(rules->n);
        int y = random_below(rules->n - 1);
        if (y >= x)
            y++;
        rules_add(rules, order[x < y ? x : y], order[x < y ? y : x]);
    }
}

static void make_random(int n, int m)
{
    Rules rules = rules_new(n, m);
    add_random(&rules, shuffled_courses(n), m);
    rules_print(&rules);
}

static void make_cycle(int n, int m, int length)
{
    Rules rules = rules_new(n, m);
    int *order = shuffled_courses(n);
    int start = random_below(n - length + 1);
    for (int i = 0; i < length; i++)
        rules_add(&rules, order[start + i], order[start + (i + 1) % length]);
    add_random(&rules, order, m - length);
    rules_shuffle(&rules);
    rules_print(&rules);
}

static void make_repeated(int n, int m)
{
    Rules rules = rules_new(n, m);
    add_random(&rules, shuffled_courses(n), m / 3);
    for (int distinct = rules.count; rules.count < m;) {
        int i = rules.count % distinct;
        rules_add(&rules, rules.before[i], rules.after[i]);
    }
    rules_shuffle(&rules);
    rules_print(&rules);
}

static void make_chain(int n)
{
    Rules rules = rules_new(n, n);
    int *order = shuffled_courses(n);
    for (int i = n - 1; i > 0; i--)
        rules_add(&rules, order[i - 1], order[i]);
    rules_print(&rules);
}

static void make_diamonds(int layers)
{
    Rules rules = rules_new(2 * layers, 4 * layers);
    int *order = shuffled_courses(2 * layers);
    for (int i = 0; i + 1 < layers; i++)
        for (int pair = 0; pair < 4; pair++)
            rules_add(&rules, order[2 * i + pair / 2], order[2 * i + 2 + pair % 2]);
    rules_shuffle(&rules);
    rules_print(&rules);
}

static void make_hub(int n)
{
    Rules rules = rules_new(n, n);
    int *order = shuffled_courses(n);
    for (int i = 1; i < n; i++)
        if (i <= n / 2)
            rules_add(&rules, order[i], order[0]);
        else
            rules_add(&rules, order[0], order[i]);
    rules_shuffle(&rules);
    rules_print(&rules);
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    int number[4] = {0};
    int count = argc - 2;
    if (count < 1 || count > 4) {
        fprintf(stderr, "usage: gen KIND SIZES... SEED\n");
        return 2;
    }
    for (int i = 0; i < count; i++)
        number[i] = atoi(argv[i + 2]);
    random_state = (uint64_t)number[count - 1];

    if (strcmp(kind, "random") == 0 && count == 3)
        make_random(number[0], number[1]);
    else if (strcmp(kind, "cycle") == 0 && count == 4)
        make_cycle(number[0], number[1], number[2]);
    else if (strcmp(kind, "repeated") == 0 && count == 3)
        make_repeated(number[0], number[1]);
    else if (strcmp(kind, "chain") == 0 && count == 2)
        make_chain(number[0]);
    else if (strcmp(kind, "diamonds") == 0 && count == 2)
        make_diamonds(number[0]);
    else if (strcmp(kind, "hub") == 0 && count == 2)
        make_hub(number[0]);
    else {
        fprintf(stderr, "gen: no kind \"%s\" with %d numbers\n", kind, count);
        return 2;
    }
    return 0;
}
