/*
 * rusk_spawn.h: starts processes on Linux without waiting for them.
 *
 * A command is a description; rusk_spawn() starts it and returns as soon as the kernel has cloned the child: the
 * program is loaded while the caller goes on. Whether the program could be run is known later, from the child.
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
 * What holds for all of it
 *
 * - Results: functions that return int return 0, or a positive errno; they leave the variable errno alone. A setter
 *   that goes wrong also spoils its command: rusk_spawn() then says the same errno, so that setters need no checks.
 * - NULL where something must be is EINVAL, or what the function says. The free functions take NULL.
 * - Memory: strings, arrays and structs are copied before a function returns, and stay the caller's.
 * - Descriptors: those given to a command are duplicated (close-on-exec) before the function returns, and stay the
 *   caller's, to be closed at any time. Those of a child are the child's until they are taken.
 * - Threads: any number of threads may spawn from one command while none changes it. A child is one thread's at a
 *   time; different children are nobody's concern. Nothing here may be called from a signal handler.
 * - fork: a process that was forked may spawn; it must not wait for children of its parent.
 * - Failure of memory, and bugs of the library, end the process (abort); nothing unwinds through the caller.
 *
 * What a child begins with, unless its command says otherwise
 *
 * - This process's environment, folder, standard streams, umask, limits, user and signal mask, as they are at the
 *   spawn. Signals that are ignored stay ignored, SIGPIPE too; those with a handler get their default, as ever.
 * - No other descriptor, close-on-exec or not. posix_spawn differs: see rusk_command_keep_other_fds().
 */
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

/* A program to be started, and how. It may be spawned any number of times. */
typedef struct rusk_command rusk_command;

/* A started child. */
typedef struct rusk_child rusk_child;

/* Variables, packed once for any number of commands. */
typedef struct rusk_environment rusk_environment;

/* What was being done when a start, a wait or a signal went wrong. Later versions may add to it. */
typedef enum rusk_step {
    RUSK_STEP_NONE = 0,
    RUSK_STEP_COMMAND = 1,        /* the command itself: a setter went wrong, a descriptor number twice */
    RUSK_STEP_PIPE = 2,           /* a pipe to the child */
    RUSK_STEP_TERMINAL = 3,       /* a pseudo-terminal for the child */
    RUSK_STEP_STACK = 4,          /* memory for the child's stack */
    RUSK_STEP_ZYGOTE = 5,         /* the process that starts others, where one is needed */
    RUSK_STEP_CLONE = 6,          /* the clone itself */
    RUSK_STEP_TABLE = 7,          /* the child's own descriptor table */
    RUSK_STEP_RECEIVE = 8,        /* descriptors on their way into that table */
    RUSK_STEP_ID_MAP = 9,         /* a user namespace's maps */
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
    RUSK_STEP_PLACE = 20,         /* a descriptor to its number */
    RUSK_STEP_CLOSE_OTHERS = 21,
    RUSK_STEP_GROUPS = 22,
    RUSK_STEP_GROUP = 23,
    RUSK_STEP_USER = 24,
    RUSK_STEP_LIMIT = 25,
    RUSK_STEP_NO_NEW_PRIVILEGES = 26,
    RUSK_STEP_LANDLOCK = 27,
    RUSK_STEP_CALLBACK = 28,      /* the caller's own function */
    RUSK_STEP_SIGNAL_DISPOSITION = 29,
    RUSK_STEP_SIGNAL_MASK = 30,
    RUSK_STEP_SECCOMP = 31,
    RUSK_STEP_EXEC = 32,          /* the program could not be run */
    RUSK_STEP_WAIT = 33,
    RUSK_STEP_KILL = 34,          /* signalling the child, or what it started */
    RUSK_STEP_WATCH = 35,         /* watching the streams and ends of children */
    RUSK_STEP_READ = 36,
    RUSK_STEP_WRITE = 37,
    RUSK_STEP_ADOPT = 38          /* becoming the parent of orphans */
} rusk_step;

