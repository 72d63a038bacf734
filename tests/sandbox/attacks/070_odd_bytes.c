/* Row 70: every byte there is, terminal escapes and markup, on both streams. Kept as they are; who shows them escapes. */
#include "attack.h"

int main(void)
{
    for (int fd = 1; fd <= 2; fd++) {
        char bytes[256];
        for (int i = 0; i < 256; i++)
            bytes[i] = (char)i;
        const char *markup = "\x1b]0;owned\a\x1b[2J<script>alert(1)</script>\r\n";
        if (write(fd, bytes, sizeof bytes) < 0 || write(fd, markup, strlen(markup)) < 0)
            return 1;
    }
    return 0;
}
