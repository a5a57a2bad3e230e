//! Streams and fds: a program gets exactly the fds that were passed, under the requested numbers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use probe::report::{Report, read, report};
use probe::{Role, SPAWN_VARIANTS, SpawnVariant, command, file, identity};
use rusk_spawn::{Command, Environment, Exit, Mode, Stdio, Step, TableChoice};

mod probe;

const ROLES: &[Role] = &[
    ("many_open", many_open),
    ("given-up", donated),
    ("replaced", replaced),
    ("closed-streams", closed_streams),
    ("narrow", narrow),
    ("inherited", inherited),
];

#[test]
fn each_stream_is_as_configured() {
    let null = identity(File::open("/dev/null").unwrap());
    for variant in SPAWN_VARIANTS {
        let own = file("");
        let own_is = identity(&own);
        let (errors, copy) = (file(""), file(""));
        let found = report(*variant, |command| {
            command.stdin(Stdio::Null).stderr(Stdio::from(errors.try_clone().unwrap()));
        });
        let wanted = [(0, null.clone()), (2, identity(&errors))];
        assert!(wanted.iter().all(|pair| found.fds()[&pair.0] == pair.1), "{variant:?} {found:?}");
        assert_eq!(found.numbers(), [0, 1, 2], "{variant:?}");

        let found = report(*variant, |command| {
            command.stdin(own).stderr(Stdio::copy_of(&copy).unwrap());
        });
        let fds = found.fds();
        assert_eq!((&fds[&0], &fds[&2]), (&own_is, &identity(&copy)), "{variant:?}");

        let found = report(*variant, |command| {
            command.stdin(Stdio::Closed).stderr(Stdio::Closed);
        });
        assert_eq!(found.numbers(), [1], "{variant:?}");
        let found = report(*variant, |command| {
            command.stdin(Stdio::Inherit).stderr(Stdio::Inherit);
        });
        let inherited = [identity(std::io::stdin()), identity(std::io::stderr())];
        assert_eq!([&found.fds()[&0], &found.fds()[&2]], [&inherited[0], &inherited[1]]);
    }
}

#[test]
fn null_and_closed_streams_leak_nothing() {
    let dir = probe::dir("all-null");
    let null = identity(File::open("/dev/null").unwrap());
    for (index, variant) in SPAWN_VARIANTS.iter().enumerate() {
        for (streams, wanted) in [(Stdio::Null, vec![0, 1, 2]), (Stdio::Closed, vec![])] {
            let path = dir.join(format!("{index}-{}", wanted.len()));
            let mut command = command(*variant, "report");
            command.arg(&path).stdin(streams.clone()).stdout(streams.clone()).stderr(streams);
            assert_eq!(command.spawn().unwrap().wait().unwrap(), Exit::Status(0), "{variant:?}");
            let found = Report::parse(&std::fs::read_to_string(&path).unwrap());
            assert_eq!(found.numbers(), wanted, "{variant:?}");
            assert!(found.fds().values().all(|identity| *identity == null), "{variant:?}");
        }
    }
}

/// Passes these files under these numbers; the numbers may be each other's fds here.
#[track_caller]
fn check_map(variant: SpawnVariant, files: Vec<OwnedFd>, numbers: &[RawFd]) {
    let wanted: Vec<(RawFd, String)> = numbers.iter().copied().zip(files.iter().map(identity)).collect();
    let mut command = command(variant, "report");
    command.arg("-").stdout(Stdio::Pipe);
    for (file, number) in files.into_iter().zip(numbers) {
        command.fd(file, *number);
    }
    let found = read(&command, variant).fds();
    let others = found.keys().filter(|number| **number > 2).count();
    let wrong = wanted.iter().find(|(number, identity)| found.get(number) != Some(identity));
    assert_eq!((wrong, others), (None, numbers.len()), "{variant:?} {numbers:?} {found:?}");
}

