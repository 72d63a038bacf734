/* Parsing, help and errors of command lines, all from the rows of the caller's tables. */
#include "base/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/fd.h"

enum { MAX_WORD_FOR_SUGGESTION = 40, MAX_OPTIONS = 64 };

/* ---- rows --------------------------------------------------------------------------------------------------- */

static bool has_value(const Option *option)
{
    return option->type != OPTION_FLAG && option->type != OPTION_HELP;
}

typedef bool (*RowTest)(const Option *option, const char *text, size_t length);

static bool is_named(const Option *option, const char *text, size_t length)
{
    return strlen(option->name) == length && memcmp(option->name, text, length) == 0;
}

static bool is_lettered(const Option *option, const char *text, size_t length)
{
    return length == 1 && option->letter == text[0];
}

static const Option *find_row(const OptionSyntax *syntax, RowTest test, const char *text, size_t length)
{
    for (size_t i = 0; i < OPTION_TABLE_COUNT; i++)
        for (const Option *option = syntax->tables[i]; option && option->name; option++)
            if (test(option, text, length))
                return option;
    return NULL;
}

/* ---- errors ------------------------------------------------------------------------------------------------- */

static bool usage_error(const OptionSyntax *syntax, Error *error, const char *format, ...) PRINTF_LIKE(3, 4);

static bool usage_error(const OptionSyntax *syntax, Error *error, const char *format, ...)
{
    auto_buffer Buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vformat(&text, format, arguments);
    va_end(arguments);
    return error_input(error, "%s: %s (see %s --help)", syntax->program, buffer_text(&text), syntax->program);
}

static bool unknown_option(const OptionSyntax *syntax, const char *word, size_t length, Error *error)
{
    const char *names[MAX_OPTIONS + 1];
    size_t count = 0;
    for (size_t i = 0; i < OPTION_TABLE_COUNT; i++)
        for (const Option *option = syntax->tables[i]; option && option->name && count < MAX_OPTIONS; option++)
            names[count++] = option->name;
    names[count] = NULL;
    auto_free char *name = strndup(word, length);
    const char *closest = name && name[0] == '-' && name[1] == '-' ? options_closest(name + 2, names) : NULL;
    if (closest)
        return usage_error(syntax, error, "unknown option %s, did you mean --%s?", name, closest);
    return usage_error(syntax, error, "unknown option %s", name ? name : word);
}

/* ---- suggestions -------------------------------------------------------------------------------------------- */

/* Edit distance with neighbouring letters swapped counting as one step (optimal string alignment), three rows. */
static size_t edit_distance(const char *left, const char *right)
{
    size_t width = strlen(right);
    size_t rows[3][MAX_WORD_FOR_SUGGESTION + 1];
    for (size_t j = 0; j <= width; j++)
        rows[0][j] = j;
    for (size_t i = 1; left[i - 1]; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t best = above[j - 1] + (left[i - 1] != right[j - 1]);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            bool is_swap = i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if (is_swap && second[j - 2] + 1 < best)
                best = second[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[strlen(left) % 3][width];
}

const char *options_closest(const char *word, const char *const *list)
{
    if (strlen(word) > MAX_WORD_FOR_SUGGESTION)
        return NULL;
    size_t best = strlen(word) / 3 + 1; /* more than a third of the letters wrong is another word */
    const char *closest = NULL;
    for (; *list; list++) {
        if (strlen(*list) > MAX_WORD_FOR_SUGGESTION)
            continue;
        size_t distance = edit_distance(word, *list);
        if (distance > best || (closest && distance == best))
            continue;
        best = distance;
        closest = *list;
    }
    return closest;
}

/* ---- values ------------------------------------------------------------------------------------------------- */

static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *start = choices; start; start = strchr(start, '|') ? strchr(start, '|') + 1 : NULL)
        if (length > 0 && strcspn(start, "|") == length && memcmp(start, value, length) == 0)
            return true;
    return false;
}

static bool parse_number(const char *text, uint64_t *ret_number)
{
    if (text[0] < '0' || text[0] > '9') /* strtoull would take "-1" and " 1" */
        return false;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, text[1] == 'x' ? 16 : 10);
    if (errno || *end)
        return false;
    *ret_number = number;
    return true;
}

