/* rusk_spawn.h: process spawning on Linux that does not block.
 *
 * A command is a description; rusk_spawn() starts it and returns as soon as the kernel has cloned
 * the child: the program is loaded concurrently. Whether the program could be executed is known
 * later, from the child.
 *
 *     rusk_command *command = rusk_command_new("sort");
 *     rusk_child *child;
 *     rusk_exit end;
 *     rusk_error error;
 *     rusk_command_arg(command, "-u");
 *     if (rusk_spawn(command, &child, &error) == 0) {
 *         rusk_child_wait(child, &end, &error);
 *         rusk_child_free(child);
 *     }
 *     rusk_command_free(command);
 *
 * General rules
 *
 * - Results: functions that return int return 0, or a positive errno; they do not change the
 *   variable errno. A setter that fails also invalidates its command: rusk_spawn() then returns the
 *   same errno, so that setters need no checks.
 * - NULL for a required argument is EINVAL, unless documented otherwise. The free functions accept
 *   NULL.
 * - Memory: strings, arrays and structs are copied before a function returns, and stay the
 *   caller's.
 * - File descriptors: those passed to a command are duplicated (close-on-exec) before the function
 *   returns, and stay the caller's, who may close them at any time. Those of a child belong to the
 *   child until they are taken.
 * - Threads: any number of threads may spawn from one command while none changes it. A child may be
 *   used by one thread at a time; different children are independent. No function is
 *   async-signal-safe.
 * - fork: a forked process may spawn; it must not wait for children of its parent.
 * - Out of memory, and bugs of the library, abort the process; nothing unwinds through the caller.
 *
 * What a child inherits by default
 *
 * - The environment, working directory, standard streams, umask, limits, user and signal mask of
 *   this process, as they are at the spawn. Ignored signals stay ignored, SIGPIPE too; handlers are
 *   reset to the default, as by any exec.
 * - No other file descriptor, close-on-exec or not. posix_spawn differs: see
 *   rusk_command_keep_other_fds(). */
#ifndef RUSK_SPAWN_H
#define RUSK_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define RUSK_SPAWN_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* A program to start, and how. It may be spawned any number of times. */
typedef struct rusk_command rusk_command;

/* A started child. */
typedef struct rusk_child rusk_child;

/* Environment variables, packed once for any number of commands. */
typedef struct rusk_environment rusk_environment;

/* The step at which a start, a wait or a signal failed. Later versions may add steps. */
typedef enum rusk_step {
    RUSK_STEP_NONE = 0,
    RUSK_STEP_COMMAND = 1,        /* the command itself: a setter failed, an fd number twice */
    RUSK_STEP_PIPE = 2,           /* a pipe to the child */
    RUSK_STEP_TERMINAL = 3,       /* a pseudo-terminal for the child */
    RUSK_STEP_STACK = 4,          /* memory for the child's stack */
    RUSK_STEP_ZYGOTE = 5,         /* the zygote */
    RUSK_STEP_CLONE = 6,          /* the clone itself */
    RUSK_STEP_TABLE = 7,          /* the child's own file descriptor table */
    RUSK_STEP_RECEIVE = 8,        /* receiving fds into that table */
    RUSK_STEP_ID_MAP = 9,         /* the id maps of a user namespace */
    RUSK_STEP_SESSION = 10,
    RUSK_STEP_PROCESS_GROUP = 11,
    RUSK_STEP_WORKING_DIRECTORY = 12,
    RUSK_STEP_UMASK = 13,
    RUSK_STEP_NICE = 14,
    RUSK_STEP_AFFINITY = 15,
    RUSK_STEP_PARENT_DEATH = 16,
    RUSK_STEP_NULL = 17,          /* /dev/null, opened by the child */
    RUSK_STEP_CONTROLLING_TERMINAL = 18,
    RUSK_STEP_FOREGROUND = 19,
    RUSK_STEP_PLACE = 20,         /* moving an fd to its number */
    RUSK_STEP_CLOSE_OTHERS = 21,
    RUSK_STEP_GROUPS = 22,
    RUSK_STEP_GROUP = 23,
    RUSK_STEP_USER = 24,
    RUSK_STEP_LIMIT = 25,
    RUSK_STEP_NO_NEW_PRIVILEGES = 26,
    RUSK_STEP_LANDLOCK = 27,
    RUSK_STEP_CALLBACK = 28,      /* the caller's callback */
    RUSK_STEP_SIGNAL_DISPOSITION = 29,
    RUSK_STEP_SIGNAL_MASK = 30,
    RUSK_STEP_SECCOMP = 31,
    RUSK_STEP_EXEC = 32,          /* the program could not be run */
    RUSK_STEP_WAIT = 33,
    RUSK_STEP_KILL = 34,          /* signalling the child or its descendants */
    RUSK_STEP_WATCH = 35,         /* watching the streams and exits of children */
    RUSK_STEP_READ = 36,
    RUSK_STEP_WRITE = 37,
    RUSK_STEP_ADOPT = 38,         /* becoming a subreaper */
    RUSK_STEP_CAPABILITIES = 39   /* dropping capabilities, after no_new_privs */
} rusk_step;

