//! Performance targets of rusk-spawn, as ratios, and whether they are reached. In: rows, measured
//! or stored. Out: lines; a missed target is shown as one. A ratio is computed per round; the
//! median counts.

use super::Comparison;
use super::results::{Measure, SampleSummary, SpawnRow};
use crate::bench::median::median;

pub struct SpawnTarget {
    pub description: &'static str,
    measure: Measure,
    /// The scenario and the method in which rusk is measured.
    scenario: &'static str,
    own: &'static str,
    /// The scenario and the method it is compared with.
    against: (&'static str, &'static str),
    bound: Bound,
    /// Which number of a round.
    of: fn(&SampleSummary) -> &[f64],
}

#[derive(Clone, Copy)]
pub enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

const MEDIAN: fn(&SampleSummary) -> &[f64] = |summary| &summary.rounds;
/// Where most calls are short and some are long, the median hides the total waiting time.
const MEAN: fn(&SampleSummary) -> &[f64] = |summary| &summary.round_means;

pub const OF_LIBRARY: &[SpawnTarget] = &[
    SpawnTarget {
        description: "call returns, small parent, relative to posix_spawn",
        measure: Measure::Call,
        scenario: "plain",
        own: "rusk",
        against: ("plain", "posix_spawn"),
        bound: Bound::AtMost(0.22),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "call returns, small parent, three pipes and a pidfd, relative to posix_spawn",
        measure: Measure::Call,
        scenario: "pipes",
        own: "rusk",
        against: ("pipes", "posix_spawn"),
        bound: Bound::AtMost(0.25),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "call returns, 8 in flight, relative to posix_spawn",
        measure: Measure::Call,
        scenario: "flight-8",
        own: "rusk",
        against: ("flight-8", "posix_spawn"),
        bound: Bound::AtMost(0.07),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "call returns, 8 in flight, mean instead of median, relative to posix_spawn",
        measure: Measure::Call,
        scenario: "flight-8",
        own: "rusk",
        against: ("flight-8", "posix_spawn"),
        bound: Bound::AtMost(0.07),
        of: MEAN,
    },
    SpawnTarget {
        description: "call returns, 10,000 open, pipes, pidfd, relative to posix_spawn",
        measure: Measure::Call,
        scenario: "open-10000-pipes",
        own: "rusk",
        against: ("open-10000-pipes", "posix_spawn"),
        bound: Bound::AtMost(0.16),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "call returns, 10,000 open, pipes, pidfd, relative to none open",
        measure: Measure::Call,
        scenario: "open-10000-pipes",
        own: "rusk",
        against: ("pipes", "rusk"),
        bound: Bound::AtMost(1.1),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "reaped, 10,000 open, relative to posix_spawn",
        measure: Measure::Reaped,
        scenario: "open-10000",
        own: "rusk",
        against: ("open-10000", "posix_spawn"),
        bound: Bound::AtMost(0.40),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "call returns, 1 GiB parent, relative to the small parent",
        measure: Measure::Call,
        scenario: "gib",
        own: "rusk",
        against: ("plain", "rusk"),
        bound: Bound::AtMost(1.15),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "throughput, 8 in flight, static child, relative to posix_spawn",
        measure: Measure::PerSecond,
        scenario: "flight-8-static",
        own: "rusk",
        against: ("flight-8-static", "posix_spawn"),
        bound: Bound::AtLeast(1.8),
        of: MEDIAN,
    },
];

pub const OF_RUNTIMES: &[SpawnTarget] = &[
    SpawnTarget {
        description: "`Bun.spawnSync`, three pipes, relative to bun",
        measure: Measure::Reaped,
        scenario: "pipes",
        own: "rusk sync",
        against: ("pipes", "bun sync"),
        bound: Bound::AtMost(0.9),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "`Bun.spawnSync`, 10,000 open, relative to bun",
        measure: Measure::Reaped,
        scenario: "open-10000-pipes",
        own: "rusk sync",
        against: ("open-10000-pipes", "bun sync"),
        bound: Bound::AtMost(0.5),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "`Bun.spawnSync`, 10,000 open, relative to itself with few",
        measure: Measure::Reaped,
        scenario: "open-10000-pipes",
        own: "rusk sync",
        against: ("pipes", "rusk sync"),
        bound: Bound::AtMost(1.1),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "the loop is blocked by `Bun.spawn`, three pipes, relative to bun",
        measure: Measure::Call,
        scenario: "pipes",
        own: "rusk",
        against: ("pipes", "bun"),
        bound: Bound::AtMost(0.3),
        of: MEDIAN,
    },
    SpawnTarget {
        description: "the loop is blocked by `Bun.spawn`, 10,000 open, relative to bun",
        measure: Measure::Call,
        scenario: "open-10000-pipes",
        own: "rusk",
        against: ("open-10000-pipes", "bun"),
        bound: Bound::AtMost(0.3),
        of: MEDIAN,
    },
];

pub fn of(line: &Comparison) -> &'static [SpawnTarget] {
    if *line == Comparison::Library { OF_LIBRARY } else { OF_RUNTIMES }
}

impl SpawnTarget {
    /// `None` if one of the two was not measured.
    pub fn ratio(&self, rows: &[SpawnRow]) -> Option<f64> {
        let rounds = |scenario, method| {
            let row = rows.iter().find(|row| row.is(scenario, method) && row.failure.is_none())?;
            Some((self.of)(row.find(self.measure)?))
        };
        let own = rounds(self.scenario, self.own)?;
        let others = rounds(self.against.0, self.against.1)?;
        Some(median(own.iter().zip(others).map(|(own, other)| own / other).collect()))
    }

    pub fn target_text(&self) -> String {
        match self.bound {
            Bound::AtMost(bound) => format!("≤ {bound:.2}"),
            Bound::AtLeast(bound) => format!("≥ {bound:.2}"),
        }
    }

    /// The ratio, and whether it reaches the target.
    pub fn verdict(&self, rows: &[SpawnRow]) -> (String, &'static str) {
        let Some(ratio) = self.ratio(rows) else { return ("–".to_owned(), "not measured") };
        let passed = match self.bound {
            Bound::AtMost(bound) => ratio <= bound,
            Bound::AtLeast(bound) => ratio >= bound,
        };
        (format!("{ratio:.3}"), if passed { "pass" } else { "FAIL" })
    }
}

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(targets: &[SpawnTarget], rows: &[SpawnRow]) {
    println!("\n{:<72}{:>8}{:>10}", "", "target", "measured");
    for target in targets {
        let (found, verdict) = target.verdict(rows);
        println!("{:<72}{:>8}{found:>10} {verdict}", target.description, target.target_text());
    }
}
