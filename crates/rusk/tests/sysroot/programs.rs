//! Programs of every kind in a root: with a loader, without, scripts, many at once.

use std::process::Command;

use crate::ground::{Ground, text};

/// Needs no libc, so it can be made without one: writes a word, ends with 3.
const STATIC: &str = r#"
    #if defined(__x86_64__)
    static long call(long n, long a, long b, long c) {
        __asm__ volatile("syscall" : "+a"(n) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
        return n;
    }
    enum { WRITE = 1, EXIT = 60 };
    #else
    static long call(long n, long a, long b, long c) {
        register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
        __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
        return x0;
    }
    enum { WRITE = 64, EXIT = 93 };
    #endif
    void _start(void) { call(WRITE, 1, (long)"static\n", 7); call(EXIT, 3, 0, 0); for (;;); }
"#;

#[test]
fn a_static_program_needs_nothing_but_itself() {
    let Some(ground) = Ground::find() else { return };
    ground.project.write("static.c", STATIC);
    let file = ground.root().join("hello");
    let made = Command::new("cc")
        .args(["-static", "-nostdlib", "-O1", "-fno-stack-protector", "-o"])
        .arg(&file)
        .arg("static.c")
        .current_dir(ground.project.path())
        .output()
        .expect("a C compiler, which the project is built with");
    assert!(made.status.success(), "{}", text(&made.stderr));
    for words in [["/hello"], ["../../../../../../../../hello"]] {
        let output = ground.command(&[], &words).output().expect("the program starts");
        assert_eq!((text(&output.stdout), output.status.code()), ("static\n", Some(3)));
    }
}

#[test]
fn scripts_run_with_the_interpreter_they_name() {
    let Some(ground) = Ground::find() else { return };
    for (name, script) in [("named", "#!/bin/sh\necho \"$0 $1\"\n"), ("formless", "echo \"$0 $1\"\n")] {
        let path = format!("opt/{name}");
        ground.write(&path, script);
        ground.make_executable(&path);
        let words = [&*format!("/{path}"), "word"];
        let output = ground.command(&[], &words).output().expect("the program starts");
        assert_eq!(text(&output.stdout), format!("/{path} word\n"), "{}", text(&output.stderr));
    }
}

#[test]
fn a_program_may_start_a_hundred_others() {
    let Some(ground) = Ground::find() else { return };
    let script = "i=0; while [ $i -lt 100 ]; do (echo x) & i=$((i+1)); done; wait";
    assert_eq!(ground.says(&[], script).lines().count(), 100);
}