#define RUSK_PATH_BYTES 4096

/* A plain value: nothing to free. Written only where a function returns an errno; every rusk_error * may be NULL. */
typedef struct rusk_error {
    rusk_step step;
    int code;                     /* the errno that was returned */
    char path[RUSK_PATH_BYTES];   /* the program that could not be run, the folder that could not be entered, or "" */
} rusk_error;

/* "exec: `/no/such/program`: No such file or directory (os error 2)", cut to the buffer, always ended by a NUL where
 * there is a buffer. Returns the bytes that the whole text takes, without the NUL. */
size_t rusk_error_text(const rusk_error *error, char *buffer, size_t buffer_bytes);

/* "exec", "entering the working directory"; for a number that is none, "". Never freed. */
const char *rusk_step_text(rusk_step step);

/* The version of the library that runs, as RUSK_SPAWN_VERSION is that of this header. Never freed. */
const char *rusk_spawn_version(void);

/* ---- Commands ---- */

/* A program by its path, or by its name, to be found in the folders of the child's PATH. A relative path is relative
 * to the child's working directory. Free it with rusk_command_free(). NULL for NULL. */
rusk_command *rusk_command_new(const char *program);

/* Another command that says the same, spoilt if the first one is. */
rusk_command *rusk_command_copy(const rusk_command *command);

/* Children that were spawned from it live on. */
void rusk_command_free(rusk_command *command);

/* One more word after the program's name. */
int rusk_command_arg(rusk_command *command, const char *argument);

/* More words, up to a NULL. */
int rusk_command_args(rusk_command *command, char *const arguments[]);

/* What the program finds as its own name; otherwise the program as it was given. */
int rusk_command_arg0(rusk_command *command, const char *name);

/* Whether a file that the kernel cannot run is given to /bin/sh, as execvp does. Off at first. */
int rusk_command_shell_fallback(rusk_command *command, bool falls_back);

/* ---- Environment ---- */

/* This process's variables are read at each spawn: nobody may call setenv() meanwhile, as for getenv(). */
int rusk_command_env(rusk_command *command, const char *name, const char *value);
int rusk_command_env_remove(rusk_command *command, const char *name);
int rusk_command_env_clear(rusk_command *command);

/* In place of this process's environment; earlier changes are forgotten. The environment may be freed afterwards. */
int rusk_command_environment(rusk_command *command, const rusk_environment *environment);

/* "NAME=value" strings up to a NULL. One without a name or without a `=` makes rusk_command_environment() say
 * EINVAL. NULL for NULL. */
rusk_environment *rusk_environment_new(char *const variables[]);
void rusk_environment_free(rusk_environment *environment);

/* ---- Folder and descriptors ---- */

int rusk_command_cwd(rusk_command *command, const char *folder);
int rusk_command_cwd_fd(rusk_command *command, int folder);

/* What a standard stream is: a descriptor's number, or one of these. Any other negative number, such as that of an
 * open() that went wrong, is EBADF. */
enum {
    RUSK_INHERIT = -10,           /* this process's own, as it is at the spawn; at first */
    RUSK_NULL = -11,              /* /dev/null */
    RUSK_PIPE = -12,              /* a pipe; our end is the child's, see rusk_child_stdin() and its like */
    RUSK_CLOSED = -13             /* nothing: the number is closed in the program */
};
int rusk_command_stdin(rusk_command *command, int stream);
int rusk_command_stdout(rusk_command *command, int stream);
int rusk_command_stderr(rusk_command *command, int stream);

/* Gives the child a descriptor under a number of its own, 3 or higher. Any number of them, in any permutation. */
int rusk_command_fd(rusk_command *command, int fd, int number);

/* Whether the child keeps all other descriptors that are not close-on-exec, as posix_spawn does. Off at first. When it
 * is on, a start costs more the more descriptors are open. */
int rusk_command_keep_other_fds(rusk_command *command, bool keeps);

/* ---- Which way it is started ---- */

