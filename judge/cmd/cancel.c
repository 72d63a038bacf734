/* The only mutable state of the process outside a session: a signal handler can be given nothing else. */
#include "cmd/cancel.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static CancelToken token;
static volatile sig_atomic_t cancelling_signal;
static volatile sig_atomic_t times_asked;

/* A terminal may deliver Ctrl-C twice (to the group, and forwarded by make); who asks a third time is not waiting for
 * us any more. What that leaves behind, the next start removes. */
enum { PATIENCE = 3 };

static void on_cancel(int signal_number)
{
    cancelling_signal = signal_number;
    token.is_cancelled = 1;
    if (++times_asked >= PATIENCE)
        _exit(128 + signal_number);
}

/* A closed pipe shows as EPIPE. A handler, not SIG_IGN: ignoring would be inherited by what we execute. */
static void on_pipe(int signal_number)
{
    (void)signal_number;
}

const CancelToken *cancel_install(void)
{
    static const int cancelling[] = {SIGINT, SIGTERM, SIGHUP};
    /* no SA_RESTART: a poll must wake up */
    struct sigaction action = {.sa_handler = on_cancel};
    for (size_t i = 0; i < sizeof cancelling / sizeof *cancelling; i++) {
        struct sigaction old;
        bool is_ignored = sigaction(cancelling[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN; /* nohup */
        if (!is_ignored)
            (void)sigaction(cancelling[i], &action, NULL); /* cannot fail for these */
    }
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = on_pipe, .sa_flags = SA_RESTART}, NULL);
    return &token;
}

int cancel_exit_code(int code)
{
    if (!token.is_cancelled)
        return code;
    fprintf(stderr, "gavel: stopped by %s; nothing was left running\n",
            cancelling_signal == SIGINT ? "Ctrl-C" : "a signal");
    return 128 + cancelling_signal;
}
