//! What `rusk install` is to reach, and whether it did. In: results, measured or stored. Out:
//! lines, a miss as a miss. Ratios are those of one run, round by round, of the time on tmpfs
//! unless a line says otherwise.

use super::plan::GENERATED;
use super::results::{Network, Results, ResultsKey};
use super::row::{self, InstallRow, InstallSample};
use super::scenario;
use super::throttle::{BYTES_PER_SECOND, ROUND_TRIP};
use super::tool::PEERS;
use crate::bench::median::median;
use std::collections::BTreeMap;

/// Every stored file.
pub type AllResults = BTreeMap<ResultsKey, Results>;

pub struct InstallTarget {
    pub description: &'static str,
    /// At most.
    bound: f64,
    of: fn(&AllResults) -> Option<Measurement>,
    /// The least that the number could be: what the bytes or the kernel alone take. Where that is
    /// measured.
    lower_bound: Option<fn(&AllResults) -> Option<f64>>,
}

const TARGET: InstallTarget = InstallTarget { description: "", bound: 0.0, of: |_| None, lower_bound: None };

/// A number, and what it belongs to where the line does not say that.
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
        of: |book| calls(book, "all-three", "rusk"),
        ..TARGET
    },
    InstallTarget {
        description: "nothing to do: time relative to bun",
        bound: 0.25,
        of: |book| time(book, "all-three", "rusk", "bun"),
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile: system calls beyond one for each created file and directory",
        bound: 1200.0,
        of: |book| {
            let row = memory(book).find("cache+lockfile", "rusk")?;
            let made = row.tree.files + row.tree.directories;
            Some((row.system_calls? as f64 - made as f64).into())
        },
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile: time relative to bun",
        bound: 0.75,
        of: |book| time(book, WARM, "rusk", "bun"),
        lower_bound: Some(|book| relative_to_floor(book, WARM, "floor", "bun")),
    },
    InstallTarget {
        description: "cache + lockfile on ext4, tenth time in a row: time relative to bun",
        bound: 0.15,
        of: |book| {
            let disk = book.get(&ResultsKey::new("application", "ext4", Network::Unthrottled))?;
            ratio(disk, scenario::AGAIN, "rusk", "bun", row::wall)
        },
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile, isolated: time relative to bun isolated",
        bound: 0.75,
        of: |book| time(book, WARM, "rusk-isolated", "bun-isolated"),
        lower_bound: Some(|book| relative_to_floor(book, WARM, "floor-isolated", "bun-isolated")),
    },
    InstallTarget {
        description: "cache + lockfile, isolated: system calls relative to bun isolated",
        bound: 0.75,
        of: |book| {
            let (own, other) = (calls(book, WARM, "rusk-isolated")?, calls(book, WARM, "bun-isolated")?);
            Some((own.number / other.number).into())
        },
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile, shared store: system calls",
        bound: 1000.0,
        of: |book| calls(book, WARM, "rusk-global"),
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile, shared store: time relative to pnpm with a global virtual store",
        bound: 0.10,
        of: |book| time(book, WARM, "rusk-global", "pnpm-global"),
        ..TARGET
    },
    InstallTarget {
        description: "cache + lockfile, shared store: time relative to bun hoisted",
        bound: 0.12,
        of: |book| time(book, WARM, "rusk-global", "bun"),
        ..TARGET
    },
    InstallTarget {
        description: "cache: time relative to the best peer",
        bound: 0.7,
        of: |book| best(memory(book), "cache", row::wall),
        ..TARGET
    },
    InstallTarget {
        description: "node_modules: time relative to the best peer",
        bound: 0.7,
        of: |book| best(memory(book), "node_modules", row::wall),
        ..TARGET
    },
    InstallTarget {
        description: "cache + node_modules: time relative to the best peer",
        bound: 0.7,
        of: |book| best(memory(book), "cache+node_modules", row::wall),
        ..TARGET
    },
    InstallTarget {
        description: "lockfile: time relative to the best peer",
        bound: 0.8,
        of: |book| best(memory(book), "lockfile", row::wall),
        lower_bound: Some(|book| {
            relative_to_floor(
                book,
                "lockfile",
                "floor",
                &best_peer(memory(book), "lockfile", row::wall)?.tool,
            )
        }),
    },
    InstallTarget {
        description: "lockfile, throttled: time relative to the best peer",
        bound: 0.95,
        of: |book| best(throttled(book), "lockfile", row::wall),
        lower_bound: Some(|book| transfer_relative_to_best(book, "lockfile", 2)),
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
        of: |book| best(throttled(book), "nothing", row::wall),
        lower_bound: Some(|book| transfer_relative_to_best(book, "nothing", 3)),
    },
    InstallTarget {
        description: "update: time relative to the best peer",
        bound: 0.7,
        of: |book| best(memory(book), "update", row::wall),
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
fn memory(book: &AllResults) -> &Results {
    book.get(&ResultsKey::new("application", "tmpfs", Network::Unthrottled)).unwrap_or(ABSENT)
}

fn throttled(book: &AllResults) -> &Results {
    book.get(&ResultsKey::new("application", "tmpfs", Network::Throttled)).unwrap_or(ABSENT)
}

fn calls(book: &AllResults, scenario: &str, tool: &str) -> Option<Measurement> {
    Some((memory(book).find(scenario, tool)?.system_calls? as f64).into())
}

fn time(book: &AllResults, scenario: &str, own: &str, other: &str) -> Option<Measurement> {
    ratio(memory(book), scenario, own, other, row::wall)
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

/// Rusk's number, of the smallest of the peers' own.
fn best(results: &Results, scenario: &str, of: fn(&InstallSample) -> f64) -> Option<Measurement> {
    let best = best_peer(results, scenario, of)?;
    let number = results.find(scenario, "rusk")?.ratio(best, of)?;
    Some(Measurement { number, note: best.tool.clone() })
}

/// Of those that were measured with rusk.
fn best_peer<'a>(
    results: &'a Results,
    scenario: &str,
    of: fn(&InstallSample) -> f64,
) -> Option<&'a InstallRow> {
    let run = &results.find(scenario, "rusk")?.run;
    let peers = PEERS.iter().filter_map(|peer| results.find(scenario, peer)).filter(|peer| peer.run == *run);
    peers.min_by(|a, b| a.median(of).total_cmp(&b.median(of)))
}