#define RUSK_PATH_BYTES 4096

/* A plain value: nothing to free. Written only if a function returns an errno; every rusk_error
 * * may be NULL. */
typedef struct rusk_error {
    rusk_step step;
    int code;                     /* the errno that was returned */
    char path[RUSK_PATH_BYTES];   /* the program or directory that failed, or "" */
} rusk_error;

/* "exec: `/no/such/program`: No such file or directory (os error 2)", truncated to the buffer,
 * and always NUL-terminated if there is a buffer. Returns the length of the whole string,
 * without the NUL. */
size_t rusk_error_text(const rusk_error *error, char *buffer, size_t buffer_bytes);

/* "exec", "entering the working directory"; "" for an unknown number. Static. */
const char *rusk_step_text(rusk_step step);

/* The version of the loaded library; RUSK_SPAWN_VERSION is that of this header. Static. */
const char *rusk_spawn_version(void);

/* ---- Commands ---- */

/* A program by its path, or by its name, which is searched in the child's PATH. A relative path
 * is relative to the child's working directory. Free it with rusk_command_free(). NULL for NULL. */
rusk_command *rusk_command_new(const char *program);

/* A copy of a command, invalid if the original is. */
rusk_command *rusk_command_copy(const rusk_command *command);

/* Its children are not affected. */
void rusk_command_free(rusk_command *command);

/* Appends an argument. */
int rusk_command_arg(rusk_command *command, const char *argument);

/* Appends arguments, up to a NULL. */
int rusk_command_args(rusk_command *command, char *const arguments[]);

/* argv[0], if it differs from the program. */
int rusk_command_arg0(rusk_command *command, const char *name);

/* Whether a file that the kernel cannot execute is run by /bin/sh, as in execvp. Off by default. */
int rusk_command_shell_fallback(rusk_command *command, bool falls_back);

/* ---- Environment ---- */

/* This process's environment is read at each spawn: no thread may call setenv() at the same
 * time, as for getenv(). */
int rusk_command_env(rusk_command *command, const char *name, const char *value);
int rusk_command_env_remove(rusk_command *command, const char *name);
int rusk_command_env_clear(rusk_command *command);

/* Replaces the inherited environment and earlier changes. The environment may be freed
 * afterwards. */
int rusk_command_environment(rusk_command *command, const rusk_environment *environment);

/* "NAME=value" strings up to a NULL. A string without a name or without a `=` makes
 * rusk_command_environment() return EINVAL. NULL for NULL. */
rusk_environment *rusk_environment_new(char *const variables[]);
void rusk_environment_free(rusk_environment *environment);

/* ---- Working directory and file descriptors ---- */

int rusk_command_cwd(rusk_command *command, const char *dir);
int rusk_command_cwd_fd(rusk_command *command, int dir);

/* A standard stream: an fd, or one of these. Any other negative number, such as the result of a
 * failed open(), is EBADF. */
enum {
    RUSK_INHERIT = -10,           /* inherited from this process, as it is at the spawn; default */
    RUSK_NULL = -11,              /* /dev/null */
    RUSK_PIPE = -12,              /* a pipe; for the parent's end see rusk_child_stdin() */
    RUSK_CLOSED = -13             /* closed in the program */
};
int rusk_command_stdin(rusk_command *command, int stream);
int rusk_command_stdout(rusk_command *command, int stream);
int rusk_command_stderr(rusk_command *command, int stream);

