/* Minimal runtime, a lower bound for `cargo xtask bench runtime`. In: the arguments of a runtime,
 * `read.cjs DIRECTORY sync` or `kernels.js`. Out: one line of JSON, milliseconds by name. The first
 * opens, reads and closes the files, and nothing else; the second runs the script in the
 * distribution's engine: one VM, a clock and `console.log`. Built with -ldl. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BYTES_MAX = 1 << 16 };

static char room[BYTES_MAX];

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "least: error: %s\n", what);
    exit(1);
}

/* --- files */

struct list {
    char **paths;
    size_t count;
};

static int is_name(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static struct list listing(const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_name, alphasort);
    if (count < 0) fail("a folder cannot be read");
    struct list list = {calloc(count + 1, sizeof(char *)), count};
    for (int at = 0; at < count; at++) {
        if (asprintf(&list.paths[at], "%s/%s", folder, entries[at]->d_name) < 0) fail("no memory");
        free(entries[at]);
    }
    free(entries);
    return list;
}

static void read_files(const char *top) {
    struct list folders = listing(top);
    struct list *files = calloc(folders.count, sizeof *files);
    for (size_t at = 0; at < folders.count; at++) files[at] = listing(folders.paths[at]);
    double began = milliseconds();
    for (size_t at = 0; at < folders.count; at++) {
        for (size_t file = 0; file < files[at].count; file++) {
            int opened = open(files[at].paths[file], O_RDONLY | O_CLOEXEC);
            if (opened < 0 || read(opened, room, BYTES_MAX) <= 0 || close(opened) < 0) fail("a file cannot be read");
        }
    }
    printf("{\"sync\": %.3f}\n", milliseconds() - began);
}

/* --- the engine, by its public functions */

typedef const void *Ref;
typedef Ref (*Native)(Ref context, Ref function, Ref self, size_t count, const Ref *arguments, Ref *thrown);

static Ref (*text_of)(const char *utf8);
static size_t (*copy)(Ref text, char *buffer, size_t bytes);
static Ref (*to_text)(Ref context, Ref value, Ref *thrown);
static Ref (*make_number)(Ref context, double number);

static Ref print(Ref context, Ref function, Ref self, size_t count, const Ref *arguments, Ref *thrown) {
    (void)function, (void)self;
    if (count > 0) {
        copy(to_text(context, arguments[0], thrown), room, BYTES_MAX);
        puts(room);
    }
    return make_number(context, 0);
}

static Ref now(Ref context, Ref function, Ref self, size_t count, const Ref *arguments, Ref *thrown) {
    (void)function, (void)self, (void)count, (void)arguments, (void)thrown;
    return make_number(context, milliseconds());
}

static void *library;

static void *symbol(const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) fail(name);
    return found;
}

/* The script, after the definitions that it needs. */
static char *script(const char *path) {
    static const char BEFORE[] = "const console = { log: print }, performance = { now };\n";
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    if (file == NULL) fail("the script cannot be read");
    strcpy(text, BEFORE);
    fread(text + strlen(BEFORE), 1, sizeof text - sizeof BEFORE - 1, file);
    fclose(file);
    return text;
}

static void run_script(const char *path) {
    library = dlopen("libjavascriptcoregtk-4.1.so.0", RTLD_NOW);
    if (library == NULL) library = dlopen("libjavascriptcoregtk-6.0.so.1", RTLD_NOW);
    if (library == NULL) fail("there is no engine");
    Ref (*create)(Ref) = symbol("JSGlobalContextCreate");
    Ref (*global)(Ref) = symbol("JSContextGetGlobalObject");
    Ref (*native)(Ref, Ref, Native) = symbol("JSObjectMakeFunctionWithCallback");
    void (*set)(Ref, Ref, Ref, Ref, unsigned, Ref *) = symbol("JSObjectSetProperty");
    Ref (*evaluate)(Ref, Ref, Ref, Ref, int, Ref *) = symbol("JSEvaluateScript");
    text_of = symbol("JSStringCreateWithUTF8CString");
    copy = symbol("JSStringGetUTF8CString");
    to_text = symbol("JSValueToStringCopy");
    make_number = symbol("JSValueMakeNumber");
    Ref context = create(NULL), thrown = NULL;
    Ref print_name = text_of("print"), now_name = text_of("now");
    set(context, global(context), print_name, native(context, print_name, print), 0, NULL);
    set(context, global(context), now_name, native(context, now_name, now), 0, NULL);
    evaluate(context, text_of(script(path)), NULL, NULL, 1, &thrown);
    if (thrown != NULL) {
        copy(to_text(context, thrown, NULL), room, BYTES_MAX);
        fail(room);
    }
}

int main(int count, char **words) {
    if (count == 4 && strcmp(words[1], "read.cjs") == 0) read_files(words[2]);
    else if (count == 2) run_script(words[1]);
    else fail("expected what a runtime is given");
    return 0;
}
