//! Streams and descriptors: what a program was given is what it finds, under the numbers that were
//! asked for, and it finds nothing else.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use probe::report::{Report, read, report};
use probe::{Role, WAYS, Way, command, file, identity};
use rusk_spawn::{Command, Environment, Exit, Mode, Stdio, Step, TableChoice};

mod probe;

const ROLES: &[Role] = &[
    ("crowded", crowded),
    ("given-up", given_up),
    ("replaced", replaced),
    ("closed-streams", closed_streams),
    ("narrow", narrow),
    ("kept", kept),
];

#[test]
fn each_stream_is_what_was_asked_for() {
    let null = identity(File::open("/dev/null").unwrap());
    for way in WAYS {
        let own = file("");
        let own_is = identity(&own);
        let (errors, copy) = (file(""), file(""));
        let found = report(*way, |command| {
            command.stdin(Stdio::Null).stderr(Stdio::from(errors.try_clone().unwrap()));
        });
        let wanted = [(0, null.clone()), (2, identity(&errors))];
        assert!(wanted.iter().all(|pair| found.descriptors()[&pair.0] == pair.1), "{way:?} {found:?}");
        assert_eq!(found.numbers(), [0, 1, 2], "{way:?}");

        let found = report(*way, |command| {
            command.stdin(own).stderr(Stdio::copy_of(&copy).unwrap());
        });
        let descriptors = found.descriptors();
        assert_eq!((&descriptors[&0], &descriptors[&2]), (&own_is, &identity(&copy)), "{way:?}");

        let found = report(*way, |command| {
            command.stdin(Stdio::Closed).stderr(Stdio::Closed);
        });
        assert_eq!(found.numbers(), [1], "{way:?}");
        let found = report(*way, |command| {
            command.stdin(Stdio::Inherit).stderr(Stdio::Inherit);
        });
        let inherited = [identity(std::io::stdin()), identity(std::io::stderr())];
        assert_eq!([&found.descriptors()[&0], &found.descriptors()[&2]], [&inherited[0], &inherited[1]]);
    }
}

#[test]
fn streams_that_are_all_null_or_closed_leave_nothing() {
    let folder = probe::folder("all-null");
    let null = identity(File::open("/dev/null").unwrap());
    for (index, way) in WAYS.iter().enumerate() {
        for (streams, wanted) in [(Stdio::Null, vec![0, 1, 2]), (Stdio::Closed, vec![])] {
            let path = folder.join(format!("{index}-{}", wanted.len()));
            let mut command = command(*way, "report");
            command.arg(&path).stdin(streams.clone()).stdout(streams.clone()).stderr(streams);
            assert_eq!(command.spawn().unwrap().wait().unwrap(), Exit::Status(0), "{way:?}");
            let found = Report::parse(&std::fs::read_to_string(&path).unwrap());
            assert_eq!(found.numbers(), wanted, "{way:?}");
            assert!(found.descriptors().values().all(|identity| *identity == null), "{way:?}");
        }
    }
}

/// Gives these files these numbers; the numbers may be each other's places here.
#[track_caller]
fn check_map(way: Way, files: Vec<OwnedFd>, numbers: &[RawFd]) {
    let wanted: Vec<(RawFd, String)> = numbers.iter().copied().zip(files.iter().map(identity)).collect();
    let mut command = command(way, "report");
    command.arg("-").stdout(Stdio::Pipe);
    for (file, number) in files.into_iter().zip(numbers) {
        command.descriptor(file, *number);
    }
    let found = read(&command, way).descriptors();
    let others = found.keys().filter(|number| **number > 2).count();
    let wrong = wanted.iter().find(|(number, identity)| found.get(number) != Some(identity));
    assert_eq!((wrong, others), (None, numbers.len()), "{way:?} {numbers:?} {found:?}");
}

