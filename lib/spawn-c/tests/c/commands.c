/* Arguments, environment, working directory and fds of a program. */
#include "check.h"

#include <sys/stat.h>

static void arguments(void)
{
    char *more[] = {"a b", "", NULL};
    rusk_command *command = shell("echo \"$0/$1/$2/$#\"");
    CHECK(rusk_command_arg(command, "zero") == 0);
    CHECK(rusk_command_args(command, more) == 0);
    check_output(command, "zero/a b//2\n");
    rusk_command_free(command);

    command = rusk_command_new("sh");
    CHECK(rusk_command_arg0(command, "another") == 0);
    CHECK(rusk_command_arg(command, "-c") == 0);
    CHECK(rusk_command_arg(command, "echo $0") == 0);
    check_output(command, "another\n");
    rusk_command_free(command);
}

static void callers_buffers_are_free(void)
{
    char argument[] = "first";
    rusk_command *command = shell("echo $0");
    CHECK(rusk_command_arg(command, argument) == 0);
    memset(argument, 'x', sizeof argument - 1);
    check_output(command, "first\n");
    rusk_command_free(command);
}

static void shell_fallback(void)
{
    char path[] = "/tmp/rusk-spawn-XXXXXX";
    rusk_command *command;
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, "echo $1\n", 8) == 8 && fchmod(fd, 0755) == 0 && close(fd) == 0);
    command = rusk_command_new(path);
    CHECK(rusk_command_arg(command, "said") == 0);
    check_error(command, RUSK_STEP_EXEC, ENOEXEC, path);
    CHECK(rusk_command_shell_fallback(command, true) == 0);
    check_output(command, "said\n");
    rusk_command_free(command);
    unlink(path);
}

static void variables(void)
{
    char *few[] = {"A=1", "B==", NULL};
    char *wrong[] = {"A", NULL};
    rusk_environment *environment;
    rusk_command *command = shell("echo $NEW$OLD$A$B");
    CHECK(setenv("OLD", "old", 1) == 0);
    CHECK(rusk_command_env(command, "NEW", "new") == 0);
    check_output(command, "newold\n");
    CHECK(rusk_command_env_remove(command, "OLD") == 0);
    check_output(command, "new\n");
    CHECK(rusk_command_env_clear(command) == 0);
    check_output(command, "\n");
    environment = rusk_environment_new(few);
    CHECK(rusk_command_environment(command, environment) == 0);
    rusk_environment_free(environment);
    check_output(command, "1=\n");

    environment = rusk_environment_new(wrong);
    CHECK(environment && rusk_command_environment(command, environment) == EINVAL);
    rusk_environment_free(environment);
    check_error(command, RUSK_STEP_COMMAND, EINVAL, "");
    rusk_command_free(command);
}

static void working_directories(void)
{
    rusk_command *command = shell("pwd");
    int dir = open("/dev", O_RDONLY | O_DIRECTORY);
    CHECK(rusk_command_cwd(command, "/proc") == 0);
    check_output(command, "/proc\n");
    CHECK(rusk_command_cwd_fd(command, dir) == 0);
    CHECK(close(dir) == 0);
    check_output(command, "/dev\n");
    CHECK(rusk_command_cwd(command, "/no/dir") == 0);
    check_error(command, RUSK_STEP_WORKING_DIRECTORY, ENOENT, "/no/dir");
    rusk_command_free(command);
}

