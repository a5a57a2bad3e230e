//! What rusk-spawn is to reach, as ratios, and whether it did. In: rows, measured or stored. Out:
//! lines, a miss as a miss. A ratio is taken round by round, and the median of them counts.

use super::Line;
use super::results::{Measure, Row, Summary};
use crate::bench::median::median;

pub struct Target {
    pub says: &'static str,
    measure: Measure,
    /// The scenario in which rusk is measured, and by which method.
    scenario: &'static str,
    own: &'static str,
    /// What it is compared with: a scenario and a method.
    against: (&'static str, &'static str),
    bound: Bound,
    /// Which number of a round.
    of: fn(&Summary) -> &[f64],
}

#[derive(Clone, Copy)]
pub enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

const MEDIAN: fn(&Summary) -> &[f64] = |summary| &summary.rounds;
/// Where most calls are short and some are long, the median hides what the caller waits in all.
const MEAN: fn(&Summary) -> &[f64] = |summary| &summary.round_means;

pub const OF_LIBRARY: &[Target] = &[
    Target {
        says: "call returns, small parent, of posix_spawn",
        measure: Measure::Call,
        scenario: "plain",
        own: "rusk",
        against: ("plain", "posix_spawn"),
        bound: Bound::AtMost(0.22),
        of: MEDIAN,
    },
    Target {
        says: "the same with three pipes and a pidfd",
        measure: Measure::Call,
        scenario: "pipes",
        own: "rusk",
        against: ("pipes", "posix_spawn"),
        bound: Bound::AtMost(0.25),
        of: MEDIAN,
    },
    Target {
        says: "call returns, 8 in flight, of posix_spawn",
        measure: Measure::Call,
        scenario: "flight-8",
        own: "rusk",
        against: ("flight-8", "posix_spawn"),
        bound: Bound::AtMost(0.07),
        of: MEDIAN,
    },
    Target {
        says: "the same, mean instead of median",
        measure: Measure::Call,
        scenario: "flight-8",
        own: "rusk",
        against: ("flight-8", "posix_spawn"),
        bound: Bound::AtMost(0.07),
        of: MEAN,
    },
    Target {
        says: "call returns, 10,000 open, pipes, pidfd, of posix_spawn",
        measure: Measure::Call,
        scenario: "open-10000-pipes",
        own: "rusk",
        against: ("open-10000-pipes", "posix_spawn"),
        bound: Bound::AtMost(0.16),
        of: MEDIAN,
    },
    Target {
        says: "the same, of itself with none open",
        measure: Measure::Call,
        scenario: "open-10000-pipes",
        own: "rusk",
        against: ("pipes", "rusk"),
        bound: Bound::AtMost(1.1),
        of: MEDIAN,
    },
    Target {
        says: "reaped, 10,000 open, of posix_spawn",
        measure: Measure::Reaped,
        scenario: "open-10000",
        own: "rusk",
        against: ("open-10000", "posix_spawn"),
        bound: Bound::AtMost(0.40),
        of: MEDIAN,
    },
    Target {
        says: "call returns, 1 GiB parent, of the small parent",
        measure: Measure::Call,
        scenario: "gib",
        own: "rusk",
        against: ("plain", "rusk"),
        bound: Bound::AtMost(1.15),
        of: MEDIAN,
    },
    Target {
        says: "throughput, 8 in flight, static child, of posix_spawn",
        measure: Measure::PerSecond,
        scenario: "flight-8-static",
        own: "rusk",
        against: ("flight-8-static", "posix_spawn"),
        bound: Bound::AtLeast(1.8),
        of: MEDIAN,
    },
];

pub const OF_RUNTIMES: &[Target] = &[
    Target {
        says: "`Bun.spawnSync`, three pipes, of bun's",
        measure: Measure::Reaped,
        scenario: "pipes",
        own: "rusk sync",
        against: ("pipes", "bun sync"),
        bound: Bound::AtMost(0.9),
        of: MEDIAN,
    },
    Target {
        says: "`Bun.spawnSync`, 10,000 open, of bun's",
        measure: Measure::Reaped,
        scenario: "open-10000-pipes",
        own: "rusk sync",
        against: ("open-10000-pipes", "bun sync"),
        bound: Bound::AtMost(0.5),
        of: MEDIAN,
    },
    Target {
        says: "`Bun.spawnSync`, 10,000 open, of itself with few",
        measure: Measure::Reaped,
        scenario: "open-10000-pipes",
        own: "rusk sync",
        against: ("pipes", "rusk sync"),
        bound: Bound::AtMost(1.1),
        of: MEDIAN,
    },
    Target {
        says: "the loop is blocked by `Bun.spawn`, three pipes, of bun's",
        measure: Measure::Call,
        scenario: "pipes",
        own: "rusk",
        against: ("pipes", "bun"),
        bound: Bound::AtMost(0.3),
        of: MEDIAN,
    },
    Target {
        says: "the same, 10,000 open",
        measure: Measure::Call,
        scenario: "open-10000-pipes",
        own: "rusk",
        against: ("open-10000-pipes", "bun"),
        bound: Bound::AtMost(0.3),
        of: MEDIAN,
    },
];

pub fn of(line: &Line) -> &'static [Target] {
    if *line == Line::Library { OF_LIBRARY } else { OF_RUNTIMES }
}

impl Target {
    /// `None` where one of the two was not measured.
    pub fn ratio(&self, rows: &[Row]) -> Option<f64> {
        let rounds = |scenario, method| {
            let row = rows.iter().find(|row| row.is(scenario, method) && row.failure.is_none())?;
            Some((self.of)(row.find(self.measure)?))
        };
        let own = rounds(self.scenario, self.own)?;
        let others = rounds(self.against.0, self.against.1)?;
        Some(median(own.iter().zip(others).map(|(own, other)| own / other).collect()))
    }

    pub fn wanted(&self) -> String {
        match self.bound {
            Bound::AtMost(bound) => format!("≤ {bound:.2}"),
            Bound::AtLeast(bound) => format!("≥ {bound:.2}"),
        }
    }

    /// The ratio, and whether it is what was wanted.
    pub fn verdict(&self, rows: &[Row]) -> (String, &'static str) {
        let Some(ratio) = self.ratio(rows) else { return ("–".to_owned(), "not measured") };
        let met = match self.bound {
            Bound::AtMost(bound) => ratio <= bound,
            Bound::AtLeast(bound) => ratio >= bound,
        };
        (format!("{ratio:.3}"), if met { "met" } else { "NOT MET" })
    }
}

#[allow(clippy::print_stdout, reason = "the table is what was asked for")]
pub fn print(targets: &[Target], rows: &[Row]) {
    println!("\n{:<60}{:>8}{:>8}", "target", "wanted", "found");
    for target in targets {
        let (found, verdict) = target.verdict(rows);
        println!("{:<60}{:>8}{found:>8} {verdict}", target.says, target.wanted());
    }
}
