//! Compares the record of an install with the disk.

use rusk_testkit::project::Project;

use super::*;

/// A project with two packages, and its record.
struct Stage {
    project: Project,
}

fn stat_of(project: BorrowedFd<'_>, path: &str) -> FileStat {
    file_stat::stat_each(project, [path].into_iter(), StatxStrategy::LeastTime)
        .remove(0)
        .expect("it is there")
}

fn render_fingerprint(fingerprint: EntryFingerprint) -> String {
    let mut text = String::new();
    fingerprint.write(&mut text);
    text
}

/// Path of the record.
const PLACE: &str = "node_modules/.rusk/installed";

impl Stage {
    fn new() -> Stage {
        let files = [("node_modules/left/package.json", "{}"), ("node_modules/@s/ui/package.json", "{}")];
        let stage = Stage { project: Project::with(&files) };
        stage.project.write(PLACE, "");
        let dir = sys::open_directory(sys::CWD, stage.project.path()).expect("it is there");
        let location = |path: &str| {
            let fingerprint =
                stat_of(dir.as_fd(), path).package_fingerprint().expect("a directory or a link");
            format!("{path}\tstamp\t{}\n", render_fingerprint(fingerprint))
        };
        let clock = file_clock(dir.as_fd());
        let holder = |path: &str| {
            let mut line = format!("{path}\t");
            push_directory_fingerprint(&mut line, &stat_of(dir.as_fd(), path), clock, &|_| true);
            line + "\n"
        };
        let lines = [
            location("node_modules/@s/ui"),
            location("node_modules/left"),
            holder("node_modules"),
            holder("node_modules/@s"),
        ];
        stage.project.write(PLACE, format!("{HEAD}\n{}end\n", lines.concat()));
        stage.project.write("node_modules/.rusk/bun.lock", LOCK);
        stage
    }

    /// Locations that are accepted, and foreign entries.
    #[track_caller]
    fn check(&self, believed: &[&str], strange: &[&str]) {
        let dir = sys::open_directory(sys::CWD, self.project.path()).expect("it is there");
        let locations = read(dir.as_fd()).locations;
        let (found, ours): (Vec<_>, Vec<_>) = locations.iter().partition(|(_, stamp)| *stamp == FOREIGN);
        assert_eq!(ours.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), believed);
        assert_eq!(found.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), strange);
    }
}

const LOCK: &str = "the lockfile";

/// The lockfile that node_modules was made from, if it is valid.
fn lockfile(project: &Project) -> Option<String> {
    let dir = sys::open_directory(sys::CWD, project.path()).expect("it is there");
    find_lockfile(dir.as_fd()).map(|(text, _)| text)
}

const BOTH: [&str; 2] = ["node_modules/@s/ui", "node_modules/left"];

#[test]
fn a_replaced_location_is_not_accepted() {
    let stage = Stage::new();
    stage.check(&BOTH, &[]);
    // The new directory may get the inode of the old one.
    stage.project.remove("node_modules/left");
    stage.check(&BOTH[..1], &[]);
    stage.project.write("node_modules/left/package.json", "{}");
    stage.check(&BOTH[..1], &["node_modules/left"]);
}

#[test]
fn files_added_in_a_package_are_ignored() {
    let stage = Stage::new();
    stage.project.write("node_modules/left/build/addon.node", "");
    stage.check(&BOTH, &[]);
}

#[test]
fn other_entries_are_foreign() {
    let stage = Stage::new();
    let added = [".package-lock.json", ".cache/file", "@s/other/file", "@t/one/file", "stray/file", "README"];
    for path in added {
        stage.project.write(&format!("node_modules/{path}"), "");
    }
    let strange = ["node_modules/.package-lock.json", "node_modules/@s/other", "node_modules/@t"];
    stage.check(&BOTH, &[&strange[..], &["node_modules/stray"]].concat());
}

/// Whether the contents of a directory are compared, if something was added right before its
/// fingerprint was taken.
fn compares_contents(clock: impl Fn(&Stage) -> FileClock) -> bool {
    let stage = Stage::new();
    stage.project.write("node_modules/stray/package.json", "{}");
    let dir = sys::open_directory(sys::CWD, stage.project.path()).expect("it is there");
    let paths = ["node_modules", "node_modules/@s"];
    let lines = paths.iter().map(|path| {
        let mut line = format!("{path}\t");
        push_directory_fingerprint(&mut line, &stat_of(dir.as_fd(), path), clock(&stage), &|_| false);
        line + "\n"
    });
    stage.project.write(PLACE, format!("{HEAD}\n{}end\n", lines.collect::<String>()));
    // As old as the directory, however busy the host is.
    let changed = std::fs::metadata(stage.project.path().join("node_modules")).unwrap().modified().unwrap();
    let record = std::fs::File::options().write(true).open(stage.project.path().join(PLACE)).unwrap();
    record.set_modified(changed).unwrap();
    read(dir.as_fd()).locations.contains_key("node_modules/stray")
}

#[test]
fn a_recently_changed_directory_is_trusted_with_a_fine_clock() {
    let device = |path: &Path| Device::of(&sys::lstatx(sys::CWD, path).expect("it is there"));
    assert!(!compares_contents(|stage| FileClock::Fine(device(&stage.project.path()))));
    assert!(compares_contents(|_| FileClock::Coarse));
    assert!(compares_contents(|_| FileClock::Fine(device(Path::new("/proc")))));
}

