// A thread that is not the first one becomes another program, and takes the number of the first with it.
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
