/* Row 5, second half: compiles only if nothing of the first half is there. */
#if __has_include("/tmp/gavel_left.h")
#include "/tmp/gavel_left.h"
#endif
#if __has_include("/w/gavel_left.h")
#include "/w/gavel_left.h"
#endif
#if __has_include("/dev/shm/gavel_left.h")
#include "/dev/shm/gavel_left.h"
#endif
int main(void)
{
    return 0;
}
