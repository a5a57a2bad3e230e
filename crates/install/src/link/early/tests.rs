//! Packages that were linked early, once the plan is known.

use rusk_store::index::Proof;
use rusk_store::{Index, Manifest};
use rusk_testkit::project::Project;

use super::*;

fn package(name: &str, version: &str) -> Package {
    let manifest = Manifest { name: name.to_owned(), version: version.to_owned(), ..Manifest::default() };
    Package {
        key: Key::new(name, version, ""),
        index: Index::new(manifest, Proof { sha512: [0; 64], written_ns: 0 }, &[], &[]),
    }
}

fn staging_dir(project: &Project) -> StagingDir {
    let dir = sys::open_directory(sys::CWD, project.path()).expect("it is there");
    StagingDir::at(project.path(), dir)
}

/// Packages at these paths with one file each.
fn early(staged: &[(&Package, &str)]) -> EarlyPackages {
    let staged = staged.iter().map(|(package, path)| {
        let staged = EarlyPackage { path: (*path).to_owned(), files: 1 };
        (package.key.clone(), staged)
    });
    EarlyPackages(Mutex::new(EarlyTable { staged: staged.collect(), failed: vec!["new/half".to_owned()] }))
}

#[test]
fn misplaced_packages_are_moved_out() {
    let files = ["new/x/a.js", "new/@s/y/a.js", "new/@t/z/a.js", "new/half/a.js"];
    let project = Project::with(&files.map(|file| (file, "")));
    let (other, y, z) = (package("x", "2.0.0"), package("@s/y", "1.0.0"), package("@t/z", "1.0.0"));
    let early = early(&[(&other, "new/x"), (&y, "new/@s/y"), (&z, "new/@t/z")]);
    let staging_dir = staging_dir(&project);
    let wanted = package("x", "1.0.0");
    let locations = HashMap::from([("new/x", &wanted), ("new/@t/z", &z)]);
    early.remove_misplaced(&locations, &staging_dir).expect("there is room");
    assert_eq!(project.tree("new"), ["@t/z/a.js"]);
    assert_eq!(early.move_to(&other, &staging_dir, "new/nested"), Some(1), "it is moved to its location");
    assert_eq!(project.tree("new"), ["@t/z/a.js", "nested/a.js"]);
}

#[test]
fn a_package_at_its_location_is_used_only_there() {
    let project = Project::with(&[("new/x/a.js", "")]);
    let x = package("x", "1.0.0");
    let (early, staging_dir) = (early(&[(&x, "new/x")]), staging_dir(&project));
    assert_eq!(early.move_to(&x, &staging_dir, "new/nested"), None);
    assert_eq!(early.move_to(&x, &staging_dir, "new/x"), Some(1));
    assert_eq!(early.move_to(&x, &staging_dir, "new/x"), None, "once");
    assert_eq!(project.tree("new"), ["x/a.js"]);
}
