/* Row 2: nor a spliced line. */
#inc\
lude "/etc/pas\
swd"
int main(void)
{
    return 0;
}
