//! Tables from stored results.

use super::*;

const STORED: &str = r#"{
  "date": "2026-11-21", "rounds": 2, "load_before": "0.1 0.2 0.3",
  "machine": {"processor": "P", "cores": 2, "memory": "1048576 kB", "kernel": "6.1"},
  "versions": {"libc": "glibc 2.36"}, "methods": ["rusk", "posix_spawn", "bun sync"],
  "rows": [
    {"scenario": "plain", "method": "rusk", "call_us": {"p50": 10, "rounds": [10, 20]}},
    {"scenario": "plain", "method": "posix_spawn", "call_us": {"p50": 1234.5, "rounds": [100, 100]}},
    {"scenario": "plain", "method": "bun sync", "call_us": {"p50": 7}, "reaped_us": {"mean": 7}}
  ]
}"#;

#[test]
fn targets_and_measures_are_drawn_from_what_is_stored() {
    let rendered =
        draw(&results_file::parse("test", STORED).unwrap(), "spawn.json", "", targets::OF_LIBRARY, TABLES)
            .unwrap();
    for line in [
        "2026-11-21, 2 rounds: P, 2 cores, 1 GiB, Linux 6.1, libc 2.36; load before: 0.1 0.2 0.3",
        "| call returns, small parent, relative to posix_spawn | ≤ 0.22 | 0.100 | pass |",
        "| call returns, small parent, three pipes and a pidfd, relative to posix_spawn | ≤ 0.25 | – | not measured |",
        "| | rusk | posix_spawn |",
        "| small parent, /bin/true, one at a time | 10.0 | 1,234 |",
        "| small parent, /bin/true, one at a time | 7.0 |",
    ] {
        assert!(rendered.lines().any(|rendered| rendered == line), "no line `{line}` in\n{rendered}");
    }
}
