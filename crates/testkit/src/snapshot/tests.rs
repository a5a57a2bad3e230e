//! Every kind of difference is found.

use super::*;
use crate::project::Project;

#[test]
fn modes_links_contents_and_absence_differ() {
    let files = [("same", "1"), ("changed", "1"), ("mode", "1"), ("gone/file", "1")];
    let (a, b) = (Project::with(&files), Project::with(&files));
    assert!(differences(("a", &take(&a.path()).unwrap()), ("b", &take(&b.path()).unwrap())).is_empty());
    b.write("changed", "2").remove("gone");
    fs::set_permissions(b.path().join("mode"), fs::Permissions::from_mode(0o755)).unwrap();
    for (project, target) in [(&a, "same"), (&b, "changed")] {
        std::os::unix::fs::symlink(target, project.path().join("link")).unwrap();
    }
    let found = differences(("a", &take(&a.path()).unwrap()), ("b", &take(&b.path()).unwrap()));
    let paths: Vec<&str> = found.iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(paths, ["changed", "gone", "gone/file", "link", "mode"], "{found:#?}");
    assert_eq!(found[3], "link: a link to same; b link to changed");
}
