/* Row 2: the compiler's diagnostics print the file that it was made to include. */
#include "/etc/passwd"
int main(void)
{
    return 0;
}
