/* Row 3: the assembler embeds a file that no preprocessor filter has seen. */
__asm__(".data\n.globl stolen\nstolen: .incbin \"/etc/passwd\"\n");
int main(void)
{
    return 0;
}
