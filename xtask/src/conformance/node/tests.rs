//! The list entries of a file.

use super::*;

#[test]
fn a_reason_names_no_directory() {
    assert_eq!(without_directories("/home/somebody/bin/nop is not available"), "nop is not available");
    assert_eq!(without_directories("no entry in /tmp/run-12/a.blob: Error"), "no entry in a.blob: Error");
    for same in
        ["needs and/or wants", "no match of /ERR_X/. Input", "no match of /Error: the '\\.\\/x'/", "a / b"]
    {
        assert_eq!(without_directories(same), same);
    }
}
