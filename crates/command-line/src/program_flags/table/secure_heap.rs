//! Flags of OpenSSL's secure heap. In: nothing. Out: rows of the table.

use super::{Action, ProgramFlag};

pub(super) const SIZE: ProgramFlag = ProgramFlag {
    names: &["--secure-heap"],
    value_name: Some("BYTES"),
    help: "Size of OpenSSL's heap for private keys, which is not swapped; a power of 2",
    action: Action::PreloadInternal("internal/crypto/secure_heap"),
};

pub(super) const SMALLEST_PART: ProgramFlag = ProgramFlag {
    names: &["--secure-heap-min"],
    value_name: Some("BYTES"),
    help: "Smallest part of the secure heap; a power of 2",
    action: Action::Pass,
};
