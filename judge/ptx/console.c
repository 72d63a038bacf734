#include "ptx/console.h"

#include <string.h>

enum { NUMBER_MAX = 200 };

void ptx_console_write(PtxConsole *console, const char *text, size_t size)
{
    const uint64_t left = console->written_bytes < console->cap_bytes ? console->cap_bytes - console->written_bytes : 0;
    const size_t kept = size < left ? size : (size_t)left;
    if (console->output && kept)
        (void)fwrite(text, 1, kept, console->output); /* a full disk loses printf output, nothing else */
    console->written_bytes += size;
}

static int read_number(const char **at)
{
    int value = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        if (value < NUMBER_MAX)
            value = value * 10 + (**at - '0');
    return value < NUMBER_MAX ? value : NUMBER_MAX;
}

void ptx_format_read(const char **format, PtxFormat *ret)
{
    const char *at = *format + 1;
    *ret = (PtxFormat){.width = -1, .precision = -1};
    for (size_t used = 0; *at && strchr("-+ #0", *at); at++)
        if (used < sizeof ret->flags - 1)
            ret->flags[used++] = *at;
    if (*at >= '0' && *at <= '9')
        ret->width = read_number(&at);
    if (*at == '.') {
        at++;
        ret->precision = read_number(&at);
    }
    uint32_t longs = 0;
    for (; *at && strchr("hlLzjtq", *at); at++)
        longs += *at == 'l' || *at == 'z' || *at == 'j' || *at == 't' || *at == 'q';
    ret->letter = *at;
    if (*at)
        at++;
    if (ret->letter && strchr("diuoxXc", ret->letter))
        ret->argument_bytes = longs ? 8 : 4;
    else if (ret->letter && strchr("eEfFgGaAsp", ret->letter))
        ret->argument_bytes = 8;
    *format = at;
}

static int64_t sign_extended(uint64_t value, uint32_t bytes)
{
    return bytes == 4 ? (int64_t)(int32_t)(uint32_t)value : (int64_t)value;
}

void ptx_console_format(PtxConsole *console, const PtxFormat *format, uint64_t value, const char *text)
{
    char host_format[32], buffer[2048];
    const char *length = strchr("diuoxX", format->letter) && format->letter ? "ll" : "";
    if (format->argument_bytes == 0)
        return;
    const char letter[2] = {format->letter, '\0'};
    /* The host's format is made of checked parts: flags of "-+ #0", two small numbers, a letter of the list. */
    snprintf(host_format, sizeof host_format, "%%%s*.*%s%s", format->flags, length, letter);
    const int width = format->width < 0 ? 0 : format->width, precision = format->precision;
    double number;
    memcpy(&number, &value, sizeof number);
    int size;
    if (strchr("di", format->letter))
        size = snprintf(buffer, sizeof buffer, host_format, width, precision,
                        (long long)sign_extended(value, format->argument_bytes));
    else if (strchr("uoxX", format->letter))
        size = snprintf(buffer, sizeof buffer, host_format, width, precision, (unsigned long long)value);
    else if (format->letter == 'c')
        size = snprintf(buffer, sizeof buffer, "%*c", width, (int)(unsigned char)value);
    else if (format->letter == 's')
        size = snprintf(buffer, sizeof buffer, host_format, width, precision, text);
    else if (format->letter == 'p')
        size = snprintf(buffer, sizeof buffer, "0x%llx", (unsigned long long)value);
    else
        size = snprintf(buffer, sizeof buffer, host_format, width, precision, number);
    if (size > 0)
        ptx_console_write(console, buffer, (size_t)size < sizeof buffer ? (size_t)size : sizeof buffer - 1);
}
