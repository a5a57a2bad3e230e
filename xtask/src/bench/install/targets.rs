//! Performance targets of `rusk install`, and whether they are reached. In: results, measured or
//! stored. Out: lines; a missed target is shown as one. Ratios are of one run, per round, of the
//! time on tmpfs unless the description says otherwise.

use super::plan::GENERATED;
use super::results::{Network, Results, ResultsKey};
use super::row::{self, InstallRow, InstallSample};
use super::scenario;
use super::throttle::{BYTES_PER_SECOND, ROUND_TRIP};
use super::tool::PEERS;
use crate::bench::median::median;
use std::collections::BTreeMap;

/// All stored files.
pub type AllResults = BTreeMap<ResultsKey, Results>;

pub struct InstallTarget {
    pub description: &'static str,
    /// The maximum.
    bound: f64,
    of: fn(&AllResults) -> Option<Measurement>,
    /// Lower bound of the number, if measured: what the transfer or the system calls alone take.
    lower_bound: Option<fn(&AllResults) -> Option<f64>>,
}

const TARGET: InstallTarget = InstallTarget { description: "", bound: 0.0, of: |_| None, lower_bound: None };

/// A number, with a note that says what it belongs to if the description does not.
pub struct Measurement {
    number: f64,
    note: String,
}

impl From<f64> for Measurement {
    fn from(number: f64) -> Measurement {
        Measurement { number, note: String::new() }
    }
}

pub const ALL: &[InstallTarget] = &[
    InstallTarget {
        description: "nothing to do: system calls",
        bound: 60.0,
        of: |results| calls(results, "all-three", "rusk"),
        ..TARGET
    },
    InstallTarget {
        description: "nothing to do: time relative to bun",
        bound: 0.25,
        of: |results| time(results, "all-three", "rusk", "bun"),
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile: system calls beyond one for each created file and directory",
        bound: 1200.0,
        of: |results| {
            let row = on_tmpfs(results).find("cache+lockfile", "rusk")?;
            let made = row.tree.files + row.tree.directories;
            Some((row.system_calls? as f64 - made as f64).into())
        },
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile: time relative to bun",
        bound: 0.75,
        of: |results| time(results, WARM, "rusk", "bun"),
        lower_bound: Some(|results| relative_to_floor(results, WARM, "floor", "bun")),
    },
    InstallTarget {
        description: "cache + lockfile on ext4, tenth time in a row: time relative to bun",
        bound: 0.15,
        of: |results| {
            let disk = results.get(&ResultsKey::new("application", "ext4", Network::Unthrottled))?;
            ratio(disk, scenario::AGAIN, "rusk", "bun", row::wall)
        },
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile, isolated: time relative to bun isolated",
        bound: 0.75,
        of: |results| time(results, WARM, "rusk-isolated", "bun-isolated"),
        lower_bound: Some(|results| relative_to_floor(results, WARM, "floor-isolated", "bun-isolated")),
    },
    InstallTarget {
        description: "cache + lockfile, isolated: system calls relative to bun isolated",
        bound: 0.75,
        of: |results| {
            let (own, other) =
                (calls(results, WARM, "rusk-isolated")?, calls(results, WARM, "bun-isolated")?);
            Some((own.number / other.number).into())
        },
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile, shared store: system calls",
        bound: 1000.0,
        of: |results| calls(results, WARM, "rusk-global"),
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile, shared store: time relative to pnpm with a global virtual store",
        bound: 0.10,
        of: |results| time(results, WARM, "rusk-global", "pnpm-global"),
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile, shared store: time relative to bun hoisted",
        bound: 0.12,
        of: |results| time(results, WARM, "rusk-global", "bun"),
        ..TARGET
    },
    InstallTarget {
        description: "cache: time relative to the best peer",
        bound: 0.7,
        of: |results| best(on_tmpfs(results), "cache", row::wall),
        ..TARGET
    },
    InstallTarget {
        description: "node_modules: time relative to the best peer",
        bound: 0.7,
        of: |results| best(on_tmpfs(results), "node_modules", row::wall),
        ..TARGET
    },
    InstallTarget {
        description: "cache + node_modules: time relative to the best peer",
        bound: 0.7,
        of: |results| best(on_tmpfs(results), "cache+node_modules", row::wall),
        ..TARGET
    },
    InstallTarget {
        description: "lockfile: time relative to the best peer",
        bound: 0.8,
        of: |results| best(on_tmpfs(results), "lockfile", row::wall),
        lower_bound: Some(|results| {
            relative_to_floor(
                results,
                "lockfile",
                "floor",
                &best_peer(on_tmpfs(results), "lockfile", row::wall)?.tool,
            )
        }),
    },
    InstallTarget {
        description: "lockfile, throttled: time relative to the best peer",
        bound: 0.95,
        of: |results| best(throttled(results), "lockfile", row::wall),
        lower_bound: Some(|results| transfer_relative_to_best(results, "lockfile", 2)),
    },
    InstallTarget {
        description: "lockfile, throttled: time relative to the transfer time",
        bound: 1.1,
        of: relative_to_transfer,
        ..TARGET
    },
    InstallTarget {
        description: "nothing, throttled: time relative to the best peer",
        bound: 0.9,
        of: |results| best(throttled(results), "nothing", row::wall),
        lower_bound: Some(|results| transfer_relative_to_best(results, "nothing", 3)),
    },
    InstallTarget {
        description: "update: time relative to the best peer",
        bound: 0.7,
        of: |results| best(on_tmpfs(results), "update", row::wall),
        ..TARGET
    },
    InstallTarget {
        description: "CPU time relative to the best peer, worst of the nine scenarios",
        bound: 0.8,
        of: worst_cpu,
        ..TARGET
    },
    InstallTarget {
        description: "twice the packages: time ratio, worst case",
        bound: 2.1,
        of: worst_doubling,
        ..TARGET
    },
];