typedef enum rusk_mode {
    RUSK_MODE_CHOSEN = 0,         /* DIRECT; VFORK under sanitizers and valgrind; ZYGOTE for users and groups */
    RUSK_MODE_DIRECT = 1,         /* rusk_spawn() returns as soon as the child is cloned */
    RUSK_MODE_VFORK = 2,          /* it returns when the program runs, as vfork does */
    RUSK_MODE_THREAD = 3,         /* from one thread that lives as long as the process: for parent-death signals */
    RUSK_MODE_ZYGOTE = 4          /* through a small process that was forked off earlier; see rusk_start_zygote() */
} rusk_mode;
int rusk_command_mode(rusk_command *command, rusk_mode mode);

/* Saves the pidfd, a tenth of a start, for callers that only wait. The child is then waited for by its id, which nobody
 * else may do, and a wait with a limit looks again and again. */
int rusk_command_without_pidfd(rusk_command *command);

/* Whose descriptor table a child begins with; the program sees no difference. */
typedef enum rusk_table {
    RUSK_TABLE_CHOSEN = 0,        /* shared where this process has many descriptors open */
    RUSK_TABLE_COPIED = 1,
    RUSK_TABLE_SHARED = 2         /* where it can be had, however few are open */
} rusk_table;
int rusk_command_table(rusk_command *command, rusk_table table);

/* ---- Sessions, groups, terminals ---- */

/* A session of its own, without a controlling terminal. */
int rusk_command_new_session(rusk_command *command);

/* 0 makes a new group, led by the child. */
int rusk_command_process_group(rusk_command *command, pid_t group);

/* The terminal becomes the controlling one of the child's session; it takes rusk_command_new_session(). */
int rusk_command_controlling_terminal(rusk_command *command, int terminal);

/* The child's group becomes the foreground group of this terminal, which is its controlling one. */
int rusk_command_foreground(rusk_command *command, int terminal);

/* The side of a pseudo-terminal on which a user would sit. */
typedef struct rusk_pty rusk_pty;

/* *pty is NULL where it returns an errno. */
int rusk_pty_open(uint16_t rows, uint16_t columns, rusk_pty **pty, rusk_error *error);

/* The terminal is hung up, and its programs told so, when it and all commands that know it are freed. */
void rusk_pty_free(rusk_pty *pty);

/* What programs write is read from it, until it says EIO: the last of them has closed the terminal. What is typed is
 * written to it. The pty's; -1 for NULL. */
int rusk_pty_fd(const rusk_pty *pty);

/* Programs on the terminal get SIGWINCH. */
int rusk_pty_resize(const rusk_pty *pty, uint16_t rows, uint16_t columns);

/* Either place may be NULL. */
int rusk_pty_size(const rusk_pty *pty, uint16_t *rows, uint16_t *columns);

/* The process group that gets what is typed; -1 while the terminal is nobody's. */
pid_t rusk_pty_foreground_group(const rusk_pty *pty);

/* Puts the program on a terminal: all three streams, in a session of its own, which the terminal controls, in the
 * foreground. What it writes is read from the pty, or from rusk_child_stdout(), but not from both. */
int rusk_command_terminal(rusk_command *command, const rusk_pty *pty);

/* ---- Signals ---- */

/* The bit of a signal in a mask. */
#define RUSK_SIGNAL(number) ((uint64_t)1 << ((number) - 1))

/* The signals that are blocked in the program; at first, those that the spawning thread blocks. */
int rusk_command_signal_mask(rusk_command *command, uint64_t blocked);
int rusk_command_signal_mask_inherit(rusk_command *command);

typedef enum rusk_disposition {
    RUSK_SIGNAL_DEFAULT = 0,
    RUSK_SIGNAL_IGNORE = 1,
    RUSK_SIGNAL_INHERIT = 2       /* ignored if it is ignored here; at first, for all */
} rusk_disposition;
int rusk_command_disposition(rusk_command *command, int signal, rusk_disposition disposition);