#[test]
fn descriptors_come_in_any_permutation() {
    for way in WAYS {
        let files = |count: usize| (0..count).map(|_| file("")).collect::<Vec<OwnedFd>>();
        let numbers = |files: &[OwnedFd]| files.iter().map(AsRawFd::as_raw_fd).collect::<Vec<RawFd>>();
        check_map(*way, files(1), &[3]);
        check_map(*way, files(2), &[4, 3]);
        check_map(*way, files(4), &[6, 3, 5, 4]);
        check_map(*way, files(2), &[900, 3]);
        let own = files(3);
        let same = numbers(&own);
        check_map(*way, own, &same);
        let own = files(2);
        let [first, second] = numbers(&own)[..] else { unreachable!() };
        check_map(*way, own, &[second, first]);
        let own = files(5);
        let mut rotated = numbers(&own);
        rotated.rotate_left(2);
        check_map(*way, own, &rotated);
        // 250 and the standard streams are what one message carries; one more goes another way.
        for count in [200, 249, 250, 251, 400] {
            if way.mode == Mode::Zygote && count > ZYGOTE_MAX {
                check_too_many(*way, count);
                continue;
            }
            let own = files(count);
            let mut rotated = numbers(&own);
            rotated.rotate_left(count / 3);
            check_map(*way, own, &rotated);
            check_map(*way, files(count), &(3..3 + count as RawFd).rev().collect::<Vec<RawFd>>());
        }
    }
}

/// Beside the three streams, the words and the working directory.
const ZYGOTE_MAX: usize = 248;

/// What goes through a message alone ends where that ends.
#[track_caller]
fn check_too_many(way: Way, count: usize) {
    let mut command = command(way, "report");
    for number in 0..count {
        command.descriptor(file(""), 3 + number as RawFd);
    }
    let error = command.spawn().unwrap_err();
    assert_eq!((error.step(), error.errno()), (Step::Zygote, libc::E2BIG));
}

#[test]
fn one_descriptor_may_be_several_streams() {
    for way in WAYS {
        let both = file("");
        let found = report(*way, |command| {
            let both = std::sync::Arc::new(both.try_clone().unwrap());
            command.stdin(Stdio::Descriptor(both.clone())).stderr(Stdio::Descriptor(both));
        });
        let descriptors = found.descriptors();
        assert_eq!([&descriptors[&0], &descriptors[&2]], [&identity(&both); 2], "{way:?}");
    }
}

