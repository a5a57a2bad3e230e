//! C programs that use the installed library: every function, each way of linking, no leak. Absent:
//! the behaviour of the library itself, which its own tests check.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod build;
mod header;

use build::{Link, installed, run, string};

#[test]
fn arguments_environment_directory_and_fds_arrive() {
    check("commands.c");
}

#[test]
fn exits_and_errors_are_reported() {
    check("children.c");
}

#[test]
fn what_is_set_up_is_what_the_program_finds() {
    check("setup.c");
}

#[test]
fn many_children_are_read_by_one_thread() {
    check("streams.c");
}

#[test]
fn programs_are_run_collected_and_ended() {
    check("termination.c");
}

#[test]
fn a_program_runs_on_a_terminal() {
    check("terminal.c");
}

#[test]
fn null_is_an_errno() {
    check("null.c");
}

#[test]
fn the_header_stands_alone() {
    check("header_alone.c");
    run(&build::compiled_as_cpp("header_alone.c"), &[]);
}

/// With every way of linking; the sanitizer also fails for leaks.
fn check(program: &str) {
    for link in [Link::Static, Link::Shared, Link::Sanitized] {
        run(&build::compiled("tests/c", program, link), &[]);
    }
}

#[test]
fn the_examples_say_what_they_should() {
    let three = "one\ntwo\nthree\n";
    let hundred: String = (0..100).map(|number| format!("{number}: I am {number}\n")).collect();
    for link in [Link::Static, Link::Shared, Link::Sanitized] {
        assert_eq!(run(&build::compiled("examples", "in_turn.c", link), &[]), three);
        assert_eq!(run(&build::compiled("examples", "at_once.c", link), &[]), hundred);
    }
}

#[test]
fn it_is_installed_where_it_was_asked_for() {
    let root = installed();
    let list = string("find", &[".", "!", "-type", "d"], root);
    let mut list: Vec<&str> = list.lines().collect();
    list.sort_unstable();
    let version = env!("CARGO_PKG_VERSION");
    let wanted = [
        "./usr/include/rusk_spawn.h",
        "./usr/lib/librusk_spawn.a",
        "./usr/lib/librusk_spawn.so",
        "./usr/lib/librusk_spawn.so.0",
        &format!("./usr/lib/librusk_spawn.so.{version}"),
        "./usr/lib/pkgconfig/rusk_spawn.pc",
    ];
    assert_eq!(list, wanted);
    let pkgconfig = std::fs::read_to_string(root.join("usr/lib/pkgconfig/rusk_spawn.pc")).unwrap();
    assert!(pkgconfig.contains("libdir=/usr/lib\n") && pkgconfig.contains(&format!("Version: {version}\n")));
    assert!(!pkgconfig.contains('@'));
}
