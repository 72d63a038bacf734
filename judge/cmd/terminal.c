/* What standard output and standard error can show, and JSON onto a stream. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/command.h"

static bool is_smart_terminal(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_can_rewrite(int fd)
{
    return is_smart_terminal(fd);
}

bool terminal_has_colour(int fd)
{
    const char *no_colour = getenv("NO_COLOR"); /* https://no-color.org: set and not empty */
    return is_smart_terminal(fd) && !(no_colour && *no_colour);
}

/* A file or a pipe is read later, in a window of unknown size: wide enough that test names are whole. */
int terminal_width(int fd)
{
    if (!isatty(fd))
        return 100;
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

TerminalStyle terminal_style(const GlobalOptions *global, const char *lang)
{
    return (TerminalStyle){
        .has_colour = terminal_has_colour(STDOUT_FILENO),
        .is_chinese = lang && strcmp(lang, "zh") == 0,
        .width = terminal_width(STDOUT_FILENO),
        .is_quiet = global->is_quiet,
    };
}

bool json_write(json_t *value, FILE *stream, Error *error)
{
    bool is_made = value != NULL;
    if (is_made)
        (void)json_dumpf(value, stream, JSON_INDENT(2)); /* a write error stays in the stream, where main looks */
    json_decref(value);
    if (!is_made)
        return error_fault(error, "out of memory while making JSON");
    fputc('\n', stream);
    return true;
}
