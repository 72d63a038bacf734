/* Row 1: a header that never ends, or that waits for the operator's keyboard. DEVICE comes from the table. */
#include DEVICE
int main(void)
{
    return 0;
}