/* Passes an fd to the child under the number `number`, 3 or higher. Any count, in any
 * permutation. */
int rusk_command_fd(rusk_command *command, int fd, int number);

/* Whether the child inherits all other fds that are not close-on-exec, as with posix_spawn. Off
 * by default. When on, a start costs more the more fds are open. */
int rusk_command_keep_other_fds(rusk_command *command, bool keeps);

/* ---- Mode ---- */

typedef enum rusk_mode {
    RUSK_MODE_CHOSEN = 0,         /* DIRECT; VFORK under sanitizers; ZYGOTE for users, groups */
    RUSK_MODE_DIRECT = 1,         /* rusk_spawn() returns as soon as the child is cloned */
    RUSK_MODE_VFORK = 2,          /* it returns when the program runs, like vfork */
    RUSK_MODE_THREAD = 3,         /* from a permanent thread: for parent-death signals */
    RUSK_MODE_ZYGOTE = 4          /* through a helper process; see rusk_start_zygote() */
} rusk_mode;
int rusk_command_mode(rusk_command *command, rusk_mode mode);

/* Saves the pidfd, a tenth of a start, for callers that only wait. The child is then waited for
 * by its pid, which no other code may do, and a wait with a limit polls. */
int rusk_command_without_pidfd(rusk_command *command);

/* The file descriptor table that a child begins with; the program sees no difference. */
typedef enum rusk_table {
    RUSK_TABLE_CHOSEN = 0,        /* shared if this process has many open fds */
    RUSK_TABLE_COPIED = 1,
    RUSK_TABLE_SHARED = 2         /* shared if possible, however few fds are open */
} rusk_table;
int rusk_command_table(rusk_command *command, rusk_table table);

/* ---- Sessions, groups, terminals ---- */

/* setsid(2): a new session without a controlling terminal. */
int rusk_command_new_session(rusk_command *command);

/* setpgid(2): 0 creates a new group that the child leads. */
int rusk_command_process_group(rusk_command *command, pid_t group);

/* Makes a terminal the controlling terminal of the child's session; it needs
 * rusk_command_new_session(). */
int rusk_command_controlling_terminal(rusk_command *command, int terminal);

/* Makes the child's group the foreground group of this terminal, which is its controlling
 * terminal. */
int rusk_command_foreground(rusk_command *command, int terminal);

/* The controlling side (master) of a pseudo-terminal. */
typedef struct rusk_pty rusk_pty;

/* *pty is NULL if an errno is returned. */
int rusk_pty_open(uint16_t rows, uint16_t columns, rusk_pty **pty, rusk_error *error);

/* The terminal is hung up, and its programs get SIGHUP, when it and all commands that refer to
 * it are freed. */
void rusk_pty_free(rusk_pty *pty);

/* Read the output of programs from it, until EIO: the last of them has closed the terminal.
 * Write keyboard input to it. It belongs to the pty; -1 for NULL. */
int rusk_pty_fd(const rusk_pty *pty);

/* Sets the size; programs on the terminal get SIGWINCH. */
int rusk_pty_resize(const rusk_pty *pty, uint16_t rows, uint16_t columns);

/* Either pointer may be NULL. */
int rusk_pty_size(const rusk_pty *pty, uint16_t *rows, uint16_t *columns);

/* The foreground process group, which gets keyboard input; -1 without one. */
pid_t rusk_pty_foreground_group(const rusk_pty *pty);

/* Runs the program on a terminal: all three streams, in a new session, whose controlling
 * terminal it is, in the foreground. Read the output from the pty, or from rusk_child_stdout(),
 * not from both. */
int rusk_command_terminal(rusk_command *command, const rusk_pty *pty);

/* ---- Signals ---- */

/* The bit of a signal in a mask. */
#define RUSK_SIGNAL(number) ((uint64_t)1 << ((number) - 1))

/* The signals that are blocked in the program; by default, those that the spawning thread
 * blocks. */
int rusk_command_signal_mask(rusk_command *command, uint64_t blocked);
int rusk_command_signal_mask_inherit(rusk_command *command);

typedef enum rusk_disposition {
    RUSK_SIGNAL_DEFAULT = 0,
    RUSK_SIGNAL_IGNORE = 1,
    RUSK_SIGNAL_INHERIT = 2       /* ignored if this process ignores it; default for all */
} rusk_disposition;
int rusk_command_disposition(rusk_command *command, int signal, rusk_disposition disposition);

