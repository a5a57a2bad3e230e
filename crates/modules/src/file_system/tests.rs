//! What the file system cache keeps, and when it is invalidated.

use super::fingerprint::Fingerprint;
use super::*;
use rusk_base::sys;
use rusk_testkit::project::Project;
use std::os::unix::ffi::OsStrExt;

/// A project, and the file system cache for it.
struct TestDirectory {
    project: Project,
    fs: FileSystem,
}

impl TestDirectory {
    fn new(lifetime: Lifetime, files: &[(&str, &str)]) -> TestDirectory {
        let project = Project::in_memory();
        for (path, text) in files {
            project.write(path, text);
        }
        let seen = TestDirectory { project, fs: FileSystem::new(lifetime) };
        seen.wait();
        seen
    }

    /// Waits until the timestamps of new files are settled.
    fn wait(&self) {
        self.project.write("last", "");
        let last = self.project.path().join("last");
        let stat = || sys::statat(sys::CWD, &last).unwrap();
        while !Fingerprint::new(&stat()).is_settled() {
            std::thread::yield_now();
        }
    }

    fn directory(&self, path: &str) -> Arc<Directory> {
        self.fs.directory(self.project.path().join(path).as_os_str().as_bytes())
    }

    fn find(&self, directory: &str, name: &str) -> &'static str {
        match self.directory(directory).find(&self.fs, name.as_bytes()) {
            Entry::Absent => "absent",
            Entry::File => "file",
            Entry::Symlink(_) => "link",
            Entry::Directory(_) => "directory",
        }
    }

    fn mains(&self, directory: &str) -> Option<String> {
        match self.directory(directory).manifest(&self.fs, &["main".to_owned()]) {
            crate::package::Manifest::Package(package) => package.mains().next().map(str::to_owned),
            _ => None,
        }
    }
}

#[test]
fn names_are_found_alone_and_in_a_listing() {
    let many: Vec<String> = (0..700).map(|number| format!("many/name-{number}.js")).collect();
    let files: Vec<(&str, &str)> = many.iter().map(|path| (path.as_str(), "")).collect();
    let seen = TestDirectory::new(Lifetime::Run, &files);
    for _ in 0..2 {
        for number in 0..700 {
            assert_eq!(seen.find("many", &format!("name-{number}.js")), "file");
            assert_eq!(seen.find("many", &format!("name-{number}")), "absent");
        }
    }
    assert_eq!(seen.find("", "many"), "directory");
    assert_eq!(seen.find("none/none", "x"), "absent");
    assert_eq!(seen.find("many", &"x".repeat(300)), "absent");
    assert_eq!(seen.find("many", "a\0b"), "absent");
}

#[test]
fn within_an_epoch_nothing_is_read_twice() {
    for lifetime in [Lifetime::Run, Lifetime::Watch] {
        let mut seen = TestDirectory::new(lifetime, &[("a.js", ""), ("sub/b.js", "")]);
        assert_eq!(seen.find("", "new.js"), "absent");
        seen.project.write("new.js", "");
        assert_eq!(seen.find("", "new.js"), "absent");
        seen.fs.begin_epoch();
        assert_eq!(seen.find("", "new.js"), "file");
    }
}

#[test]
fn changes_are_noticed_in_the_next_epoch() {
    for lifetime in [Lifetime::Run, Lifetime::Watch] {
        let mut seen = TestDirectory::new(
            lifetime,
            &[("a.js", ""), ("sub/b.js", ""), ("sub/package.json", "{\"main\":\"1\"}")],
        );
        let ask = |seen: &TestDirectory| {
            for name in ["a.js", "c.js", "d.js"] {
                assert_eq!(seen.find("sub", name), "absent");
            }
            (seen.find("sub", "b.js"), seen.mains("sub"))
        };
        assert_eq!(ask(&seen), ("file", Some("1".to_owned())));
        seen.fs.begin_epoch();
        assert_eq!(ask(&seen), ("file", Some("1".to_owned())));
        seen.project.write("sub/package.json", "{\"main\":\"22\"}");
        seen.fs.begin_epoch();
        assert_eq!(ask(&seen), ("file", Some("22".to_owned())));
        std::fs::remove_file(seen.project.path().join("sub/b.js")).unwrap();
        seen.fs.begin_epoch();
        assert_eq!(ask(&seen), ("absent", Some("22".to_owned())));
        std::fs::remove_dir_all(seen.project.path().join("sub")).unwrap();
        seen.fs.begin_epoch();
        assert_eq!(ask(&seen), ("absent", None));
        seen.project.write("sub/b.js", "");
        seen.fs.begin_epoch();
        assert_eq!(ask(&seen), ("file", None));
    }
}

#[test]
fn a_directory_that_replaces_another_is_new() {
    let mut seen = TestDirectory::new(Lifetime::Watch, &[("one/x/a.js", ""), ("two/x/b.js", "")]);
    assert_eq!(seen.find("one/x", "a.js"), "file");
    assert_eq!(seen.find("one/x", "b.js"), "absent");
    let path = seen.project.path();
    std::fs::rename(path.join("one"), path.join("old")).unwrap();
    std::fs::rename(path.join("two"), path.join("one")).unwrap();
    seen.fs.begin_epoch();
    assert_eq!(seen.find("one/x", "a.js"), "absent");
    assert_eq!(seen.find("one/x", "b.js"), "file");
}

