//! Reading with limits, atomic writes, recursive removal.

use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

/// A new directory, removed when dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn scratch() -> Scratch {
    let path = std::env::temp_dir().join(format!("rusk-base-{}", unpredictable_name()));
    std::fs::create_dir(&path).expect("a new directory");
    Scratch(path)
}

#[test]
fn reading_has_a_limit() {
    let directory = scratch();
    let path = directory.path().join("a");
    std::fs::write(&path, "abc").expect("written");
    assert_eq!(read_to_string(&path, 3).expect("fits"), "abc");
    assert_eq!(read_bytes(&path, 2).expect_err("too large").code(), "file-too-large");
    std::fs::write(&path, "").expect("written");
    assert_eq!(read_bytes(&path, 0).expect("fits"), b"");
    // Files in /proc report a size of zero.
    assert!(!read_bytes(Path::new("/proc/self/stat"), 10_000).expect("fits").is_empty());
    assert_eq!(read_bytes(Path::new("/proc/self/stat"), 10).expect_err("too large").code(), "file-too-large");
}

#[test]
fn only_a_file_is_read() {
    let directory = scratch();
    assert_eq!(read_bytes(directory.path(), 9).expect_err("a directory").code(), "file-read");
    assert_eq!(find_bytes(&directory.path().join("none"), 9).expect("looked"), None);
    assert_eq!(find_string(&directory.path().join("none/x"), 9).expect("looked"), None);
    let problem = read_bytes(&directory.path().join("none"), 9).expect_err("nothing there");
    assert!(problem.message().ends_with("/none`"), "{problem}");
    std::fs::write(directory.path().join("latin"), b"ab\xe4").expect("written");
    let problem = read_to_string(&directory.path().join("latin"), 9).expect_err("not text");
    assert!(problem.message().ends_with("is not UTF-8 text at byte 2"), "{problem}");
}

#[test]
fn writing_replaces_the_bytes_and_keeps_the_mode() {
    let directory = scratch();
    let path = directory.path().join("a");
    write_atomically(&path, b"one").expect("written");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("mode set");
    write_atomically(&path, b"two").expect("written");
    assert_eq!(std::fs::read(&path).expect("there"), b"two");
    assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o7777, 0o640);
    assert_eq!(std::fs::read_dir(directory.path()).expect("listed").count(), 1);
}

#[test]
fn writing_through_a_link_keeps_the_link() {
    let directory = scratch();
    let (file, link) = (directory.path().join("file"), directory.path().join("link"));
    std::fs::write(&file, "one").expect("written");
    symlink("file", &link).expect("linked");
    write_atomically(&link, b"two").expect("written");
    assert_eq!(std::fs::read(&file).expect("there"), b"two");
    assert!(std::fs::symlink_metadata(&link).expect("there").is_symlink());
    std::fs::remove_file(&file).expect("removed");
    assert_eq!(write_atomically(&link, b"x").expect_err("leads nowhere").code(), "file-write");
}

#[test]
fn a_failed_write_leaves_no_temporary_file() {
    let directory = scratch();
    std::fs::create_dir_all(directory.path().join("a/b")).expect("made");
    assert_eq!(
        write_atomically(&directory.path().join("a"), b"x").expect_err("a directory").code(),
        "file-write"
    );
    assert_eq!(std::fs::read_dir(directory.path()).expect("listed").count(), 1);
}

#[test]
fn directories_are_created_with_their_parents() {
    let directory = scratch();
    let deep = directory.path().join("a/b/c");
    create_directories(&deep).expect("made");
    create_directories(&deep).expect("there already");
    assert!(deep.is_dir());
    std::fs::write(directory.path().join("file"), "").expect("written");
    assert_eq!(
        create_directories(&directory.path().join("file")).expect_err("a file").code(),
        "directory-make"
    );
    assert_eq!(
        create_directories(&directory.path().join("file/x")).expect_err("a file").code(),
        "directory-make"
    );
}

