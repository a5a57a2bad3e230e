//! Stored files: their names, and how a run changes them.

use super::*;

#[test]
fn a_file_is_named_after_what_was_measured() {
    for (key, file) in [
        (ResultsKey::new("server", "tmpfs", Network::Unthrottled), "install-server-tmpfs-unthrottled.json"),
        (
            ResultsKey::new("generated-2500", "ext4", Network::Throttled),
            "install-generated-2500-ext4-throttled.json",
        ),
    ] {
        assert_eq!(key.file(), file);
        assert_eq!(ResultsKey::parse(file), Some(key));
    }
    assert_eq!(ResultsKey::parse("install-thousand-tmpfs.json"), None);
    assert_eq!(ResultsKey::parse("spawn.json"), None);
}

#[test]
fn a_run_replaces_what_it_measured_and_nothing_else() {
    let run = |name: &str| Run { name: name.to_owned(), ..Run::start_now() };
    let mut results = Results::default();
    results
        .merge(&run("1"), &[InstallRow::new("nothing", "rusk", "1"), InstallRow::new("cache", "npm", "1")]);
    results.merge(&run("2"), &[InstallRow::new("nothing", "rusk", "2")]);
    let rows: Vec<_> = results.rows.iter().map(|row| (&*row.scenario, &*row.tool, &*row.run)).collect();
    assert_eq!(rows, [("cache", "npm", "1"), ("nothing", "rusk", "2")]);
    assert_eq!(results.runs.iter().map(|run| &*run.name).collect::<Vec<_>>(), ["1", "2"]);
    results.merge(&run("3"), &[InstallRow::new("cache", "npm", "3")]);
    assert_eq!(results.runs.iter().map(|run| &*run.name).collect::<Vec<_>>(), ["2", "3"]);
}

#[test]
fn another_machine_begins_anew() {
    let row = || vec![InstallRow::new("nothing", "rusk", "1")];
    let mut results = Results { machine: "another one".to_owned(), rows: row(), ..Results::default() };
    results.remove_other_machines(Path::new("/")).unwrap();
    assert!(results.rows.is_empty());
    results.rows = row();
    results.remove_other_machines(Path::new("/")).unwrap();
    assert_eq!(results.rows, row());
}
