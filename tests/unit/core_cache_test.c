/* cache: whole or absent, bounded, shared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "core/cache.h"

typedef struct World {
    char directory[32];
    Cache *cache;
} World;

enum { BODY_SIZE = 100000 };

static int set_up(void **state)
{
    World *world = calloc(1, sizeof *world);
    strcpy(world->directory, "/tmp/core-cache-XXXXXX");
    assert_non_null(mkdtemp(world->directory));
    assert_true(cache_open(world->directory, 20 * BODY_SIZE, &world->cache, NULL));
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    World *world = *state;
    cache_close(world->cache);
    cache_remove_tree(world->directory);
    free(world);
    return 0;
}

static void key_of(int number, char ret_key[HASH_TEXT_SIZE])
{
    hash_bytes_text(&number, sizeof number, ret_key);
}

/* The body of an entry is made from its number, so that mixed-up or torn entries show. */
static void fill_body(int number, char *body)
{
    for (size_t i = 0; i < BODY_SIZE; i++)
        body[i] = (char)(number * 31 + (int)i * 7);
}

static bool store(Cache *cache, int number)
{
    char key[HASH_TEXT_SIZE], *body = malloc(BODY_SIZE);
    key_of(number, key);
    fill_body(number, body);
    bool is_stored = cache_store(cache, key, &number, sizeof number, body, BODY_SIZE);
    free(body);
    return is_stored;
}

static bool holds(Cache *cache, int number)
{
    char key[HASH_TEXT_SIZE];
    auto_buffer Buffer head = {0}, body = {0};
    key_of(number, key);
    if (!cache_load(cache, key, &head, &body))
        return false;
    char *wanted = malloc(BODY_SIZE);
    fill_body(number, wanted);
    assert_int_equal(head.size, sizeof number);
    assert_memory_equal(head.data, &number, sizeof number);
    assert_int_equal(body.size, BODY_SIZE);
    assert_memory_equal(body.data, wanted, BODY_SIZE);
    free(wanted);
    return true;
}

static void path_of(const World *world, int number, char *ret_path, size_t size)
{
    char key[HASH_TEXT_SIZE];
    key_of(number, key);
    snprintf(ret_path, size, "%s/artifacts/%.2s/%s", world->directory, key, key);
}

static void stored_is_loaded(void **state)
{
    World *world = *state;
    assert_false(holds(world->cache, 1));
    assert_true(store(world->cache, 1));
    assert_true(holds(world->cache, 1));
    assert_true(store(world->cache, 1));
    assert_true(holds(world->cache, 1));
    char key[HASH_TEXT_SIZE];
    auto_buffer Buffer head = {0}, body = {0};
    key_of(2, key);
    assert_true(cache_store(world->cache, key, "", 0, "", 0));
    assert_true(cache_load(world->cache, key, &head, &body));
    assert_int_equal(head.size + body.size, 0);
}

/* Every kind of damage counts as absent, removes the entry and can be repaired. */
static void damage_is_found(void **state)
{
    World *world = *state;
    char path[200];
    path_of(world, 3, path, sizeof path);
    static const off_t places[] = {0, 20, 50, 60, 70, 5000, BODY_SIZE};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_true(store(world->cache, 3));
        int fd = open(path, O_RDWR);
        char byte;
        assert_int_equal(pread(fd, &byte, 1, places[i]), 1);
        byte ^= 1;
        assert_int_equal(pwrite(fd, &byte, 1, places[i]), 1);
        close(fd);
        assert_false(holds(world->cache, 3));
        assert_int_equal(access(path, F_OK), -1);
    }
    static const off_t lengths[] = {0, 10, 63, 64, 1000, BODY_SIZE};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_true(store(world->cache, 3));
        assert_int_equal(truncate(path, lengths[i]), 0);
        assert_false(holds(world->cache, 3));
    }
    assert_true(store(world->cache, 3));
    assert_int_equal(truncate(path, 2 * BODY_SIZE), 0);
    assert_false(holds(world->cache, 3));
}

/* Twenty bodies fit. The oldest go first, and reading makes an entry young. */
static void least_recently_used_goes_first(void **state)
{
    World *world = *state;
    for (int i = 0; i < 18; i++) {
        assert_true(store(world->cache, 100 + i));
        char path[200];
        path_of(world, 100 + i, path, sizeof path);
        const struct timespec times[2] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    assert_true(holds(world->cache, 100));
    for (int i = 0; i < 4; i++)
        assert_true(store(world->cache, 200 + i));
    assert_true(cache_bytes(world->cache) <= 20 * BODY_SIZE);
    assert_true(holds(world->cache, 100));
    assert_false(holds(world->cache, 101));
    assert_true(holds(world->cache, 203));
}

/* Writers and readers on the same few keys: nobody ever sees half an entry. */
static void hammer(const World *world, int seed)
{
    Cache *cache;
    if (!cache_open(world->directory, 20 * BODY_SIZE, &cache, NULL))
        _exit(2);
    for (int i = 0; i < 60; i++) {
        int number = 300 + (i * 7 + seed) % 5;
        if (i % 3 == 0)
            (void)store(cache, number);
        else
            (void)holds(cache, number); /* asserts inside: a failed one leaves with another status */
    }
    cache_close(cache);
    _exit(0);
}

static void concurrent_use_is_safe(void **state)
{
    World *world = *state;
    pid_t children[6];
    for (int i = 0; i < 6; i++) {
        children[i] = fork();
        if (children[i] == 0)
            hammer(world, i);
    }
    for (int i = 0; i < 6; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert_true(store(world->cache, 300));
    assert_true(holds(world->cache, 300));
}

static void leftovers_of_the_dead_are_swept(void **state)
{
    World *world = *state;
    char dead[100], alive[100], foreign[100];
    snprintf(dead, sizeof dead, "%s/tmp/entry.dead", world->directory);
    snprintf(alive, sizeof alive, "%s/tmp/entry.alive", world->directory);
    snprintf(foreign, sizeof foreign, "%s/tmp/other", world->directory);
    int dead_fd = open(dead, O_CREAT | O_RDWR, 0600), alive_fd = open(alive, O_CREAT | O_RDWR, 0600);
    int foreign_fd = open(foreign, O_CREAT | O_RDWR, 0600);
    assert_int_equal(flock(alive_fd, LOCK_EX), 0);
    close(dead_fd);
    close(foreign_fd);
    Cache *second;
    assert_true(cache_open(world->directory, BODY_SIZE, &second, NULL));
    assert_int_equal(access(dead, F_OK), -1);
    assert_int_equal(access(alive, F_OK), 0);
    assert_int_equal(access(foreign, F_OK), 0);
    close(alive_fd);
    cache_close(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stored_is_loaded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damage_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(least_recently_used_goes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(concurrent_use_is_safe, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leftovers_of_the_dead_are_swept, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
