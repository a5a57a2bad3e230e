//! Whether changes of watched files show.

use std::fs;
use std::path::Path;

use rusk_base::sys::metadata;
use rusk_testkit::project::Project;

use super::{EVENTS_MAX, FileWatches, LOCAL};

/// What happens to `module.js` in `folder`, and whether that is a change of it.
fn check(folder: &str, act: impl Fn(&Path), is_change: bool) {
    let project = Project::new();
    let top = project.path().canonicalize().expect("it is there");
    let folder = top.join(folder);
    fs::create_dir_all(&folder).expect("there is room");
    let file = folder.join("module.js");
    fs::write(&file, "1").expect("there is room");
    let mut watches = FileWatches::default();
    watches.add(file.to_str().expect("it is UTF-8"));
    let is_local = LOCAL.contains(&(metadata::file_system(&file).expect("it is there").f_type as u64));
    let before = watches.changes();
    assert_eq!(watches.changes() == before, is_local, "nothing has changed");
    let before = watches.changes();
    act(&folder);
    assert_eq!(watches.changes() != before, is_change || !is_local);
    // It is watched again.
    let Ok(text) = fs::read_to_string(&file) else { return };
    let before = watches.changes();
    fs::write(&file, text + "2").expect("there is room");
    assert_ne!(watches.changes(), before, "written again");
}

#[test]
fn a_file_that_is_written_has_changed() {
    check("a", |folder| fs::write(folder.join("module.js"), "2").expect("there is room"), true);
}

#[test]
fn a_file_that_is_written_by_another_name_has_changed() {
    let act = |folder: &Path| {
        fs::hard_link(folder.join("module.js"), folder.join("other.js")).expect("it is the same device");
        fs::write(folder.join("other.js"), "2").expect("there is room");
    };
    check("a", act, true);
}

#[test]
fn a_file_that_is_replaced_has_changed() {
    let act = |folder: &Path| {
        fs::write(folder.join("other.js"), "2").expect("there is room");
        fs::rename(folder.join("other.js"), folder.join("module.js")).expect("it is the same directory");
    };
    check("a", act, true);
}

#[test]
fn a_file_that_is_removed_has_changed() {
    check("a", |folder| fs::remove_file(folder.join("module.js")).expect("it is there"), true);
}

#[test]
fn a_file_in_a_directory_that_is_replaced_has_changed() {
    let act = |folder: &Path| {
        let above = folder.parent().expect("it is `a`");
        fs::rename(above, above.with_extension("old")).expect("it is there");
        fs::create_dir_all(folder).expect("there is room");
        fs::write(folder.join("module.js"), "2").expect("there is room");
    };
    check("a/b", act, true);
}

#[test]
fn other_files_are_no_changes() {
    let act = |folder: &Path| {
        fs::write(folder.join("other.js"), "2").expect("there is room");
        fs::read_to_string(folder.join("module.js")).expect("it is there");
        fs::remove_file(folder.join("other.js")).expect("it is there");
    };
    check("a", act, false);
}

#[test]
fn what_a_link_leads_to_is_not_watched() {
    let project = Project::new();
    let top = project.path().canonicalize().expect("it is there");
    fs::write(top.join("module.js"), "1").expect("there is room");
    std::os::unix::fs::symlink(top.join("module.js"), top.join("link.js")).expect("there is room");
    let mut watches = FileWatches::default();
    watches.add(top.join("link.js").to_str().expect("it is UTF-8"));
    assert_ne!(watches.changes(), watches.changes());
}

#[test]
fn files_that_change_again_and_again_are_not_watched() {
    let project = Project::new();
    let file = project.path().canonicalize().expect("it is there").join("module.js");
    fs::write(&file, "1").expect("there is room");
    let mut watches = FileWatches::default();
    watches.add(file.to_str().expect("it is UTF-8"));
    for _ in 0..=EVENTS_MAX {
        fs::write(&file, "2").expect("there is room");
        watches.changes();
    }
    assert_ne!(watches.changes(), watches.changes());
}