#[test]
fn fds_are_mapped_in_any_permutation() {
    for variant in SPAWN_VARIANTS {
        let files = |count: usize| (0..count).map(|_| file("")).collect::<Vec<OwnedFd>>();
        let numbers = |files: &[OwnedFd]| files.iter().map(AsRawFd::as_raw_fd).collect::<Vec<RawFd>>();
        check_map(*variant, files(1), &[3]);
        check_map(*variant, files(2), &[4, 3]);
        check_map(*variant, files(4), &[6, 3, 5, 4]);
        check_map(*variant, files(2), &[900, 3]);
        let own = files(3);
        let same = numbers(&own);
        check_map(*variant, own, &same);
        let own = files(2);
        let [first, second] = numbers(&own)[..] else { unreachable!() };
        check_map(*variant, own, &[second, first]);
        let own = files(5);
        let mut rotated = numbers(&own);
        rotated.rotate_left(2);
        check_map(*variant, own, &rotated);
        // 250 and the standard streams fit in one message; more take another path.
        for count in [200, 249, 250, 251, 400] {
            if variant.mode == Mode::Zygote && count > ZYGOTE_MAX {
                check_too_many(*variant, count);
                continue;
            }
            let own = files(count);
            let mut rotated = numbers(&own);
            rotated.rotate_left(count / 3);
            check_map(*variant, own, &rotated);
            check_map(*variant, files(count), &(3..3 + count as RawFd).rev().collect::<Vec<RawFd>>());
        }
    }
}

/// Besides the three streams, the memfd and the working directory.
const ZYGOTE_MAX: usize = 248;

/// Modes that depend on one message fail above its limit.
#[track_caller]
fn check_too_many(variant: SpawnVariant, count: usize) {
    let mut command = command(variant, "report");
    for number in 0..count {
        command.fd(file(""), 3 + number as RawFd);
    }
    let error = command.spawn().unwrap_err();
    assert_eq!((error.step(), error.errno()), (Step::Zygote, libc::E2BIG));
}

#[test]
fn one_fd_may_be_several_streams() {
    for variant in SPAWN_VARIANTS {
        let both = file("");
        let found = report(*variant, |command| {
            let both = std::sync::Arc::new(both.try_clone().unwrap());
            command.stdin(Stdio::Fd(both.clone())).stderr(Stdio::Fd(both));
        });
        let fds = found.fds();
        assert_eq!([&fds[&0], &fds[&2]], [&identity(&both); 2], "{variant:?}");
    }
}

#[test]
fn an_invalid_number_is_an_error() {
    let check = |numbers: &[RawFd], errno: i32| {
        let mut command = Command::new("true");
        for number in numbers {
            command.fd(file(""), *number);
        }
        let error = command.spawn().unwrap_err();
        assert_eq!((error.step(), error.errno()), (Step::Command, errno), "{numbers:?}");
    };
    check(&[2], libc::EINVAL);
    check(&[-1], libc::EINVAL);
    check(&[7, 8, 7], libc::EINVAL);
    check(&[RawFd::MAX], libc::EBADF);
}

#[test]
fn the_end_is_seen_when_the_child_closes_its_end() {
    for variant in SPAWN_VARIANTS {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo said; exec >&- 2>&-; read line"]).mode(variant.mode).table(variant.table);
        command.stdin(Stdio::Pipe).stdout(Stdio::Pipe).stderr(Stdio::Pipe);
        let mut child = command.spawn().unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((said.as_str(), child.try_wait().unwrap()), ("said\n", None), "{variant:?}");
        child.stdin.take().unwrap().write_all(b"line\n").unwrap();
        assert_eq!(child.wait().unwrap(), Exit::Status(0), "{variant:?}");
    }
}

#[test]
fn the_end_of_input_is_seen_when_the_parent_drops_it() {
    for variant in SPAWN_VARIANTS {
        let mut command = Command::new("cat");
        command.stdin(Stdio::Pipe).stdout(Stdio::Null).mode(variant.mode).table(variant.table);
        let mut children: Vec<_> = (0..10).map(|_| command.spawn().unwrap()).collect();
        for child in &mut children {
            assert_eq!(child.wait().unwrap(), Exit::Status(0), "{variant:?}");
        }
    }
}

#[test]
fn other_fds_are_closed_however_many_are_open() {
    probe::run_role_in_every_variant("many_open");
}

