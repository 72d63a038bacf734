/* The run's half of the API tests: argv[1] says which. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

extern char **environ;

/* Until the other end is closed. */
static int echo_channel(void)
{
    char message[256];
    int count = 0;
    for (ssize_t size; (size = read(3, message, sizeof message)) > 0; count++)
        if (write(3, message, (size_t)size) != size)
            return 1;
    printf("%d messages\n", count);
    return 6;
}

static int answer_on_page(void)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 7, 0);
    if (page == MAP_FAILED || strcmp(page, "from us") != 0)
        return 1;
    strcpy(page, "from the run");
    return 0;
}

static int read_crossed(void)
{
    char low[8] = "", high[8] = "";
    if (pread(207, low, 7, 0) < 0 || pread(208, high, 7, 0) < 0)
        return 1;
    printf("207 %s 208 %s\n", low, high);
    return 0;
}

static int print_addresses(void)
{
    int on_stack;
    void *mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%p %p\n", (void *)&on_stack, mapped);
    return 0;
}

static int print_environment(void)
{
    for (char **variable = environ; *variable; variable++)
        puts(*variable);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*act)(void);
    } acts[] = {{"channel", echo_channel},
                {"page", answer_on_page},
                {"crossed", read_crossed},
                {"address", print_addresses},
                {"environment", print_environment}};
    for (size_t i = 0; argc > 1 && i < sizeof acts / sizeof acts[0]; i++)
        if (strcmp(argv[1], acts[i].name) == 0)
            return acts[i].act();
    return 99;
}