/* The signal that the program gets when the thread that spawned it ends; with RUSK_MODE_THREAD, when this process
 * ends. */
int rusk_command_parent_death_signal(rusk_command *command, int signal);

/* ---- Resources ---- */

int rusk_command_umask(rusk_command *command, mode_t mask);

/* From -20, the most demanding, to 19. To lower it takes a privilege. */
int rusk_command_nice(rusk_command *command, int value);

/* The processors on which the program may run, by number. None at all is EINVAL. */
int rusk_command_processors(rusk_command *command, const unsigned processors[], size_t count);

/* A ceiling on a resource, RLIMIT_* of <sys/resource.h>. */
int rusk_command_limit(rusk_command *command, int resource, uint64_t soft, uint64_t hard);

/* The cgroup (version 2) in which the child is born, as its open folder. */
int rusk_command_cgroup(rusk_command *command, int folder);

/* ---- Users and confinement ---- */

/* Users and groups take privileges, and a process of its own: RUSK_MODE_CHOSEN sees to it. */
int rusk_command_user(rusk_command *command, uid_t user);
int rusk_command_group(rusk_command *command, gid_t group);

/* The supplementary groups. With a count of 0, `groups` may be NULL: there are none. */
int rusk_command_groups(rusk_command *command, const gid_t groups[], size_t count);

/* Who the child is inside its user namespace, and outside: the ids of the process that spawns. */
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

/* Which namespaces the child gets of its own: bits, and a user namespace where there is a map. */
int rusk_command_namespaces(rusk_command *command, unsigned namespaces, const rusk_user_map *user);

/* The program and what it starts cannot gain privileges by exec. */
int rusk_command_no_new_privileges(rusk_command *command);

/* A ruleset as landlock_create_ruleset gives it, with its rules; it must allow the program itself to be run. It takes
 * rusk_command_no_new_privileges() or a privilege. */
int rusk_command_landlock(rusk_command *command, int ruleset);

/* A seccomp program, `count` instructions of <linux/filter.h>. It must allow execve, and takes
 * rusk_command_no_new_privileges() or a privilege. */
struct sock_filter;
int rusk_command_seccomp(rusk_command *command, const struct sock_filter *instructions, size_t count);

/* ---- A function of one's own in the child: for experts ---- */

/* What it was given, and the write end of a pipe to the parent, or -1. Returns 0, or an errno that ends the start in
 * RUSK_STEP_CALLBACK. */
typedef int (*rusk_callback)(void *context, int to_parent);

/* Runs a function in the child, after its descriptors are placed and its privileges dropped, before its signals are
 * set and exec. `to_parent`, if not -1, is open in the child while the function runs, and closed by exec.
 *
 * The child shares this process's memory, and even its thread-local variables, WHILE THIS PROCESS RUNS. The function,
 * and all it calls, may make the rusk_in_child_ calls below, compute on its own stack (about 60 KB), and read what
 * nobody changes. It must not allocate, lock, touch errno or any other thread-local variable, call libc (its first
 * call may have to be linked), throw, jump out, or change the memory map or credentials. `context` must hold until the
 * child has started or ended (rusk_child_wait_started()); what the function writes there must be atomic. A child of
 * the zygote, whose memory is another, has no callback: ENOTSUP at the spawn. */
int rusk_command_callback(rusk_command *command, rusk_callback callback, void *context, int to_parent);

/* Bound when the program is loaded and not in the child, where the linker must not run. What a compiler without this
 * attribute makes, as clang does, is to be linked with -Wl,-z,now. */
#define RUSK_IN_CHILD
#if defined(__has_attribute)
#if __has_attribute(noplt)
#undef RUSK_IN_CHILD
#define RUSK_IN_CHILD __attribute__((noplt))
#endif
#endif

/* System calls that touch no memory but what they are given: a result, 0 where there is none, or a negative errno.
 * Calls that a signal interrupted are made again. */