/// First none, then low fds below the relay's, then thousands; each open across exec.
fn many_open(args: &[String]) {
    let variant = probe::variant(args);
    probe::close_inherited();
    let check = |what: &str| {
        let given = file("");
        let found = report(variant, |command| {
            command.fd(given.try_clone().unwrap(), 5);
        });
        assert_eq!(found.numbers(), [0, 1, 2, 5], "{variant:?} {what}");
        assert_eq!(found.fds()[&5], identity(&given), "{variant:?} {what}");
    };
    for number in 3..40 {
        probe::put_at(std::io::stdin(), number);
    }
    check("low numbers");
    for number in (3..40).step_by(2) {
        probe::close(number);
    }
    check("gaps");
    for number in 300..probe::raise_number_limit().min(5000) {
        probe::put_at(std::io::stdin(), number);
    }
    check("thousands");
    check("once more");
    let chosen = SpawnVariant { mode: variant.mode, table: TableChoice::Chosen };
    // Often enough to sample how many are open.
    for round in 0..100 {
        assert_eq!(report(chosen, |_| {}).numbers(), [0, 1, 2], "{chosen:?} round {round}");
        let pipes = report(chosen, |command| _ = command.stdin(Stdio::Pipe).stderr(Stdio::Pipe));
        assert_eq!(pipes.numbers(), [0, 1, 2], "{chosen:?} round {round}");
    }
}

#[test]
fn a_donated_number_serves_if_low_ones_have_run_out() {
    probe::run_role("given-up", &[]);
}

fn donated(_words: &[String]) {
    probe::close_inherited();
    for number in 3..300 {
        probe::put_at(std::io::stdin(), number);
    }
    assert_eq!(rusk_spawn::reserve(1).unwrap(), 0);
    let place = |number| {
        // SAFETY: just opened, and not owned elsewhere.
        unsafe { OwnedFd::from_raw_fd(number) }
    };
    assert!(!rusk_spawn::reserve_at(place(290)).unwrap());
    assert!(rusk_spawn::reserve_at(place(17)).unwrap());
    assert_eq!(rusk_spawn::reserve(1).unwrap(), 1);
    let shared = SpawnVariant { mode: Mode::Direct, table: TableChoice::Shared };
    for round in 0..3 {
        let given = file("");
        let found = report(shared, |command| {
            command.stdin(Stdio::Pipe).fd(given.try_clone().unwrap(), 5);
        });
        assert_eq!(found.numbers(), [0, 1, 2, 5], "{round}");
        assert_eq!(found.fds()[&5], identity(&given), "{round}");
    }
}

#[test]
fn the_child_gets_the_fds_as_of_the_spawn() {
    probe::run_role_in_every_variant("replaced");
}

/// The passed fds are closed, and their numbers reused, as soon as the call has returned.
fn replaced(args: &[String]) {
    let variant = probe::variant(args);
    for round in 0..100 {
        let (own, other, inherited) = (file(""), file(""), file(""));
        let wanted = [identity(&own), identity(&inherited)];
        probe::put_at(&inherited, 0);
        let number = own.as_raw_fd();
        let mut command = command(variant, "report");
        command.arg("-").stdout(Stdio::Pipe).fd(own, 9);
        let mut child = command.spawn().unwrap();
        drop(command);
        probe::put_at(&other, number);
        probe::put_at(&other, 0);
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap(), Exit::Status(0));
        let found = Report::parse(&text).fds();
        assert_eq!([&found[&9], &found[&0]], [&wanted[0], &wanted[1]], "{variant:?} round {round}");
        probe::close(number);
    }
}

#[test]
fn a_process_without_standard_streams_starts_programs() {
    probe::run_role_in_every_variant("closed-streams");
}

