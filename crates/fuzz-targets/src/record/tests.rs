//! A record of several runs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::*;

#[test]
fn runs_add_up() {
    let project = rusk_testkit::project::Project::new();
    let path = project.path().join("fuzz.json");
    let run = |target: &str, seconds, inputs, findings| FuzzTime {
        target: target.to_owned(),
        seconds,
        guided_seconds: seconds / 2,
        inputs,
        findings,
    };
    assert_eq!(read(&path).unwrap(), []);
    add(&path, &run("tarball", 60, 1000, 0)).unwrap();
    add(&path, &run("range", 60, 7, 0)).unwrap();
    add(&path, &run("tarball", 40, 500, 1)).unwrap();
    assert_eq!(read(&path).unwrap(), [run("range", 60, 7, 0), run("tarball", 100, 1500, 1)]);
    std::fs::write(&path, "[{}]").unwrap();
    assert!(read(&path).is_err() && add(&path, &run("range", 1, 1, 0)).is_err());
}
