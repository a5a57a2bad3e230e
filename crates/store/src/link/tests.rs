//! What a package looks like in a project, by every backend.

use std::cell::Cell;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rusk_testkit::project::Project;
use rusk_testkit::tarball::Builder;

use super::*;
use crate::store::{Damage, DamageKind, LinkCheck};
use crate::{Expected, Key};

struct Scratch {
    project: Project,
    store: Store,
    dir: sys::OwnedFd,
}

impl Scratch {
    fn project(&self, path: &str) -> PathBuf {
        self.project.path().join(path)
    }

    fn link(&self, backend: Backend, package: &Package, target: &str) -> Result<Linked> {
        Linker::new(&self.store, backend).link_package(package, self.dir.as_fd(), target)
    }
}

fn scratch() -> Scratch {
    scratch_with(LinkCheck::Modified)
}

fn scratch_with(check: LinkCheck) -> Scratch {
    let project = Project::new();
    let dir = sys::open_directory(sys::CWD, project.path()).expect("opened");
    let store = Store::open(&project.home().join("store")).expect("opened").with_link_check(check);
    Scratch { store, project, dir }
}

fn add(store: &Store) -> Package {
    let tarball = Builder::package("left", "1.0.0")
        .file("package/lib/deep/a.js", "aaa")
        .file("package/empty", "")
        .executable("package/run", vec![b'r'; 300_000]);
    store.add(&Key::new("left", "1.0.0", ""), &tarball.tgz(), &Expected::default()).expect("added")
}

#[test]
fn every_backend_brings_the_same_tree() {
    let scratch = scratch();
    let package = add(&scratch.store);
    for backend in [Backend::Hardlink, Backend::CopyFileRange, Backend::SendFile, Backend::ReadWrite] {
        let target = format!("node_modules/@scope/{backend:?}");
        assert_eq!(scratch.link(backend, &package, &target).expect("linked"), Linked::Whole);
        let read = |path: &str| std::fs::read(scratch.project(&target).join(path)).expect("there");
        assert_eq!((read("lib/deep/a.js"), read("empty")), (b"aaa".to_vec(), Vec::new()), "{backend:?}");
        assert_eq!(read("run"), vec![b'r'; 300_000], "{backend:?}");
        let placed = std::fs::metadata(scratch.project(&target).join("run")).expect("there");
        let stored = std::fs::metadata(scratch.store.find_file(&package, "run").unwrap()).expect("there");
        assert_eq!(placed.permissions().mode(), stored.permissions().mode(), "{backend:?}");
        assert_eq!(placed.ino() == stored.ino(), backend == Backend::Hardlink);
    }
}

#[test]
fn linking_again_replaces_files() {
    let scratch = scratch();
    let package = add(&scratch.store);
    for backend in [Backend::Hardlink, Backend::ReadWrite] {
        for _ in 0..2 {
            assert_eq!(scratch.link(backend, &package, "left").expect("linked"), Linked::Whole);
        }
    }
    std::fs::remove_file(scratch.project("left/empty")).expect("removed");
    std::fs::write(scratch.project("left/empty"), "edited").expect("written");
    assert_eq!(scratch.link(Backend::Hardlink, &package, "left").expect("linked"), Linked::Whole);
    assert_eq!(std::fs::read(scratch.project("left/empty")).expect("there"), b"");
}

#[test]
fn nothing_is_written_through_a_link() {
    let scratch = scratch();
    let package = add(&scratch.store);
    std::fs::create_dir(scratch.project("mine")).expect("made");
    symlink("mine", scratch.project("left")).expect("linked");
    let problem = scratch.link(Backend::Hardlink, &package, "left").expect_err("a link");
    assert_eq!(problem.code(), "link-target");
    std::fs::create_dir(scratch.project("other")).expect("made");
    symlink("../mine", scratch.project("other/lib")).expect("linked");
    assert_eq!(scratch.link(Backend::Hardlink, &package, "other").expect_err("a link").code(), "link-target");
    assert_eq!(std::fs::read_dir(scratch.project("mine")).expect("listed").count(), 0);
    std::fs::write(scratch.project("file"), "").expect("written");
    assert_eq!(scratch.link(Backend::Hardlink, &package, "file").expect_err("a file").code(), "link-target");
}