/* The signal that the program gets when the spawning thread exits; with RUSK_MODE_THREAD, when
 * this process exits. */
int rusk_command_parent_death_signal(rusk_command *command, int signal);

/* ---- Resources ---- */

int rusk_command_umask(rusk_command *command, mode_t mask);

/* From -20, the highest priority, to 19. Lowering the value needs a privilege. */
int rusk_command_nice(rusk_command *command, int value);

/* The CPU affinity, by processor number. An empty array is EINVAL. */
int rusk_command_processors(rusk_command *command, const unsigned processors[], size_t count);

/* A resource limit, RLIMIT_* of <sys/resource.h>. */
int rusk_command_limit(rusk_command *command, int resource, uint64_t soft, uint64_t hard);

/* The cgroup (version 2) that the child is created in, as an open directory. */
int rusk_command_cgroup(rusk_command *command, int dir);

/* ---- Users and confinement ---- */

/* Users and groups need privileges, and a separate process: RUSK_MODE_CHOSEN uses the zygote. */
int rusk_command_user(rusk_command *command, uid_t user);
int rusk_command_group(rusk_command *command, gid_t group);

/* The supplementary groups. With a count of 0, `groups` may be NULL. */
int rusk_command_groups(rusk_command *command, const gid_t groups[], size_t count);

/* The child's ids inside and outside of its user namespace. Outside are those of the spawning
 * process. */
typedef struct rusk_user_map {
    uid_t user_inside;
    uid_t user_outside;
    gid_t group_inside;
    gid_t group_outside;
} rusk_user_map;
enum {
    RUSK_NAMESPACE_MOUNT = 1,
    RUSK_NAMESPACE_PID = 2,
    RUSK_NAMESPACE_NETWORK = 4,
    RUSK_NAMESPACE_IPC = 8,
    RUSK_NAMESPACE_UTS = 16,
    RUSK_NAMESPACE_CGROUP = 32
};

/* The namespaces that are created for the child: bits, and a user namespace if there is a map. */
int rusk_command_namespaces(rusk_command *command, unsigned namespaces, const rusk_user_map *user);

/* The program and its children cannot gain privileges by exec. */
int rusk_command_no_new_privileges(rusk_command *command);

/* Drops all capabilities but these, of those that this process has: bit n stands for capability n.
 * It needs rusk_command_no_new_privileges(): without it rusk_spawn() returns EINVAL, because the
 * kernel would give a program of root's all of them again. */
int rusk_command_capabilities(rusk_command *command, uint64_t kept);

/* A ruleset from landlock_create_ruleset, with its rules; it must allow executing the program
 * itself. It needs rusk_command_no_new_privileges() or a privilege. */
int rusk_command_landlock(rusk_command *command, int ruleset);

/* A seccomp program, `count` instructions of <linux/filter.h>. It must allow execve, and needs
 * rusk_command_no_new_privileges() or a privilege. */
struct sock_filter;
int rusk_command_seccomp(rusk_command *command, const struct sock_filter *instructions, size_t count);

/* ---- A callback in the child: for experts ---- */

/* In: the context, and the write end of a pipe to the parent, or -1. Returns 0, or an errno that
 * fails the start in RUSK_STEP_CALLBACK. */
typedef int (*rusk_callback)(void *context, int to_parent);

/* Runs a function in the child, after its fds are placed and its privileges dropped, before its
 * signals are set and exec. `to_parent`, if not -1, is open in the child while the function runs,
 * and closed by exec.
 *
 * The child shares this process's memory, and even its thread-local variables, WHILE THIS
 * PROCESS RUNS. The function, and everything it calls, may make the rusk_in_child_ calls below,
 * compute on its own stack (about 60 KB), and read constant memory. It must not allocate, lock,
 * touch errno or any other thread-local variable, call libc (whose symbols may be bound lazily),
 * throw, longjmp, or change the memory map or credentials. `context` must be valid until the
 * child has started or exited (rusk_child_wait_started()); what the function writes there must
 * be atomic. A child of the zygote has other memory, so it cannot have a callback: ENOTSUP at
 * the spawn. */
int rusk_command_callback(rusk_command *command, rusk_callback callback, void *context, int to_parent);

