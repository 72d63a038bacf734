/* Row 20: a bind is read-only at its top, but what is mounted below it may have stayed writable. The runner binds a
 * host directory with a tmpfs inside to /bound. */
#include "attack.h"

int main(void)
{
    int seen = open("/bound/inner/present", O_RDONLY);
    if (seen < 0)
        puts("the inner mount is missing");
    must_fail("create in the bind", open("/bound/gavel_left", O_WRONLY | O_CREAT, 0666));
    must_fail("create in the mount below", open("/bound/inner/gavel_left", O_WRONLY | O_CREAT, 0666));
    must_fail("write a file below", open("/bound/inner/present", O_WRONLY));
    must_fail("chmod below", chmod("/bound/inner/present", 0));
    must_fail("unlink below", unlink("/bound/inner/present"));
    return finish_refused();
}
