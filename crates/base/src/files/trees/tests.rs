//! Trees with links, modes and directories that their owner may not write to.

use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::files::tests::scratch;

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("changed");
}

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().expect("there").permissions().mode() & 0o777
}

/// A tree with a program, a link that leads nowhere, and a directory without the right to write.
fn make_tree(root: &Path) {
    std::fs::create_dir_all(root.join("inside/locked")).expect("made");
    std::fs::write(root.join("program"), "run").expect("written");
    std::fs::write(root.join("inside/locked/file"), "text").expect("written");
    symlink("../../nowhere", root.join("inside/link")).expect("linked");
    set_mode(&root.join("program"), 0o755);
    set_mode(&root.join("inside/locked"), 0o555);
}

#[test]
fn a_copy_has_the_same_files_links_and_modes() {
    let scratch = scratch();
    let (source, target) = (scratch.path().join("source"), scratch.path().join("target"));
    make_tree(&source);
    copy_tree_at(sys::CWD, &source, sys::CWD, &target).expect("copied");
    assert_eq!(std::fs::read(target.join("program")).expect("there"), b"run");
    assert_eq!(std::fs::read(target.join("inside/locked/file")).expect("there"), b"text");
    assert_eq!(std::fs::read_link(target.join("inside/link")).expect("a link"), Path::new("../../nowhere"));
    assert_eq!((mode(&target.join("program")), mode(&target.join("inside/locked"))), (0o755, 0o555));
    // Nothing is written over.
    copy_tree_at(sys::CWD, &source, sys::CWD, &target).expect_err("it is there");
    for tree in [source, target] {
        remove_tree(&tree).expect("removed");
        assert!(!tree.exists());
    }
}