/* Bound when the program is loaded and not in the child, where the dynamic linker must not run.
 * With a compiler without this attribute, such as clang, link with -Wl,-z,now. */
#define RUSK_IN_CHILD
#if defined(__has_attribute)
#if __has_attribute(noplt)
#undef RUSK_IN_CHILD
#define RUSK_IN_CHILD __attribute__((noplt))
#endif
#endif

/* System calls that touch only the memory that they are passed: a result, 0 if there is none, or
 * a negative errno. They are restarted on EINTR. */
RUSK_IN_CHILD long rusk_in_child_call(long number, long a, long b, long c, long d, long e, long f);
RUSK_IN_CHILD long rusk_in_child_write(int fd, const void *bytes, size_t count);
RUSK_IN_CHILD long rusk_in_child_open(const char *path, int flags);
RUSK_IN_CHILD long rusk_in_child_close(int fd);
RUSK_IN_CHILD long rusk_in_child_close_range(unsigned first, unsigned last, unsigned flags);
RUSK_IN_CHILD long rusk_in_child_copy_to(int fd, int target);       /* 0; open across exec; they must differ */
RUSK_IN_CHILD long rusk_in_child_copy_above(int fd, int lowest);    /* the fd; close-on-exec */
RUSK_IN_CHILD long rusk_in_child_set_close_on_exec(int fd, bool closes);
RUSK_IN_CHILD pid_t rusk_in_child_pid(void);

/* ---- Starting ---- */

/* Starts the program. On return the child exists, and everything that belongs to the command may
 * change or be freed. Free the child with rusk_child_free(). If an errno is returned, *child is
 * NULL. */
int rusk_spawn(const rusk_command *command, rusk_child **child, rusk_error *error);

/* Creates slots for `count` concurrent children while this process has few open fds: such starts
 * stay cheap when it has many. Each costs two fds. `made`, if not NULL, is set to their number. */
int rusk_reserve(size_t count, size_t *made);

/* Forks the zygote now, while this process is small and single-threaded; otherwise the first
 * command that needs one does it. A child of the zygote inherits the state of this process at
 * that time (limits, ignored signals, namespaces), except its working directory, umask, signal
 * mask, environment and fds, which are as of its spawn. */
int rusk_start_zygote(void);

/* ---- Children ---- */

/* Neither stops nor waits for the child; a later start reaps it. Closes the fds that were not
 * taken. */
void rusk_child_free(rusk_child *child);

/* -1 for NULL. */
pid_t rusk_child_pid(const rusk_child *child);

/* Readable once the child has exited: for poll(). It belongs to the child; -1 if the command
 * wants none, and on kernels before 5.2. */
int rusk_child_pidfd(const rusk_child *child);

/* The parent's ends of the pipes that the command requested, or -1. They belong to the child, and
 * are closed with it.
 *
 * A child that is killed before its exec leaves its own ends open here until
 * rusk_child_wait_started() or a wait: a poll of these should include the pidfd, or come after
 * rusk_child_wait_started(). */
int rusk_child_stdin(const rusk_child *child);
int rusk_child_stdout(const rusk_child *child);
int rusk_child_stderr(const rusk_child *child);

/* The same, but the caller owns the fd afterwards and must close it; -1 if there is none or it
 * was taken. */
int rusk_child_take_stdin(rusk_child *child);
int rusk_child_take_stdout(rusk_child *child);
int rusk_child_take_stderr(rusk_child *child);

/* Waits until the program runs, or has failed to start: then returns the failed step. */
int rusk_child_wait_started(rusk_child *child, rusk_error *error);

/* Whether the program is known to run. */
int rusk_child_try_started(rusk_child *child, bool *started, rusk_error *error);

/* How a program exited, if it has. */
typedef enum rusk_end {
    RUSK_RUNNING = 0,
    RUSK_EXITED = 1,              /* number: the status */
    RUSK_SIGNALED = 2             /* number: the signal */
} rusk_end;
typedef struct rusk_exit {
    rusk_end end;
    int number;
    bool dumped_core;
} rusk_exit;

/* Each writes *exit when it returns 0; `exit` may be NULL. A failed start is returned as its
 * errno and step, never as status 127. If other code has reaped the child: ECHILD in
 * RUSK_STEP_WAIT. */

