//! Counts compared: what grew, what chance explains, what another machine's libc does.

use super::*;

fn calls(counts: &[(&str, u64)]) -> Calls {
    let counts = counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    Calls { counts, lacks_io_uring: false }
}

#[test]
fn a_call_more_is_named_and_one_of_another_name_instead_is_none() {
    let held = calls(&[("openat", 5), ("read", 2), ("futex", 0)]);
    let check = |now: &[(&str, u64)], expected: Option<&str>| {
        assert_eq!(calls(now).grown(&held).as_deref(), expected, "{now:?}");
    };
    check(&[("openat", 5), ("read", 2)], None);
    check(&[("openat", 6), ("read", 2)], Some("openat 5 -> 6"));
    check(&[("openat", 6), ("read", 1)], None);
    check(&[("openat", 4), ("read", 2), ("statx", 2)], Some("statx 0 -> 2"));
    check(&[("openat", 5), ("read", 2), ("futex", 9), ("fcntl", 9)], None);
}

#[test]
fn calls_of_a_report_are_added_up_by_name() {
    let report = r#"{"calls":[{"name":"read","waits":true,"count":2,"errors":{}},{"name":"read","waits":false,"count":3,"errors":{}},
        {"name":"io_uring_setup","count":1,"errors":{"EPERM":1}}]}"#;
    let expected = Calls { lacks_io_uring: true, ..calls(&[("read", 5), ("io_uring_setup", 1)]) };
    assert_eq!(Calls::of_report(report), Ok(expected));
}

#[test]
fn what_loads_the_program_is_not_its_own() {
    let version = calls(&[("openat", 3), ("mmap", 12), ("ioctl", 2), ("write", 1)]);
    assert_eq!(version.own(Case::Version, &version, false), calls(&[("ioctl", 2), ("write", 1)]));
    let idle = calls(&[("openat", 5), ("mmap", 14), ("ioctl", 2), ("write", 1), ("statx", 2), ("fcntl", 4)]);
    let own = idle.own(Case::Idle, &version, false);
    assert_eq!(own, calls(&[("openat", 2), ("ioctl", 0), ("write", 0), ("statx", 2)]));
    assert_eq!(idle.own(Case::Idle, &version, true).held(), 2);
}
