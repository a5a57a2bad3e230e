//! Rows, their ratios, and their JSON.

use super::*;

fn row(tool: &str, run: &str, walls: &[f64]) -> InstallRow {
    let sample = |&wall_ms: &f64| InstallSample { wall_ms, cpu_ms: 1.0, peak_mib: 2.5, traffic: None };
    InstallRow { samples: walls.iter().map(sample).collect(), ..InstallRow::new("nothing", tool, run) }
}

#[test]
fn a_ratio_is_taken_round_by_round() {
    let own = row("rusk", "1", &[1.0, 30.0, 5.0]);
    for (other, expected) in [
        (row("bun", "1", &[2.0, 40.0, 50.0]), Some(0.5)),
        (row("npm", "1", &[4.0]), Some(0.25)),
        (row("bun", "2", &[2.0, 40.0, 50.0]), None),
        (row("bun", "1", &[]), None),
        (InstallRow { failure: Some("it failed".to_owned()), ..row("bun", "1", &[1.0]) }, None),
    ] {
        assert_eq!(own.ratio(&other, wall), expected, "{other:?}");
    }
}

#[test]
fn what_is_stored_is_read_again() {
    let mut stored = row("bun", "2026-11-21 10:00", &[1.5, 2.0]);
    stored.system_calls = Some(1234);
    stored.tree = Tree { packages: 1, files: 2, directories: 3, links: 4 };
    stored.samples[0].traffic = Some(Traffic { bytes: 10_000_000, connections: 3 });
    stored.samples[1].traffic = Some(Traffic { bytes: 10_000_001, connections: 2 });
    let failed = InstallRow { failure: Some("`left` is not there".to_owned()), ..row("npm", "1", &[]) };
    for row in [stored, failed] {
        let text = row.json().render();
        assert_eq!(InstallRow::read(&results_file::parse("test", &text).unwrap()), row, "{text}");
    }
}
