//! What is found in a store after packages were added to it, whole or damaged, once or at once.

use std::os::unix::fs::PermissionsExt;

use rusk_testkit::project::Project;
use rusk_testkit::tarball::Builder;

use super::*;

/// A store in a project, which lives as long as it.
struct Scratch {
    _project: Project,
    store: Store,
}

fn scratch() -> Scratch {
    let project = Project::new();
    Scratch { store: Store::open(&project.path().join("deep/store")).expect("opened"), _project: project }
}

fn left(version: &str) -> Key {
    Key::new("left", version, "")
}

fn tarball() -> Builder {
    Builder::package("left", "1.0.0").file("package/lib/a.js", "a").executable("package/run", "#!/bin/sh\n")
}

fn add(store: &Store, tarball: &[u8]) -> Result<Package> {
    store.add(&left("1.0.0"), tarball, &Expected::default())
}

/// Names in the store, but for those that begin with a dot.
fn listed(store: &Store) -> Vec<String> {
    let names =
        std::fs::read_dir(store.root()).expect("listed").map(|entry| entry.expect("read").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    names
}

#[test]
fn an_added_package_is_found_with_its_files() {
    let Scratch { store, .. } = &scratch();
    let added = add(store, &tarball().tgz()).expect("added");
    let found = store.find(&left("1.0.0")).expect("looked").expect("there");
    assert_eq!(found, added);
    assert_eq!(found.index.manifest.name, "left");
    assert_eq!(found.index.listing().expect("plain").dirs().collect::<Vec<_>>(), ["lib"]);
    assert_eq!(
        found.index.listing().expect("plain").files().map(|file| file.path).collect::<Vec<_>>(),
        ["lib/a.js", "package.json", "run"]
    );
    let stored = |path: &str| store.find_file(&found, path).expect("a file of it");
    assert_eq!(std::fs::read(stored("lib/a.js")).expect("there"), b"a");
    let mode = std::fs::metadata(stored("run")).expect("there").permissions().mode();
    assert_eq!(mode & 0o111, 0o111 & !umask());
    assert_eq!(store.find_file(&found, "lib"), None);
    assert!(store.find(&left("2.0.0")).expect("looked").is_none());
}

/// The bits that new files lose here.
fn umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").expect("read");
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:")).expect("a umask");
    u32::from_str_radix(line.trim(), 8).expect("octal")
}

#[test]
fn integrity_is_held_before_anything_is_visible() {
    let Scratch { store, .. } = &scratch();
    let tgz = tarball().tgz();
    let integrity = integrity::of_sha512(&integrity::sha512(&tgz));
    let expected = Expected { integrity: Some(&integrity), ..Expected::default() };
    let problem = store
        .add(&left("1.0.0"), &tarball().file("package/b", "").tgz(), &expected)
        .expect_err("other bytes");
    assert_eq!(problem.code(), "integrity-differs");
    assert_eq!(problem.notes(), ["in the package `left@1.0.0`"]);
    assert!(listed(store).is_empty());
    let added = store.add(&left("1.0.0"), &tgz, &expected).expect("added");
    assert_eq!(added.integrity(), integrity::of_sha512(&integrity::sha512(&tgz)).to_string());
}

#[test]
fn the_manifest_must_be_the_expected_one() {
    let Scratch { store, .. } = &scratch();
    for (name, version, code) in [
        (Some("left"), Some("1.0.0"), None),
        (Some("left"), Some("v1.0.0+build"), None),
        (None, None, None),
        (Some("right"), None, Some("tarball-manifest")),
        (Some("left"), Some("1.0.1"), Some("tarball-manifest")),
    ] {
        let expected = Expected { integrity: None, name, version };
        let added = store.add(&left("1.0.0"), &tarball().tgz(), &expected);
        assert_eq!(added.err().map(|problem| problem.code()), code, "{name:?} {version:?}");
    }
    for (manifest, code) in [("{", "tarball-manifest"), ("[]", "ok"), ("{\"name\": 1} // x", "ok")] {
        let added = store.add(
            &left(manifest),
            &Builder::new().file("p/package.json", manifest).tgz(),
            &Expected::default(),
        );
        assert_eq!(added.map_or_else(|problem| problem.code(), |_| "ok"), code, "{manifest}");
    }
    let problem = add(store, &Builder::new().file("package/a", "").tgz()).expect_err("no manifest");
    assert_eq!(problem.message(), "the tarball has no `package.json`");
}

#[test]
fn a_package_that_cannot_be_unpacked_leaves_nothing() {
    let Scratch { store, .. } = &scratch();
    let conflict = tarball().file("package/lib", "").tgz();
    assert_eq!(add(store, &conflict).expect_err("a conflict").code(), "tarball-conflict");
    assert!(listed(store).is_empty());
}

#[test]
fn a_second_add_takes_what_is_there() {
    let Scratch { store, .. } = &scratch();
    let first = add(store, &tarball().tgz()).expect("added");
    let file = store.find_file(&first, "run").expect("a file of it");
    let before = std::fs::metadata(&file).expect("there").modified().expect("a time");
    assert_eq!(add(store, &tarball().tgz()).expect("added"), first);
    assert_eq!(std::fs::metadata(&file).expect("there").modified().expect("a time"), before);
}

#[test]
fn other_bytes_under_the_same_key_replace() {
    let Scratch { store, .. } = &scratch();
    add(store, &tarball().tgz()).expect("added");
    let second = add(store, &tarball().file("package/new", "").tgz()).expect("added");
    assert!(second.index.listing().expect("plain").has_file("new"));
    assert_eq!(store.find(&second.key).expect("looked"), Some(second));
}

