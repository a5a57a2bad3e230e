/* Exits of children, and errors of failed starts. */
#include "check.h"

#include <poll.h>
#include <signal.h>

static rusk_child *start(const char *program, rusk_mode mode)
{
    rusk_command *command = shell(program);
    rusk_child *child;
    rusk_error error;
    CHECK(rusk_command_mode(command, mode) == 0);
    CHECK(rusk_spawn(command, &child, &error) == 0);
    rusk_command_free(command);
    return child;
}

static void ends(rusk_mode mode)
{
    rusk_exit end;
    rusk_child *child = start("exit 127", mode);
    CHECK(rusk_child_pid(child) > 0);
    CHECK(rusk_child_wait(child, &end, NULL) == 0);
    CHECK(end.end == RUSK_EXITED && end.number == 127 && !end.dumped_core);
    CHECK(rusk_exit_shell_status(&end) == 127);
    /* Repeated waits return the same. */
    CHECK(rusk_child_try_wait(child, &end, NULL) == 0 && end.number == 127);
    CHECK(rusk_child_signal(child, SIGTERM) == 0);
    rusk_child_free(child);

    child = start("kill -TERM $$", mode);
    CHECK(rusk_child_wait(child, &end, NULL) == 0);
    CHECK(end.end == RUSK_SIGNALED && end.number == SIGTERM);
    CHECK(rusk_exit_shell_status(&end) == 128 + SIGTERM);
    rusk_child_free(child);
}

static void limits(rusk_mode mode)
{
    rusk_exit end = {RUSK_EXITED, 1, true};
    rusk_child *child = start("exec sleep 100", mode);
    CHECK(rusk_child_wait_for(child, 10, &end, NULL) == 0);
    CHECK(end.end == RUSK_RUNNING && end.number == 0 && rusk_exit_shell_status(&end) == -1);
    CHECK(rusk_child_try_wait(child, &end, NULL) == 0 && end.end == RUSK_RUNNING);
    CHECK(rusk_child_wait_started(child, NULL) == 0);
    CHECK(rusk_child_kill(child) == 0);
    CHECK(rusk_child_wait(child, &end, NULL) == 0 && end.end == RUSK_SIGNALED && end.number == SIGKILL);
    rusk_child_free(child);
}

static void pidfd_tells_the_end(rusk_mode mode)
{
    rusk_exit end;
    rusk_child *child = start("exit 3", mode);
    struct pollfd watched = {rusk_child_pidfd(child), POLLIN, 0};
    CHECK(poll(&watched, 1, 10000) == 1);
    CHECK(rusk_child_try_wait(child, &end, NULL) == 0 && end.end == RUSK_EXITED && end.number == 3);
    rusk_child_free(child);
}

static void no_pidfd_if_so_wanted(rusk_mode mode)
{
    rusk_command *command = shell("exit 3");
    rusk_child *child;
    rusk_exit end;
    CHECK(rusk_command_mode(command, mode) == 0);
    CHECK(rusk_command_without_pidfd(command) == 0);
    CHECK(rusk_spawn(command, &child, NULL) == 0);
    CHECK(mode == RUSK_MODE_ZYGOTE || rusk_child_pidfd(child) == -1);
    CHECK(rusk_child_wait_for(child, 10000, &end, NULL) == 0 && end.end == RUSK_EXITED && end.number == 3);
    rusk_child_free(child);
    rusk_command_free(command);
}

static void started(rusk_mode mode)
{
    bool known = false;
    rusk_child *child = start("exit 0", mode);
    CHECK(rusk_child_wait_started(child, NULL) == 0);
    CHECK(rusk_child_try_started(child, &known, NULL) == 0 && known);
    CHECK(rusk_child_try_started(child, NULL, NULL) == 0);
    /* Freed without a wait: a later start reaps it. */
    rusk_child_free(child);
}

static void program_that_is_not_there(void)
{
    static const char wanted[] = "exec: `/no/such/program`: ";
    rusk_command *command = rusk_command_new("/no/such/program");
    rusk_child *child;
    rusk_error error;
    char text[5000];
    size_t bytes;
    check_error(command, RUSK_STEP_EXEC, ENOENT, "/no/such/program");
    CHECK(rusk_command_mode(command, RUSK_MODE_VFORK) == 0);
    CHECK(rusk_spawn(command, &child, &error) == 0);
    CHECK(rusk_child_wait(child, NULL, &error) == ENOENT);
    bytes = rusk_error_text(&error, text, sizeof text);
    CHECK(bytes == strlen(text) && strncmp(text, wanted, strlen(wanted)) == 0);
    memset(text, 'x', sizeof text);
    CHECK(rusk_error_text(&error, text, 5) == bytes && memcmp(text, "exec\0x", 6) == 0);
    CHECK(rusk_error_text(&error, NULL, 0) == bytes && rusk_error_text(&error, text, 0) == bytes);
    rusk_child_free(child);
    rusk_command_free(command);

    command = rusk_command_new("no-such-program");
    check_error(command, RUSK_STEP_EXEC, ENOENT, "no-such-program");
    rusk_command_free(command);
    command = rusk_command_new("/etc/passwd");
    check_error(command, RUSK_STEP_EXEC, EACCES, "/etc/passwd");
    rusk_command_free(command);
}

static void error_texts(void)
{
    CHECK(strcmp(rusk_step_text(RUSK_STEP_EXEC), "exec") == 0);
    CHECK(strcmp(rusk_step_text(RUSK_STEP_NONE), "") == 0);
    CHECK(strcmp(rusk_step_text((rusk_step)1000), "") == 0);
    CHECK(strcmp(rusk_spawn_version(), RUSK_SPAWN_VERSION) == 0);
}

static void somebody_else_reaps(void)
{
    rusk_error error;
    rusk_child *child;
    signal(SIGCHLD, SIG_IGN);
    child = start("exit 0", RUSK_MODE_CHOSEN);
    CHECK(rusk_child_wait(child, NULL, &error) == ECHILD);
    CHECK(error.step == RUSK_STEP_WAIT && error.code == ECHILD && error.path[0] == 0);
    rusk_child_free(child);
    signal(SIGCHLD, SIG_DFL);
}

int main(void)
{
    size_t i;
    for (i = FIRST_VARIANT; i < VARIANTS; i++) {
        ends(variants[i].mode);
        limits(variants[i].mode);
        pidfd_tells_the_end(variants[i].mode);
        no_pidfd_if_so_wanted(variants[i].mode);
        started(variants[i].mode);
    }
    program_that_is_not_there();
    error_texts();
    CHECK(rusk_start_zygote() == 0);
    somebody_else_reaps();
    return 0;
}
