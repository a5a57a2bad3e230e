/* Process attributes of a program. If the environment does not allow one, the step is reported. */
#include "check.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <termios.h>

static const char *self;

/* This program again, as the child: it reports what it finds. */
static rusk_command *again(const char *what)
{
    rusk_command *command = rusk_command_new(self);
    CHECK(rusk_command_arg(command, what) == 0);
    return command;
}

/* From the kernel, about the program itself. A shell in between would change signals. */
static rusk_command *status(const char *line)
{
    rusk_command *command = rusk_command_new("grep");
    CHECK(rusk_command_arg(command, line) == 0);
    CHECK(rusk_command_arg(command, "/proc/self/status") == 0);
    return command;
}

static int signal_is_ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static int say(const char *what)
{
    int signal = 0;
    if (strcmp(what, "session") == 0)
        printf("%d %d\n", getsid(0) == getpid(), getpgid(0) == getpid());
    else if (strcmp(what, "terminal") == 0)
        printf("%d %d\n", tcgetsid(3) == getpid(), tcgetpgrp(3) == getpid());
    else if (strcmp(what, "parent death") == 0 && prctl(PR_GET_PDEATHSIG, &signal) == 0)
        printf("%d\n", signal);
    else if (strcmp(what, "ignored") == 0)
        printf("%d %d\n", signal_is_ignored(SIGPIPE), signal_is_ignored(SIGUSR1));
    else if (strcmp(what, "user") == 0)
        printf("%d %d\n", (int)getuid(), (int)getgid());
    else if (strcmp(what, "privileges") == 0)
        printf("%d %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_GET_SECCOMP));
    return 0;
}

static void sessions(void)
{
    rusk_command *command = again("session");
    CHECK(rusk_command_process_group(command, 0) == 0);
    check_output(command, "0 1\n");
    rusk_command_free(command);
    command = again("session");
    CHECK(rusk_command_new_session(command) == 0);
    check_output(command, "1 1\n");
    rusk_command_free(command);
}

static void terminals(void)
{
    rusk_command *command = again("terminal");
    int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), theirs;
    CHECK(ours >= 0 && grantpt(ours) == 0 && unlockpt(ours) == 0);
    theirs = open(ptsname(ours), O_RDWR | O_NOCTTY | O_CLOEXEC);
    CHECK(theirs >= 0);
    CHECK(rusk_command_new_session(command) == 0);
    CHECK(rusk_command_controlling_terminal(command, theirs) == 0);
    CHECK(rusk_command_foreground(command, theirs) == 0);
    CHECK(rusk_command_fd(command, theirs, 3) == 0);
    CHECK(close(theirs) == 0);
    check_output(command, "1 1\n");
    rusk_command_free(command);
    CHECK(close(ours) == 0);
}

static void signals(void)
{
    sigset_t blocked, before;
    rusk_command *command = status("SigBlk");
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR2);
    CHECK(sigprocmask(SIG_SETMASK, &blocked, &before) == 0);
    check_output(command, "SigBlk:\t0000000000000800\n");
    CHECK(rusk_command_signal_mask(command, RUSK_SIGNAL(SIGHUP) | RUSK_SIGNAL(64)) == 0);
    check_output(command, "SigBlk:\t8000000000000001\n");
    CHECK(rusk_command_signal_mask_inherit(command) == 0);
    check_output(command, "SigBlk:\t0000000000000800\n");
    CHECK(sigprocmask(SIG_SETMASK, &before, NULL) == 0);
    rusk_command_free(command);
}

static void dispositions(void)
{
    rusk_command *command = again("ignored");
    CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR && signal(SIGUSR1, SIG_DFL) != SIG_ERR);
    check_own_output(command, "1 0\n");
    CHECK(rusk_command_disposition(command, SIGPIPE, RUSK_SIGNAL_DEFAULT) == 0);
    CHECK(rusk_command_disposition(command, SIGUSR1, RUSK_SIGNAL_IGNORE) == 0);
    check_own_output(command, "0 1\n");
    CHECK(rusk_command_disposition(command, SIGPIPE, RUSK_SIGNAL_INHERIT) == 0);
    check_own_output(command, "1 1\n");
    CHECK(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    check_own_output(command, "0 1\n");
    rusk_command_free(command);

    command = again("parent death");
    CHECK(rusk_command_parent_death_signal(command, SIGUSR1) == 0);
    check_output(command, "10\n");
    rusk_command_free(command);
}

