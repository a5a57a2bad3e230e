//! What is read out of other programs' output.

use super::*;

#[test]
fn the_calls_are_those_of_the_last_line() {
    let counts = "% time seconds usecs/call calls errors syscall\n 60.0 0.1 2 40 1 openat\n100.00 0.2 3 1234 5 total\n";
    assert_eq!(total_calls(counts), Some(1234));
    assert_eq!(total_calls("strace: not allowed\n"), None);
}

#[test]
fn a_failure_is_one_line_without_the_folder() {
    for (said, expected) in [
        (
            "npm ci: exit status: 1\n  npm warn old\n  npm error code ETARGET in /tmp/x/project\n  more",
            "npm ci: exit status: 1: npm error code ETARGET in …/project",
        ),
        (
            "yarn: 1\n  ➤ YN0000: · Yarn 4\n  ➤ YN0082: │ a: none\n  ➤ YN0000: · Failed with errors",
            "yarn: 1: ➤ YN0082: │ a: none",
        ),
        ("deno: killed\n  the last word", "deno: killed: the last word"),
    ] {
        assert_eq!(reason(said, Path::new("/tmp/x")), expected);
    }
}
