/* A program on a pseudo-terminal. */
#include "check.h"

/* A terminal may return a line in pieces. */
static void read_exactly(int fd, char *bytes, size_t count)
{
    size_t done = 0;
    while (done < count) {
        ssize_t got = read(fd, bytes + done, count - done);
        CHECK(got > 0);
        done += (size_t)got;
    }
}

static void check_way(struct variant variant)
{
    char found[256];
    uint16_t rows = 0, columns = 0;
    rusk_exit end;
    rusk_pty *pty;
    rusk_child *child;
    rusk_command *command = shell("stty size; read line; echo \"got $line\"; stty size");
    CHECK(rusk_pty_open(24, 80, &pty, NULL) == 0);
    CHECK(rusk_pty_foreground_group(pty) == -1);
    CHECK(rusk_command_terminal(command, pty) == 0);
    CHECK(rusk_command_mode(command, variant.mode) == 0 && rusk_command_table(command, variant.table) == 0);
    CHECK(rusk_spawn(command, &child, NULL) == 0);
    rusk_command_free(command);
    CHECK(rusk_child_wait_started(child, NULL) == 0);
    CHECK(rusk_pty_foreground_group(pty) == rusk_child_pid(child));
    read_exactly(rusk_pty_fd(pty), found, 7);
    CHECK(memcmp(found, "24 80\r\n", 7) == 0);
    CHECK(rusk_pty_resize(pty, 30, 100) == 0);
    CHECK(rusk_pty_size(pty, &rows, &columns) == 0 && rows == 30 && columns == 100);
    CHECK(rusk_pty_size(pty, NULL, NULL) == 0);
    CHECK(write(rusk_pty_fd(pty), "typed\n", 6) == 6);
    read_all(rusk_pty_fd(pty), found, sizeof found);
    CHECK(strcmp(found, "typed\r\ngot typed\r\n30 100\r\n") == 0);
    CHECK(rusk_child_wait(child, &end, NULL) == 0 && end.end == RUSK_EXITED);
    rusk_child_free(child);
    rusk_pty_free(pty);
}

int main(void)
{
    rusk_error error;
    rusk_command *command = rusk_command_new("true");
    size_t i;
    for (i = FIRST_VARIANT; i < VARIANTS; i++)
        check_way(variants[i]);
    CHECK(rusk_pty_open(1, 1, NULL, &error) == EINVAL && error.step == RUSK_STEP_TERMINAL);
    rusk_pty_free(NULL);
    CHECK(rusk_pty_fd(NULL) == -1 && rusk_pty_resize(NULL, 1, 1) == EINVAL);
    CHECK(rusk_pty_size(NULL, NULL, NULL) == EINVAL && rusk_pty_foreground_group(NULL) == -1);
    CHECK(rusk_command_terminal(NULL, NULL) == EINVAL && rusk_command_terminal(command, NULL) == EINVAL);
    rusk_command_free(command);
    return 0;
}