static void resources(void)
{
    char wanted[64];
    cpu_set_t mine;
    unsigned last = 0, processor;
    rusk_command *command = shell("umask; ulimit -t; nice");
    CHECK(rusk_command_umask(command, 027) == 0);
    CHECK(rusk_command_limit(command, RLIMIT_CPU, 640, 640) == 0);
    CHECK(rusk_command_nice(command, 7) == 0);
    check_output(command, "0027\n640\n7\n");
    CHECK(rusk_command_limit(command, -1, 64, 64) == EINVAL);
    rusk_command_free(command);

    CHECK(sched_getaffinity(0, sizeof mine, &mine) == 0);
    for (processor = 0; processor < CPU_SETSIZE; processor++)
        if (CPU_ISSET(processor, &mine))
            last = processor;
    command = status("Cpus_allowed_list");
    CHECK(rusk_command_processors(command, &last, 1) == 0);
    snprintf(wanted, sizeof wanted, "Cpus_allowed_list:\t%u\n", last);
    check_output(command, wanted);
    CHECK(rusk_command_processors(command, &last, 0) == EINVAL);
    rusk_command_free(command);

    /* Not a directory of the cgroup file system. */
    command = rusk_command_new("true");
    CHECK(rusk_command_cgroup(command, 0) == 0);
    check_error(command, RUSK_STEP_CLONE, 0, "");
    rusk_command_free(command);
}

static void credentials(void)
{
    char wanted[64];
    gid_t group = getgid();
    rusk_child *child;
    rusk_error error;
    int code;
    rusk_command *command = again("user");
    CHECK(rusk_command_user(command, getuid()) == 0);
    CHECK(rusk_command_group(command, getgid()) == 0);
    snprintf(wanted, sizeof wanted, "%d %d\n", (int)getuid(), (int)getgid());
    /* In the variants that can: the default mode, and the zygote. */
    check_output_at(__LINE__, command, wanted, OWN_VARIANTS - 1, VARIANTS);
    rusk_command_free(command);

    /* It needs a privilege, which the test may not have. */
    command = rusk_command_new("true");
    CHECK(rusk_command_groups(command, &group, 1) == 0);
    code = rusk_spawn(command, &child, &error);
    if (code == 0)
        code = rusk_child_wait(child, NULL, &error);
    CHECK(code == 0 || (code == EPERM && error.step == RUSK_STEP_GROUPS));
    rusk_child_free(child);
    rusk_command_free(command);
}

static void confinement(void)
{
    struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_filter wrong[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 3)};
    rusk_command *command = again("privileges");
    CHECK(rusk_command_capabilities(command, 0) == 0);
    CHECK(rusk_spawn(command, NULL, NULL) == EINVAL);
    CHECK(rusk_command_no_new_privileges(command) == 0);
    CHECK(rusk_command_seccomp(command, allow, 1) == 0);
    check_output(command, "1 2\n");
    CHECK(rusk_command_seccomp(command, wrong, 1) == 0);
    check_error(command, RUSK_STEP_SECCOMP, EINVAL, "");
    CHECK(rusk_command_landlock(command, 0) == 0);
    check_error(command, RUSK_STEP_LANDLOCK, 0, "");
    rusk_command_free(command);
}

static void namespaces(void)
{
    rusk_user_map map = {0, 0, 0, 0};
    rusk_child *child;
    rusk_error error;
    rusk_exit end;
    char found[64];
    int code;
    rusk_command *command = shell("id -u; echo $$");
    map.user_outside = getuid();
    map.group_outside = getgid();
    CHECK(rusk_command_namespaces(command, RUSK_NAMESPACE_PID | RUSK_NAMESPACE_UTS, &map) == 0);
    CHECK(rusk_command_stdout(command, RUSK_PIPE) == 0);
    code = rusk_spawn(command, &child, &error);
    if (code == 0)
        code = rusk_child_wait_started(child, &error);
    if (code == 0) {
        read_all(rusk_child_stdout(child), found, sizeof found);
        CHECK(strcmp(found, "0\n1\n") == 0);
        CHECK(rusk_child_wait(child, &end, NULL) == 0);
    } else {
        /* Some systems do not allow user namespaces, or id maps in them. */
        CHECK(error.step == RUSK_STEP_CLONE || error.step == RUSK_STEP_ID_MAP);
    }
    rusk_child_free(child);
    CHECK(rusk_command_namespaces(command, 64, NULL) == EINVAL);
    rusk_command_free(command);
}

