/* The C programs of `cargo xtask bench spawn`: fork, vfork and posix_spawn, each as plain as in
 * its manual page. In: a method and `key=value` arguments, the same for every program of the
 * benchmark (README.md in this directory lists them). Out: one line of JSON with every sample in
 * nanoseconds. A child that fails ends the run. Absent: signal masks and dispositions, which
 * fork and vfork leave to their callers. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

extern char **environ;
/* Not static, so that writing to it is no dead store. */
char *touched;

enum { WARM_UP = 8, PIPES = 3, FLIGHT_MAX = 64, TICKS_MAX = 120000 };
static const int64_t TICK_NS = 1000000;
static const int64_t SECOND_NS = 1000000000;

enum watch { REAPED, EXEC, FAILURE, TIMER };

struct scenario {
    const char *method;
    const char *child;
    long open, touched_mib, flight, count;
    bool pipes;
    enum watch watch;
};

struct child {
    pid_t pid;
    int pidfd;
    int ours[PIPES];
    /* The errno of a failed start, or 0. */
    int failure;
    /* The read end of a pipe that closes at exec; -1 if the call itself reports the exec. */
    int notice;
    int64_t began;
};

struct samples {
    int64_t *call, *exec, *reaped;
};

static void die(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND_NS + time.tv_nsec;
}

static int64_t cpu(int who) {
    struct rusage usage;
    getrusage(who, &usage);
    int64_t seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec;
    return seconds * SECOND_NS + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

/* In the child, between fork and exec. Returns only if there is no such program. */
static void become(const struct scenario *scenario, const int *theirs) {
    char *argv[] = {(char *)scenario->child, NULL};
    for (int i = 0; scenario->pipes && i < PIPES; i++) {
        dup2(theirs[i], i);
    }
    execve(scenario->child, argv, environ);
}

/* A pipe is created only if the moment of exec, or its failure, is measured: fork does not
 * report it. */
static void by_fork(const struct scenario *scenario, const int *theirs, struct child *child) {
    int notice[2] = {-1, -1};
    bool watched = scenario->watch == EXEC || scenario->watch == FAILURE;
    if (watched && pipe2(notice, O_CLOEXEC) != 0) {
        die("pipe2");
    }
    child->pid = fork();
    if (child->pid == 0) {
        become(scenario, theirs);
        int failure = errno;
        _exit(write(notice[1], &failure, sizeof failure) > 0 ? 127 : 126);
    }
    if (watched) {
        close(notice[1]);
    }
    child->notice = notice[0];
}

static void by_vfork(const struct scenario *scenario, const int *theirs, struct child *child) {
    volatile int failure = 0;
    pid_t pid = vfork();
    if (pid == 0) {
        become(scenario, theirs);
        failure = errno;
        _exit(127);
    }
    child->pid = pid;
    child->failure = failure;
}

static void by_posix_spawn(const struct scenario *scenario, const int *theirs, struct child *child) {
    char *argv[] = {(char *)scenario->child, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; scenario->pipes && i < PIPES; i++) {
        posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
    }
    child->failure = posix_spawn(&child->pid, scenario->child, &actions, NULL, argv, environ);
    if (child->failure != 0) {
        child->pid = 0; /* It has reaped its child. */
    }
    posix_spawn_file_actions_destroy(&actions);
}

static void start(const struct scenario *scenario, struct child *child) {
    int theirs[PIPES];
    *child = (struct child){.pidfd = -1, .notice = -1, .began = now()};
    for (int i = 0; scenario->pipes && i < PIPES; i++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) {
            die("pipe2");
        }
        theirs[i] = ends[i == 0 ? 0 : 1];
        child->ours[i] = ends[i == 0 ? 1 : 0];
    }
    switch (scenario->method[0]) {
    case 'f': by_fork(scenario, theirs, child); break;
    case 'v': by_vfork(scenario, theirs, child); break;
    default: by_posix_spawn(scenario, theirs, child);
    }
    if (child->pid < 0) {
        die(scenario->method);
    }
    if (scenario->pipes) {
        for (int i = 0; i < PIPES; i++) {
            close(theirs[i]);
        }
        child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
        if (child->pidfd < 0) {
            die("pidfd_open");
        }
    }
}

/* Waits for the exec of a child if the call did not report it. */
static void wait_started(struct child *child) {
    if (child->notice >= 0) {
        if (read(child->notice, &child->failure, sizeof child->failure) < 0) {
            die("read");
        }
        close(child->notice);
    }
}

static void reap(const struct scenario *scenario, struct child *child) {
    int status = 0;
    if (child->pidfd >= 0) {
        siginfo_t ended;
        if (waitid(P_PIDFD, (id_t)child->pidfd, &ended, WEXITED) != 0) {
            die("waitid");
        }
        status = ended.si_status;
    } else if (child->pid > 0 && waitpid(child->pid, &status, 0) != child->pid) {
        die("waitpid");
    }
    bool right = scenario->watch == FAILURE ? child->failure == ENOENT : status == 0 && child->failure == 0;
    if (!right) {
        fprintf(stderr, "%s: status %d, errno %d\n", scenario->method, status, child->failure);
        exit(1);
    }
}

static void let_go(const struct scenario *scenario, struct child *child) {
    if (scenario->pipes) {
        for (int i = 0; i < PIPES; i++) {
            close(child->ours[i]);
        }
        close(child->pidfd);
    }
}