#[test]
fn a_file_lost_from_the_store_is_noticed() {
    let scratch = scratch();
    let package = add(&scratch.store);
    std::fs::remove_file(scratch.store.find_file(&package, "lib/deep/a.js").unwrap()).expect("removed");
    for backend in [Backend::Hardlink, Backend::ReadWrite] {
        assert_eq!(scratch.link(backend, &package, "left").expect("looked"), Linked::StoreIncomplete);
    }
    scratch.store.remove(&package.key).expect("removed");
    let package = add(&scratch.store);
    assert_eq!(scratch.link(Backend::Hardlink, &package, "left").expect("linked"), Linked::Whole);
}

/// A package whose directory in the store is opened to link from.
fn add_large(store: &Store) -> Package {
    let file = |tarball: Builder, number: usize| tarball.file(&format!("package/{number}.js"), "text");
    let tarball = (0..100).fold(Builder::package("large", "1.0.0"), file);
    store.add(&Key::new("large", "1.0.0", ""), &tarball.tgz(), &Expected::default()).expect("added")
}

#[test]
fn a_file_lost_from_a_large_package_is_noticed() {
    let scratch = scratch();
    let package = add_large(&scratch.store);
    assert_eq!(scratch.link(Backend::Hardlink, &package, "large").expect("linked"), Linked::Whole);
    std::fs::remove_file(scratch.store.find_file(&package, "70.js").unwrap()).expect("removed");
    assert_eq!(scratch.link(Backend::Hardlink, &package, "again").expect("looked"), Linked::StoreIncomplete);
}

#[test]
fn a_large_package_may_be_replaced_in_the_store_while_it_is_linked() {
    let scratch = scratch();
    let package = add_large(&scratch.store);
    let looks = Cell::new(0);
    let is_over = || {
        looks.set(looks.get() + 1);
        if looks.get() == 2 {
            scratch.store.remove(&package.key).expect("removed");
            add_large(&scratch.store);
        }
        false
    };
    let linker = Linker::new(&scratch.store, Backend::Hardlink);
    let linked = linker.link_some(&package, scratch.dir.as_fd(), "large", &is_over).expect("linked");
    assert_eq!(linked, Some(package.index.file_count()));
    assert_eq!(std::fs::read_dir(scratch.project("large")).expect("listed").count(), 101);
}

#[test]
fn the_cheapest_way_that_works_is_found() {
    let scratch = scratch();
    add(&scratch.store);
    let probe = |wanted| Backend::probe(&scratch.store, &scratch.project(""), wanted).expect("probed");
    assert_eq!(probe(None), Backend::Hardlink);
    assert_eq!(probe(Some(Backend::SendFile)), Backend::SendFile);
    assert!(probe(Some(Backend::Clone)) >= Backend::Clone);
    assert_eq!(std::fs::read_dir(scratch.project("")).expect("listed").count(), 0);
    assert!(Backend::probe(&scratch.store, &scratch.project("none"), None).is_err());
    // /proc is another file system, and nothing can be written there.
    assert_eq!(Backend::probe(&scratch.store, Path::new("/proc"), None).expect("probed"), Backend::ReadWrite);
}

#[test]
fn a_forged_index_makes_nothing_outside() {
    let scratch = scratch();
    let known = add(&scratch.store);
    for path in ["../outside", "/tmp/outside", "lib//x", "a/../../outside"] {
        let file = crate::tarball::File { path: path.into(), body: (b"" as &[u8]).into(), mode: 0o666 };
        let proof = crate::index::Proof { sha512: [0; 64], written_ns: u64::MAX };
        let index =
            crate::Index::new((*known.index.manifest).clone(), proof, &[], &crate::index::entries(&[file]));
        let forged = Package { key: known.key.clone(), index };
        let linked = scratch.link(Backend::Hardlink, &forged, "left").expect("looked");
        assert_eq!(linked, Linked::StoreIncomplete, "{path}");
        assert!(!scratch.project("outside").exists(), "{path}");
    }
}

