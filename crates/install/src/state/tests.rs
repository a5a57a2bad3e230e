//! The record of an install against what is on disk.

use rusk_testkit::project::Project;

use super::*;

/// A project with two packages, and the record of it.
struct Stage {
    project: Project,
    record: PathBuf,
}

impl Stage {
    fn new() -> Stage {
        let files = [("node_modules/left/package.json", "{}"), ("node_modules/@s/ui/package.json", "{}")];
        let stage = Stage { project: Project::with(&files), record: PathBuf::new() };
        let record = stage.project.home().join("record");
        let folder = sys::open_folder(sys::CURRENT, stage.project.path()).expect("it is there");
        let place = |path: &str| {
            let mark = Mark::of_place(folder.as_fd(), path).expect("it is there");
            format!("{path}\tstamp\t{}\n", mark.text())
        };
        let holder = |path: &str| {
            let mark = Mark::of_folder(folder.as_fd(), path).expect("it is there");
            format!("{path}\t{}\n", mark.text())
        };
        let lines = [
            place("node_modules/@s/ui"),
            place("node_modules/left"),
            holder("node_modules"),
            holder("node_modules/@s"),
        ];
        std::fs::write(&record, format!("{HEAD}\n{}end\n", lines.concat())).expect("written");
        Stage { record, ..stage }
    }

    /// Places that are believed, and those that are strangers'.
    #[track_caller]
    fn check(&self, believed: &[&str], strange: &[&str]) {
        let folder = sys::open_folder(sys::CURRENT, self.project.path()).expect("it is there");
        let places = read(&self.record, folder.as_fd()).expect("readable").places;
        let (found, ours): (Vec<_>, Vec<_>) = places.iter().partition(|(_, stamp)| *stamp == STRANGER);
        assert_eq!(ours.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), believed);
        assert_eq!(found.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), strange);
    }
}

const BOTH: [&str; 2] = ["node_modules/@s/ui", "node_modules/left"];

#[test]
fn a_place_that_was_replaced_is_not_believed() {
    let stage = Stage::new();
    stage.check(&BOTH, &[]);
    // The new folder may well be given the old one's inode.
    stage.project.remove("node_modules/left");
    stage.check(&BOTH[..1], &[]);
    stage.project.write("node_modules/left/package.json", "{}");
    stage.check(&BOTH[..1], &["node_modules/left"]);
}

#[test]
fn what_is_added_inside_a_package_is_its_owners() {
    let stage = Stage::new();
    stage.project.write("node_modules/left/build/addon.node", "");
    stage.check(&BOTH, &[]);
}

#[test]
fn what_others_put_beside_our_places_is_strange() {
    let stage = Stage::new();
    let added = [".package-lock.json", ".cache/file", "@s/other/file", "@t/one/file", "stray/file", "README"];
    for path in added {
        stage.project.write(&format!("node_modules/{path}"), "");
    }
    let strange = ["node_modules/.package-lock.json", "node_modules/@s/other", "node_modules/@t"];
    stage.check(&BOTH, &[&strange[..], &["node_modules/stray"]].concat());
}

#[test]
fn half_a_record_is_none() {
    let stage = Stage::new();
    let text = std::fs::read_to_string(&stage.record).expect("it is there");
    std::fs::write(&stage.record, text.trim_end_matches("end\n")).expect("written");
    stage.check(&[], &[]);
}
