/* A hundred programs at the same time: their output is collected as it arrives and printed in
 * order. One thread, one poll.
 *
 *     cc at_once.c $(pkg-config --cflags --libs rusk_spawn) */
#define _POSIX_C_SOURCE 200809L
#include <rusk_spawn.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT 100
#define TEXT_BYTES 64

struct job {
    rusk_child *child;
    size_t bytes;
    char text[TEXT_BYTES];
};

static int fail(const rusk_error *error)
{
    char text[256];
    rusk_error_text(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 2;
}

/* Returns as soon as the child is cloned: the hundredth is started before the first one runs. */
static int start(struct job *job, int number, rusk_error *error)
{
    char word[16];
    rusk_command *command = rusk_command_new("sh");
    int code;
    snprintf(word, sizeof word, "%d", number);
    rusk_command_arg(command, "-c");
    rusk_command_arg(command, "echo I am $0");
    rusk_command_arg(command, word);
    rusk_command_stdin(command, RUSK_NULL);
    rusk_command_stdout(command, RUSK_PIPE);
    code = rusk_spawn(command, &job->child, error);
    rusk_command_free(command);
    return code;
}

/* Reads what is available. False at the end of the stream; excess output is discarded. */
static bool take(struct job *job, int fd)
{
    char spare[TEXT_BYTES];
    size_t room = sizeof job->text - job->bytes;
    ssize_t got = room ? read(fd, job->text + job->bytes, room) : read(fd, spare, sizeof spare);
    if (room && got > 0)
        job->bytes += (size_t)got;
    return got > 0;
}

int main(void)
{
    static struct job jobs[COUNT];
    struct pollfd watched[COUNT];
    rusk_error error;
    int i, open_streams = COUNT;

    for (i = 0; i < COUNT; i++)
        if (start(&jobs[i], i, &error))
            return fail(&error);
    /* A child that was killed before its exec leaves its pipe end open here: wait for each once. */
    for (i = 0; i < COUNT; i++) {
        if (rusk_child_wait_started(jobs[i].child, &error))
            return fail(&error);
        watched[i].fd = rusk_child_stdout(jobs[i].child);
        watched[i].events = POLLIN;
    }
    while (open_streams > 0) {
        if (poll(watched, COUNT, -1) < 0)
            return 2;
        for (i = 0; i < COUNT; i++) {
            if (watched[i].fd >= 0 && watched[i].revents && !take(&jobs[i], watched[i].fd)) {
                watched[i].fd = -1;
                open_streams--;
            }
        }
    }
    for (i = 0; i < COUNT; i++) {
        rusk_exit end;
        if (rusk_child_wait(jobs[i].child, &end, &error))
            return fail(&error);
        rusk_child_free(jobs[i].child);
        printf("%d: %.*s", i, (int)jobs[i].bytes, jobs[i].text);
        if (rusk_exit_shell_status(&end))
            return 1;
    }
    return 0;
}