#[test]
fn replacing_gives_new_files_or_leaves_the_old_ones() {
    let Scratch { store, .. } = &scratch();
    let package = add(store, &tarball().tgz()).expect("added");
    let file = store.find_file(&package, "lib/a.js").expect("a file of it");
    std::fs::write(&file, "spoilt").expect("written");
    let wanted = Expected { version: Some("9.9.9"), ..Expected::default() };
    store.replace(&package.key, &tarball().tgz(), &wanted).expect_err("another version");
    assert_eq!(std::fs::read(&file).expect("there"), b"spoilt");
    assert_eq!(
        store.replace(&package.key, &tarball().tgz(), &Expected::default()).expect("replaced"),
        package
    );
    assert_eq!(std::fs::read(&file).expect("there"), b"a");
}

#[test]
fn a_damaged_package_is_absent_until_it_is_added_again() {
    let Scratch { store, .. } = &scratch();
    let package = add(store, &tarball().tgz()).expect("added");
    let index = store.root().join(package.key.dir_name()).join(INDEX_NAME);
    for damage in [&b""[..], b"rusk-ix1", &[0; 100_000]] {
        std::fs::write(&index, damage).expect("written");
        assert_eq!(store.find(&package.key).expect("looked"), None);
        assert_eq!(add(store, &tarball().tgz()).expect("added"), package);
        assert_eq!(store.find(&package.key).expect("looked").as_ref(), Some(&package));
    }
    std::fs::remove_dir_all(store.root().join(package.key.dir_name())).expect("removed");
    std::fs::write(store.root().join(package.key.dir_name()), "a file").expect("written");
    assert_eq!(store.find(&package.key).expect("looked"), None);
    assert_eq!(add(store, &tarball().tgz()).expect("added"), package);
}

#[test]
fn a_removed_package_is_gone() {
    let Scratch { store, .. } = &scratch();
    let package = add(store, &tarball().tgz()).expect("added");
    store.remove(&package.key).expect("removed");
    store.remove(&package.key).expect("nothing to do");
    assert!(listed(store).is_empty());
}

#[test]
fn many_threads_add_one_package_once() {
    let Scratch { store, .. } = &scratch();
    let tgz = &tarball().tgz();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(move || add(store, tgz).expect("added"));
        }
    });
    assert_eq!(listed(store), [left("1.0.0").dir_name()]);
    let staging = std::fs::read_dir(store.root().join(".staging")).expect("listed").next();
    let session = staging.expect("a session").expect("read").path();
    assert_eq!(std::fs::read_dir(session).expect("listed").count(), 0);
}

#[test]
fn a_large_index_is_read_whole() {
    let Scratch { store, .. } = &scratch();
    let many = (0..3000).fold(tarball(), |tarball, at| tarball.file(&format!("package/f/{at:0>60}"), ""));
    let package = add(store, &many.tgz()).expect("added");
    assert!(package.index.as_bytes().len() > 2 * INDEX_BUFFER_BYTES);
    assert_eq!(store.find(&package.key).expect("looked"), Some(package));
}

#[test]
fn old_debris_is_swept_and_live_sessions_stay() {
    let Scratch { store, .. } = &scratch();
    add(store, &tarball().tgz()).expect("added");
    let staging = store.root().join(".staging");
    let (old, young) = (staging.join("old"), staging.join("young"));
    for session in [&old, &young] {
        std::fs::create_dir_all(session.join("0/package")).expect("made");
        std::fs::write(session.join("0/package/a"), "").expect("written");
    }
    let past = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * 3600);
    for session in std::fs::read_dir(&staging).expect("listed").map(|entry| entry.expect("read").path()) {
        if session != young {
            std::fs::File::open(&session).expect("opened").set_modified(past).expect("set");
        }
    }
    let second = Store::open(store.root()).expect("opened");
    second.sweep().expect("swept");
    assert!(!old.exists() && young.exists());
    // The first store's session is as old, and locked.
    assert_eq!(std::fs::read_dir(&staging).expect("listed").count(), 3);
    drop(second);
    assert_eq!(std::fs::read_dir(&staging).expect("listed").count(), 2);
}

#[test]
fn an_inventory_tells_what_is_there_until_something_goes() {
    let Scratch { store, .. } = &scratch();
    let root = store.root().to_owned();
    let path = root.with_file_name("inventory");
    let open = || Store::open(&root).expect("opened").with_inventory(path.clone());
    let package = add(store, &tarball().tgz()).expect("added");
    let first = open();
    assert_eq!(first.find(&package.key).expect("looked"), Some(package.clone()));
    first.write_inventory(&[&package]).expect("written");
    let written = std::fs::read(&path).expect("there");

    // Behind our back: only the inventory can still tell.
    let index = root.join(package.key.dir_name()).join(INDEX_NAME);
    std::fs::remove_file(&index).expect("removed");
    let second = open();
    assert_eq!(second.find(&package.key).expect("looked"), Some(package.clone()));
    second.write_inventory(&[]).expect("nothing to write");
    assert_eq!(std::fs::read(&path).expect("there"), written);
    second.remove(&package.key).expect("removed");
    assert_eq!(second.find(&package.key).expect("looked"), None);
    assert_eq!(open().find(&package.key).expect("looked"), None);

    // As good as new once somebody takes stock again.
    add(store, &tarball().tgz()).expect("added");
    let third = open();
    third.find(&package.key).expect("looked");
    third.write_inventory(&[&package]).expect("written");
    std::fs::remove_file(&index).expect("removed");
    assert_eq!(open().find(&package.key).expect("looked"), Some(package.clone()));
    std::fs::remove_dir_all(&root).expect("removed");
    assert_eq!(open().find(&package.key).expect("looked"), None);
}