const WARM: &str = "cache+lockfile";
const ABSENT: &Results = &Results {
    date: String::new(),
    machine: String::new(),
    versions: BTreeMap::new(),
    runs: Vec::new(),
    rows: Vec::new(),
};

/// The application on tmpfs.
fn on_tmpfs(results: &AllResults) -> &Results {
    results.get(&ResultsKey::new("application", "tmpfs", Network::Unthrottled)).unwrap_or(ABSENT)
}

fn throttled(results: &AllResults) -> &Results {
    results.get(&ResultsKey::new("application", "tmpfs", Network::Throttled)).unwrap_or(ABSENT)
}

fn calls(results: &AllResults, scenario: &str, tool: &str) -> Option<Measurement> {
    Some((on_tmpfs(results).find(scenario, tool)?.system_calls? as f64).into())
}

fn time(results: &AllResults, scenario: &str, own: &str, other: &str) -> Option<Measurement> {
    ratio(on_tmpfs(results), scenario, own, other, row::wall)
}

fn ratio(
    results: &Results,
    scenario: &str,
    own: &str,
    other: &str,
    of: fn(&InstallSample) -> f64,
) -> Option<Measurement> {
    Some(results.find(scenario, own)?.ratio(results.find(scenario, other)?, of)?.into())
}

/// Rusk's number relative to the smallest of the peers'.
fn best(results: &Results, scenario: &str, of: fn(&InstallSample) -> f64) -> Option<Measurement> {
    let best = best_peer(results, scenario, of)?;
    let number = results.find(scenario, "rusk")?.ratio(best, of)?;
    Some(Measurement { number, note: best.tool.clone() })
}

/// Among those that were measured in the same run as rusk.
fn best_peer<'a>(
    results: &'a Results,
    scenario: &str,
    of: fn(&InstallSample) -> f64,
) -> Option<&'a InstallRow> {
    let run = &results.find(scenario, "rusk")?.run;
    let peers = PEERS.iter().filter_map(|peer| results.find(scenario, peer)).filter(|peer| peer.run == *run);
    peers.min_by(|a, b| a.median(of).total_cmp(&b.median(of)))
}

/// The transfer time includes one round trip to connect and one for the first request.
fn relative_to_transfer(results: &AllResults) -> Option<Measurement> {
    let row = throttled(results).find("lockfile", "rusk")?;
    let ratio = |sample: &InstallSample| sample.wall_ms / transfer_ms(sample, 2);
    Some(median(row.samples.iter().map(ratio).collect()).into())
}

