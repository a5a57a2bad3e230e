//! Stamps as old as their files, and stamps written by another program.

use std::path::PathBuf;

use rusk_testkit::project::Project;

use super::*;

/// A project with a stamp that has the fingerprint of each file, and is as old as they are.
fn stage(parts: &[(&str, FileRole)], clock: impl Fn(&Project) -> FileClock) -> Project {
    let project =
        Project::with(&[("file", "text"), ("configuration", "text"), ("node_modules/.rusk/still", "")]);
    let dir = sys::open_directory(sys::CWD, project.path()).expect("it is there");
    let mut writer = StampWriter::new("asked", "configured", 7);
    for (path, role) in parts {
        let fingerprint = sys::lstatx(dir.as_fd(), *path).ok().as_ref().map(FileFingerprint::of);
        writer.add(fingerprint, clock(&project), *role, path).expect("a plain name");
    }
    writer.write(dir.as_fd());
    let opened = std::fs::File::options().write(true).open(witness_of(&project)).expect("it was written");
    opened.set_modified(std::fs::metadata(project.path().join("file")).unwrap().modified().unwrap()).unwrap();
    project
}

fn witness_of(project: &Project) -> PathBuf {
    project.path().join("node_modules/.rusk/still")
}

fn installed(project: &Project, digest: RequestDigest<'_>) -> Option<usize> {
    InstallStamp::find(&project.path())?.installed(digest)
}

const UNREAD: RequestDigest<'_> = RequestDigest::BeforeConfiguration("asked");
const CONFIGURED: RequestDigest<'_> = RequestDigest::AfterConfiguration("configured");

/// Whether a file counts as unchanged that was written at the same time as the stamp, with such a
/// clock.
#[track_caller]
fn check(clock: impl Fn(&Project) -> FileClock, counts: bool) {
    let parts = ["node_modules", "file", "nothing"].map(|path| (path, FileRole::Project));
    let project = stage(&parts, clock);
    assert_eq!(installed(&project, UNREAD), counts.then_some(7));
    assert_eq!(installed(&project, CONFIGURED), counts.then_some(7));
    project.write("file", "another string");
    assert_eq!(installed(&project, UNREAD), None);
    assert_eq!(installed(&project, CONFIGURED), None);
}

fn device(path: &Path) -> Device {
    Device::of(&sys::lstatx(sys::CWD, path).expect("it is there"))
}

fn fine(project: &Project) -> FileClock {
    FileClock::Fine(device(&project.path()))
}

#[test]
fn a_recent_change_is_noticed_with_a_fine_clock() {
    check(fine, true);
    check(|_| FileClock::Coarse, false);
    check(|_| FileClock::Fine(device(Path::new("/proc"))), false);
}

#[test]
fn configuration_files_count_only_before_they_are_read() {
    let project = FileRole::Project;
    let parts = [("node_modules", project), ("file", project), ("configuration", FileRole::Configuration)];
    let project = stage(&parts, fine);
    // Just written.
    assert_eq!(installed(&project, UNREAD), None);
    assert_eq!(installed(&project, CONFIGURED), Some(7));
    project.remove("configuration");
    assert_eq!(installed(&project, CONFIGURED), Some(7));
    assert_eq!(installed(&project, RequestDigest::AfterConfiguration("otherwise")), None);
    project.remove("file");
    assert_eq!(installed(&project, CONFIGURED), None);
}

#[test]
fn a_stamp_without_the_fingerprint_of_node_modules_is_invalid() {
    let known = stage(&[("node_modules", FileRole::Project)], fine);
    assert_eq!(installed(&known, CONFIGURED), Some(7));
    let text = std::fs::read_to_string(witness_of(&known)).unwrap();
    let (head, fingerprint) = text.split_at(text.find("7\n").unwrap() + 2);
    let forged = ["", "-\tnode_modules\n", "-\tnothing\n", "!0 0 0 0\tnode_modules\n", "-\tfile"];
    for lines in
        forged.map(str::to_owned).into_iter().chain([fingerprint.replace("node_modules", "./node_modules")])
    {
        known.write("node_modules/.rusk/still", format!("{head}{}end", lines.trim_end_matches("end")));
        assert_eq!(installed(&known, CONFIGURED), None, "{lines}");
    }
    let older = text.replace(HEAD, "rusk still 4");
    for damaged in ["", "\n", "end", older.as_str(), &text[..text.len() - 1], &text.replace('\t', " ")] {
        known.write("node_modules/.rusk/still", damaged);
        assert_eq!(installed(&known, CONFIGURED), None, "{damaged}");
    }
    // Copied to another directory.
    let other = stage(&[], fine);
    other.write("node_modules/.rusk/still", text);
    assert_eq!(installed(&other, CONFIGURED), None);
}
