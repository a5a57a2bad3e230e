//! A directory is taken from the pool once the cache has one, and never twice at once.

use rusk_testkit::project::Project;

use super::*;

fn open(path: &Path) -> sys::OwnedFd {
    sys::open_directory(sys::CWD, path).expect("it is there")
}

fn project() -> Project {
    let project = Project::new();
    project.write("cache/.keep", "");
    project.write("app/.keep", "");
    project
}

#[test]
fn an_empty_directory_is_taken_or_none() {
    let project = project();
    let (cache, app) = (project.path().join("cache"), project.path().join("app"));
    let target = open(&app);
    for round in 0..3 {
        let name = format!("tree-{round}");
        let brought = take_directory(&cache, target.as_fd(), &name);
        assert_eq!(brought.is_ok(), app.join(&name).is_dir(), "{brought:?}");
        // Either the file system spreads directories, or it is recorded that it does not.
        let plots = std::fs::read_dir(cache.join(NAME)).expect("it was made").count();
        assert_eq!(plots, if brought.is_ok() { DIRECTORIES } else { 0 });
    }
    assert_eq!(std::fs::read_dir(&cache).expect("it is there").count(), 2, "nothing unfinished is left");
}

#[test]
fn a_leftover_of_a_killed_install_is_replaced() {
    let project = project();
    let (cache, app) = (project.path().join("cache"), project.path().join("app"));
    let child = |slot: usize| cache.join(NAME).join(slot.to_string()).join(CHILD);
    (0..DIRECTORIES).for_each(|slot| std::fs::create_dir_all(child(slot)).expect("it can be made"));
    take_directory(&cache, open(&app).as_fd(), "tree").expect("an empty one is replaced");
    assert_eq!(std::fs::read_dir(app.join("tree")).expect("it was taken").count(), 0);
    for slot in 0..DIRECTORIES {
        project.write(&format!("cache/{NAME}/{slot}/{CHILD}/file"), "");
    }
    assert_eq!(take_directory(&cache, open(&app).as_fd(), "other"), Err(Errno::NOTEMPTY));
}

#[test]
fn without_a_usable_cache_no_directory_is_taken() {
    let project = project();
    let app = open(&project.path().join("app"));
    assert_eq!(take_directory(&project.path().join("none"), app.as_fd(), "tree"), Err(Errno::NOENT));
    project.write("cache/ground", "");
    assert_eq!(take_directory(&project.path().join("cache"), app.as_fd(), "tree"), Err(Errno::NOTDIR));
    assert_eq!(std::fs::read_dir(project.path().join("app")).expect("it is there").count(), 1);
}
