/* Running, collecting and terminating programs with their descendants. */
#include "check.h"

#include <signal.h>

static void run(void)
{
    rusk_exit end;
    rusk_error error;
    rusk_command *command = shell("exit 5");
    CHECK(rusk_run(command, &end, &error) == 0 && end.end == RUSK_EXITED && end.number == 5);
    CHECK(rusk_run(command, NULL, NULL) == 0);
    rusk_command_free(command);
    command = rusk_command_new("/no/such/program");
    CHECK(rusk_run(command, &end, &error) == ENOENT && error.step == RUSK_STEP_EXEC);
    CHECK(strcmp(error.path, "/no/such/program") == 0);
    CHECK(rusk_command_arg(command, NULL) == EINVAL);
    CHECK(rusk_run(command, &end, &error) == EINVAL && error.step == RUSK_STEP_COMMAND);
    CHECK(rusk_run(NULL, NULL, NULL) == EINVAL);
    rusk_command_free(command);
}

static void collect(void)
{
    rusk_collect_options options = {"said", 4, 0, 0, RUSK_PROCESS};
    rusk_output *output;
    rusk_error error;
    rusk_command *command = shell("cat; echo err >&2; exit 4");
    CHECK(rusk_collect(command, &options, &output, &error) == 0);
    CHECK(output->exit.end == RUSK_EXITED && output->exit.number == 4 && output->truncation == RUSK_COMPLETE);
    CHECK(output->out_bytes == 4 && strcmp(output->out, "said") == 0);
    CHECK(output->err_bytes == 4 && strcmp(output->err, "err\n") == 0);
    rusk_output_free(output);
    CHECK(rusk_collect(command, NULL, &output, NULL) == 0);
    CHECK(output->out_bytes == 0 && strcmp(output->out, "") == 0);
    rusk_output_free(output);
    options.input = NULL;
    CHECK(rusk_collect(command, &options, &output, &error) == EINVAL && output == NULL);
    options.input_bytes = 0;
    options.scope = (rusk_kill_scope)7;
    CHECK(rusk_collect(command, &options, &output, &error) == EINVAL && output == NULL);
    CHECK(rusk_collect(command, &options, NULL, &error) == EINVAL && error.step == RUSK_STEP_COMMAND);
    CHECK(rusk_collect(NULL, NULL, &output, NULL) == EINVAL);
    rusk_output_free(NULL);
    rusk_command_free(command);
}

static void cut(void)
{
    rusk_collect_options options = {NULL, 0, 10, 0, RUSK_TREE};
    rusk_output *output;
    rusk_command *command = rusk_command_new("yes");
    CHECK(rusk_collect(command, &options, &output, NULL) == 0);
    CHECK(output->truncation == RUSK_TRUNCATED_SIZE && output->out_bytes == 10 && strncmp(output->out, "y\ny\ny", 5) == 0);
    rusk_output_free(output);
    rusk_command_free(command);

    options.bytes_max = 0;
    options.milliseconds = 50;
    command = shell("echo begun; exec sleep 100");
    CHECK(rusk_collect(command, &options, &output, NULL) == 0);
    CHECK(output->truncation == RUSK_TRUNCATED_TIME && output->exit.end == RUSK_SIGNALED && output->exit.number == SIGKILL);
    rusk_output_free(output);
    rusk_command_free(command);
}

/* The shell and its child hold the pipe: it ends when both have exited. */
static void check_end(rusk_command *command, int first_signal, rusk_kill_scope scope, rusk_kill_method method)
{
    rusk_child *child;
    rusk_ended ended;
    char found[16];
    int out;
    CHECK(rusk_command_stdout(command, RUSK_PIPE) == 0);
    CHECK(rusk_spawn(command, &child, NULL) == 0);
    rusk_command_free(command);
    out = rusk_child_take_stdout(child);
    CHECK(read(out, found, 1) == 1);
    CHECK(rusk_child_end(child, first_signal, 30000, scope, &ended, NULL) == 0);
    CHECK(ended.exit.end == RUSK_SIGNALED && ended.left_count == 0);
    CHECK(ended.method == method || (method == RUSK_KILL_METHOD_PROC_TREE && ended.method == RUSK_KILL_METHOD_CGROUP));
    CHECK(ended.was_forced == (first_signal == SIGKILL));
    CHECK(read(out, found, 1) == 0);
    CHECK(close(out) == 0);
    rusk_child_free(child);
}

static void ends(void)
{
    rusk_command *command = shell("sleep 100 & echo; wait");
    CHECK(rusk_command_process_group(command, 0) == 0);
    check_end(command, SIGTERM, RUSK_GROUP, RUSK_KILL_METHOD_GROUP);

    command = shell("setsid sleep 100 & echo; wait");
    CHECK(rusk_command_own_cgroup(command) == 0 && rusk_command_mark(command) == 0);
    check_end(command, SIGKILL, RUSK_TREE, RUSK_KILL_METHOD_PROC_TREE);

    command = shell("echo; exec sleep 100");
    check_end(command, SIGTERM, RUSK_PROCESS, RUSK_KILL_METHOD_PROCESS);
}

static void null(void)
{
    rusk_error error;
    rusk_child *child;
    rusk_command *command = shell("exec sleep 100");
    CHECK(rusk_spawn(command, &child, NULL) == 0);
    rusk_command_free(command);
    CHECK(rusk_child_end(child, SIGKILL, 0, (rusk_kill_scope)7, NULL, &error) == EINVAL && error.step == RUSK_STEP_KILL);
    CHECK(rusk_child_end(NULL, SIGKILL, 0, RUSK_PROCESS, NULL, NULL) == EINVAL);
    CHECK(rusk_child_end(child, SIGKILL, 0, RUSK_PROCESS, NULL, NULL) == 0);
    rusk_child_free(child);
    CHECK(rusk_command_own_cgroup(NULL) == EINVAL && rusk_command_mark(NULL) == EINVAL);
}

int main(void)
{
    size_t count = 99;
    CHECK(rusk_adopt_orphans() == 0);
    run();
    collect();
    cut();
    ends();
    null();
    CHECK(rusk_reap_orphans(&count) == 0 && count < 99 && rusk_reap_orphans(NULL) == 0);
    return 0;
}
