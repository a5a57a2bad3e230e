//! Tarballs outside of a registry: what is stored, and their integrity.

use rusk_testkit::project::Project;
use rusk_testkit::tarball::Builder;

use rusk_store::integrity::sha512;

use super::*;

struct Fixture {
    project: Project,
    store: Store,
}

fn fixture() -> Fixture {
    let project = Project::new();
    let store = Store::open(&project.path().join("store")).expect("a store");
    Fixture { project, store }
}

/// Bun 1.4.5 wrote `.bun-tag` with the integrity, and the same string in `["tarred@../x.tgz", {},
/// "sha512-…"]`.
#[test]
fn a_tarball_is_stored_with_its_integrity_as_the_tag() {
    let Fixture { store, .. } = &fixture();
    for bytes in [Builder::package("left", "1.0.0").tgz(), Builder::package("left", "1.0.0").tar()] {
        let found = from_tarball(&bytes, "../x.tgz", None, store).expect("found");
        assert_eq!(found.integrity, of_sha512(&sha512(&bytes)));
        assert_eq!(found.manifest_text, r#"{"name":"left","version":"1.0.0"}"#);
        let paths: Vec<&str> =
            found.package.index.listing().expect("plain").files().map(|file| file.path).collect();
        assert_eq!(paths, [".bun-tag", "package.json"]);
        let stored = store.find_file(&found.package, ".bun-tag").expect("a file of it");
        let tag = std::fs::read_to_string(stored).expect("stored");
        assert_eq!(tag, found.integrity.to_string());
        assert_eq!(found.key, key("left", "../x.tgz", &found.integrity.to_string()));
        assert_eq!(from_tarball(&bytes, "../x.tgz", None, store).expect("again"), found);
    }
}

#[test]
fn the_integrity_of_the_lockfile_is_checked_first() {
    let Fixture { store, .. } = &fixture();
    let bytes = Builder::package("left", "1.0.0").tgz();
    let integrity = of_sha512(&sha512(&bytes));
    assert!(from_tarball(&bytes, "x.tgz", Some(&integrity), store).is_ok());
    let other = Builder::package("left", "1.0.1").tgz();
    let problem = from_tarball(&other, "x.tgz", Some(&integrity), store).expect_err("other bytes");
    assert_eq!(problem.code(), "integrity-differs");
    assert_eq!(problem.notes(), ["in the tarball `x.tgz`"]);
}

#[test]
fn a_tarball_without_a_package_is_refused() {
    let Fixture { store, .. } = &fixture();
    let code = |bytes: &[u8]| from_tarball(bytes, "x.tgz", None, store).expect_err("no package").code();
    assert_eq!(code(&Builder::new().file("package/a", "").tgz()), "no-manifest");
    assert_eq!(code(&Builder::new().file("package/package.json", "{").tgz()), "no-manifest");
    assert_eq!(code(b""), "no-manifest");
    assert_eq!(code(b"\x1f\x8bnot gzip"), "tarball-damaged");
}

#[test]
fn a_local_tarball_is_read_if_it_exists() {
    let Fixture { project, .. } = &fixture();
    project.write("x.tgz", "bytes");
    assert_eq!(local_tarball(&project.path().join("x.tgz")).expect("read"), b"bytes");
    assert_eq!(local_tarball(&project.path().join("y.tgz")).expect_err("missing").code(), "file-read");
    assert_eq!(local_tarball(&project.path()).expect_err("a directory").code(), "file-read");
}

/// As bun 1.4.5 named them: `["m-1.0.0@../m-1.0.0.tar.gz", …]`.
#[test]
fn a_tarball_without_a_name_gets_the_name_of_its_file() {
    let Fixture { store, .. } = &fixture();
    let check = |manifest: &str, source_label: &str, name: &str| {
        let bytes = Builder::new().file("package/package.json", manifest).tgz();
        assert_eq!(from_tarball(&bytes, source_label, None, store).expect(manifest).name, name, "{manifest}");
    };
    check(r#"{"name":"left"}"#, "../n.tgz", "left");
    check("{}", "../n.tgz", "n");
    check("{}", "../m-1.0.0.tar.gz", "m-1.0.0");
    check("{}", "https://host.test/deep/q-1.2.tgz", "q-1.2");
    check(r#"{"name":"../../x"}"#, "n.tgz", "n");
}
