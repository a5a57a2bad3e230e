/* Streams of many children, read by one thread. */
#include "check.h"

#include <poll.h>
#include <signal.h>

static uint64_t add(rusk_streams *streams, const char *program)
{
    rusk_command *command = shell(program);
    rusk_child *child;
    uint64_t key = 1000;
    CHECK(rusk_command_stdin(command, RUSK_PIPE) == 0);
    CHECK(rusk_command_stdout(command, RUSK_PIPE) == 0);
    CHECK(rusk_command_stderr(command, RUSK_PIPE) == 0);
    CHECK(rusk_spawn(command, &child, NULL) == 0);
    rusk_command_free(command);
    CHECK(rusk_streams_add(streams, child, &key, NULL) == 0 && key < 1000);
    return key;
}

static rusk_event next(rusk_streams *streams)
{
    rusk_event event;
    CHECK(rusk_streams_next(streams, -1, &event, NULL) == 0);
    return event;
}

/* The events of a child, until its end. */
static void all(rusk_streams *streams, char *out, char *err, rusk_exit *end)
{
    *out = *err = 0;
    while (rusk_streams_count(streams) > 0) {
        rusk_event event = next(streams);
        if (event.kind == RUSK_EVENT_CHUNK)
            strncat(event.stream == RUSK_STREAM_STDOUT ? out : err, event.bytes, event.count);
        else if (event.kind == RUSK_EVENT_ENDED)
            *end = event.exit;
        CHECK(event.code == 0);
    }
}

static void input_and_both_outputs(rusk_streams *streams)
{
    char out[64], err[64];
    rusk_exit end = {RUSK_RUNNING, 0, false};
    uint64_t key = add(streams, "echo err >&2; cat; exit 3");
    CHECK(rusk_streams_count(streams) == 1 && rusk_streams_fd(streams) >= 0);
    CHECK(rusk_child_pid(rusk_streams_child(streams, key)) > 0);
    CHECK(rusk_streams_feed(streams, key, "one ", 4) == 0);
    CHECK(rusk_streams_feed(streams, key, "two", 3) == 0);
    CHECK(rusk_streams_end_input(streams, key) == 0);
    CHECK(rusk_streams_feed(streams, key, "three", 5) == EPIPE);
    all(streams, out, err, &end);
    CHECK(strcmp(out, "one two") == 0 && strcmp(err, "err\n") == 0);
    CHECK(end.end == RUSK_EXITED && end.number == 3);
    CHECK(rusk_streams_child(streams, key) == NULL && rusk_streams_take(streams, key) == NULL);
}

static void a_paused_stream_waits(rusk_streams *streams)
{
    rusk_event event;
    uint64_t key = add(streams, "echo out; exec cat");
    CHECK(rusk_streams_pause(streams, key, RUSK_STREAM_STDOUT) == 0);
    CHECK(rusk_streams_next(streams, 20, &event, NULL) == 0 && event.kind == RUSK_EVENT_NONE);
    CHECK(rusk_streams_resume(streams, key, RUSK_STREAM_STDOUT) == 0);
    event = next(streams);
    CHECK(event.kind == RUSK_EVENT_CHUNK && event.key == key && event.stream == RUSK_STREAM_STDOUT);
    CHECK(event.count == 4 && memcmp(event.bytes, "out\n", 4) == 0);
    CHECK(rusk_streams_pause(streams, key, (rusk_stream)7) == EINVAL);
    CHECK(rusk_streams_resume(streams, key, (rusk_stream)7) == EINVAL);
    CHECK(rusk_child_kill(rusk_streams_child(streams, key)) == 0);
    do
        event = next(streams);
    while (event.kind != RUSK_EVENT_ENDED);
    CHECK(event.exit.end == RUSK_SIGNALED && event.exit.number == SIGKILL);
    while (rusk_streams_count(streams) > 0)
        next(streams);
}

static void a_child_is_given_back(rusk_streams *streams)
{
    char found[16];
    rusk_child *child = rusk_streams_take(streams, add(streams, "exec cat"));
    CHECK(child && rusk_streams_count(streams) == 0);
    CHECK(write(rusk_child_stdin(child), "said", 4) == 4);
    CHECK(close(rusk_child_take_stdin(child)) == 0);
    read_all(rusk_child_stdout(child), found, sizeof found);
    CHECK(strcmp(found, "said") == 0);
    CHECK(rusk_child_wait(child, NULL, NULL) == 0);
    rusk_child_free(child);
}

static void what_could_not_be_started_is_told(rusk_streams *streams)
{
    rusk_command *command = rusk_command_new("/no/such/program");
    rusk_child *child;
    rusk_event event;
    rusk_error error;
    uint64_t key;
    struct pollfd watched = {rusk_streams_fd(streams), POLLIN, 0};
    CHECK(rusk_spawn(command, &child, NULL) == 0);
    rusk_command_free(command);
    CHECK(rusk_streams_add(streams, child, &key, NULL) == 0);
    CHECK(poll(&watched, 1, 10000) == 1);
    CHECK(rusk_streams_next(streams, -1, &event, &error) == 0);
    CHECK(event.kind == RUSK_EVENT_ENDED && event.key == key && event.code == ENOENT);
    CHECK(error.step == RUSK_STEP_EXEC && strcmp(error.path, "/no/such/program") == 0);
    CHECK(rusk_streams_next(streams, -1, &event, NULL) == 0 && event.kind == RUSK_EVENT_NONE);
}

static void null(rusk_streams *streams)
{
    rusk_error error;
    rusk_event event;
    CHECK(rusk_streams_new(NULL, &error) == EINVAL && error.step == RUSK_STEP_WATCH);
    rusk_streams_free(NULL);
    CHECK(rusk_streams_add(streams, NULL, NULL, NULL) == EINVAL);
    CHECK(rusk_streams_add(NULL, NULL, NULL, NULL) == EINVAL);
    CHECK(rusk_streams_next(streams, 0, NULL, NULL) == EINVAL);
    CHECK(rusk_streams_next(NULL, 0, &event, NULL) == EINVAL);
    CHECK(rusk_streams_pause(NULL, 0, RUSK_STREAM_STDOUT) == EINVAL);
    CHECK(rusk_streams_resume(NULL, 0, RUSK_STREAM_STDOUT) == EINVAL);
    CHECK(rusk_streams_feed(NULL, 0, "", 0) == EINVAL && rusk_streams_feed(streams, 0, NULL, 1) == EINVAL);
    CHECK(rusk_streams_end_input(NULL, 0) == EINVAL);
    CHECK(rusk_streams_child(NULL, 0) == NULL && rusk_streams_take(NULL, 0) == NULL);
    CHECK(rusk_streams_count(NULL) == 0 && rusk_streams_fd(NULL) == -1);
}

int main(void)
{
    rusk_streams *streams;
    CHECK(rusk_streams_new(&streams, NULL) == 0);
    input_and_both_outputs(streams);
    a_paused_stream_waits(streams);
    a_child_is_given_back(streams);
    what_could_not_be_started_is_told(streams);
    null(streams);
    add(streams, "exit 0");
    rusk_streams_free(streams);
    return 0;
}
