/* Row 2: a text filter on "#include" does not know the digraph. */
%:include "/etc/passwd"
int main(void)
{
    return 0;
}
