/* Row 4: and by the names that judges use in the directory they compile in. */
#if __has_include("in.txt") || __has_include("1.in") || __has_include("1.ans") || __has_include("../1.ans")
#error ESCAPED tests lie beside the source
#endif
#if __has_include("data/secret/1.ans") || __has_include("../data/secret/1.ans") || __has_include("secret.ans")
#error ESCAPED tests lie near the source
#endif
int main(void)
{
    return 0;
}
