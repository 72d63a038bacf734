/* Row 8: the table names this file "-fplugin=evil.c": a name, not an option. */
int main(void)
{
    return 0;
}