static bool store_number(const OptionSyntax *syntax, const Option *option, const char *value, OptionNumber *ret_number,
                         Error *error)
{
    uint64_t maximum = option->maximum ? option->maximum : UINT64_MAX, number;
    if (!parse_number(value, &number) || number < option->minimum || number > maximum)
        return usage_error(syntax, error, "--%s needs a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'",
                           option->name, option->minimum, maximum, value);
    *ret_number = (OptionNumber){.is_set = true, .value = number};
    return true;
}

static bool store_item(const OptionSyntax *syntax, const char *name, const char *value, OptionList *list, Error *error)
{
    if (list->count == OPTION_LIST_MAX)
        return usage_error(syntax, error, "more than %d of %s", (int)OPTION_LIST_MAX, name);
    list->items[list->count++] = value;
    return true;
}

static bool store_value(const OptionSyntax *syntax, const Option *option, const char *value, void *target, Error *error)
{
    void *place = (char *)target + option->offset;
    switch (option->type) {
    case OPTION_FLAG:
    case OPTION_HELP: *(bool *)place = true; return true;
    case OPTION_NUMBER: return store_number(syntax, option, value, place, error);
    case OPTION_LIST: return store_item(syntax, option->name, value, place, error);
    case OPTION_CHOICE:
        if (!is_choice(option->choices, value))
            return usage_error(syntax, error, "--%s must be one of %s, not '%s'", option->name, option->choices, value);
        break;
    case OPTION_TEXT:
        if (!*value)
            return usage_error(syntax, error, "--%s needs a value", option->name);
        break;
    case OPTION_TYPE_COUNT: break;
    }
    *(const char **)place = value;
    return true;
}

/* What holds if the words are silent: the environment, else the default. */
static bool store_defaults(const OptionSyntax *syntax, void *target, Error *error)
{
    for (size_t i = 0; i < OPTION_TABLE_COUNT; i++)
        for (const Option *option = syntax->tables[i]; option && option->name; option++) {
            const char *value = option->environment ? getenv(option->environment) : NULL;
            if (!value || !*value)
                value = option->default_text;
            if (value && !store_value(syntax, option, value, target, error))
                return false;
        }
    return true;
}

/* ---- words -------------------------------------------------------------------------------------------------- */

typedef struct Parse {
    const OptionSyntax *syntax;
    char *const *words;
    size_t next;                    /* index of the word to read */
    const OptionArgument *argument; /* the next positional one */
    void *target;
    bool is_leading;          /* stop at the first positional argument */
    bool is_over;             /* help was asked for, or the first positional argument met */
    bool has_no_more_options; /* after "--" */
    Error *error;
} Parse;

static bool take_option(Parse *parse, const Option *option, const char *attached)
{
    if (!has_value(option) && attached)
        return usage_error(parse->syntax, parse->error, "option --%s takes no value", option->name);
    const char *value = attached;
    if (has_value(option) && !value)
        value = parse->words[parse->next] ? parse->words[parse->next++] : NULL;
    if (has_value(option) && !value)
        return usage_error(parse->syntax, parse->error, "option --%s needs a value (%s)", option->name,
                           option->choices ? option->choices : option->value_name);
    parse->is_over = option->type == OPTION_HELP;
    return store_value(parse->syntax, option, value, parse->target, parse->error);
}

static bool take_long(Parse *parse, const char *word)
{
    size_t length = strcspn(word, "=");
    const Option *option = find_row(parse->syntax, is_named, word + 2, length - 2);
    if (!option)
        return unknown_option(parse->syntax, word, length, parse->error);
    return take_option(parse, option, word[length] == '=' ? word + length + 1 : NULL);
}

/* "-q", or "-o VALUE" and "-oVALUE" for a letter with a value; letters are not bundled. */
static bool take_letter(Parse *parse, const char *word)
{
    const Option *option = find_row(parse->syntax, is_lettered, word + 1, 1);
    if (!option || (!has_value(option) && word[2]))
        return unknown_option(parse->syntax, word, strlen(word), parse->error);
    return take_option(parse, option, word[2] ? word + 2 : NULL);
}