/* Waits for the exit. Closes the child's stdin first, unless it was taken, so that a child that
 * reads it can exit. */
int rusk_child_wait(rusk_child *child, rusk_exit *exit, rusk_error *error);

/* The exit, or RUSK_RUNNING. */
int rusk_child_try_wait(rusk_child *child, rusk_exit *exit, rusk_error *error);

/* The exit, or RUSK_RUNNING when this time has passed. The stdin stays open. */
int rusk_child_wait_for(rusk_child *child, uint32_t milliseconds, rusk_exit *exit, rusk_error *error);

/* Sends a signal. Does nothing after the child was reaped: its pid may be reused. */
int rusk_child_signal(const rusk_child *child, int number);
int rusk_child_kill(const rusk_child *child);

/* The status as shells report it: 128 plus the signal's number if it was killed; -1 while it
 * runs, and for NULL. */
int rusk_exit_shell_status(const rusk_exit *exit);

/* ---- Terminating a child and its descendants ---- */

typedef enum rusk_kill_scope {
    RUSK_PROCESS = 0,             /* only the program; its descendants keep running */
    RUSK_GROUP = 1,               /* the process group that the child leads, if it does */
    RUSK_TREE = 2                 /* the program and its descendants: see rusk_kill_method */
} rusk_kill_scope;

/* How the other processes were found. */
typedef enum rusk_kill_method {
    RUSK_KILL_METHOD_PROCESS = 0, /* only the child was signalled */
    RUSK_KILL_METHOD_GROUP = 1,
    RUSK_KILL_METHOD_CGROUP = 2,  /* a cgroup of the child's own: exactly its descendants */
    RUSK_KILL_METHOD_PROC_TREE = 3 /* /proc: descendants, session, group, marked orphans */
} rusk_kill_method;

#define RUSK_LEFT_MAX 16

typedef struct rusk_ended {
    rusk_exit exit;               /* RUSK_RUNNING if even SIGKILL did not end it in 5 seconds */
    rusk_kill_method method;
    bool was_forced;              /* a process outlived the limit and got SIGKILL */
    size_t left_count;            /* survivors: not permitted to signal, or hung */
    pid_t left[RUSK_LEFT_MAX];
} rusk_ended;

/* Sends a first signal, mostly SIGTERM, and SIGKILL to all that are left after this time; with
 * SIGKILL, at once. Closes the child's stdin, and reaps the child. `ended` may be NULL. */
int rusk_child_end(rusk_child *child, int signal, uint32_t milliseconds, rusk_kill_scope scope,
                   rusk_ended *ended, rusk_error *error);

/* Creates the child in a new cgroup below this process's own, if that is delegated and writable;
 * otherwise it starts without one. */
int rusk_command_own_cgroup(rusk_command *command);

/* Sets the environment variable RUSK_SPAWN_MARK, by which descendants can be found after they
 * have left the session and lost their parent. Implied by rusk_adopt_orphans(). */
int rusk_command_mark(rusk_command *command);

/* Makes this process the parent of orphaned descendants (PR_SET_CHILD_SUBREAPER). This affects
 * the whole process: exited orphans stay zombies until they are reaped. Call it before the first
 * start. */
int rusk_adopt_orphans(void);

/* Reaps every exited child of this process that this library did not start. A program that
 * starts processes by other means must not call it. `count`, which may be NULL, is set to their
 * number. */
int rusk_reap_orphans(size_t *count);

/* ---- Running a program to its end ---- */

/* Starts a program and waits for it. */
int rusk_run(const rusk_command *command, rusk_exit *exit, rusk_error *error);

/* Input and limits of a program whose output is collected. NULL is the same as all zero. */
typedef struct rusk_collect_options {
    const void *input;            /* stdin; if empty, the command's stdin, or /dev/null */
    size_t input_bytes;
    size_t bytes_max;             /* limit of stdout and stderr together; 0: 64 MiB */
    uint32_t milliseconds;        /* time limit; 0: none */
    rusk_kill_scope scope;        /* which processes are killed at a limit */
} rusk_collect_options;

typedef enum rusk_truncation {
    RUSK_COMPLETE = 0,
    RUSK_TRUNCATED_SIZE = 1,      /* it exceeded bytes_max; that much was collected */
    RUSK_TRUNCATED_TIME = 2       /* the time limit; perhaps another process holds it open */
} rusk_truncation;

