//! Tests of copies in place of hard links.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use rusk_testkit::project::Project;

use super::*;

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
    let own = inode("package/own");
    make_own(&path("package")).unwrap();
    assert_ne!(inode("package/deep/linked"), inode("stored"));
    let copy = fs::metadata(path("package/deep/linked")).unwrap();
    assert_eq!((copy.nlink(), copy.mode() & 0o777), (1, 0o755));
    assert_eq!(fs::read_to_string(path("package/deep/linked")).unwrap(), "stored");
    assert_eq!((inode("package/own"), inode("package/deep/symbolic")), (own, inode("stored")));
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
    make_own(&path("package")).unwrap();
    assert_eq!(fs::metadata(path("outside/linked")).unwrap().nlink(), 2);
    symlink("package", path("link")).unwrap();
    assert_eq!(make_own(&path("link")).unwrap_err().code(), "folder-open");
}