#[test]
fn a_symlink_is_followed_again_in_each_epoch() {
    let mut seen = TestDirectory::new(Lifetime::Watch, &[("one/a.js", ""), ("two/b.js", "")]);
    let link = seen.project.path().join("link");
    std::os::unix::fs::symlink("one", &link).unwrap();
    assert_eq!(seen.find("link", "a.js"), "file");
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("two", &link).unwrap();
    seen.fs.begin_epoch();
    assert_eq!(seen.find("link", "a.js"), "absent");
    assert_eq!(seen.find("link", "b.js"), "file");
}

#[test]
fn the_target_of_a_symlink_may_disappear() {
    let mut seen = TestDirectory::new(
        Lifetime::Watch,
        &[("links/readme.md", ""), ("far/a.js", ""), ("far/sub/b.js", "")],
    );
    let path = seen.project.path();
    std::os::unix::fs::symlink("../far/a.js", path.join("links/a.js")).unwrap();
    std::os::unix::fs::symlink("../far/sub", path.join("links/sub")).unwrap();
    seen.wait();
    seen.fs.begin_epoch();
    assert_eq!((seen.find("links", "a.js"), seen.find("links/sub", "b.js")), ("link", "file"));
    std::fs::remove_dir_all(path.join("far")).unwrap();
    seen.fs.begin_epoch();
    assert_eq!((seen.find("links", "a.js"), seen.find("links/sub", "b.js")), ("absent", "absent"));
}

#[test]
fn a_nested_symlink_is_noticed_in_the_next_epoch() {
    let mut seen = TestDirectory::new(
        Lifetime::Watch,
        &[("links/x.md", ""), ("far/sub/b.js", ""), ("other/sub/b.js", "")],
    );
    let path = seen.project.path();
    std::os::unix::fs::symlink("../far/sub", path.join("links/sub")).unwrap();
    seen.wait();
    seen.fs.begin_epoch();
    let real = |seen: &TestDirectory| seen.directory("links/sub").real().path().to_vec();
    assert_eq!(real(&seen), path.join("far/sub").as_os_str().as_bytes());
    std::fs::rename(path.join("far"), path.join("old")).unwrap();
    std::os::unix::fs::symlink("other", path.join("far")).unwrap();
    seen.fs.begin_epoch();
    assert_eq!(real(&seen), path.join("other/sub").as_os_str().as_bytes());
}

#[test]
fn remote_mounts_are_not_cached() {
    let text = b"22 1 254:0 / / rw - ext4 /dev/vda rw\n\
        30 22 0:26 / /mnt/my\\040share rw,relatime shared:1 - nfs4 host:/x rw\n\
        31 22 0:27 / /dev/shm rw - tmpfs tmpfs rw\n";
    let mounts = Mounts::with_table(Table::parse(text));
    assert_eq!(mounts.find_local(b"/"), Some(true));
    assert_eq!(mounts.find_local(b"/mnt/my share"), Some(false));
    assert_eq!(mounts.find_local(b"/dev/shm"), Some(true));
    assert_eq!(mounts.find_local(b"/dev"), None);
}

#[test]
fn a_directory_and_the_mount_table_agree() {
    let project = Project::with(&[("sub/a.js", "")]);
    let table = Mounts::with_table(Table::read());
    let under = ["/", "/proc", "/sys", "/dev", "/dev/shm", "/tmp", "/usr", "/nowhere"].map(str::to_owned);
    let own = ["", "/sub"].map(|name| format!("{}{name}", project.path().display()));
    let mounts = Mounts::default();
    for path in under.iter().chain(&own) {
        assert_eq!(mounts.find_local(path.as_bytes()), table.find_local(path.as_bytes()), "{path}");
    }
    // More than are queried one by one.
    for _ in 0..100 {
        assert_eq!(mounts.find_local(b"/"), table.find_local(b"/"));
    }
}

#[test]
fn remote_directories_are_looked_up_name_by_name_in_each_epoch() {
    let mut seen = TestDirectory::new(Lifetime::Watch, &[("a.js", ""), ("sub/b.js", ""), ("sub/c.js", "")]);
    let line = format!("1 1 0:1 / {} rw - nfs4 host:/x rw", seen.project.path().display());
    seen.fs.mounts = Mounts::with_table(Table::parse(line.as_bytes()));
    let ask =
        |seen: &TestDirectory| ["b.js", "c.js", "d.js", "e.js", "f.js"].map(|name| seen.find("sub", name));
    assert_eq!(ask(&seen), ["file", "file", "absent", "absent", "absent"]);
    seen.project.write("sub/f.js", "");
    // A listing would have been read before, and would not contain the name.
    assert_eq!(seen.find("sub", "g.js"), "absent");
    seen.project.write("sub/h.js", "");
    assert_eq!(seen.find("sub", "h.js"), "file");
    seen.fs.begin_epoch();
    assert_eq!(ask(&seen), ["file", "file", "absent", "absent", "file"]);
}

#[test]
fn threads_may_resolve_at_once() {
    let names: Vec<String> = (0..50).map(|number| format!("f{}/g/name-{number}.js", number % 5)).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|path| (path.as_str(), "")).collect();
    let seen = TestDirectory::new(Lifetime::Watch, &files);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for name in &names {
                    let (directory, name) = name.rsplit_once('/').unwrap();
                    assert_eq!(seen.find(directory, name), "file");
                    assert_eq!(seen.find(directory, "none"), "absent");
                }
            });
        }
    });
}

#[test]
fn a_run_gives_up_its_directories() {
    let mut seen = TestDirectory::new(Lifetime::Run, &[("sub/inner/a.js", "")]);
    assert_eq!(seen.find("sub/inner", "a.js"), "file");
    let known = Arc::downgrade(&seen.directory("sub/inner"));
    assert!(known.upgrade().is_some());
    seen.fs.begin_epoch();
    assert!(known.upgrade().is_none(), "directories hold each other");
}