/// The time to transfer the bytes at the throttled rate, plus sequential round trips.
fn transfer_ms(sample: &InstallSample, round_trips: u32) -> f64 {
    let bytes_s = sample.traffic.unwrap_or_default().bytes as f64 / BYTES_PER_SECOND;
    1000.0 * (bytes_s + f64::from(round_trips) * ROUND_TRIP.as_secs_f64())
}

/// The transfer time of what rusk requests, relative to the best peer's time.
fn transfer_relative_to_best(results: &AllResults, scenario: &str, round_trips: u32) -> Option<f64> {
    let (own, best) =
        (throttled(results).find(scenario, "rusk")?, best_peer(throttled(results), scenario, row::wall)?);
    let needed = median(own.samples.iter().map(|sample| transfer_ms(sample, round_trips)).collect());
    Some(needed / best.median(row::wall))
}

/// The time of the lower-bound program relative to a peer's time.
fn relative_to_floor(results: &AllResults, scenario: &str, floor: &str, peer: &str) -> Option<f64> {
    on_tmpfs(results).find(scenario, floor)?.ratio(on_tmpfs(results).find(scenario, peer)?, row::wall)
}

fn worst_cpu(results: &AllResults) -> Option<Measurement> {
    let ratios = scenario::PUBLISHED.iter().filter_map(|scenario| {
        let Measurement { number, note } = best(on_tmpfs(results), scenario, row::cpu)?;
        Some(Measurement { number, note: format!("{scenario}, {note}") })
    });
    ratios.max_by(|a, b| a.number.total_cmp(&b.number))
}

/// Each generated project relative to the one of half its size.
fn worst_doubling(results: &AllResults) -> Option<Measurement> {
    let time = |fixture: &str, scenario: &str| {
        let results = results.get(&ResultsKey::new(fixture, "tmpfs", Network::Unthrottled))?;
        Some(results.find(scenario, "rusk")?.median(row::wall))
    };
    let doublings = GENERATED.windows(2).flat_map(|sizes| {
        [WARM, "cache"].map(|scenario| {
            let number = time(sizes[1], scenario)? / time(sizes[0], scenario)?;
            Some(Measurement { number, note: format!("{scenario}, {}", sizes[1]) })
        })
    });
    doublings.flatten().max_by(|a, b| a.number.total_cmp(&b.number))
}

impl InstallTarget {
    pub fn target_text(&self) -> String {
        match self.bound {
            bound if bound >= 10.0 => format!("≤ {bound:.0}"),
            bound => format!("≤ {bound:.2}"),
        }
    }

    /// The number, and whether it reaches the target.
    pub fn verdict(&self, results: &AllResults) -> (String, &'static str) {
        let Some(Measurement { number, note }) = (self.of)(results) else {
            return ("–".to_owned(), "not measured");
        };
        let rounded = self.rounded(number);
        let shown = if note.is_empty() { rounded } else { format!("{rounded} ({note})") };
        (shown, if number <= self.bound { "pass" } else { "FAIL" })
    }

    /// With as many digits as the bound; one more if it would look equal to the bound but is above.
    fn rounded(&self, number: f64) -> String {
        let digits = if self.bound >= 10.0 { 0 } else { 2 };
        let shown = format!("{number:.digits$}");
        let is_misleading = number > self.bound && shown == format!("{:.digits$}", self.bound);
        if is_misleading { format!("{number:.*}", digits + 1) } else { shown }
    }
}

impl InstallTarget {
    /// The lower bound of the number, if known.
    pub fn lower_bound(&self, results: &AllResults) -> String {
        let lower_bound = self.lower_bound.and_then(|lower_bound| lower_bound(results));
        lower_bound.map_or_else(String::new, |lower_bound| format!("{lower_bound:.2}"))
    }
}

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(results: &AllResults) {
    println!("\n{:<88}{:>8}{:>13}  measured", "", "target", "lower bound");
    for target in ALL {
        let (found, verdict) = target.verdict(results);
        println!(
            "{:<88}{:>8}{:>13}  {verdict}: {found}",
            target.description,
            target.target_text(),
            target.lower_bound(results)
        );
    }
}

#[cfg(test)]
mod tests;
