//! Where outputs go. In: links, files and devices. Out: the file that is replaced, or the stream.

use std::os::unix::fs::symlink;

use rusk_testkit::project::Project;

use super::*;

#[test]
fn links_lead_to_their_targets() {
    let project = Project::with(&[("real/file.js", ""), ("plain.js", "")]);
    let root = project.path().canonicalize().expect("it exists");
    symlink("real/file.js", root.join("one.js")).expect("it is new");
    symlink("one.js", root.join("two.js")).expect("it is new");
    symlink("real/new.js", root.join("dangling.js")).expect("it is new");
    symlink("loop.js", root.join("loop.js")).expect("it is new");
    symlink("/dev/null", root.join("null.js")).expect("it is new");
    let file = |name: &str| Ok(WriteTarget::File(root.join(name)));
    for (path, expected) in [
        ("plain.js", file("plain.js")),
        ("missing.js", file("missing.js")),
        ("one.js", file("real/file.js")),
        ("two.js", file("real/file.js")),
        ("dangling.js", file("real/new.js")),
        ("null.js", Ok(WriteTarget::Stream(root.join("null.js")))),
        ("real", Err(())),
        ("loop.js", Err(())),
    ] {
        assert_eq!(find(&root.join(path)).map_err(|_| ()), expected, "{path}");
    }
}
