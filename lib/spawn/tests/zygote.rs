//! The zygote when it is killed, signalled, or started early.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::Read;

use probe::report::report;
use probe::{Role, SpawnVariant, command};
use rusk_spawn::{Exit, Mode, Stdio, TableChoice, start_zygote};

mod probe;

const ROLES: &[Role] = &[("killed", killed), ("signalled", signalled), ("moved", moved), ("left", left)];

const ZYGOTE: SpawnVariant = SpawnVariant { mode: Mode::Zygote, table: TableChoice::Chosen };

/// Running children of this process.
fn children() -> Vec<i32> {
    of_state(|state| state != "Z")
}

/// Children of this process in a matching state.
fn of_state(fits: impl Fn(&str) -> bool) -> Vec<i32> {
    let own = std::process::id().to_string();
    let pids = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_ours = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        fields.len() > 1 && fields[1] == own && fits(fields[0])
    };
    pids.filter(is_ours).collect()
}

fn signal_zygote(number: i32) {
    let children = children();
    assert_eq!(children.len(), 1, "{children:?}");
    // SAFETY: no pointers.
    assert_eq!(unsafe { libc::kill(children[0], number) }, 0);
}

#[test]
fn a_killed_zygote_is_replaced() {
    probe::run_role("killed", &[]);
}

fn killed(_words: &[String]) {
    start_zygote().unwrap();
    for _ in 0..5 {
        assert_eq!(report(ZYGOTE, |_| {}).numbers(), [0, 1, 2]);
        signal_zygote(libc::SIGKILL);
        probe::wait_until("it is gone", || children().is_empty());
    }
    let open = probe::open_numbers().len();
    assert!(open < 12, "{open}");
    // The first start finds the zygote dead, the next one reaps it.
    for _ in 0..2 {
        report(ZYGOTE, |_| {});
    }
    assert_eq!(of_state(|state| state == "Z"), []);
}

#[test]
fn a_signal_to_the_group_does_not_end_it() {
    probe::run_role("signalled", &[]);
}

/// Like a terminal's signal to a whole group.
fn signalled(_words: &[String]) {
    start_zygote().unwrap();
    let before = children();
    for number in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1] {
        signal_zygote(number);
        let found = report(ZYGOTE, |_| {});
        assert_eq!((found.signals("SigBlk"), found.signals("SigCgt")), (0, 0));
    }
    assert_eq!(children(), before);
}

#[test]
fn its_children_get_the_current_state() {
    probe::run_role("moved", &[]);
}

fn moved(_words: &[String]) {
    start_zygote().unwrap();
    let dir = probe::dir("zygote-moved").canonicalize().unwrap();
    std::env::set_current_dir(&dir).unwrap();
    // SAFETY: this process has one thread.
    unsafe {
        libc::umask(0o123);
        std::env::set_var("LATE", "1");
        libc::signal(libc::SIGUSR2, libc::SIG_IGN);
    }
    let late = probe::file("");
    probe::put_at(&late, 0);
    let found = report(ZYGOTE, |_| {});
    assert_eq!([found.one("dir"), found.one("Umask")], [dir.to_str().unwrap(), "0123"]);
    assert!(found.all("variable").contains(&"LATE=1"));
    assert_eq!(found.fds()[&0], probe::identity(&late));
    assert_eq!(found.one("parent"), std::process::id().to_string());
}

#[test]
fn it_exits_with_its_process_and_its_children_do_not() {
    // An fd that the zygote kept open would prevent this from ending.
    probe::run_role("left", &[]);
}

fn left(_words: &[String]) {
    let (from_child, to_us) = probe::pipe();
    let mut command = command(ZYGOTE, "report");
    command.arg("-").stdin(Stdio::Null).stdout(to_us);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut said = String::new();
    std::fs::File::from(from_child).read_to_string(&mut said).unwrap();
    assert!(said.contains("fd 0 "));
    assert_eq!(child.wait().unwrap(), Exit::Status(0));
}
