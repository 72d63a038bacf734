/* Row 74: the reader of its output has gone. A fact (SIGPIPE), from which nobody may conclude that the program erred. */
#include "attack.h"

int main(void)
{
    for (int i = 0; i < 100; i++)
        if (write(1, "x", 1) < 0)
            return finish_with_errno();
    return 0;
}
