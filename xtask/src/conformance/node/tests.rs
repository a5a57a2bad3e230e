//! What a list says of a file.

use super::*;

#[test]
fn a_reason_names_no_folder() {
    assert_eq!(without_folders("/home/somebody/bin/nop is not available"), "nop is not available");
    assert_eq!(without_folders("needs and/or wants"), "needs and/or wants");
}
