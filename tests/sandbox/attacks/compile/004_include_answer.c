/* Row 4: the answer file of a test, by its full path on the host. */
#include HOST_SECRET
int main(void)
{
    return 0;
}