#[test]
fn a_number_that_cannot_be_is_refused() {
    let check = |numbers: &[RawFd], errno: i32| {
        let mut command = Command::new("true");
        for number in numbers {
            command.descriptor(file(""), *number);
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
    for way in WAYS {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo said; exec >&- 2>&-; read line"]).mode(way.mode).table(way.table);
        command.stdin(Stdio::Pipe).stdout(Stdio::Pipe).stderr(Stdio::Pipe);
        let mut child = command.spawn().unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((said.as_str(), child.try_wait().unwrap()), ("said\n", None), "{way:?}");
        child.stdin.take().unwrap().write_all(b"line\n").unwrap();
        assert_eq!(child.wait().unwrap(), Exit::Status(0), "{way:?}");
    }
}

#[test]
fn the_end_of_input_is_seen_when_the_parent_drops_it() {
    for way in WAYS {
        let mut command = Command::new("cat");
        command.stdin(Stdio::Pipe).stdout(Stdio::Null).mode(way.mode).table(way.table);
        let mut children: Vec<_> = (0..10).map(|_| command.spawn().unwrap()).collect();
        for child in &mut children {
            assert_eq!(child.wait().unwrap(), Exit::Status(0), "{way:?}");
        }
    }
}

#[test]
fn nothing_else_is_open_however_much_is_open_here() {
    probe::run_role_in_every_way("crowded");
}

/// Nothing, then low numbers below the relay's, then thousands; each open across exec.
fn crowded(words: &[String]) {
    let way = probe::way(words);
    probe::close_inherited();
    let check = |what: &str| {
        let given = file("");
        let found = report(way, |command| {
            command.descriptor(given.try_clone().unwrap(), 5);
        });
        assert_eq!(found.numbers(), [0, 1, 2, 5], "{way:?} {what}");
        assert_eq!(found.descriptors()[&5], identity(&given), "{way:?} {what}");
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
    let chosen = Way { mode: way.mode, table: TableChoice::Chosen };
    // Often enough to find out how many are open.
    for round in 0..100 {
        assert_eq!(report(chosen, |_| {}).numbers(), [0, 1, 2], "{chosen:?} round {round}");
        let pipes = report(chosen, |command| _ = command.stdin(Stdio::Pipe).stderr(Stdio::Pipe));
        assert_eq!(pipes.numbers(), [0, 1, 2], "{chosen:?} round {round}");
    }
}

#[test]
fn a_number_that_is_given_up_serves_where_low_ones_have_run_out() {
    probe::run_role("given-up", &[]);
}

fn given_up(_words: &[String]) {
    probe::close_inherited();
    for number in 3..300 {
        probe::put_at(std::io::stdin(), number);
    }
    assert_eq!(rusk_spawn::reserve(1).unwrap(), 0);
    let place = |number| {
        // SAFETY: open since a moment ago, and nobody else's.
        unsafe { OwnedFd::from_raw_fd(number) }
    };
    assert!(!rusk_spawn::reserve_at(place(290)).unwrap());
    assert!(rusk_spawn::reserve_at(place(17)).unwrap());
    assert_eq!(rusk_spawn::reserve(1).unwrap(), 1);
    let shared = Way { mode: Mode::Direct, table: TableChoice::Shared };
    for round in 0..3 {
        let given = file("");
        let found = report(shared, |command| {
            command.stdin(Stdio::Pipe).descriptor(given.try_clone().unwrap(), 5);
        });
        assert_eq!(found.numbers(), [0, 1, 2, 5], "{round}");
        assert_eq!(found.descriptors()[&5], identity(&given), "{round}");
    }
}

#[test]
fn what_was_there_at_the_spawn_is_what_the_child_gets() {
    probe::run_role_in_every_way("replaced");
}

/// What was given is closed, and its number taken by something else, as soon as the call has
/// returned.
fn replaced(words: &[String]) {
    let way = probe::way(words);
    for round in 0..100 {
        let (own, other, inherited) = (file(""), file(""), file(""));
        let wanted = [identity(&own), identity(&inherited)];
        probe::put_at(&inherited, 0);
        let number = own.as_raw_fd();
        let mut command = command(way, "report");
        command.arg("-").stdout(Stdio::Pipe).descriptor(own, 9);
        let mut child = command.spawn().unwrap();
        drop(command);
        probe::put_at(&other, number);
        probe::put_at(&other, 0);
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap(), Exit::Status(0));
        let found = Report::parse(&text).descriptors();
        assert_eq!([&found[&9], &found[&0]], [&wanted[0], &wanted[1]], "{way:?} round {round}");
        probe::close(number);
    }
}

#[test]
fn a_process_without_standard_streams_starts_programs() {
    probe::run_role_in_every_way("closed-streams");
}

/// Streams that are closed here are closed there, unless the command says what they are.
fn closed_streams(words: &[String]) {
    let way = probe::way(words);
    let null = identity(File::open("/dev/null").unwrap());
    // Made while 0 is taken.
    let given: Vec<OwnedFd> = (0..3).map(|_| file("")).collect();
    probe::close(0);
    for (round, given) in given.into_iter().enumerate() {
        assert_eq!(report(way, |_| {}).numbers(), [1, 2], "{way:?} round {round}");
        let found = report(way, |command| _ = command.stdin(Stdio::Closed));
        assert_eq!(found.numbers(), [1, 2], "{way:?} round {round}");
        let found = report(way, |command| _ = command.stdin(Stdio::Closed).stderr(Stdio::Null));
        assert_eq!(found.numbers(), [1, 2], "{way:?} round {round}");
        let found = report(way, |command| _ = command.stderr(Stdio::Null));
        assert_eq!((found.numbers(), &found.descriptors()[&2]), (vec![1, 2], &null), "{way:?}");
        let found = report(way, |command| _ = command.stdin(Stdio::Null));
        assert_eq!((found.numbers(), &found.descriptors()[&0]), (vec![0, 1, 2], &null), "{way:?}");
        let found = report(way, |command| _ = command.descriptor(given, 3));
        assert_eq!(found.numbers(), [1, 2, 3], "{way:?} round {round}");
    }
    let mut cat = Command::new("cat");
    cat.stdin(Stdio::Pipe).stdout(Stdio::Pipe).mode(way.mode).table(way.table);
    let mut cat = cat.spawn().unwrap();
    // Alive while the next starts: what it has of ours must not be at 0.
    assert_eq!(report(way, |_| {}).numbers(), [1, 2], "{way:?} beside another");
    assert_eq!(cat.wait().unwrap(), Exit::Status(0));
    for number in [1, 2] {
        probe::close(number);
    }
    let found = report(way, |command| _ = command.stderr(Stdio::Closed));
    assert_eq!(found.numbers(), [1], "{way:?} with all closed");
}

#[test]
fn the_highest_number_that_the_limit_allows_can_be_given() {
    probe::run_role_in_every_way("narrow");
}

/// Two sources lie on each other's targets, one of which is the last number there is.
fn narrow(words: &[String]) {
    const NUMBERS_MAX: RawFd = 64;
    let way = probe::way(words);
    probe::close_inherited();
    let limit = libc::rlimit { rlim_cur: NUMBERS_MAX as u64, rlim_max: NUMBERS_MAX as u64 };
    // SAFETY: the kernel reads one limit.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &limit) }, 0);
    check_map(way, vec![file("")], &[NUMBERS_MAX - 1]);
    let high = file("");
    probe::put_at(&high, NUMBERS_MAX - 1);
    // SAFETY: just made, and nobody else's.
    let high: OwnedFd = unsafe { std::os::fd::FromRawFd::from_raw_fd(NUMBERS_MAX - 1) };
    let low = file("");
    let low_number = low.as_raw_fd();
    check_map(way, vec![high, low], &[low_number, NUMBERS_MAX - 1]);
    let mut command = command(way, "report");
    command.arg("-").descriptor(file(""), NUMBERS_MAX);
    let error = command.spawn().unwrap().wait().unwrap_err();
    assert_eq!((error.step(), error.errno()), (Step::Place, libc::EBADF), "{way:?}");
}

#[test]
fn others_are_kept_if_so_wanted() {
    probe::run_role_in_every_way("kept");
}

fn kept(words: &[String]) {
    let way = probe::way(words);
    probe::close_inherited();
    if way.mode == Mode::Zygote {
        let error = command(way, "report").keep_other_descriptors(true).spawn().unwrap_err();
        return assert_eq!((error.step(), error.errno()), (Step::Command, libc::ENOTSUP));
    }
    let (kept, given, closed_by_exec) = (file(""), file(""), file(""));
    probe::put_at(&kept, 20);
    let found = report(way, |command| {
        command.descriptor(given.try_clone().unwrap(), 9).keep_other_descriptors(true);
        command.environment(Environment::pack([("A", "1")]));
    });
    assert_eq!(found.numbers(), [0, 1, 2, 9, 20], "{way:?}");
    let descriptors = found.descriptors();
    assert_eq!([&descriptors[&9], &descriptors[&20]], [&identity(&given), &identity(&kept)], "{way:?}");
    drop(closed_by_exec);

    // What a callback is given is closed by exec, however it was opened.
    unsafe extern "C" fn nothing(_context: *mut std::ffi::c_void, _to_parent: i32) -> i32 {
        0
    }
    let to_parent = file("");
    probe::put_at(&to_parent, 40);
    // SAFETY: just made, and nobody else's; the callback makes no call at all.
    let found = report(way, |command| unsafe {
        let to_parent = std::os::fd::FromRawFd::from_raw_fd(40);
        command.callback(nothing, std::ptr::null_mut(), Some(to_parent)).keep_other_descriptors(true);
    });
    assert_eq!(found.numbers(), [0, 1, 2, 20], "{way:?}");
}