#[test]
fn what_was_linked_in_part_is_linked_to_its_end() {
    let scratch = scratch();
    let names: Vec<String> = (0..100).map(|number| format!("{number}.js")).collect();
    let tarball = names.iter().fold(Builder::package("wide", "1.0.0"), |tarball, name| {
        tarball.file(&format!("package/lib/{name}"), name.as_str())
    });
    let key = Key::new("wide", "1.0.0", "");
    let package = scratch.store.add(&key, &tarball.tgz(), &Expected::default()).expect("added");
    let linker = Linker::new(&scratch.store, Backend::Hardlink);
    let there = || std::fs::read_dir(scratch.project("wide/lib")).expect("there").count();
    let (looks, dir) = (std::cell::Cell::new(0), scratch.dir.as_fd());
    let is_over = || looks.replace(looks.get() + 1) == 2;
    let files = linker.link_some(&package, dir, "wide", &is_over).expect("linked").expect("there");
    assert_eq!((files, package.index.file_count()), (2 * FILES_BETWEEN_LOOKS, 101));
    // One of them may be package.json, beside the directory.
    assert!((files - 1..=files).contains(&there()), "{}", there());
    assert_eq!(linker.link_rest(&package, dir, "wide", files).expect("linked"), Linked::Whole);
    assert_eq!(there(), 100);
    assert!(scratch.project("wide/package.json").is_file());
    let all = linker.link_some(&package, dir, "again", &|| false).expect("linked");
    assert_eq!(all, Some(101));
}

/// As an editor does that writes in place, which is into the store where a file is a hard link.
fn edit(path: &Path, text: &str) {
    // The kernel's file times stand still for a tick of its timer, up to 10 ms.
    std::thread::sleep(std::time::Duration::from_millis(20));
    let mut file = std::fs::OpenOptions::new().write(true).truncate(true).open(path).expect("opened");
    file.write_all(text.as_bytes()).expect("written");
}

#[test]
fn a_file_edited_in_a_project_does_not_reach_the_next_one() {
    for text in ["bbb", "longer", ""] {
        let scratch = scratch();
        let package = add(&scratch.store);
        assert_eq!(scratch.link(Backend::Hardlink, &package, "one").expect("linked"), Linked::Whole);
        edit(&scratch.project("one/lib/deep/a.js"), text);
        assert_eq!(
            scratch.link(Backend::Hardlink, &package, "two").expect("looked"),
            Linked::StoreIncomplete
        );
        let damage = scratch.store.find_damage(package.key.dir_name(), &package.index);
        assert_eq!(damage, Some(Damage { path: "lib/deep/a.js".into(), kind: DamageKind::Changed }));
        assert_eq!(scratch.store.find_edit(&package), damage);
    }
}

#[test]
fn a_file_that_was_only_touched_is_linked() {
    let scratch = scratch();
    let package = add(&scratch.store);
    edit(&scratch.store.find_file(&package, "lib/deep/a.js").unwrap(), "aaa");
    assert_eq!(scratch.link(Backend::Hardlink, &package, "one").expect("linked"), Linked::Whole);
    assert_eq!(scratch.store.find_damage(package.key.dir_name(), &package.index), None);
    assert_eq!(scratch.store.find_edit(&package), None);
}

#[test]
fn without_the_check_nothing_is_looked_at() {
    let scratch = scratch_with(LinkCheck::Nothing);
    let package = add(&scratch.store);
    edit(&scratch.store.find_file(&package, "lib/deep/a.js").unwrap(), "bbb");
    assert_eq!(scratch.link(Backend::Hardlink, &package, "one").expect("linked"), Linked::Whole);
}

#[test]
fn by_default_hard_links_on_a_disk_are_checked() {
    for project in [Project::new(), Project::in_memory()] {
        let path = project.home().join("store");
        let store = Store::open(&path).expect("opened");
        let told = std::process::Command::new("stat").args(["-f", "-c", "%T"]).arg(&path).output();
        let told = String::from_utf8(told.expect("stat starts").stdout).expect("text");
        let is_in_memory = ["tmpfs", "ramfs"].contains(&told.trim());
        assert_eq!(store.checks_links(Backend::Hardlink), !is_in_memory, "{told}");
        assert!(!store.checks_links(Backend::ReadWrite));
        let store = store.with_link_check(LinkCheck::Modified);
        assert!(store.checks_links(Backend::Hardlink) && store.checks_links(Backend::ReadWrite));
    }
}