RUSK_IN_CHILD long rusk_in_child_call(long number, long a, long b, long c, long d, long e, long f);
RUSK_IN_CHILD long rusk_in_child_write(int fd, const void *bytes, size_t count);
RUSK_IN_CHILD long rusk_in_child_open(const char *path, int flags);
RUSK_IN_CHILD long rusk_in_child_close(int fd);
RUSK_IN_CHILD long rusk_in_child_close_range(unsigned first, unsigned last, unsigned flags);
RUSK_IN_CHILD long rusk_in_child_copy_to(int fd, int target);       /* 0; open across exec; they must differ */
RUSK_IN_CHILD long rusk_in_child_copy_above(int fd, int lowest);    /* the number; closed by exec */
RUSK_IN_CHILD long rusk_in_child_set_close_on_exec(int fd, bool closes);
RUSK_IN_CHILD pid_t rusk_in_child_pid(void);

/* ---- Starting ---- */

/* Starts the program. On return the child exists, and everything that belongs to the command may change or go. The
 * child is freed with rusk_child_free(). An errno: there is no child, and *child is NULL. */
int rusk_spawn(const rusk_command *command, rusk_child **child, rusk_error *error);

/* Makes room for `count` children at once while this process has few descriptors open: these starts stay cheap when
 * it has many. Each costs two descriptors. `made`, if not NULL, is how many there are. */
int rusk_reserve(size_t count, size_t *made);

/* Forks the zygote off now, while this process is small and has no threads that matter; otherwise the first command
 * that needs one does it. A child of the zygote begins with what this process had at that time (limits, ignored signals,
 * namespaces), but for its folder, umask, signal mask, environment and descriptors, which are as of its spawn. */
int rusk_start_zygote(void);

/* ---- Children ---- */

/* Neither stops nor waits for the child; it is reaped by a later start. What was not taken from it is closed. */
void rusk_child_free(rusk_child *child);

/* -1 for NULL. */
pid_t rusk_child_pid(const rusk_child *child);

/* Readable once the child has ended: for poll() and its like. The child's; -1 where the command wants none, and on
 * kernels before 5.2. */
int rusk_child_pidfd(const rusk_child *child);

/* Our ends of the pipes that the command asked for, or -1. They are the child's, and closed with it.
 *
 * A child that is killed before its program began leaves its own ends with us until rusk_child_wait_started() or a wait
 * has seen it: who polls these polls the pidfd as well, or calls rusk_child_wait_started() before the first read. */
int rusk_child_stdin(const rusk_child *child);
int rusk_child_stdout(const rusk_child *child);
int rusk_child_stderr(const rusk_child *child);

/* The same, from then on the caller's, to be closed by him; -1 where there is none or it was taken. */
int rusk_child_take_stdin(rusk_child *child);
int rusk_child_take_stdout(rusk_child *child);
int rusk_child_take_stderr(rusk_child *child);

/* Waits until the program runs, or is known not to: then the step that went wrong. */
int rusk_child_wait_started(rusk_child *child, rusk_error *error);

/* Whether the program runs, if that is known by now. */
int rusk_child_try_started(rusk_child *child, bool *started, rusk_error *error);

/* How a program ended, if it has. */
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

/* Each writes *exit when it returns 0; `exit` may be NULL. A start that went wrong is told as its errno and step, and
 * never as status 127. That somebody else has reaped the child is ECHILD in RUSK_STEP_WAIT. */

/* Waits for the end. The child's input is closed first if it was not taken, so that one that reads it can end. */
int rusk_child_wait(rusk_child *child, rusk_exit *exit, rusk_error *error);

/* The end, or RUSK_RUNNING. */
int rusk_child_try_wait(rusk_child *child, rusk_exit *exit, rusk_error *error);

/* The end, or RUSK_RUNNING once so much time has passed. Input stays open. */
int rusk_child_wait_for(rusk_child *child, uint32_t milliseconds, rusk_exit *exit, rusk_error *error);

