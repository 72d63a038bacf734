/* Row 114: System V and POSIX objects outlive their maker unless the namespace dies with it. Under a fixed key. */
#include "attack.h"
#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#define KEY 0x6761766c

int main(int argc, char **argv)
{
    (void)argc;
    if (strcmp(argv[1], "find") == 0) {
        must_fail("shared memory", shmget(KEY, 0, 0));
        must_fail("semaphores", semget(KEY, 0, 0));
        must_fail("message queue", msgget(KEY, 0));
        must_fail("POSIX queue", mq_open("/gavel_left", O_RDONLY));
        return finish_refused();
    }
    (void)shmget(KEY, 4096, IPC_CREAT | 0666);
    (void)semget(KEY, 1, IPC_CREAT | 0666);
    (void)msgget(KEY, IPC_CREAT | 0666);
    (void)mq_open("/gavel_left", O_RDWR | O_CREAT, 0666, NULL);
    puts("tried");
    return 0;
}
