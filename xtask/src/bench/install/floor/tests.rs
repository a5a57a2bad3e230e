//! A recorded tree is created again.

use super::*;

#[test]
fn a_task_is_an_entry_that_no_other_touches() {
    for (path, task) in [
        ("node_modules/a", "node_modules/a"),
        ("node_modules/a/lib/x.js", "node_modules/a"),
        ("node_modules/@s/b/x.js", "node_modules/@s"),
        ("node_modules/.bun", "node_modules/.bun"),
        ("node_modules/.bun/a@1/node_modules/a/x.js", "node_modules/.bun/a@1"),
        ("node_modules/.bunny/x", "node_modules/.bunny"),
    ] {
        assert_eq!(entry_of(path), task);
    }
}

#[test]
fn notes_are_read_back_the_largest_task_first() {
    let text = "T\t/nowhere/a.tgz\ta@1\nD\tnode_modules\nD\tnode_modules/a\nD\tnode_modules/b\n\
                D\tnode_modules/b/lib\nF\ta@1/0\tnode_modules/b/lib/x\nL\tnode_modules/c\t../d\nD\tnode_modules/.bun\n";
    let recipe = Recipe::read(text).unwrap();
    assert_eq!(recipe.tarballs, [(PathBuf::from("/nowhere/a.tgz"), "a@1".to_owned())]);
    let steps = |task: &EntryTask| format!("{} {} {}", task.path, task.is_directory, task.steps.len());
    let tasks: Vec<String> = recipe.tasks.iter().map(steps).collect();
    assert_eq!(tasks, ["node_modules/b true 2", "node_modules/c false 1", "node_modules/a true 0"]);
    assert!(
        matches!(&recipe.tasks[0].steps[1], FileStep::File(stored, path) if stored == "a@1/0" && path == "lib/x")
    );
    assert!(recipe.has_entries && Recipe::read("X\ta\n").is_err());
}
