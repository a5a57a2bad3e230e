//! Stored files: their names, and what a run changes in them.

use super::*;

#[test]
fn a_file_is_named_after_what_was_measured() {
    for (key, file) in [
        (Key::new("server", "tmpfs", Line::Free), "install-server-tmpfs-free.json"),
        (Key::new("generated-2500", "ext4", Line::Braked), "install-generated-2500-ext4-braked.json"),
    ] {
        assert_eq!(key.file(), file);
        assert_eq!(Key::parse(file), Some(key));
    }
    assert_eq!(Key::parse("install-thousand-tmpfs.json"), None);
    assert_eq!(Key::parse("spawn.json"), None);
}

#[test]
fn a_run_replaces_what_it_measured_and_nothing_else() {
    let run = |name: &str| Run { name: name.to_owned(), ..Run::begun() };
    let mut results = Results::default();
    results.merge(&run("1"), &[Row::new("nothing", "rusk", "1"), Row::new("cache", "npm", "1")]);
    results.merge(&run("2"), &[Row::new("nothing", "rusk", "2")]);
    let rows: Vec<_> = results.rows.iter().map(|row| (&*row.scenario, &*row.tool, &*row.run)).collect();
    assert_eq!(rows, [("cache", "npm", "1"), ("nothing", "rusk", "2")]);
    assert_eq!(results.runs.iter().map(|run| &*run.name).collect::<Vec<_>>(), ["1", "2"]);
    results.merge(&run("3"), &[Row::new("cache", "npm", "3")]);
    assert_eq!(results.runs.iter().map(|run| &*run.name).collect::<Vec<_>>(), ["2", "3"]);
}

#[test]
fn another_machine_begins_anew() {
    let row = || vec![Row::new("nothing", "rusk", "1")];
    let mut results = Results { machine: "another one".to_owned(), rows: row(), ..Results::default() };
    results.forget_other_machines(Path::new("/")).unwrap();
    assert!(results.rows.is_empty());
    results.rows = row();
    results.forget_other_machines(Path::new("/")).unwrap();
    assert_eq!(results.rows, row());
}
