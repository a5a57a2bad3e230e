/* NULL for a required argument is an errno, and does not crash. */
#include "check.h"

static void commands(void)
{
    rusk_command *none = NULL;
    char *no_words[] = {NULL};
    rusk_environment *empty = rusk_environment_new(no_words);
    CHECK(rusk_command_new(NULL) == NULL && rusk_command_copy(NULL) == NULL && rusk_environment_new(NULL) == NULL);
    rusk_command_free(NULL);
    rusk_environment_free(NULL);
    CHECK(rusk_command_arg(none, "a") == EINVAL);
    CHECK(rusk_command_args(none, no_words) == EINVAL);
    CHECK(rusk_command_arg0(none, "a") == EINVAL);
    CHECK(rusk_command_shell_fallback(none, true) == EINVAL);
    CHECK(rusk_command_env(none, "a", "b") == EINVAL);
    CHECK(rusk_command_env_remove(none, "a") == EINVAL);
    CHECK(rusk_command_env_clear(none) == EINVAL);
    CHECK(rusk_command_environment(none, empty) == EINVAL);
    CHECK(rusk_command_cwd(none, "/") == EINVAL);
    CHECK(rusk_command_cwd_fd(none, 0) == EINVAL);
    CHECK(rusk_command_stdin(none, RUSK_NULL) == EINVAL);
    CHECK(rusk_command_stdout(none, RUSK_NULL) == EINVAL);
    CHECK(rusk_command_stderr(none, RUSK_NULL) == EINVAL);
    CHECK(rusk_command_fd(none, 0, 3) == EINVAL);
    CHECK(rusk_command_keep_other_fds(none, true) == EINVAL);
    CHECK(rusk_command_without_pidfd(none) == EINVAL);
    CHECK(rusk_command_mode(none, RUSK_MODE_DIRECT) == EINVAL);
    CHECK(rusk_command_table(none, RUSK_TABLE_COPIED) == EINVAL);
    rusk_environment_free(empty);
}

static void setup(void)
{
    rusk_command *none = NULL;
    CHECK(rusk_command_new_session(none) == EINVAL);
    CHECK(rusk_command_process_group(none, 0) == EINVAL);
    CHECK(rusk_command_controlling_terminal(none, 0) == EINVAL);
    CHECK(rusk_command_foreground(none, 0) == EINVAL);
    CHECK(rusk_command_signal_mask(none, 0) == EINVAL);
    CHECK(rusk_command_signal_mask_inherit(none) == EINVAL);
    CHECK(rusk_command_disposition(none, 1, RUSK_SIGNAL_DEFAULT) == EINVAL);
    CHECK(rusk_command_parent_death_signal(none, 1) == EINVAL);
    CHECK(rusk_command_umask(none, 0) == EINVAL);
    CHECK(rusk_command_nice(none, 0) == EINVAL);
    CHECK(rusk_command_processors(none, NULL, 0) == EINVAL);
    CHECK(rusk_command_limit(none, 0, 0, 0) == EINVAL);
    CHECK(rusk_command_cgroup(none, 0) == EINVAL);
    CHECK(rusk_command_user(none, 0) == EINVAL);
    CHECK(rusk_command_group(none, 0) == EINVAL);
    CHECK(rusk_command_groups(none, NULL, 0) == EINVAL);
    CHECK(rusk_command_namespaces(none, 0, NULL) == EINVAL);
    CHECK(rusk_command_no_new_privileges(none) == EINVAL);
    CHECK(rusk_command_capabilities(none, 0) == EINVAL);
    CHECK(rusk_command_landlock(none, 0) == EINVAL);
    CHECK(rusk_command_seccomp(none, NULL, 0) == EINVAL);
    CHECK(rusk_command_callback(none, NULL, NULL, -1) == EINVAL);
}

/* Each setter that gets NULL also invalidates its command. */
static void check_spoilt(rusk_command *command, int returned)
{
    rusk_child *child = (rusk_child *)&child;
    rusk_error error;
    CHECK(returned == EINVAL);
    CHECK(rusk_spawn(command, &child, &error) == EINVAL);
    CHECK(child == NULL && error.step == RUSK_STEP_COMMAND && error.code == EINVAL && error.path[0] == 0);
    rusk_command_free(command);
}

static void arguments(void)
{
    rusk_command *command = rusk_command_new("true");
    check_spoilt(command, rusk_command_arg(command, NULL));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_args(command, NULL));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_arg0(command, NULL));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_env(command, "A", NULL));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_env(command, NULL, "A"));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_env(command, "A=", "A"));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_env_remove(command, ""));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_environment(command, NULL));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_cwd(command, NULL));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_mode(command, (rusk_mode)77));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_table(command, (rusk_table)77));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_disposition(command, 1, (rusk_disposition)77));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_processors(command, NULL, 1));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_groups(command, NULL, 1));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_seccomp(command, NULL, 1));
    command = rusk_command_new("true");
    check_spoilt(command, rusk_command_callback(command, NULL, NULL, -1));
}

static void children(void)
{
    rusk_error error;
    rusk_command *command = rusk_command_new("true");
    CHECK(rusk_spawn(command, NULL, &error) == EINVAL && error.step == RUSK_STEP_COMMAND);
    CHECK(rusk_spawn(command, NULL, NULL) == EINVAL);
    rusk_command_free(command);
    rusk_child_free(NULL);
    CHECK(rusk_child_pid(NULL) == -1 && rusk_child_pidfd(NULL) == -1);
    CHECK(rusk_child_stdin(NULL) == -1 && rusk_child_stdout(NULL) == -1 && rusk_child_stderr(NULL) == -1);
    CHECK(rusk_child_take_stdin(NULL) == -1 && rusk_child_take_stdout(NULL) == -1);
    CHECK(rusk_child_take_stderr(NULL) == -1);
    CHECK(rusk_child_wait_started(NULL, &error) == EINVAL && error.step == RUSK_STEP_WAIT);
    CHECK(rusk_child_try_started(NULL, NULL, NULL) == EINVAL);
    CHECK(rusk_child_wait(NULL, NULL, NULL) == EINVAL);
    CHECK(rusk_child_try_wait(NULL, NULL, NULL) == EINVAL);
    CHECK(rusk_child_wait_for(NULL, 1, NULL, NULL) == EINVAL);
    CHECK(rusk_child_signal(NULL, 0) == EINVAL && rusk_child_kill(NULL) == EINVAL);
    CHECK(rusk_exit_shell_status(NULL) == -1);
    CHECK(rusk_error_text(NULL, NULL, 0) == 0);
}

int main(void)
{
    commands();
    setup();
    arguments();
    children();
    return 0;
}
