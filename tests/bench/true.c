/* The least program there is, for measuring what starting a program costs. */
int main(void)
{
    return 0;
}
