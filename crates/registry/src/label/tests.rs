//! URLs and their timeline labels.

use super::*;

#[track_caller]
fn check(address: &str, wanted: &str) {
    assert_eq!(of(&Url::parse(address).expect(address)), wanted);
}

#[test]
fn packuments_are_called_by_their_name() {
    check("https://registry.test/left", "left");
    check("https://registry.test/@scope%2fleft", "@scope/left");
    check("https://registry.test/%40scope%2Fleft", "@scope/left");
    check("https://registry.test/some/path/left", "left");
}

#[test]
fn tarballs_are_called_by_name_and_version() {
    check("https://registry.test/left/-/left-1.0.0.tgz", "left@1.0.0");
    check("https://registry.test/@scope/left/-/left-1.0.0-beta.1.tgz", "@scope/left@1.0.0-beta.1");
    check("https://registry.test/npm/@scope%2fleft/-/left-1.0.0.tgz", "@scope/left@1.0.0");
}

#[test]
fn other_addresses_are_called_by_host_and_path() {
    check("https://files.test/a/b.tgz", "files.test/a/b.tgz");
    check("https://registry.test/left/-/right-1.0.0.tgz", "registry.test/left/-/right-1.0.0.tgz");
    check("https://registry.test/", "registry.test/");
}

#[test]
fn credentials_and_queries_are_left_out() {
    check("https://user:secret@files.test/a/b.tgz?token=secret#secret", "files.test/a/b.tgz");
    check("https://user:secret@registry.test/left?token=secret", "left");
}
