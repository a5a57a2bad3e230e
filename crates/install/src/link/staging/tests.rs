//! Symbolic links where directories of node_modules belong: nothing is written, moved or deleted
//! through them.

use std::os::unix::fs::symlink;

use rusk_testkit::project::{Project, tree};

use super::*;
use crate::event::NullReporter;

/// A project in which `link` points to a directory of the home that has a package, a program and a
/// hidden directory.
fn trap(link: &str) -> Project {
    let project = Project::with(&[
        ("package.json", "{}"),
        ("../home/mine/x/package.json", "{}"),
        ("../home/mine/.keys/secret", "s"),
        ("../home/mine/.bin/program", "p"),
    ]);
    let link = project.path().join(link);
    std::fs::create_dir_all(link.parent().expect("a path in the project")).expect("made");
    symlink(project.home().join("mine"), link).expect("linked");
    project
}

/// Runs `act` in the project and checks that nothing in the link's target has changed.
#[track_caller]
fn check(link: &str, act: impl FnOnce(BorrowedFd<'_>, &StagingArea<'_>) -> Result<()>) -> Project {
    let project = trap(link);
    let before = tree(&project.home());
    let path = project.path();
    let dir = sys::open_directory(sys::CWD, &path).expect("it is there");
    let staging = StagingArea::make(dir.as_fd(), &path, std::iter::empty()).expect("it can be made");
    act(dir.as_fd(), &staging).expect("links are no obstacle");
    staging.clear_during(&mut NullReporter, || Ok(())).expect("it can be removed");
    assert_eq!(tree(&project.home()), before, "{link}");
    project
}

fn publish(path: &str) -> impl FnOnce(BorrowedFd<'_>, &StagingArea<'_>) -> Result<()> {
    move |_, staging| {
        staging.make_dir("0", Path::new("/nowhere"))?;
        staging.publish("0", path)
    }
}

#[test]
fn a_package_is_not_published_through_a_link() {
    assert_eq!(check("node_modules", publish("node_modules/x")).tree("node_modules"), ["x/"]);
    assert_eq!(check("node_modules/@s", publish("node_modules/@s/x")).tree("node_modules"), ["@s/x/"]);
    let nested = check("node_modules/a", publish("node_modules/a/node_modules/x"));
    assert_eq!(nested.tree("node_modules"), ["a/node_modules/x/"]);
    let member = check("ui/node_modules", publish("ui/node_modules/x"));
    assert_eq!(member.tree("ui"), ["node_modules/x/"]);
}

#[test]
fn nothing_is_moved_out_through_a_link() {
    check("node_modules", |_, staging| staging.move_out("node_modules/x"));
    check("node_modules", |_, staging| staging.move_out("node_modules"));
    check("node_modules/@s", |_, staging| staging.move_out("node_modules/@s/x"));
    check("ui/node_modules", |_, staging| staging.move_out("ui/node_modules"));
}

#[test]
fn tool_caches_are_moved_from_a_directory_only() {
    check("node_modules", |_, staging| {
        staging.make_dir("new", Path::new("/nowhere"))?;
        staging.move_tool_caches("node_modules", "new")
    });
}

#[test]
fn programs_are_neither_linked_nor_removed_through_a_link() {
    let bins = [("cli".to_owned(), "../a/cli.js".to_owned())];
    let link_bins = |dir: BorrowedFd<'_>, _: &StagingArea<'_>| -> Result<()> {
        let Some(node_modules) = open_for_bins(dir, "node_modules")? else { return Ok(()) };
        rusk_store::bins::link_bin(node_modules.as_fd(), "cli", "../a/cli.js")?;
        remove_other_bins(node_modules.as_fd(), &bins)
    };
    assert_eq!(check("node_modules/.bin", link_bins).tree("node_modules"), [".bin/cli -> ../a/cli.js"]);
    check("node_modules", link_bins);
    check("node_modules/.bin", |dir, _| {
        let node_modules = sys::open_directory(dir, "node_modules").expect("it is there");
        remove_other_bins(node_modules.as_fd(), &[])
    });
}

#[test]
fn the_staging_directory_is_a_real_directory() {
    let project = trap(NAME);
    let before = tree(&project.home());
    let path = project.path();
    let dir = sys::open_directory(sys::CWD, &path).expect("it is there");
    let staging = StagingArea::make(dir.as_fd(), &path, std::iter::empty()).expect("it can be made");
    staging.make_dir("new", Path::new("/nowhere")).expect("it can be made");
    assert_eq!(project.tree(NAME), [".gitignore", "new/"]);
    staging.clear_during(&mut NullReporter, || Ok(())).expect("it can be removed");
    assert_eq!(tree(&project.home()), before);
}