/* Sends a signal. A child that was reaped gets none: its id may be another's by now. */
int rusk_child_signal(const rusk_child *child, int number);
int rusk_child_kill(const rusk_child *child);

/* What a shell would say of it: the status, or 128 and the signal's number; -1 while it runs, and for NULL. */
int rusk_exit_shell_status(const rusk_exit *exit);

/* ---- Ending a child, and what it started ---- */

typedef enum rusk_whom {
    RUSK_PROCESS = 0,             /* the program alone; what it started goes on */
    RUSK_GROUP = 1,               /* the process group that the child leads; a child that leads none is ended alone */
    RUSK_EVERYTHING = 2           /* the program, what it started, and what those started: see rusk_means */
} rusk_whom;

/* By what the others were found. */
typedef enum rusk_means {
    RUSK_MEANS_PROCESS = 0,       /* the child alone was signalled */
    RUSK_MEANS_GROUP = 1,
    RUSK_MEANS_CGROUP = 2,        /* a cgroup of the child's own: nobody gets out, nobody else is in it */
    RUSK_MEANS_WALK = 3           /* /proc: descendants, session, group, and orphans that bear the child's mark */
} rusk_means;

#define RUSK_LEFT_MAX 16

typedef struct rusk_ended {
    rusk_exit exit;               /* RUSK_RUNNING where even SIGKILL did not end the child within 5 seconds */
    rusk_means means;
    bool was_forced;              /* somebody was left after the limit and got SIGKILL */
    size_t left_count;            /* who is still there, not to be signalled or hung; `left` has the first of them */
    pid_t left[RUSK_LEFT_MAX];
} rusk_ended;

/* Sends a polite signal, mostly SIGTERM, and SIGKILL to whoever is left after so long; with SIGKILL, at once. The child's
 * input is closed, and the child reaped. `ended` may be NULL. */
int rusk_child_end(rusk_child *child, int signal, uint32_t milliseconds, rusk_whom whom, rusk_ended *ended,
                   rusk_error *error);

/* The child is born in a new cgroup below this process's own, where that is delegated to it and writable; elsewhere it
 * starts as it would have. */
int rusk_command_own_cgroup(rusk_command *command);

/* The program gets one more variable, RUSK_SPAWN_MARK, by which those that it starts can be found after they have left
 * its session and lost their parent. Done for every command after rusk_adopt_orphans(). */
int rusk_command_mark(rusk_command *command);

/* Makes this process the parent of all below it who lose their own. It concerns the whole process: orphans that end stay
 * as zombies until they are reaped. To be called before the first start. */
int rusk_adopt_orphans(void);

/* Reaps every child of this process that has ended and that this library did not start. Whoever starts processes by other
 * means must not call it. `count`, which may be NULL, is how many there were. */
int rusk_reap_orphans(size_t *count);

/* ---- A program from its start to its end ---- */

/* Starts a program and waits for it. */
int rusk_run(const rusk_command *command, rusk_exit *exit, rusk_error *error);

/* On what terms output is collected. All zero is what NULL is. */
typedef struct rusk_terms {
    const void *input;            /* what the program reads; with no bytes, what its command says, or /dev/null */
    size_t input_bytes;
    size_t bytes_max;             /* output and errors together: who writes more is killed; 0 is 64 MiB */
    uint32_t milliseconds;        /* who takes longer is killed; 0 is no limit */
    rusk_whom whom;               /* who is killed then */
} rusk_terms;

typedef enum rusk_cut {
    RUSK_WHOLE = 0,
    RUSK_CUT_BYTES = 1,           /* it was more than bytes_max, of which all is here */
    RUSK_CUT_TIME = 2             /* the limit has passed; where the program ended well, another held its output */
} rusk_cut;

/* What a program wrote, and how it ended. */
typedef struct rusk_output {
    rusk_exit exit;
    rusk_cut cut;
    const char *out;              /* with a NUL after its bytes, of which it may have others */
    size_t out_bytes;
    const char *err;
    size_t err_bytes;
} rusk_output;