static bool take_argument(Parse *parse, const char *word)
{
    if (!parse->argument || !parse->argument->name)
        return usage_error(parse->syntax, parse->error, "unexpected argument '%s'", word);
    if (!*word)
        return usage_error(parse->syntax, parse->error, "%s must not be empty", parse->argument->name);
    void *place = (char *)parse->target + parse->argument->offset;
    if (parse->argument->is_list)
        return store_item(parse->syntax, parse->argument->name, word, place, parse->error);
    *(const char **)place = word;
    parse->argument++;
    return true;
}

static bool take_word(Parse *parse)
{
    const char *word = parse->words[parse->next];
    bool is_option = word[0] == '-' && word[1] && !parse->has_no_more_options; /* "-" alone is standard input */
    if (!is_option && parse->is_leading)
        return parse->is_over = true;
    parse->next++;
    if (!is_option)
        return take_argument(parse, word);
    if (strcmp(word, "--") == 0)
        return parse->has_no_more_options = true;
    return word[1] == '-' ? take_long(parse, word) : take_letter(parse, word);
}

static bool parse_words(Parse *parse)
{
    if (!store_defaults(parse->syntax, parse->target, parse->error))
        return false;
    while (!parse->is_over && parse->words[parse->next])
        if (!take_word(parse))
            return false;
    return true;
}

bool options_parse(const OptionSyntax *syntax, char *const *words, void *target, Error *error)
{
    Parse parse = {.syntax = syntax, .words = words, .argument = syntax->arguments, .target = target, .error = error};
    if (!parse_words(&parse))
        return false;
    const OptionArgument *next = parse.argument;
    const bool is_given = next && next->name && next->is_list &&
                          ((const OptionList *)(const void *)((const char *)target + next->offset))->count > 0;
    if (!parse.is_over && next && next->name && !next->is_optional && !is_given)
        return usage_error(syntax, error, "missing argument %s", parse.argument->name);
    return true;
}

bool options_parse_leading(const OptionSyntax *syntax, char *const *words, void *target, size_t *ret_count,
                           Error *error)
{
    Parse parse = {.syntax = syntax, .words = words, .target = target, .is_leading = true, .error = error};
    if (!parse_words(&parse))
        return false;
    *ret_count = parse.next;
    return true;
}

/* ---- help --------------------------------------------------------------------------------------------------- */

enum { HELP_COLUMN = 26 };

static void print_entry(FILE *stream, const char *left, const char *help)
{
    int gap = (int)strlen(left) < HELP_COLUMN - 1 ? HELP_COLUMN - (int)strlen(left) : 2;
    fprintf(stream, "  %s%*s%s", left, gap, "", help);
}

static void print_option(FILE *stream, const Option *option)
{
    auto_buffer Buffer left = {0};
    if (option->letter)
        buffer_format(&left, "-%c, ", option->letter);
    buffer_format(&left, "--%s", option->name);
    if (has_value(option))
        buffer_format(&left, " %s", option->choices ? option->choices : option->value_name);
    print_entry(stream, buffer_text(&left), option->help);
    if (option->default_text)
        fprintf(stream, " (default: %s)", option->default_text);
    if (option->environment)
        fprintf(stream, " [%s]", option->environment);
    fputc('\n', stream);
}

static void print_usage(FILE *stream, const OptionSyntax *syntax)
{
    fprintf(stream, "usage: %s [options]", syntax->program);
    for (const OptionArgument *argument = syntax->arguments; argument && argument->name; argument++)
        fprintf(stream, argument->is_list ? " %s..." : argument->is_optional ? " [%s]" : " %s", argument->name);
    fprintf(stream, "\n%s\n", syntax->summary);
}

void options_print_help(const OptionSyntax *syntax, FILE *stream)
{
    print_usage(stream, syntax);
    if (syntax->arguments && syntax->arguments->name)
        fputs("\narguments:\n", stream);
    for (const OptionArgument *argument = syntax->arguments; argument && argument->name; argument++) {
        print_entry(stream, argument->name, argument->help);
        fputc('\n', stream);
    }
    fputs("\noptions:\n", stream);
    for (size_t i = 0; i < OPTION_TABLE_COUNT; i++)
        for (const Option *option = syntax->tables[i]; option && option->name; option++)
            print_option(stream, option);
    if (syntax->notes)
        fprintf(stream, "\n%s\n", syntax->notes);
}
