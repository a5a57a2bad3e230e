//! The record grows by what is new.

use rusk_testkit::project::Project;

use super::*;

#[test]
fn paths_of_earlier_runs_stay() {
    let project = Project::new();
    let file = project.path().join("cache/granted");
    let (a, b, odd) = (Path::new("/a"), Path::new("/b\n/c"), Path::new("/x\0y"));
    assert_eq!(add(&file, [b]).unwrap(), [b]);
    assert_eq!(add(&file, [a, b, odd]).unwrap(), [a, b]);
    assert_eq!(files::read_bytes(&file, BYTES_MAX).unwrap(), b"/b\n/c\0/a\0");
    assert_eq!(add(&file, []).unwrap(), [a, b]);
}
