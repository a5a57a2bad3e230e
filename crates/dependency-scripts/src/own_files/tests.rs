//! Tests of copies in place of hard links.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use rusk_testkit::project::Project;

use super::*;

fn own(project: &Path) -> Result<()> {
    let dir = project.join("package");
    make_own(open_package(project, &dir)?.as_fd(), &dir)
}

fn open_package(project: &Path, package: &Path) -> Result<OwnedFd> {
    open(project, package, &WritableDirs::of([]))
}

/// The script of `a` may write in its directory, and so replace a part of the path of `b`.
#[test]
fn no_link_inside_another_package_is_followed() {
    let project = Project::new();
    let path = |name: &str| project.path().join(name);
    for made in ["elsewhere/b", "modules/a/node_modules", "outside"] {
        fs::create_dir_all(path(made)).unwrap();
    }
    symlink("modules", path("node_modules")).unwrap();
    symlink("../../../elsewhere", path("modules/a/node_modules/@s")).unwrap();
    let opened = |name: &str| open_package(&path(""), &path(name));
    assert!(opened("node_modules/a").is_ok(), "the project's own link");
    assert_eq!(opened("node_modules/a/node_modules/@s/b").unwrap_err().code(), "directory-open");
    assert!(open_package(&path("modules"), &path("outside")).is_ok(), "in the store");
    let root = path("");
    let written = WritableDirs::of([root.as_path()]);
    let through_link = open(&root, &path("node_modules/a"), &written).unwrap_err();
    assert_eq!(through_link.code(), "script-directory", "a script may have made the link");
}

#[test]
fn hard_links_become_copies_and_nothing_else_changes() {
    let project = Project::new();
    let path = |name: &str| project.path().join(name);
    fs::create_dir_all(path("package/deep")).unwrap();
    fs::write(path("stored"), "stored").unwrap();
    fs::set_permissions(path("stored"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::hard_link(path("stored"), path("package/deep/linked")).unwrap();
    fs::write(path("package/own"), "own").unwrap();
    symlink("../../stored", path("package/deep/symbolic")).unwrap();
    let inode = |name: &str| fs::metadata(path(name)).unwrap().ino();
    let before = inode("package/own");
    own(&path("")).unwrap();
    assert_ne!(inode("package/deep/linked"), inode("stored"));
    let copy = fs::metadata(path("package/deep/linked")).unwrap();
    assert_eq!((copy.nlink(), copy.mode() & 0o777), (1, 0o755));
    assert_eq!(fs::read_to_string(path("package/deep/linked")).unwrap(), "stored");
    assert_eq!((inode("package/own"), inode("package/deep/symbolic")), (before, inode("stored")));
    assert_eq!(fs::read_dir(path("package/deep")).unwrap().count(), 2);
}

#[test]
fn a_link_to_a_directory_is_not_entered() {
    let project = Project::new();
    let path = |name: &str| project.path().join(name);
    fs::create_dir_all(path("outside")).unwrap();
    fs::create_dir_all(path("package")).unwrap();
    fs::write(path("stored"), "stored").unwrap();
    fs::hard_link(path("stored"), path("outside/linked")).unwrap();
    symlink("../outside", path("package/outside")).unwrap();
    own(&path("")).unwrap();
    assert_eq!(fs::metadata(path("outside/linked")).unwrap().nlink(), 2);
    symlink("package", path("link")).unwrap();
    assert_eq!(open_package(&path(""), &path("link")).unwrap_err().code(), "directory-open");
}