/// Whether a location with another fingerprint than the recorded one is accepted.
#[track_caller]
fn check_replaced(exact: &str, is_believed: bool) {
    let stage = Stage::new();
    let dir = sys::open_directory(sys::CWD, stage.project.path()).expect("it is there");
    let device = Device::of(&sys::lstatx(dir.as_fd(), "node_modules").expect("it is there"));
    let mut line = "node_modules\t".to_owned();
    push_directory_fingerprint(
        &mut line,
        &stat_of(dir.as_fd(), "node_modules"),
        FileClock::Fine(device),
        &|_| exact == COMPLETE,
    );
    let location = "node_modules/left\tstamp\t1 1\n";
    stage.project.write(PLACE, format!("{HEAD}\n{location}{line}\nend\n"));
    assert_eq!(read(dir.as_fd()).locations.contains_key("node_modules/left"), is_believed, "{exact}");
}

#[test]
fn a_location_is_checked_unless_its_directory_was_complete() {
    check_replaced(COMPLETE, true);
    check_replaced(EXACT, false);
}

#[test]
fn a_directory_with_a_forged_time_is_checked() {
    let stage = Stage::new();
    stage.project.write("node_modules/stray/package.json", "{}");
    let path = stage.project.path().join("node_modules");
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    std::fs::File::open(&path).unwrap().set_modified(long_ago).unwrap();
    let inode = std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(&path).unwrap());
    let record =
        |fingerprint: &str| format!("{HEAD}\nnode_modules\t{fingerprint}{inode} 1000000000000000000\nend\n");
    for exact in [EXACT, COMPLETE] {
        stage.project.write(PLACE, record(exact));
        stage.check(&[], &["node_modules/@s", "node_modules/left", "node_modules/stray"]);
    }
    stage.project.write(PLACE, record(""));
    stage.check(&[], &[]);
}

#[test]
fn a_truncated_record_is_ignored() {
    let stage = Stage::new();
    let text = stage.project.read(PLACE);
    stage.project.write(PLACE, text.trim_end_matches("end\n"));
    stage.check(&[], &[]);
    assert_eq!(lockfile(&stage.project), None);
}

#[test]
fn a_stored_lockfile_is_used_while_nothing_changed() {
    let check = |change: &dyn Fn(&Project), counts: bool| {
        let stage = Stage::new();
        change(&stage.project);
        assert_eq!(lockfile(&stage.project).is_some(), counts);
    };
    check(&|_| {}, true);
    let writes = |path: &str, counts: bool| check(&|project| _ = project.write(path, ""), counts);
    writes("node_modules/left/build/addon.node", true);
    writes("node_modules/.cache/file", true);
    writes("node_modules/stray/package.json", false);
    check(&|project| project.remove("node_modules/left"), false);
    check(&|project| project.remove("node_modules/.rusk/installed"), false);
    check(&|project| project.remove("node_modules/.rusk/bun.lock"), false);
}

#[test]
fn a_record_without_locations_has_no_lockfile() {
    let stage = Stage::new();
    stage.project.write(PLACE, format!("{HEAD}\nend\n"));
    assert_eq!(lockfile(&stage.project), None);
}

/// As in a cloned repository that contains a node_modules: the same names, other inodes.
#[test]
fn a_copied_record_is_not_accepted() {
    let stage = Stage::new();
    let (record, other) = (stage.project.read(PLACE), Stage::new());
    other.project.write(PLACE, &record);
    other.check(&[], &["node_modules/@s", "node_modules/@s/ui", "node_modules/left"]);
    assert_eq!(lockfile(&other.project), None);
}

/// How many locations a record leads to that has one line for a package and one for a directory of
/// packages.
fn count(project: &Project, path: &str) -> usize {
    let dir = sys::open_directory(sys::CWD, project.path()).expect("it is there");
    let fingerprint = stat_of(dir.as_fd(), path).package_fingerprint().expect("a directory or a link");
    let fingerprint = render_fingerprint(fingerprint);
    project.write(PLACE, format!("{HEAD}\n{path}\tstamp\t{fingerprint}\n{path}\t0 0\nend\n"));
    read(dir.as_fd()).locations.len()
}

fn link(project: &Project, path: &str) {
    let target = project.home().join("mine");
    std::os::unix::fs::symlink(target, project.path().join(path)).expect("a link");
}

#[test]
fn a_record_cannot_point_outside_node_modules() {
    let project = Project::with(&[
        ("node_modules/left/package.json", "{}"),
        ("packages/ui/node_modules/@s/x/package.json", "{}"),
        ("../home/node_modules/mine/package.json", "{}"),
    ]);
    let outside = project.home().join("node_modules/mine");
    let outside = outside.to_str().expect("text");
    let check = |path: &str, expected: usize| assert_eq!(count(&project, path), expected, "{path}");
    check("node_modules/left", 1);
    check("packages/ui/node_modules/@s/x", 1);
    let paths = ["../home/node_modules/mine", "../home/node_modules", "node_modules/../../home/node_modules"];
    for path in paths.into_iter().chain([outside, "packages", "packages/ui", "..", "."]) {
        check(path, 0);
    }
    for path in ["node_modules/left/..", "node_modules//left", "./node_modules/left"] {
        check(path, 0);
    }
}

#[test]
fn a_record_cannot_point_through_a_link() {
    let project = Project::with(&[
        ("../home/mine/x/package.json", "{}"),
        ("../home/mine/node_modules/x/package.json", "{}"),
        ("node_modules/left/package.json", "{}"),
    ]);
    link(&project, "node_modules/@s");
    assert_eq!(count(&project, "node_modules/@s/x"), 0);
    link(&project, "packages");
    assert_eq!(count(&project, "packages/node_modules/x"), 0);
    assert_eq!(count(&project, "packages/node_modules"), 0);
    project.remove("node_modules");
    link(&project, "node_modules");
    assert_eq!(count(&project, "node_modules/x"), 0);
    assert_eq!(count(&project, "node_modules"), 0, "there is no record in a linked directory");
}