/* Runs a program and collects what it writes, errors too, unless the command says what else becomes of them. Nothing that
 * is told by RUSK_INHERIT counts as said. *output is freed with rusk_output_free(), and NULL where an errno is returned.
 * A program that fails is no error, nor is output that is cut. */
int rusk_collect(const rusk_command *command, const rusk_terms *terms, rusk_output **output, rusk_error *error);
void rusk_output_free(rusk_output *output);

/* ---- The streams of many children, read by one thread ---- */

/* Children watched together. One that has ended, with both streams closed and all events told, is forgotten. */
typedef struct rusk_streams rusk_streams;

/* *streams is NULL where it returns an errno. */
int rusk_streams_new(rusk_streams **streams, rusk_error *error);

/* Frees the children too: they go on, without readers. */
void rusk_streams_free(rusk_streams *streams);

/* Watches a child: its end, and whichever of its streams are pipes. The child belongs to the streams from then on, even
 * where this returns an errno: it is not to be used or freed any more. `key`, which may be NULL, is its name among
 * them; no key is given twice. Its input stays open until rusk_streams_end_input(). */
int rusk_streams_add(rusk_streams *streams, rusk_child *child, uint64_t *key, rusk_error *error);

typedef enum rusk_stream {
    RUSK_STREAM_STDOUT = 1,
    RUSK_STREAM_STDERR = 2
} rusk_stream;

typedef enum rusk_event_kind {
    RUSK_EVENT_NONE = 0,          /* the limit has passed, or no child is left */
    RUSK_EVENT_CHUNK = 1,         /* a child wrote: stream, bytes, count */
    RUSK_EVENT_CLOSED = 2,        /* nobody will write to the stream any more; with a code, it could not be read */
    RUSK_EVENT_FED = 3,           /* it took all that it was fed, or closed its input when `count` bytes were left */
    RUSK_EVENT_ENDED = 4          /* it ended and was reaped: exit; with a code, it could not be started */
} rusk_event_kind;

typedef struct rusk_event {
    rusk_event_kind kind;
    uint64_t key;
    rusk_stream stream;
    const char *bytes;            /* no NUL at the end; valid until the next call with these streams */
    size_t count;
    rusk_exit exit;
    int code;                     /* an errno of this child's, whose step and path are in the error too */
} rusk_event;

/* What happens next, within so many milliseconds; without a limit where that is negative. A child's end and the ends of
 * its streams are different events, in any order: a process that it started may go on writing. An errno is trouble of the
 * watching itself, and never a child's. Nothing is read ahead: a child whose output nobody asks for waits. */
int rusk_streams_next(rusk_streams *streams, int milliseconds, rusk_event *event, rusk_error *error);

/* Reads no more of a stream for a while. The child waits once its pipe is full. */
int rusk_streams_pause(rusk_streams *streams, uint64_t key, rusk_stream stream);
int rusk_streams_resume(rusk_streams *streams, uint64_t key, rusk_stream stream);

/* Gives a child input, which is copied, and held until it is taken. EPIPE: its input is no pipe, or was ended. */
int rusk_streams_feed(rusk_streams *streams, uint64_t key, const void *bytes, size_t count);

/* The child finds the end of its input after what it was fed. */
int rusk_streams_end_input(rusk_streams *streams, uint64_t key);

/* A child that is watched, to be signalled, or NULL; valid until the next call with these streams. */
const rusk_child *rusk_streams_child(const rusk_streams *streams, uint64_t key);

/* Gives a child back, with those of its streams that are open, to be freed; or NULL. Input that it did not take is lost. */
rusk_child *rusk_streams_take(rusk_streams *streams, uint64_t key);

/* How many children are watched. */
size_t rusk_streams_count(const rusk_streams *streams);

/* Readable when something is ready, so that another loop may watch it. The streams'; -1 for NULL. */
int rusk_streams_fd(const rusk_streams *streams);

#ifdef __cplusplus
}
#endif

#endif