static void streams(void)
{
    rusk_command *command = shell("cat; echo $?; cat <&2");
    int ends[2];
    CHECK(rusk_command_stdin(command, RUSK_NULL) == 0);
    CHECK(rusk_command_stderr(command, RUSK_NULL) == 0);
    check_output(command, "0\n");
    rusk_command_free(command);

    command = shell("[ -e /proc/self/fd/0 ] || echo closed");
    CHECK(rusk_command_stdin(command, RUSK_CLOSED) == 0);
    check_output(command, "closed\n");
    rusk_command_free(command);

    command = shell("readlink /proc/self/fd/0");
    CHECK(pipe(ends) == 0 && dup2(open("/dev/zero", O_RDONLY), 0) == 0);
    CHECK(rusk_command_stdin(command, ends[0]) == 0);
    CHECK(rusk_command_stdin(command, RUSK_INHERIT) == 0);
    check_output(command, "/dev/zero\n");
    CHECK(rusk_command_stdin(command, -1) == EBADF);
    rusk_command_free(command);
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static void input_and_errors(void)
{
    size_t i;
    for (i = FIRST_VARIANT; i < VARIANTS; i++) {
        rusk_command *command = shell("cat >&2");
        rusk_child *child;
        rusk_exit end;
        char found[16];
        int in, out;
        CHECK(rusk_command_stdin(command, RUSK_PIPE) == 0);
        CHECK(rusk_command_stderr(command, RUSK_PIPE) == 0);
        CHECK(rusk_command_mode(command, variants[i].mode) == 0);
        CHECK(rusk_command_table(command, variants[i].table) == 0);
        CHECK(rusk_spawn(command, &child, NULL) == 0);
        rusk_command_free(command);
        CHECK(write(rusk_child_stdin(child), "said", 4) == 4);
        in = rusk_child_take_stdin(child);
        out = rusk_child_take_stderr(child);
        CHECK(rusk_child_stdin(child) == -1 && rusk_child_take_stdin(child) == -1);
        CHECK(rusk_child_stdout(child) == -1 && rusk_child_stderr(child) == -1);
        CHECK(close(in) == 0);
        read_all(out, found, sizeof found);
        CHECK(strcmp(found, "said") == 0);
        CHECK(close(out) == 0);
        CHECK(rusk_child_wait(child, &end, NULL) == 0 && end.end == RUSK_EXITED && end.number == 0);
        rusk_child_free(child);
    }
}

static void fds(void)
{
    rusk_command *command;
    int first[2], second[2];
    CHECK(pipe(first) == 0 && pipe(second) == 0);
    CHECK(write(first[1], "first\n", 6) == 6 && write(second[1], "second\n", 7) == 7);
    CHECK(close(first[1]) == 0 && close(second[1]) == 0);
    command = shell("cat <&3; cat <&9; [ -e /proc/self/fd/4 ] || echo none");
    /* Swapped, and read once: the same command cannot be spawned in every variant. */
    CHECK(rusk_command_fd(command, second[0], 3) == 0);
    CHECK(rusk_command_fd(command, first[0], 9) == 0);
    CHECK(rusk_command_fd(command, first[0], 2) == EINVAL);
    CHECK(rusk_command_fd(command, -1, 5) == EBADF);
    check_error(command, RUSK_STEP_COMMAND, EINVAL, "");
    rusk_command_free(command);
    CHECK(close(first[0]) == 0 && close(second[0]) == 0);

    first[0] = open("/dev/null", O_RDONLY);
    second[0] = open("/dev/zero", O_RDONLY);
    command = shell("readlink /proc/self/fd/3; readlink /proc/self/fd/9; [ -e /proc/self/fd/4 ] || echo none");
    CHECK(rusk_command_fd(command, second[0], 3) == 0);
    CHECK(rusk_command_fd(command, first[0], 9) == 0);
    CHECK(close(first[0]) == 0 && close(second[0]) == 0);
    check_output(command, "/dev/zero\n/dev/null\nnone\n");
    rusk_command_free(command);
}

static void other_descriptors(void)
{
    rusk_command *command = shell("[ -e /proc/self/fd/77 ] && echo kept || echo gone");
    CHECK(dup2(0, 77) == 77);
    check_output(command, "gone\n");
    CHECK(rusk_command_keep_other_fds(command, true) == 0);
    check_own_output(command, "kept\n");
    CHECK(close(77) == 0);
    rusk_command_free(command);
}

int main(void)
{
    size_t made = 99;
    CHECK(rusk_reserve(2, &made) == 0 && made <= 2);
    CHECK(rusk_reserve(0, NULL) == 0);
    arguments();
    callers_buffers_are_free();
    shell_fallback();
    variables();
    working_directories();
    streams();
    input_and_errors();
    fds();
    other_descriptors();
    return 0;
}
