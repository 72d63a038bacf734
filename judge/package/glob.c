/* Braces are expanded from the left, the star is matched by going back to the last one. */
#include "package/glob.h"

#include <string.h>

enum { MAX_GLOBS = 1000, MAX_GLOB_LENGTH = 1000, MAX_STEPS = 10000 };

/* The brace that closes the one at `open`, or NULL. */
static const char *closing_brace(const char *open)
{
    int depth = 0;
    for (const char *c = open; *c; c++) {
        depth += (*c == '{') - (*c == '}');
        if (depth == 0)
            return c;
    }
    return NULL;
}

/* End of the alternative that starts at `start`: its comma, or the closing brace. */
static const char *alternative_end(const char *start, const char *close)
{
    int depth = 0;
    for (const char *c = start; c < close; c++) {
        depth += (*c == '{') - (*c == '}');
        if (depth == 0 && *c == ',')
            return c;
    }
    return close;
}

/* Works through a queue: a glob with a brace is replaced by its alternatives, at the queue's end. */
static bool expand_one(const char *glob, List *queue)
{
    const char *open = strchr(glob, '{'), *close = closing_brace(open);
    if (!close)
        return false;
    for (const char *start = open + 1;;) {
        const char *end = alternative_end(start, close);
        list_format(queue, "%.*s%.*s%s", (int)(open - glob), glob, (int)(end - start), start, close + 1);
        if (queue->count > MAX_STEPS)
            return false;
        if (end == close)
            return true;
        start = end + 1;
    }
}

bool glob_expand(Arena *arena, const char *glob, List *globs)
{
    List queue = list_of(arena, const char *);
    list_add_string(&queue, glob);
    if (strlen(glob) > MAX_GLOB_LENGTH)
        return false;
    for (size_t i = 0; i < queue.count; i++) {
        const char *next = ((const char **)queue.items)[i];
        size_t plain = strcspn(next, "{}");
        if (next[plain] == '{') {
            if (!expand_one(next, &queue))
                return false;
        } else if (next[plain] == '}' || globs->count >= MAX_GLOBS)
            return false;
        else
            list_add_string(globs, next);
    }
    return true;
}

bool glob_matches(const char *glob, const char *path)
{
    const char *star = NULL, *retry = NULL;
    while (*path) {
        if (*glob == '*') {
            star = ++glob;
            retry = path;
        } else if (*glob == *path) {
            glob++, path++;
        } else if (star && *retry != '/') { /* the star takes one character more, but never a slash */
            glob = star;
            path = ++retry;
        } else {
            return false;
        }
    }
    return glob[strspn(glob, "*")] == '\0';
}

bool glob_matches_below(Arena *arena, const char *glob, const char *path)
{
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
        if (glob_matches(glob, arena_bytes(arena, path, (size_t)(slash - path))))
            return true;
    return glob_matches(glob, path);
}
