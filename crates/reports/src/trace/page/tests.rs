//! The page: what it says, and what it must not become.

use super::*;
use rusk_base::sys::phase_markers::PREFIX;
use rusk_observe::ledger::{ExitStatus, Ledger, Record};
use rusk_observe::report::TraceInfo;
use rusk_observe::syscalls::{Arch, Syscall};

/// A program called so, which looked for this path.
fn report(name: &str, path: &str) -> Report {
    let mut ledger = Ledger::new(1, "/", 0);
    let call = |name| Syscall::find(Arch::X86_64, name).expect("a call of this name");
    let record = Record {
        process: 1,
        thread: 1,
        call: call("openat"),
        duration_ns: 2_000,
        result: -2,
        arguments: [0xffff_ff9c, 0, 0, 0],
        path: path.as_bytes(),
    };
    let mark = format!("{PREFIX}{name}");
    let mark = Record {
        call: call("faccessat"),
        arguments: [0xffff_ffff, 0, 0, 0],
        path: mark.as_bytes(),
        ..record
    };
    ledger.call(&mark, 5);
    (0..3).for_each(|_| ledger.call(&record, 10));
    ledger.on_fork(2, 1, 500);
    ledger.call(&Record { process: 2, call: call("execve"), result: 0, ..record }, 600);
    ledger.on_exit(2, 900, ExitStatus::Code(3));
    let watch = TraceInfo {
        collector: "bpf",
        is_pinned: false,
        until: "exit".to_owned(),
        is_condition_met: false,
        wall_ns: 1_000,
        overhead_ns: 20,
        lost: 0,
    };
    Report::new(vec![name.to_owned()], watch, &ledger)
}

#[test]
fn the_page_says_what_the_report_says() {
    let page = render(&report("x", "/gone"));
    for shown in [
        "<h2>Phases</h2>",
        "openat",
        "ENOENT",
        "/gone",
        "3 lookups, 3 failed",
        "exited with 3",
        "<b>2</b> processes",
    ] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
}

#[test]
fn nothing_from_outside_becomes_markup() {
    let page = render(&report("<script>x</script>", "/<img src=x>/\u{202e}"));
    for harmful in ["<script", "<img", "\u{202e}", "http:", "https:"] {
        assert!(!page.contains(harmful), "{harmful}: {page}");
    }
}

#[test]
fn every_tag_is_closed() {
    let page = render(&report("x", "/gone"));
    for tag in [
        "section", "table", "tbody", "thead", "tr", "td", "th", "details", "summary", "div", "ul", "li",
        "span",
    ] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn a_program_that_asked_nothing_has_a_page() {
    let report = Report::new(Vec::new(), report("x", "/").info, &Ledger::new(1, "/", 0));
    assert!(render(&report).ends_with("</html>\n"));
}
