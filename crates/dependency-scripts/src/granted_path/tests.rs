//! Which links on the way to a grant are followed.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

use rusk_testkit::project::Project;

use super::*;

/// Whether a path opens to the same file as another one does.
fn leads(path: &Path, to: &Path, writable: &WritableDirs) -> bool {
    let opened = GrantedPath::open(path, writable, Missing::Refused);
    opened.is_ok_and(|opened| {
        let expected = fs::metadata(to).expect("it exists");
        identity(&opened.stat) == (expected.dev(), expected.ino())
            && fs::metadata(opened.path()).expect("it is open").ino() == expected.ino()
    })
}

#[test]
fn a_link_that_a_script_may_have_made_is_not_followed() {
    let project = Project::new();
    let path = |name: &str| project.path().join(name);
    for made in ["real/cache/dir", "secret/inner"] {
        fs::create_dir_all(path(made)).unwrap();
    }
    symlink("real", path("link")).unwrap();
    symlink(path("real/cache"), path("absolute")).unwrap();
    symlink("../../secret", path("real/cache/conf")).unwrap();
    symlink("link/cache/conf", path("indirect")).unwrap();
    symlink("dir/../conf", path("real/cache/dots")).unwrap();
    symlink("loop", path("loop")).unwrap();
    let none = WritableDirs::of([]);
    for name in ["link/cache/conf", "absolute/conf", "indirect", "absolute/dots"] {
        assert!(leads(&path(name), &path("secret"), &none), "{name}: no script writes there");
    }
    let cache = path("link/cache");
    let written = WritableDirs::of([cache.as_path(), Path::new("/missing")]);
    for name in ["link/cache/conf", "link/cache/conf/inner", "absolute/conf", "indirect", "absolute/dots"] {
        let problem = GrantedPath::open(&path(name), &written, Missing::Made).err().expect(name);
        assert_eq!(problem.code(), "script-directory", "{name}");
        assert!(problem.message().contains("a symbolic link that a script may have made"), "{name}");
    }
    for name in ["link/cache", "absolute", "link/cache/dir", "absolute/dir", "link/cache/dir/../../cache"] {
        assert!(
            GrantedPath::open(&path(name), &written, Missing::Refused).is_ok(),
            "{name}: the user's link"
        );
    }
    assert!(leads(Path::new("/.."), Path::new("/"), &none));
    for name in ["loop", "missing"] {
        assert!(GrantedPath::open(&path(name), &none, Missing::Refused).is_err(), "{name}");
    }
}

#[test]
fn missing_directories_are_made() {
    let project = Project::new();
    let path = |name: &str| project.path().join(name);
    symlink("target", path("link")).unwrap();
    fs::create_dir(path("target")).unwrap();
    let none = WritableDirs::of([]);
    assert!(GrantedPath::open(&path("link/a/b"), &none, Missing::Made).is_ok());
    assert!(path("target/a/b").is_dir());
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
    for name in ["granted", "file"] {
        let mut opened = GrantedPath::open(&path(name), &WritableDirs::of([]), Missing::Made).unwrap();
        opened.make_own(&path(name)).unwrap();
        let found = fs::metadata(opened.path()).unwrap();
        assert_eq!(found.ino(), fs::metadata(path(name)).unwrap().ino(), "{name}: the copy is open");
    }
    assert_eq!(fs::metadata(path("stored")).unwrap().nlink(), 1);
    assert_eq!(fs::read_to_string(path("file")).unwrap(), "stored");
}
