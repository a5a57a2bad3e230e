//! A witness that is as old as what it names.

use rusk_testkit::project::Project;

use super::*;

/// Whether a file counts as unchanged that was written as late as the witness that was written by such a clock.
#[track_caller]
fn check(clock: impl Fn(&Project) -> FileClock, counts: bool) {
    let project = Project::with(&[("file", "text")]);
    let path = project.path().join("file");
    let mark = Mark::of(&sys::lstatx(sys::CURRENT, &path).expect("it is there"));
    let mut draft = Draft::new("asked", "configured", 7);
    draft.add(Some(mark), clock(&project), "file").expect("a plain name");
    draft.add(None, clock(&project), "nothing").expect("a plain name");
    project.write("witness", draft.finish());
    let witness = project.path().join("witness");
    let opened = std::fs::File::options().write(true).open(&witness).expect("it was written");
    opened.set_modified(std::fs::metadata(&path).and_then(|data| data.modified()).unwrap()).unwrap();
    let found = || find(&witness, Asked::Unread("asked"), &project.path());
    assert_eq!(found(), counts.then_some(7));
    project.write("file", "another text");
    assert_eq!(found(), None);
}

#[test]
fn what_changed_a_moment_ago_counts_where_times_tell_it() {
    let device = |path: &Path| Device::of(&sys::lstatx(sys::CURRENT, path).expect("it is there"));
    check(|project| FileClock::Fine(device(&project.path())), true);
    check(|_| FileClock::Coarse, false);
    check(|_| FileClock::Fine(device(Path::new("/proc"))), false);
}
