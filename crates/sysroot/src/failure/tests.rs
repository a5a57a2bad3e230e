//! Failures on their way to another process.

use super::*;

#[test]
fn failures_come_back_as_they_were() {
    for step in STEPS {
        let failure = at(step, "/a path")(Errno::NOENT);
        assert_eq!(Failure::from_bytes(&failure.to_bytes()), Some(failure));
    }
}

#[test]
fn what_is_no_failure_is_not_read() {
    for bytes in [&[][..], &[0, 1, 2, 3], &[STEPS.len() as u8, 0, 0, 0, 0, b'x']] {
        assert_eq!(Failure::from_bytes(bytes), None, "{bytes:?}");
    }
}
