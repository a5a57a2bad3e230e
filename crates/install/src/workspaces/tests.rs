//! Which directories of a real tree are workspaces.

use std::path::PathBuf;

use super::*;

/// A directory that is removed when the test ends.
struct Tree(PathBuf);

impl Tree {
    fn new(packages: &[&str]) -> Tree {
        let root = std::env::temp_dir().join(format!("rusk-workspaces-{}", files::unpredictable_name()));
        for package in packages {
            std::fs::create_dir_all(root.join(package)).expect("a directory");
            std::fs::write(root.join(package).join("package.json"), "{}").expect("a file");
        }
        Tree(root)
    }

    fn check(&self, globs: &str, expected: &str) {
        let globs: Vec<String> = globs.split_whitespace().map(str::to_owned).collect();
        let patterns = WorkspacePatterns::parse(&globs).expect("patterns");
        let found = scan(&self.0, &patterns, NamedDirectory::Required).expect("a walk");
        let paths: Vec<&str> = found.workspaces.iter().map(|workspace| workspace.path.as_str()).collect();
        assert_eq!(paths.join(" "), expected, "{globs:?}");
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn tree() -> Tree {
    let tree = Tree::new(&[
        "",
        "packages/b",
        "packages/a",
        "packages/a/node_modules/q",
        "packages/.hidden",
        "packages/node_modules/z",
        "packages/deep/c",
        "apps/x",
        "apps/x/y",
        "lib",
        "other/ln",
    ]);
    std::fs::create_dir_all(tree.0.join("packages/empty")).expect("a directory");
    std::os::unix::fs::symlink("../other/ln", tree.0.join("packages/ln")).expect("a link");
    std::os::unix::fs::symlink("nowhere", tree.0.join("packages/broken")).expect("a link");
    std::os::unix::fs::symlink("../packages", tree.0.join("packages/loop")).expect("a link");
    tree
}

#[test]
fn the_scan_finds_the_same_workspaces_as_bun() {
    let tree = tree();
    tree.check("packages/*", "packages/a packages/b packages/ln");
    tree.check("packages/**", "packages/a packages/b packages/deep/c");
    tree.check("packages/* !packages/b", "packages/a packages/ln");
    tree.check("**", "apps/x apps/x/y lib other/ln packages/a packages/b packages/deep/c");
    tree.check("lib packages/.hidden", "lib packages/.hidden");
    tree.check("packages/* packages/a", "packages/a packages/b packages/ln");
    tree.check("nope/* apps/**", "apps/x apps/x/y");
    tree.check("", "");
}

#[test]
fn a_named_directory_must_be_a_workspace() {
    let patterns = WorkspacePatterns::parse(&["packages/empty".to_owned()]).expect("patterns");
    let tree = tree();
    let problem = scan(&tree.0, &patterns, NamedDirectory::Required).expect_err("no package.json");
    assert_eq!(problem.code(), "no-workspace");
    let found = scan(&tree.0, &patterns, NamedDirectory::Optional).expect("it is skipped");
    assert_eq!(found.searched, ["packages/empty/package.json"]);
    assert!(found.workspaces.is_empty());
}

#[test]
fn a_workspace_is_inside_the_project() {
    let outside = Tree::new(&["ui"]);
    let tree = Tree::new(&["", "packages/a"]);
    std::os::unix::fs::symlink(outside.0.join("ui"), tree.0.join("packages/ui")).expect("a link");
    std::os::unix::fs::symlink(&outside.0, tree.0.join("others")).expect("a link");
    let code = |glob: &str| {
        let patterns = WorkspacePatterns::parse(&[glob.to_owned()])?;
        scan(&tree.0, &patterns, NamedDirectory::Required).map(|found| found.workspaces.len())
    };
    assert_eq!(code("packages/*").expect_err("it leads out").code(), "workspace-outside");
    assert_eq!(code("packages/ui").expect_err("it leads out").code(), "workspace-outside");
    assert_eq!(code("others/ui").expect_err("it leads out").code(), "workspace-outside");
    assert_eq!(code("others/*").expect("links are not walked into"), 0);
    assert_eq!(code("../*").expect_err("it leads out").code(), "workspace-glob");
    assert_eq!(code("/etc").expect_err("it leads out").code(), "workspace-glob");
    assert_eq!(code("packages/a").expect("inside"), 1);
}
