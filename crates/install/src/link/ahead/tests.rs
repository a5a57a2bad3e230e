//! What was linked ahead, once it is known what belongs where.

use rusk_store::{Index, Manifest};
use rusk_testkit::project::Project;

use super::*;

fn package(name: &str, version: &str) -> Package {
    let manifest = Manifest { name: name.to_owned(), version: version.to_owned(), ..Manifest::default() };
    Package { key: Key::new(name, version, ""), index: Index::new(manifest, [0; 64], &[], &[]) }
}

fn workbench(project: &Project) -> Workbench {
    let folder = sys::open_folder(sys::CURRENT, project.path()).expect("it is there");
    Workbench::at(project.path(), folder)
}

/// Packages that stand at these paths with one file each.
fn ready(staged: &[(&Package, &str)]) -> Ready {
    let staged = staged.iter().map(|(package, path)| {
        let staged = Staged { path: (*path).to_owned(), files: 1 };
        (package.key.clone(), staged)
    });
    Ready(Mutex::new(Stand { staged: staged.collect(), spoiled: vec!["new/half".to_owned()] }))
}

#[test]
fn only_what_belongs_where_it_stands_stays_there() {
    let files = ["new/x/a.js", "new/@s/y/a.js", "new/@t/z/a.js", "new/half/a.js"];
    let project = Project::with(&files.map(|file| (file, "")));
    let (other, y, z) = (package("x", "2.0.0"), package("@s/y", "1.0.0"), package("@t/z", "1.0.0"));
    let ready = ready(&[(&other, "new/x"), (&y, "new/@s/y"), (&z, "new/@t/z")]);
    let workbench = workbench(&project);
    let wanted = package("x", "1.0.0");
    let places = HashMap::from([("new/x", &wanted), ("new/@t/z", &z)]);
    ready.settle(&places, &workbench).expect("there is room");
    assert_eq!(project.tree("new"), ["@t/z/a.js"]);
    assert_eq!(ready.put(&other, &workbench, "new/nested"), Some(1), "it goes where it belongs");
    assert_eq!(project.tree("new"), ["@t/z/a.js", "nested/a.js"]);
}

#[test]
fn what_stands_in_its_place_is_for_that_place_alone() {
    let project = Project::with(&[("new/x/a.js", "")]);
    let x = package("x", "1.0.0");
    let (ready, workbench) = (ready(&[(&x, "new/x")]), workbench(&project));
    assert_eq!(ready.put(&x, &workbench, "new/nested"), None);
    assert_eq!(ready.put(&x, &workbench, "new/x"), Some(1));
    assert_eq!(ready.put(&x, &workbench, "new/x"), None, "once");
    assert_eq!(project.tree("new"), ["x/a.js"]);
}