/* The output of a program, and how it exited. */
typedef struct rusk_output {
    rusk_exit exit;
    rusk_truncation truncation;
    const char *out;              /* followed by a NUL; the output may contain others */
    size_t out_bytes;
    const char *err;
    size_t err_bytes;
} rusk_output;

/* Runs a program and collects its stdout and stderr, unless the command sets them; RUSK_INHERIT
 * counts as unset. Free *output with rusk_output_free(); it is NULL if an errno is returned. A
 * failing program is no error, nor is truncated output. */
int rusk_collect(const rusk_command *command, const rusk_collect_options *options,
                 rusk_output **output, rusk_error *error);
void rusk_output_free(rusk_output *output);

/* ---- The streams of many children, read by one thread ---- */

/* A set of watched children. A child that has exited, with both streams closed and all events
 * reported, is removed. */
typedef struct rusk_streams rusk_streams;

/* *streams is NULL if an errno is returned. */
int rusk_streams_new(rusk_streams **streams, rusk_error *error);

/* Frees the children too: they keep running, without readers. */
void rusk_streams_free(rusk_streams *streams);

/* Watches a child: its exit, and its streams that are pipes. The child belongs to the streams
 * from then on, even if an errno is returned: do not use or free it any more. `key`, which may
 * be NULL, is set to its key among them; keys are not reused. Its stdin stays open until
 * rusk_streams_end_input(). */
int rusk_streams_add(rusk_streams *streams, rusk_child *child, uint64_t *key, rusk_error *error);

typedef enum rusk_stream {
    RUSK_STREAM_STDOUT = 1,
    RUSK_STREAM_STDERR = 2
} rusk_stream;

typedef enum rusk_event_kind {
    RUSK_EVENT_NONE = 0,          /* the limit has passed, or no child is left */
    RUSK_EVENT_CHUNK = 1,         /* a child wrote: stream, bytes, count */
    RUSK_EVENT_CLOSED = 2,        /* the end of the stream; with a code, it could not be read */
    RUSK_EVENT_FED = 3,           /* input consumed, or stdin closed with `count` bytes left */
    RUSK_EVENT_ENDED = 4          /* it exited; with a code, it could not be started */
} rusk_event_kind;

typedef struct rusk_event {
    rusk_event_kind kind;
    uint64_t key;
    rusk_stream stream;
    const char *bytes;            /* not NUL-terminated; valid until the next call */
    size_t count;
    rusk_exit exit;
    int code;                     /* an errno of this child; see also the error */
} rusk_event;

/* The next event, within this time; without a limit if it is negative. A child's exit and the
 * ends of its streams are separate events, in any order: a descendant may go on writing. A
 * returned errno is an error of the watching itself, never a child's. Nothing is read ahead: a
 * child whose output is not requested blocks. */
int rusk_streams_next(rusk_streams *streams, int milliseconds, rusk_event *event, rusk_error *error);

/* Stops reading a stream until it is resumed. The child blocks once its pipe is full. */
int rusk_streams_pause(rusk_streams *streams, uint64_t key, rusk_stream stream);
int rusk_streams_resume(rusk_streams *streams, uint64_t key, rusk_stream stream);

/* Queues input for a child, which is copied, and held until it is consumed. EPIPE: its stdin is
 * no pipe, or was ended. */
int rusk_streams_feed(rusk_streams *streams, uint64_t key, const void *bytes, size_t count);

/* Closes the child's stdin after the queued input. */
int rusk_streams_end_input(rusk_streams *streams, uint64_t key);

/* A watched child, for signals, or NULL; valid until the next call with these streams. */
const rusk_child *rusk_streams_child(const rusk_streams *streams, uint64_t key);

/* Removes a child, and returns it with its open streams, to be freed; or NULL. Unconsumed input
 * is lost. */
rusk_child *rusk_streams_take(rusk_streams *streams, uint64_t key);

/* How many children are watched. */
size_t rusk_streams_count(const rusk_streams *streams);

/* Readable when an event is ready, so that another event loop may watch it. It belongs to the
 * streams; -1 for NULL. */
int rusk_streams_fd(const rusk_streams *streams);

#ifdef __cplusplus
}
#endif

#endif
