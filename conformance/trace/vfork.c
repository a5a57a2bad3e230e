// Children that share memory with their parent until they call execve.
#define _DEFAULT_SOURCE
#include <stddef.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (int i = 0; i < 10; i++) {
        char *words[] = {"true", NULL};
        pid_t child = vfork();
        if (child == 0) {
            execv("/bin/true", words);
            _exit(1);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
    }
    return 0;
}
