// A thread other than the main thread calls execve, and gets the pid of the main thread.
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *become(void *nothing) {
    char *words[] = {"true", NULL};
    execv("/bin/true", words);
    return nothing;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, become, NULL)) return 1;
    for (;;) pause();
}