#[test]
fn writing_follows_no_link_out_of_its_directory() {
    let directory = scratch();
    let (inside, outside) = (directory.path().join("project"), directory.path().join("outside"));
    std::fs::create_dir_all(inside.join("sub")).expect("made");
    std::fs::write(&outside, "one").expect("written");
    std::fs::write(inside.join("sub/file"), "one").expect("written");
    symlink("../outside", inside.join("link")).expect("linked");
    symlink("link", inside.join("chain")).expect("linked");
    symlink("sub/file", inside.join("below")).expect("linked");
    for name in ["link", "chain"] {
        let path = inside.join(name);
        assert_eq!(write_atomically(&path, b"two").expect_err("leads out").code(), "link-outside");
        let new = inside.join("new");
        write_together(&[(&new, b"two"), (&path, b"two")]).expect_err("leads out");
        assert!(!exists(&new), "all or none");
    }
    assert_eq!(std::fs::read(&outside).expect("there"), b"one");
    write_atomically(&inside.join("below"), b"two").expect("below the directory");
    assert_eq!(std::fs::read(inside.join("sub/file")).expect("there"), b"two");
    write_through_links(&inside.join("link"), b"two").expect("the user's own");
    assert_eq!(std::fs::read(&outside).expect("there"), b"two");
}

#[test]
fn a_path_is_checked_before_it_exists() {
    let directory = scratch();
    let project = directory.path().join("project");
    std::fs::create_dir_all(&project).expect("made");
    symlink("..", project.join("up")).expect("linked");
    check_below(&project, &project.join("patches/left.patch")).expect("below");
    assert!(check_below(&project, &project.join("up/patches/left.patch")).is_err());
}

#[test]
fn removing_a_tree_follows_no_link() {
    let directory = scratch();
    let (preserved, doomed) = (directory.path().join("preserved"), directory.path().join("doomed"));
    create_directories(&preserved).expect("made");
    std::fs::write(preserved.join("file"), "").expect("written");
    create_directories(&doomed.join("x/y")).expect("made");
    std::fs::write(doomed.join("x/file"), "").expect("written");
    symlink(&preserved, doomed.join("x/link")).expect("linked");
    symlink(&preserved, directory.path().join("link")).expect("linked");
    remove_tree(&doomed).expect("removed");
    remove_tree(&directory.path().join("link")).expect("removed");
    remove_tree(&directory.path().join("none")).expect("nothing to do");
    assert_eq!(std::fs::read_dir(directory.path()).expect("listed").count(), 1);
    assert!(preserved.join("file").exists());
}

#[test]
fn a_map_reads_as_the_file() {
    let directory = scratch();
    let path = directory.path().join("a");
    for (text, bytes_max, readable) in [("", 0, true), ("abc", 3, true), ("abc", 2, false)] {
        std::fs::write(&path, text).expect("written");
        let file = std::fs::File::open(&path).expect("there");
        let map = sys::mmap::Mmap::open(file.as_fd(), bytes_max);
        assert_eq!(map.as_deref().ok(), readable.then_some(text.as_bytes()));
    }
}

#[test]
fn files_are_replaced_together_or_not_at_all() {
    let directory = scratch();
    let (first, second) = (directory.path().join("first"), directory.path().join("absent/second"));
    std::fs::write(&first, "old").expect("written");
    let problem = write_together(&[(&first, b"new"), (&second, b"new")]).expect_err("no such directory");
    assert!(problem.message().contains("second"), "{problem}");
    assert_eq!(std::fs::read(&first).expect("there"), b"old");
    assert_eq!(std::fs::read_dir(directory.path()).expect("listed").count(), 1);
    std::fs::create_dir(directory.path().join("absent")).expect("made");
    write_together(&[(&first, b"new"), (&second, b"new")]).expect("written");
    assert_eq!(std::fs::read(&first).expect("there"), b"new");
    assert_eq!(std::fs::read(&second).expect("there"), b"new");
}
