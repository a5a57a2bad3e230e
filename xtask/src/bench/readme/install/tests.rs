//! Tables and charts from stored results.

use super::*;

const STORED: &str = r#"{
  "date": "2026-11-21",
  "machine": {"processor": "P", "cores": 2, "memory": "1048576 kB", "kernel": "6.1"},
  "versions": {"rusk": "0.1.0", "bun": "1.4.5", "bun-isolated": "1.4.5"},
  "runs": [{"name": "1", "load_before": "0.1 0.2 0.3", "round_trip_ms": 51.2, "megabytes_per_second": 25}],
  "rows": [
    {"scenario": "cache", "tool": "rusk", "run": "1", "wall_ms": [100, 120], "cpu_ms": [90, 90], "peak_mib": [10, 12],
     "system_calls": 12345, "tree": {"packages": 1699, "files": 20, "folders": 3, "links": 0}},
    {"scenario": "cache", "tool": "bun", "run": "1", "wall_ms": [2500], "cpu_ms": [90], "peak_mib": [10]},
    {"scenario": "cache", "tool": "npm", "run": "1", "wall_ms": [], "cpu_ms": [], "peak_mib": [], "failure": "it `said` so"},
    {"scenario": "cache+lockfile", "tool": "bun-isolated", "run": "1", "wall_ms": [7], "cpu_ms": [7], "peak_mib": [1]}
  ]
}"#;

fn stored() -> (ResultsKey, Results) {
    (ResultsKey::new("application", "tmpfs", Network::Throttled), Results::parse("test", STORED).unwrap())
}

#[test]
fn a_section_has_medians_spread_and_failures() {
    let (key, results) = stored();
    let mut rendered = String::new();
    section(&mut rendered, &key, &results);
    for line in [
        "## The application (1,699 packages), tmpfs, 50 ms, 200 Mbit/s",
        "2026-11-21, up to 2 rounds: P, 2 cores, 1 GiB, Linux 6.1; load before: 0.1 0.2 0.3; throttling as measured: 51.2 ms, 200 Mbit/s.",
        "| | rusk 0.1.0 | bun 1.4.5 | npm  |",
        "| cache | 100 ms (20 %) | 2.50 s | – |",
        "| cache | 12,345 | – | – |",
        "| | bun-isolated 1.4.5 |",
        "| cache + lockfile | 7.0 ms |",
        "- npm, cache: `it 'said' so`",
    ] {
        assert!(rendered.lines().any(|rendered| rendered == line), "no line `{line}` in\n{rendered}");
    }
}

#[test]
fn the_chart_has_the_nine_scenarios_and_says_what_is_missing() {
    let (key, results) = stored();
    let rendered = draw(&key, &results, Theme::Dark);
    for text in [">2.50 s<", ">failed<", ">not measured<", ">cache + node_modules<", "1,699 packages"] {
        assert!(rendered.contains(text), "no `{text}` in\n{rendered}");
    }
    assert!(!rendered.contains("bun-isolated"));
}

#[test]
fn both_themes_of_a_picture_are_named() {
    let results = AllResults::from([stored()]);
    let rendered = pictures(&results, "docs/", &CHARTED_NETWORKS);
    assert!(rendered.contains("srcset=\"docs/benchmark-throttled-dark.svg\""), "{rendered}");
    assert!(rendered.contains("src=\"docs/benchmark-throttled-light.svg\""), "{rendered}");
    assert!(!rendered.contains("benchmark-unthrottled"), "{rendered}");
}

#[test]
fn growth_is_shown_beside_the_time() {
    let sizes = GENERATED.iter().zip([100.0, 210.0]).map(|(fixture, wall_ms)| {
        let sample = row::InstallSample { wall_ms, ..row::InstallSample::default() };
        let row = InstallRow { samples: vec![sample], ..InstallRow::new("cache", "rusk", "1") };
        let results = Results { rows: vec![row], ..Results::default() };
        (ResultsKey::new(fixture, "tmpfs", Network::Unthrottled), results)
    });
    let rendered = scaling(&sizes.collect());
    assert!(rendered.contains("| cache: rusk | 100 ms | 210 ms (× 2.10) | – | – |"), "{rendered}");
}