static const char path_of_null[] = "/dev/null";

/* Uses each call once, and reports its pid to the parent. */
static int in_child(void *context, int to_parent)
{
    int pid = (int)rusk_in_child_pid();
    long fd = rusk_in_child_open(path_of_null, O_WRONLY), copy;
    if (fd < 0)
        return (int)-fd;
    copy = rusk_in_child_copy_above((int)fd, 100);
    if (copy < 100 || rusk_in_child_copy_to((int)fd, 55) != 0 || rusk_in_child_set_close_on_exec(55, true) != 0)
        return EDOM;
    if (rusk_in_child_close((int)fd) != 0 || rusk_in_child_close((int)fd) != -EBADF)
        return EDOM;
    if (rusk_in_child_close_range((unsigned)copy, (unsigned)copy, 0) != 0)
        return EDOM;
    if (rusk_in_child_call(SYS_getpid, 0, 0, 0, 0, 0, 0) != pid)
        return EDOM;
    if (to_parent >= 0 && rusk_in_child_write(to_parent, &pid, sizeof pid) != (long)sizeof pid)
        return EDOM;
    return *(int *)context;
}

static int nap(void *context, int to_parent)
{
    (void)to_parent;
    rusk_in_child_call(SYS_nanosleep, (long)context, 0, 0, 0, 0, 0);
    return 0;
}

static void callbacks(void)
{
    rusk_command *command;
    rusk_child *child;
    rusk_error error;
    int ends[2], said = 0, result = 0;
    size_t i;
    for (i = FIRST_VARIANT; i < OWN_VARIANTS; i++) {
        CHECK(pipe(ends) == 0);
        command = rusk_command_new("true");
        CHECK(rusk_command_mode(command, variants[i].mode) == 0);
        CHECK(rusk_command_table(command, variants[i].table) == 0);
        CHECK(rusk_command_callback(command, in_child, &result, ends[1]) == 0);
        CHECK(close(ends[1]) == 0);
        CHECK(rusk_spawn(command, &child, NULL) == 0);
        rusk_command_free(command);
        CHECK(rusk_child_wait_started(child, NULL) == 0);
        CHECK(read(ends[0], &said, sizeof said) == sizeof said && said == rusk_child_pid(child));
        CHECK(read(ends[0], &said, sizeof said) == 0);
        CHECK(rusk_child_wait(child, NULL, NULL) == 0);
        rusk_child_free(child);
        CHECK(close(ends[0]) == 0);
    }
    result = ERANGE;
    command = rusk_command_new("true");
    CHECK(rusk_command_callback(command, in_child, &result, -1) == 0);
    check_error_at(__LINE__, command, RUSK_STEP_CALLBACK, ERANGE, "", FIRST_VARIANT, OWN_VARIANTS);
    CHECK(rusk_command_mode(command, RUSK_MODE_ZYGOTE) == 0);
    CHECK(rusk_spawn(command, &child, &error) == ENOTSUP && error.step == RUSK_STEP_COMMAND);
    rusk_command_free(command);
}

/* Under a sanitizer or valgrind the default mode is VFORK: on return the child has started. */
static void chosen_mode(void)
{
#if FIRST_VARIANT > 0
    struct timespec pause = {0, 100 * 1000 * 1000};
    rusk_command *command = rusk_command_new("true");
    rusk_child *child;
    bool started = false;
    CHECK(rusk_command_callback(command, nap, &pause, -1) == 0);
    CHECK(rusk_spawn(command, &child, NULL) == 0);
    CHECK(rusk_child_try_started(child, &started, NULL) == 0 && started);
    CHECK(rusk_child_wait(child, NULL, NULL) == 0);
    rusk_child_free(child);
    rusk_command_free(command);
#else
    (void)nap;
#endif
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return say(argv[1]);
    self = argv[0];
    sessions();
    terminals();
    signals();
    dispositions();
    resources();
    credentials();
    confinement();
    namespaces();
    callbacks();
    chosen_mode();
    return 0;
}
