/* Decoding by the table of RFC 3629, and the few ranges of Unicode that matter on a terminal. */
#include "report/utf8.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t size, uint32_t *ret_code_point)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    if (first < 0x80) {
        *ret_code_point = first;
        return 1;
    }
    size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || length > size)
        return 0;
    uint32_t code_point = first & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80)
            return 0;
        code_point = code_point << 6 | (next & 0x3F);
    }
    if (code_point < smallest[length] || code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF))
        return 0;
    *ret_code_point = code_point;
    return length;
}

bool utf8_is_valid(const char *text)
{
    size_t size = strlen(text), length;
    uint32_t code_point;
    for (size_t i = 0; i < size; i += length)
        if (!(length = utf8_decode(text + i, size - i, &code_point)))
            return false;
    return true;
}

typedef struct Range {
    uint32_t first, last;
} Range;

static bool is_in(const Range *ranges, size_t count, uint32_t code_point)
{
    for (size_t i = 0; i < count; i++)
        if (code_point >= ranges[i].first && code_point <= ranges[i].last)
            return true;
    return false;
}
#define IS_IN(ranges, code_point) is_in((ranges), sizeof(ranges) / sizeof(ranges)[0], (code_point))

static const Range invisible[] = {{0x00, 0x1F},      {0x7F, 0xA0},     {0xAD, 0xAD},     {0x61C, 0x61C},
                                  {0x1680, 0x1680},  {0x180E, 0x180E}, {0x2000, 0x200F}, {0x2028, 0x202F},
                                  {0x205F, 0x206F},  {0x3164, 0x3164}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},
                                  {0xE0000, 0xE0FFF}};

static const Range combining[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x64B, 0x65F},
                                  {0x200B, 0x200F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF},
                                  {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};

/* East Asian Width W and F, emoji included. */
static const Range wide[] = {{0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2E80, 0x303E},
                             {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},
                             {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},
                             {0x16FE0, 0x18CFF}, {0x1AFF0, 0x1B2FF}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
                             {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};

bool utf8_is_visible(uint32_t code_point)
{
    if (code_point >= 0x20 && code_point < 0x7F)
        return true;
    return !IS_IN(invisible, code_point);
}

int utf8_columns(uint32_t code_point)
{
    if (code_point < 0x300)
        return 1;
    if (IS_IN(combining, code_point))
        return 0;
    return IS_IN(wide, code_point) ? 2 : 1;
}

int utf8_text_columns(const char *text)
{
    int columns = 0;
    size_t size = strlen(text), length;
    for (size_t i = 0; i < size; i += length) {
        uint32_t code_point = 0;
        length = utf8_decode(text + i, size - i, &code_point);
        columns += length ? utf8_columns(code_point) : 1;
        length = length ? length : 1;
    }
    return columns;
}
