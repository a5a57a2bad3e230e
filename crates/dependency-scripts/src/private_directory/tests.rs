//! Which directories are removed.

use super::*;

#[test]
fn a_directory_that_a_killed_install_left_is_removed() {
    let temporary = std::env::temp_dir().join(format!("rusk-private-{}", files::unpredictable_name()));
    fs::create_dir(&temporary).expect("a directory");
    let used = PrivateDirectory::new(&temporary).expect("a directory");
    let left = temporary.join(format!("{PREFIX}0123456789abcdef"));
    let (foreign, file) = (temporary.join("other"), temporary.join(format!("{PREFIX}file")));
    fs::create_dir_all(left.join("home/deep")).expect("directories");
    fs::create_dir(&foreign).expect("a directory");
    fs::write(&file, "").expect("a file");
    std::os::unix::fs::symlink(&foreign, temporary.join(format!("{PREFIX}link"))).expect("a link");
    remove_abandoned(&temporary);
    assert!(!left.exists(), "no process holds its lock");
    assert!(used.path().is_dir() && foreign.is_dir() && file.is_file());
    let path = used.path().to_owned();
    drop(used);
    assert!(!path.exists());
    fs::remove_dir_all(&temporary).expect("a directory");
}
