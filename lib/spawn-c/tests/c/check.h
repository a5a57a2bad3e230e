/* Shared by the test programs: an assertion that prints its position, and a command's output in
 * every variant of starting it. */
#ifndef CHECK_H
#define CHECK_H

#define _GNU_SOURCE
#include <rusk_spawn.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(holds) \
    do { \
        if (!(holds)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds); \
            exit(1); \
        } \
    } while (0)

struct variant {
    rusk_mode mode;
    rusk_table table;
};

static const struct variant variants[] = {
    {RUSK_MODE_DIRECT, RUSK_TABLE_COPIED},
    {RUSK_MODE_DIRECT, RUSK_TABLE_SHARED},
    {RUSK_MODE_THREAD, RUSK_TABLE_CHOSEN},
    {RUSK_MODE_VFORK, RUSK_TABLE_COPIED},
    {RUSK_MODE_CHOSEN, RUSK_TABLE_CHOSEN},
    {RUSK_MODE_ZYGOTE, RUSK_TABLE_CHOSEN},
};

/* The variants that work under sanitizers and valgrind. */
#if defined(__SANITIZE_ADDRESS__) || defined(UNDER_VALGRIND)
#define FIRST_VARIANT 3
#else
#define FIRST_VARIANT 0
#endif
/* A zygote is another process, which does not support everything; and errors in its children are
 * lost if valgrind turns a vfork into a fork. */
#define OWN_VARIANTS (sizeof variants / sizeof *variants - 1)
#if defined(UNDER_VALGRIND)
#define VARIANTS OWN_VARIANTS
#else
#define VARIANTS (OWN_VARIANTS + 1)
#endif

static inline rusk_command *shell(const char *program)
{
    rusk_command *command = rusk_command_new("/bin/sh");
    CHECK(command);
    CHECK(rusk_command_arg(command, "-c") == 0);
    CHECK(rusk_command_arg(command, program) == 0);
    return command;
}

/* Reads up to the end of the stream. */
static inline void read_all(int fd, char *text, size_t bytes)
{
    size_t at = 0;
    ssize_t got;
    while (at + 1 < bytes && (got = read(fd, text + at, bytes - 1 - at)) > 0)
        at += (size_t)got;
    text[at] = 0;
}

static inline void check_output_at(int line, const rusk_command *command, const char *wanted, size_t first, size_t variants_end)
{
    size_t i;
    for (i = first; i < variants_end; i++) {
        rusk_command *copy = rusk_command_copy(command);
        rusk_child *child = NULL;
        rusk_error error;
        rusk_exit end;
        char found[4096], said[8192];
        int code;
        CHECK(rusk_command_mode(copy, variants[i].mode) == 0);
        CHECK(rusk_command_table(copy, variants[i].table) == 0);
        CHECK(rusk_command_stdout(copy, RUSK_PIPE) == 0);
        code = rusk_spawn(copy, &child, &error);
        rusk_command_free(copy);
        if (code == 0)
            code = rusk_child_wait_started(child, &error);
        if (code) {
            rusk_error_text(&error, said, sizeof said);
            fprintf(stderr, "line %d, variant %d: %s\n", line, (int)i, said);
            exit(1);
        }
        read_all(rusk_child_stdout(child), found, sizeof found);
        CHECK(rusk_child_wait(child, &end, &error) == 0);
        rusk_child_free(child);
        if (strcmp(found, wanted) || end.end != RUSK_EXITED || end.number) {
            fprintf(stderr, "line %d, variant %d: wanted \"%s\", found \"%s\" and %d of %d\n", line, (int)i, wanted, found,
                    end.number, (int)end.end);
            exit(1);
        }
    }
}

/* Spawns, waits, and checks that this step fails; an errno of 0 matches any. */
static inline void check_error_at(int line, const rusk_command *command, rusk_step step, int wanted, const char *path,
                                  size_t first, size_t variants_end)
{
    size_t i;
    for (i = first; i < variants_end; i++) {
        rusk_command *copy = rusk_command_copy(command);
        rusk_child *child = NULL;
        rusk_error error = {RUSK_STEP_NONE, 0, ""};
        int code;
        CHECK(rusk_command_mode(copy, variants[i].mode) == 0);
        CHECK(rusk_command_table(copy, variants[i].table) == 0);
        code = rusk_spawn(copy, &child, &error);
        CHECK((code != 0) == (child == NULL));
        if (code == 0)
            code = rusk_child_wait(child, NULL, &error);
        rusk_child_free(child);
        rusk_command_free(copy);
        if (code == 0 || code != error.code || error.step != step || (wanted && code != wanted)
            || strcmp(error.path, path)) {
            fprintf(stderr, "line %d, variant %d: returned %d; step %d, errno %d, path \"%s\"\n", line, (int)i, code,
                    (int)error.step, error.code, error.path);
            exit(1);
        }
    }
}

#define check_output(command, wanted) check_output_at(__LINE__, command, wanted, FIRST_VARIANT, VARIANTS)
#define check_own_output(command, wanted) check_output_at(__LINE__, command, wanted, FIRST_VARIANT, OWN_VARIANTS)
#define check_error(command, step, code, path) check_error_at(__LINE__, command, step, code, path, FIRST_VARIANT, VARIANTS)

#endif
