/* Row 2: nor the trigraph. */
??=include "/etc/passwd"
int main(void)
{
    return 0;
}