/// The bytes at the brake's rate, one round trip to connect, one for the first request.
fn relative_to_transfer(book: &AllResults) -> Option<Measurement> {
    let row = throttled(book).find("lockfile", "rusk")?;
    let ratio = |sample: &InstallSample| sample.wall_ms / transfer_ms(sample, 2);
    Some(median(row.samples.iter().map(ratio).collect()).into())
}

/// The bytes that passed, at the brake's rate, and round trips that wait for each other.
fn transfer_ms(sample: &InstallSample, round_trips: u32) -> f64 {
    let bytes_s = sample.traffic.unwrap_or_default().bytes as f64 / BYTES_PER_SECOND;
    1000.0 * (bytes_s + f64::from(round_trips) * ROUND_TRIP.as_secs_f64())
}

/// What the bytes that rusk asks for need, of the best peer's time.
fn transfer_relative_to_best(book: &AllResults, scenario: &str, round_trips: u32) -> Option<f64> {
    let (own, best) =
        (throttled(book).find(scenario, "rusk")?, best_peer(throttled(book), scenario, row::wall)?);
    let needed = median(own.samples.iter().map(|sample| transfer_ms(sample, round_trips)).collect());
    Some(needed / best.median(row::wall))
}

/// What making the same tree takes that knows all beforehand, of a peer's time.
fn relative_to_floor(book: &AllResults, scenario: &str, floor: &str, peer: &str) -> Option<f64> {
    memory(book).find(scenario, floor)?.ratio(memory(book).find(scenario, peer)?, row::wall)
}

fn worst_cpu(book: &AllResults) -> Option<Measurement> {
    let ratios = scenario::PUBLISHED.iter().filter_map(|scenario| {
        let Measurement { number, note } = best(memory(book), scenario, row::cpu)?;
        Some(Measurement { number, note: format!("{scenario}, {note}") })
    });
    ratios.max_by(|a, b| a.number.total_cmp(&b.number))
}

/// Of the generated projects, each with the one of half its size.
fn worst_doubling(book: &AllResults) -> Option<Measurement> {
    let time = |fixture: &str, scenario: &str| {
        let results = book.get(&ResultsKey::new(fixture, "tmpfs", Network::Unthrottled))?;
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

    /// The number, and whether it is what was wanted.
    pub fn verdict(&self, book: &AllResults) -> (String, &'static str) {
        let Some(Measurement { number, note }) = (self.of)(book) else {
            return ("–".to_owned(), "not measured");
        };
        let rounded = self.rounded(number);
        let shown = if note.is_empty() { rounded } else { format!("{rounded} ({note})") };
        (shown, if number <= self.bound { "pass" } else { "FAIL" })
    }

    /// With as many digits as the bound, and one more where it would look like the bound and is
    /// above.
    fn rounded(&self, number: f64) -> String {
        let digits = if self.bound >= 10.0 { 0 } else { 2 };
        let shown = format!("{number:.digits$}");
        let is_misleading = number > self.bound && shown == format!("{:.digits$}", self.bound);
        if is_misleading { format!("{number:.*}", digits + 1) } else { shown }
    }
}

impl InstallTarget {
    /// The least that the number could be, where that is known.
    pub fn lower_bound(&self, book: &AllResults) -> String {
        let lower_bound = self.lower_bound.and_then(|lower_bound| lower_bound(book));
        lower_bound.map_or_else(String::new, |lower_bound| format!("{lower_bound:.2}"))
    }
}

#[allow(clippy::print_stdout, reason = "the table is what was asked for")]
pub fn print(book: &AllResults) {
    println!("\n{:<88}{:>8}{:>13}  measured", "", "target", "lower bound");
    for target in ALL {
        let (found, verdict) = target.verdict(book);
        println!(
            "{:<88}{:>8}{:>13}  {verdict}: {found}",
            target.description,
            target.target_text(),
            target.lower_bound(book)
        );
    }
}

#[cfg(test)]
mod tests;
