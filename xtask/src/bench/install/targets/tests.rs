//! Targets, from rows that were made up.

use super::super::brake::Passed;
use super::super::tree::Tree;
use super::*;

fn row(scenario: &str, tool: &str, wall_ms: f64) -> Row {
    let passed = Some(Passed { bytes: 25_000_000, connections: 1 });
    let sample = Sample { wall_ms, cpu_ms: wall_ms, peak_mib: 1.0, passed };
    let tree = Tree { packages: 10, files: 900, folders: 90, links: 10 };
    Row { samples: vec![sample; 3], system_calls: Some(1900), tree, ..Row::new(scenario, tool, "1") }
}

fn book(fixture: &str, filesystem: &str, line: Line, rows: Vec<Row>) -> Book {
    Book::from([(Key::new(fixture, filesystem, line), Results { rows, ..Results::default() })])
}

#[track_caller]
fn check(book: &Book, says: &str, expected: (&str, &str)) {
    let target = ALL.iter().find(|target| target.says == says).unwrap();
    let (found, verdict) = target.verdict(book);
    assert_eq!((found.as_str(), verdict), expected);
}

#[test]
fn what_was_not_measured_is_neither_met_nor_missed() {
    for target in ALL {
        assert_eq!(target.verdict(&Book::new()), ("–".to_owned(), "not measured"), "{}", target.says);
    }
}

#[test]
fn the_best_peer_is_the_one_that_is_beaten_least() {
    let rows = vec![row("cache", "rusk", 60.0), row("cache", "bun", 200.0), row("cache", "pnpm", 100.0)];
    check(
        &book("application", "tmpfs", Line::Free, rows),
        "cache: time, of the best",
        ("0.60 (pnpm)", "met"),
    );
    let rows = vec![row("cache", "rusk", 71.0), row("cache", "bun", 100.0), row("cache", "bun-global", 10.0)];
    check(
        &book("application", "tmpfs", Line::Free, rows),
        "cache: time, of the best",
        ("0.71 (bun)", "NOT MET"),
    );
    let rows = vec![row("cache", "rusk", 70.3), row("cache", "bun", 100.0)];
    check(
        &book("application", "tmpfs", Line::Free, rows),
        "cache: time, of the best",
        ("0.703 (bun)", "NOT MET"),
    );
}

#[test]
fn calls_are_counted_beyond_the_tree_that_was_made() {
    let book = book("application", "tmpfs", Line::Free, vec![row(WARM, "rusk", 1.0)]);
    check(&book, "cache + lockfile: system calls beyond one for each file and folder made", ("910", "met"));
    check(&book, "cache + lockfile, shared store: system calls", ("–", "not measured"));
}

#[test]
fn the_bytes_need_their_time_and_two_round_trips() {
    let book = book("application", "tmpfs", Line::Braked, vec![row("lockfile", "rusk", 1320.0)]);
    check(&book, "lockfile, with the brake: time, of what the bytes need", ("1.20", "NOT MET"));
    let rows = vec![row("nothing", "rusk", 2000.0), row("nothing", "bun", 1500.0)];
    let book = super::tests::book("application", "tmpfs", Line::Braked, rows);
    let says = "nothing, with the brake: time, of the best";
    check(&book, says, ("1.33 (bun)", "NOT MET"));
    // A second for the bytes, and three round trips of 50 ms.
    assert_eq!(ALL.iter().find(|target| target.says == says).unwrap().least(&book), "0.77");
}

#[test]
fn a_floor_says_what_any_program_takes() {
    let rows = [("rusk", 90.0), ("bun", 100.0), ("floor", 70.0)];
    let rows = rows.map(|(tool, wall_ms)| row("lockfile", tool, wall_ms)).to_vec();
    let book = book("application", "tmpfs", Line::Free, rows);
    let target = ALL.iter().find(|target| target.says == "lockfile: time, of the best").unwrap();
    assert_eq!((target.verdict(&book).1, target.least(&book).as_str()), ("NOT MET", "0.70"));
    assert_eq!(target.least(&Book::new()), "");
}

#[test]
fn the_worst_of_all_counts() {
    let of = |scenario: &str, rusk: f64| vec![row(scenario, "rusk", rusk), row(scenario, "bun", 100.0)];
    let rows = [of("cache", 50.0), of("update", 90.0), of("nothing", 70.0)].concat();
    let says = "CPU seconds, of the best, in the worst of the nine";
    check(&book("application", "tmpfs", Line::Free, rows), says, ("0.90 (update, bun)", "NOT MET"));

    let mut sizes = Book::new();
    for (fixture, wall_ms) in GENERATED.iter().zip([100.0, 190.0, 400.0, 700.0]) {
        sizes.extend(book(fixture, "tmpfs", Line::Free, vec![row(WARM, "rusk", wall_ms)]));
    }
    let worst = ("2.11 (cache+lockfile, generated-10000)", "NOT MET");
    check(&sizes, "twice the packages: time, the worst doubling", worst);
}
