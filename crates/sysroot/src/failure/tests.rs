//! Encoding of failures.

use super::*;

#[test]
fn failures_round_trip() {
    for step in STEPS {
        let failure = at(step, "/a path")(Errno::NOENT);
        assert_eq!(StartFailure::from_bytes(&failure.to_bytes()), Some(failure));
    }
}

#[test]
fn invalid_bytes_are_none() {
    for bytes in [&[][..], &[0, 1, 2, 3], &[STEPS.len() as u8, 0, 0, 0, 0, b'x']] {
        assert_eq!(StartFailure::from_bytes(bytes), None, "{bytes:?}");
    }
}
