//! Targets, from synthetic rows.

use super::super::throttle::Traffic;
use super::super::tree::Tree;
use super::*;

fn row(scenario: &str, tool: &str, wall_ms: f64) -> InstallRow {
    let traffic = Some(Traffic { bytes: 25_000_000, connections: 1 });
    let sample = InstallSample { wall_ms, cpu_ms: wall_ms, peak_mib: 1.0, traffic };
    let tree = Tree { packages: 10, files: 900, directories: 90, links: 10 };
    InstallRow {
        samples: vec![sample; 3],
        system_calls: Some(1900),
        tree,
        ..InstallRow::new(scenario, tool, "1")
    }
}

fn results(fixture: &str, filesystem: &str, network: Network, rows: Vec<InstallRow>) -> AllResults {
    AllResults::from([(
        ResultsKey::new(fixture, filesystem, network),
        Results { rows, ..Results::default() },
    )])
}

#[track_caller]
fn check(results: &AllResults, description: &str, expected: (&str, &str)) {
    let target = ALL.iter().find(|target| target.description == description).unwrap();
    let (found, verdict) = target.verdict(results);
    assert_eq!((found.as_str(), verdict), expected);
}

#[test]
fn what_was_not_measured_is_neither_met_nor_missed() {
    for target in ALL {
        assert_eq!(
            target.verdict(&AllResults::new()),
            ("–".to_owned(), "not measured"),
            "{}",
            target.description
        );
    }
}

#[test]
fn the_best_peer_is_the_one_that_is_beaten_least() {
    let rows = vec![row("cache", "rusk", 60.0), row("cache", "bun", 200.0), row("cache", "pnpm", 100.0)];
    check(
        &results("application", "tmpfs", Network::Unthrottled, rows),
        "cache: time relative to the best peer",
        ("0.60 (pnpm)", "pass"),
    );
    let rows = vec![row("cache", "rusk", 71.0), row("cache", "bun", 100.0), row("cache", "bun-global", 10.0)];
    check(
        &results("application", "tmpfs", Network::Unthrottled, rows),
        "cache: time relative to the best peer",
        ("0.71 (bun)", "FAIL"),
    );
    let rows = vec![row("cache", "rusk", 70.3), row("cache", "bun", 100.0)];
    check(
        &results("application", "tmpfs", Network::Unthrottled, rows),
        "cache: time relative to the best peer",
        ("0.703 (bun)", "FAIL"),
    );
}

#[test]
fn calls_are_counted_beyond_the_tree_that_was_made() {
    let results = results("application", "tmpfs", Network::Unthrottled, vec![row(WARM, "rusk", 1.0)]);
    check(
        &results,
        "cache + lockfile: system calls beyond one for each created file and directory",
        ("910", "pass"),
    );
    check(&results, "cache + lockfile, shared store: system calls", ("–", "not measured"));
}

#[test]
fn the_bytes_need_their_time_and_two_round_trips() {
    let results = results("application", "tmpfs", Network::Throttled, vec![row("lockfile", "rusk", 1320.0)]);
    check(&results, "lockfile, throttled: time relative to the transfer time", ("1.20", "FAIL"));
    let rows = vec![row("nothing", "rusk", 2000.0), row("nothing", "bun", 1500.0)];
    let results = super::tests::results("application", "tmpfs", Network::Throttled, rows);
    let description = "nothing, throttled: time relative to the best peer";
    check(&results, description, ("1.33 (bun)", "FAIL"));
    // A second for the bytes, and three round trips of 50 ms.
    assert_eq!(
        ALL.iter().find(|target| target.description == description).unwrap().lower_bound(&results),
        "0.77"
    );
}

#[test]
fn a_floor_says_what_any_program_takes() {
    let rows = [("rusk", 90.0), ("bun", 100.0), ("floor", 70.0)];
    let rows = rows.map(|(tool, wall_ms)| row("lockfile", tool, wall_ms)).to_vec();
    let results = results("application", "tmpfs", Network::Unthrottled, rows);
    let target =
        ALL.iter().find(|target| target.description == "lockfile: time relative to the best peer").unwrap();
    assert_eq!((target.verdict(&results).1, target.lower_bound(&results).as_str()), ("FAIL", "0.70"));
    assert_eq!(target.lower_bound(&AllResults::new()), "");
}

#[test]
fn the_worst_of_all_counts() {
    let of = |scenario: &str, rusk: f64| vec![row(scenario, "rusk", rusk), row(scenario, "bun", 100.0)];
    let rows = [of("cache", 50.0), of("update", 90.0), of("nothing", 70.0)].concat();
    let description = "CPU time relative to the best peer, worst of the nine scenarios";
    check(
        &results("application", "tmpfs", Network::Unthrottled, rows),
        description,
        ("0.90 (update, bun)", "FAIL"),
    );

    let mut sizes = AllResults::new();
    for (fixture, wall_ms) in GENERATED.iter().zip([100.0, 190.0, 400.0, 700.0]) {
        sizes.extend(results(fixture, "tmpfs", Network::Unthrottled, vec![row(WARM, "rusk", wall_ms)]));
    }
    let worst = ("2.11 (cache+lockfile, generated-10000)", "FAIL");
    check(&sizes, "twice the packages: time ratio, worst case", worst);
}
