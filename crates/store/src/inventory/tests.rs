//! What an inventory tells, and what is none.

use super::{Inventory, render};
use crate::tarball::File;
use crate::{Index, Key, Manifest, Package};

fn package(name: &str, files: &[&'static str]) -> Package {
    let file = |path: &&'static str| File { path: (*path).into(), body: Vec::new().into(), mode: 0o644 };
    let files: Vec<File<'_>> = files.iter().map(file).collect();
    let manifest = Manifest { name: name.to_owned(), ..Manifest::default() };
    Package {
        key: Key::new(name, "1.0.0", ""),
        index: Index::new(
            manifest,
            crate::index::Proof { sha512: [1; 64], written_ns: 1 },
            &[],
            &crate::index::entries(&files),
        ),
    }
}

#[test]
fn what_was_put_in_is_found() {
    let packages = [package("b", &["x"]), package("a", &["y", "z"]), package("@c/d", &[])];
    let bytes = render("state", &packages.each_ref());
    let inventory = Inventory::parse(bytes.clone(), "state").expect("whole");
    for package in &packages {
        assert_eq!(inventory.find(package.key.dir_name()).as_ref(), Some(&package.index));
    }
    assert_eq!(inventory.find(Key::new("b", "2.0.0", "").dir_name()), None);
    assert!(Inventory::parse(bytes.clone(), "another state").is_none());
    let empty = render("state", &[]);
    assert_eq!(Inventory::parse(empty, "state").expect("whole").find("b"), None);
}

#[test]
fn what_is_damaged_is_none() {
    let package = package("a", &["y", "z"]);
    let bytes = render("state", &[&package]);
    for end in 0..bytes.len() {
        assert!(Inventory::parse(bytes[..end].to_vec(), "state").is_none(), "{end} of {} bytes", bytes.len());
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        let found = Inventory::parse(damaged, "state").and_then(|parsed| parsed.find(package.key.dir_name()));
        assert_eq!(found, None, "byte {at}");
    }
}
