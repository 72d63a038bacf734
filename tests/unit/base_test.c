/* base: error, arena, buffer, fd, hash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/hash.h"

static void error_carries_kind_errno_and_prefixes(void **state)
{
    (void)state;
    auto_error Error error = {0};
    errno = ENOENT;
    assert_false(error_system_input(&error, "cannot open %s", "x.c"));
    assert_false(error_wrap(&error, "judging"));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_int_equal(error.system_errno, ENOENT);
    assert_string_equal(error_text(&error), "judging: cannot open x.c: No such file or directory");
}

static void error_is_replaced_not_leaked(void **state)
{
    (void)state;
    auto_error Error error = {0};
    (void)error_fault(&error, "first");
    (void)error_input(&error, "second");
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_string_equal(error_text(&error), "second");
    assert_string_equal(error_text(NULL), "no error");
}

static void arena_memory_is_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    auto_arena Arena *arena = arena_new();
    for (size_t size = 1; size < 40000; size = size * 3 + 1) {
        unsigned char *memory = arena_alloc(arena, size);
        assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xff, size);
    }
    assert_string_equal(arena_format(arena, "%s-%d", "test", 7), "test-7");
    assert_null(arena_string(arena, NULL));
    assert_memory_equal(arena_bytes(arena, "a\0b", 3), "a\0b\0", 4);
}

static void buffer_grows_and_stays_terminated(void **state)
{
    (void)state;
    auto_buffer Buffer buffer = {0};
    assert_string_equal(buffer_text(&buffer), "");
    for (int i = 0; i < 1000; i++)
        buffer_format(&buffer, "%d,", i % 10);
    assert_int_equal(buffer.size, 2000);
    assert_int_equal(strlen(buffer_text(&buffer)), 2000);
    assert_false(buffer.has_failed);
}

static void buffer_limit_is_sticky(void **state)
{
    (void)state;
    auto_buffer Buffer buffer = {.limit = 4};
    buffer_string(&buffer, "abc");
    buffer_string(&buffer, "de");
    assert_true(buffer.has_failed);
    buffer_char(&buffer, 'd');
    assert_string_equal(buffer_text(&buffer), "abc");
}

static void file_reading_refuses_what_is_not_a_file(void **state)
{
    (void)state;
    auto_buffer Buffer buffer = {0};
    auto_error Error error = {0};
    assert_false(fd_read_file("/tmp", 100, &buffer, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_string_equal(error_text(&error), "/tmp is a directory");
    char fifo[] = "/tmp/gavel-base-test-XXXXXX";
    assert_non_null(mkdtemp(fifo));
    char path[64];
    assert_true(snprintf(path, sizeof path, "%s/fifo", fifo) > 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(fd_read_file(path, 100, &buffer, &error)); /* a reader without O_NONBLOCK would hang here */
    assert_non_null(strstr(error_text(&error), "is not a regular file"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(fifo), 0);
}

static void replaced_file_has_new_content_and_mode(void **state)
{
    (void)state;
    char directory[] = "/tmp/gavel-base-test-XXXXXX";
    assert_non_null(mkdtemp(directory));
    char path[64], deep[64];
    assert_true(snprintf(deep, sizeof deep, "%s/a/b", directory) > 0);
    assert_true(snprintf(path, sizeof path, "%s/file", deep) > 0);
    auto_error Error error = {0};
    assert_true(fd_make_directories(deep, 0755, &error));
    assert_true(fd_make_directories(deep, 0755, &error));
    assert_true(fd_replace_file(path, "old", 3, 0644, &error));
    assert_true(fd_replace_file(path, "newer", 5, 0600, &error));
    auto_buffer Buffer buffer = {0};
    assert_false(fd_read_file(path, 4, &buffer, &error)); /* one byte over the cap */
    buffer_done(&buffer);
    assert_true(fd_read_file(path, 5, &buffer, &error));
    assert_string_equal(buffer_text(&buffer), "newer");
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(deep), 0);
    *strrchr(deep, '/') = '\0';
    assert_int_equal(rmdir(deep), 0);
    assert_int_equal(rmdir(directory), 0);
}

static void hash_matches_the_standard_and_separates_fields(void **state)
{
    (void)state;
    char text[HASH_TEXT_SIZE], other[HASH_TEXT_SIZE];
    hash_bytes_text("abc", 3, text); /* FIPS 180-4 example */
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    Hash hash;
    hash_init(&hash);
    hash_string(&hash, "ab");
    hash_string(&hash, "c");
    hash_text(&hash, text);
    hash_init(&hash);
    hash_string(&hash, "a");
    hash_string(&hash, "bc");
    hash_text(&hash, other);
    assert_string_not_equal(text, other);
    hash_init(&hash);
    hash_string(&hash, NULL);
    hash_text(&hash, text);
    hash_init(&hash);
    hash_string(&hash, "");
    hash_text(&hash, other);
    assert_string_not_equal(text, other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_carries_kind_errno_and_prefixes),
        cmocka_unit_test(error_is_replaced_not_leaked),
        cmocka_unit_test(arena_memory_is_zeroed_aligned_and_apart),
        cmocka_unit_test(buffer_grows_and_stays_terminated),
        cmocka_unit_test(buffer_limit_is_sticky),
        cmocka_unit_test(file_reading_refuses_what_is_not_a_file),
        cmocka_unit_test(replaced_file_has_new_content_and_mode),
        cmocka_unit_test(hash_matches_the_standard_and_separates_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
