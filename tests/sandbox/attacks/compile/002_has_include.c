/* Row 2: no need to read a file to learn that it is there. Compiles only if none of them is. */
#if __has_include("/etc/passwd") || __has_include("/etc/shadow") || __has_include("/etc/hostname")
#error ESCAPED files of the host can be seen
#endif
#if __has_include(HOST_SECRET)
#error ESCAPED the secret can be seen
#endif
int main(void)
{
    return 0;
}
