/* Row 7: four gibibytes of object file from one line. */
int a[1 << 30] = {1};
int main(void)
{
    return a[0];
}
