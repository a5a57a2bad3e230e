//! The record of an install against what is on disk.

use std::os::fd::AsFd;

use rusk_testkit::project::Project;

use super::*;

#[test]
fn a_place_that_was_replaced_is_not_believed() {
    let files = [("node_modules/left/package.json", "{}"), ("node_modules/ui/package.json", "{}")];
    let project = Project::with(&files);
    let folder = sys::open_folder(sys::CURRENT, project.path()).expect("it is there");
    let record = project.home().join("record");
    let line = |name: &str| {
        let path = format!("node_modules/{name}");
        let inode = inode_of(folder.as_fd(), &path).expect("it is there");
        format!("{path}\tstamp\t{inode}\n")
    };
    let text = format!("{HEAD}\n{}{}end\n", line("left"), line("ui"));
    std::fs::write(&record, &text).expect("written");
    let places = |record: &Path| {
        read(record, folder.as_fd()).expect("readable").places.into_keys().collect::<Vec<_>>()
    };
    assert_eq!(places(&record), ["node_modules/left", "node_modules/ui"]);

    let left = project.path().join("node_modules/left");
    std::fs::rename(&left, project.path().join("elsewhere")).expect("moved");
    std::fs::create_dir(&left).expect("made");
    assert_eq!(places(&record), ["node_modules/ui"]);

    std::fs::write(&record, text.trim_end_matches("end\n")).expect("written");
    assert_eq!(places(&record), Vec::<String>::new());
}
