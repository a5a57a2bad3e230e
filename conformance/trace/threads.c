// Four threads, each with its own calls; the main thread is notified by each, and exits while they
// wait.
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];

static void *work(void *nothing) {
    for (int i = 0; i < 100; i++) syscall(SYS_getppid);
    if (write(ends[1], "x", 1) != 1) _exit(2);
    for (;;) pause();
    return nothing;
}

int main(void) {
    pthread_t thread;
    char byte;
    if (pipe(ends)) return 1;
    for (int i = 0; i < 4; i++) {
        if (pthread_create(&thread, NULL, work, NULL) || read(ends[0], &byte, 1) != 1) return 1;
    }
    return 0;
}
