//! Tests of copies in place of hard links.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use rusk_testkit::project::Project;

use super::*;

fn own(project: &Path) -> Result<()> {
    let dir = project.join("package");
    make_own(open(project, &dir)?.as_fd(), &dir)
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
    let opened = |name: &str| open(&path(""), &path(name));
    assert!(opened("node_modules/a").is_ok(), "the project's own link");
    assert_eq!(opened("node_modules/a/node_modules/@s/b").unwrap_err().code(), "directory-open");
    assert!(open(&path("modules"), &path("outside")).is_ok(), "in the store");
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
    assert_eq!(open(&path(""), &path("link")).unwrap_err().code(), "directory-open");
}

#[test]
fn a_link_below_a_writable_directory_is_noticed() {
    let project = Project::new();
    let path = |name: &str| project.path().join(name);
    for made in ["real/cache", "real/cache/dir", "secret"] {
        fs::create_dir_all(path(made)).unwrap();
    }
    symlink("real", path("link")).unwrap();
    symlink("../../secret", path("real/cache/conf")).unwrap();
    let writable = path("link/cache");
    let has_link = |name: &str| has_link_below(&path(name), &[&writable]);
    assert!(has_link("link/cache/conf") && has_link("link/cache/conf/file"));
    assert!(!has_link("link/cache/dir") && !has_link("link/cache") && !has_link("secret"));
}

#[test]
fn what_a_script_may_write_to_is_no_hard_link() {
    let project = Project::new();
    let path = |name: &str| project.path().join(name);
    fs::create_dir_all(path("granted")).unwrap();
    fs::write(path("stored"), "stored").unwrap();
    for name in ["granted/linked", "file"] {
        fs::hard_link(path("stored"), path(name)).unwrap();
    }
    make_grant_own(&path("granted")).unwrap();
    make_grant_own(&path("file")).unwrap();
    assert_eq!(fs::metadata(path("stored")).unwrap().nlink(), 1);
    assert_eq!(fs::read_to_string(path("file")).unwrap(), "stored");
}