static void finish(const struct scenario *scenario, struct child *child, int64_t *reaped) {
    reap(scenario, child);
    *reaped = now() - child->began;
    let_go(scenario, child);
}

/* Starts `count` children with `flight` of them alive; the oldest is reaped before the next
 * start. */
static void run(const struct scenario *scenario, long count, struct samples samples) {
    struct child children[FLIGHT_MAX];
    for (long i = 0; i < count + scenario->flight; i++) {
        struct child *child = &children[i % scenario->flight];
        if (i >= scenario->flight && i - scenario->flight < count) {
            finish(scenario, child, &samples.reaped[i - scenario->flight]);
        }
        if (i < count) {
            start(scenario, child);
            samples.call[i] = now() - child->began;
            if (scenario->watch == EXEC || scenario->watch == FAILURE) {
                wait_started(child);
                samples.exec[i] = now() - child->began;
            }
        }
    }
}

/* A thread that wakes up each millisecond, and its delays. A missed tick counts too. */
struct timer {
    volatile bool stop;
    long ticks;
    int64_t late[TICKS_MAX];
};

static void *tick(void *argument) {
    struct timer *timer = argument;
    prctl(PR_SET_TIMERSLACK, 1);
    for (int64_t next = now() + TICK_NS; !timer->stop && timer->ticks < TICKS_MAX; next += TICK_NS) {
        struct timespec until = {next / SECOND_NS, next % SECOND_NS};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        timer->late[timer->ticks++] = now() - next;
    }
    return NULL;
}

static void print_list(const char *name, const int64_t *list, long count) {
    printf("\"%s\": [", name);
    for (long i = 0; i < count; i++) {
        printf("%s%lld", i == 0 ? "" : ", ", (long long)list[i]);
    }
    printf("], ");
}

/* `nothing` starts no child: the baseline of the timer. */
static void measure(const struct scenario *scenario) {
    static struct timer timer;
    pthread_t thread;
    size_t bytes = (size_t)scenario->count * sizeof(int64_t);
    struct samples samples = {malloc(bytes), malloc(bytes), malloc(bytes)};
    bool nothing = strcmp(scenario->method, "nothing") == 0;
    if (!nothing) {
        run(scenario, WARM_UP < scenario->count ? WARM_UP : scenario->count, samples);
    }
    if (scenario->watch == TIMER && pthread_create(&thread, NULL, tick, &timer) != 0) {
        die("pthread_create");
    }
    int64_t parent = cpu(RUSAGE_SELF), children = cpu(RUSAGE_CHILDREN), began = now();
    if (nothing) {
        usleep((useconds_t)scenario->count * 500);
    } else {
        run(scenario, scenario->count, samples);
    }
    int64_t wall = now() - began;
    parent = cpu(RUSAGE_SELF) - parent;
    children = cpu(RUSAGE_CHILDREN) - children;
    printf("{");
    if (scenario->watch == TIMER) {
        timer.stop = true;
        pthread_join(thread, NULL);
        print_list("late", timer.late, timer.ticks);
    }
    if (!nothing) {
        print_list("call", samples.call, scenario->count);
        print_list("reaped", samples.reaped, scenario->count);
        bool exec = scenario->watch == EXEC || scenario->watch == FAILURE;
        print_list("exec", samples.exec, exec ? scenario->count : 0);
    }
    printf("\"wall\": %lld, \"parent_cpu\": %lld, \"child_cpu\": %lld}\n", (long long)wall, (long long)parent,
           (long long)children);
}

static struct scenario parse(int argc, char **argv) {
    static const char *const WATCHES[] = {"reaped", "exec", "failure", "timer"};
    struct scenario scenario = {.method = argv[1], .child = "/bin/true", .flight = 1, .count = 100};
    for (int i = 2; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (value == NULL) {
            die(argv[i]);
        }
        *value++ = 0;
        if (strcmp(argv[i], "child") == 0) scenario.child = value;
        if (strcmp(argv[i], "open") == 0) scenario.open = atol(value);
        if (strcmp(argv[i], "touched") == 0) scenario.touched_mib = atol(value);
        if (strcmp(argv[i], "flight") == 0) scenario.flight = atol(value);
        if (strcmp(argv[i], "count") == 0) scenario.count = atol(value);
        if (strcmp(argv[i], "stdio") == 0) scenario.pipes = strcmp(value, "pipes") == 0;
        for (int watch = 0; strcmp(argv[i], "watch") == 0 && watch <= TIMER; watch++) {
            if (strcmp(WATCHES[watch], value) == 0) scenario.watch = (enum watch)watch;
        }
    }
    if (scenario.flight < 1 || scenario.flight > FLIGHT_MAX) {
        die("flight");
    }
    return scenario;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: peers --version|nothing|fork|vfork|posix_spawn [key=value ...]\n");
        return 1;
    }
    if (strcmp(argv[1], "--version") == 0) {
#ifdef __GLIBC__
        printf("glibc %s\n", gnu_get_libc_version());
#else
        printf("not glibc\n");
#endif
        return 0;
    }
    struct scenario scenario = parse(argc, argv);
    for (long i = 0; i < scenario.open; i++) {
        if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0) {
            die("/dev/null");
        }
    }
    size_t bytes = (size_t)scenario.touched_mib << 20;
    if (bytes > 0) {
        touched = malloc(bytes);
        memset(touched, 1, bytes);
    }
    measure(&scenario);
    return 0;
}