/// Streams that are closed here are closed in the child, unless the command sets them.
fn closed_streams(args: &[String]) {
    let variant = probe::variant(args);
    let null = identity(File::open("/dev/null").unwrap());
    // Created while 0 is taken.
    let given: Vec<OwnedFd> = (0..3).map(|_| file("")).collect();
    probe::close(0);
    for (round, given) in given.into_iter().enumerate() {
        assert_eq!(report(variant, |_| {}).numbers(), [1, 2], "{variant:?} round {round}");
        let found = report(variant, |command| _ = command.stdin(Stdio::Closed));
        assert_eq!(found.numbers(), [1, 2], "{variant:?} round {round}");
        let found = report(variant, |command| _ = command.stdin(Stdio::Closed).stderr(Stdio::Null));
        assert_eq!(found.numbers(), [1, 2], "{variant:?} round {round}");
        let found = report(variant, |command| _ = command.stderr(Stdio::Null));
        assert_eq!((found.numbers(), &found.fds()[&2]), (vec![1, 2], &null), "{variant:?}");
        let found = report(variant, |command| _ = command.stdin(Stdio::Null));
        assert_eq!((found.numbers(), &found.fds()[&0]), (vec![0, 1, 2], &null), "{variant:?}");
        let found = report(variant, |command| _ = command.fd(given, 3));
        assert_eq!(found.numbers(), [1, 2, 3], "{variant:?} round {round}");
    }
    let mut cat = Command::new("cat");
    cat.stdin(Stdio::Pipe).stdout(Stdio::Pipe).mode(variant.mode).table(variant.table);
    let mut cat = cat.spawn().unwrap();
    // Alive during the next start: its fds here must not be at 0.
    assert_eq!(report(variant, |_| {}).numbers(), [1, 2], "{variant:?} beside another");
    assert_eq!(cat.wait().unwrap(), Exit::Status(0));
    for number in [1, 2] {
        probe::close(number);
    }
    let found = report(variant, |command| _ = command.stderr(Stdio::Closed));
    assert_eq!(found.numbers(), [1], "{variant:?} with all closed");
}

#[test]
fn the_highest_number_that_the_limit_allows_can_be_given() {
    probe::run_role_in_every_variant("narrow");
}

/// Two sources are on each other's targets, one of which is the highest possible number.
fn narrow(args: &[String]) {
    const NUMBERS_MAX: RawFd = 64;
    let variant = probe::variant(args);
    probe::close_inherited();
    let limit = libc::rlimit { rlim_cur: NUMBERS_MAX as u64, rlim_max: NUMBERS_MAX as u64 };
    // SAFETY: the kernel reads one limit.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) }, 0);
    check_map(variant, vec![file("")], &[NUMBERS_MAX - 1]);
    let high = file("");
    probe::put_at(&high, NUMBERS_MAX - 1);
    // SAFETY: just created, and not owned elsewhere.
    let high: OwnedFd = unsafe { std::os::fd::FromRawFd::from_raw_fd(NUMBERS_MAX - 1) };
    let low = file("");
    let low_number = low.as_raw_fd();
    check_map(variant, vec![high, low], &[low_number, NUMBERS_MAX - 1]);
    let mut command = command(variant, "report");
    command.arg("-").fd(file(""), NUMBERS_MAX);
    let error = command.spawn().unwrap().wait().unwrap_err();
    assert_eq!((error.step(), error.errno()), (Step::Place, libc::EBADF), "{variant:?}");
}

#[test]
fn other_fds_are_inherited_if_enabled() {
    probe::run_role_in_every_variant("inherited");
}

fn inherited(args: &[String]) {
    let variant = probe::variant(args);
    probe::close_inherited();
    if variant.mode == Mode::Zygote {
        let error = command(variant, "report").keep_other_fds(true).spawn().unwrap_err();
        return assert_eq!((error.step(), error.errno()), (Step::Command, libc::ENOTSUP));
    }
    let (inherited, given, closed_by_exec) = (file(""), file(""), file(""));
    probe::put_at(&inherited, 20);
    let found = report(variant, |command| {
        command.fd(given.try_clone().unwrap(), 9).keep_other_fds(true);
        command.environment(Environment::pack([("A", "1")]));
    });
    assert_eq!(found.numbers(), [0, 1, 2, 9, 20], "{variant:?}");
    let fds = found.fds();
    assert_eq!([&fds[&9], &fds[&20]], [&identity(&given), &identity(&inherited)], "{variant:?}");
    drop(closed_by_exec);

    // A callback's fd is closed by exec, however it was opened.
    unsafe extern "C" fn nothing(_context: *mut std::ffi::c_void, _to_parent: i32) -> i32 {
        0
    }
    let to_parent = file("");
    probe::put_at(&to_parent, 40);
    // SAFETY: just created, and not owned elsewhere; the callback makes no call at all.
    let found = report(variant, |command| unsafe {
        let to_parent = std::os::fd::FromRawFd::from_raw_fd(40);
        command.callback(nothing, std::ptr::null_mut(), Some(to_parent)).keep_other_fds(true);
    });
    assert_eq!(found.numbers(), [0, 1, 2, 20], "{variant:?}");
}
