/* One pass over the grammar. */
#include "package/decimal_text.h"

#include <string.h>

static const char digits[] = "0123456789";

static const char *skip_sign(const char *text)
{
    return text + (*text == '+' || *text == '-');
}

static bool exponent_matches(const char *text)
{
    if (*text == '\0')
        return true;
    if (*text != 'e' && *text != 'E')
        return false;
    text = skip_sign(text + 1);
    size_t count = strspn(text, digits);
    return count > 0 && text[count] == '\0';
}

bool decimal_text_matches(const char *text)
{
    text = skip_sign(text);
    size_t whole = strspn(text, digits), fraction = 0;
    text += whole;
    if (*text == '.') {
        fraction = strspn(++text, digits);
        text += fraction;
    }
    return whole + fraction > 0 && exponent_matches(text);
}
