//! What `rusk install` is to reach, and whether it did. In: results, measured or stored. Out:
//! lines, a miss as a miss. Ratios are those of one run, round by round, of the time on tmpfs
//! unless a line says otherwise.

use super::brake::{BYTES_PER_SECOND, ROUND_TRIP};
use super::plan::GENERATED;
use super::results::{Key, Line, Results};
use super::row::{self, Row, Sample};
use super::scenario;
use super::tool::PEERS;
use crate::bench::median::median;
use std::collections::BTreeMap;

/// Every stored file.
pub type Book = BTreeMap<Key, Results>;

pub struct Target {
    pub says: &'static str,
    /// At most.
    bound: f64,
    of: fn(&Book) -> Option<Found>,
    /// The least that the number could be: what the bytes or the kernel alone take. Where that is
    /// measured.
    least: Option<fn(&Book) -> Option<f64>>,
}

const TARGET: Target = Target { says: "", bound: 0.0, of: |_| None, least: None };

/// A number, and what it belongs to where the line does not say that.
pub struct Found {
    number: f64,
    note: String,
}

impl From<f64> for Found {
    fn from(number: f64) -> Found {
        Found { number, note: String::new() }
    }
}

pub const ALL: &[Target] = &[
    Target {
        says: "nothing to do: system calls",
        bound: 60.0,
        of: |book| calls(book, "all-three", "rusk"),
        ..TARGET
    },
    Target {
        says: "nothing to do: time, of bun",
        bound: 0.25,
        of: |book| time(book, "all-three", "rusk", "bun"),
        ..TARGET
    },
    Target {
        says: "cache + lockfile: system calls beyond one for each file and folder made",
        bound: 1200.0,
        of: |book| {
            let row = memory(book).find("cache+lockfile", "rusk")?;
            let made = row.tree.files + row.tree.folders;
            Some((row.system_calls? as f64 - made as f64).into())
        },
        ..TARGET
    },
    Target {
        says: "cache + lockfile: time, of bun",
        bound: 0.75,
        of: |book| time(book, WARM, "rusk", "bun"),
        least: Some(|book| of_floor(book, WARM, "floor", "bun")),
    },
    Target {
        says: "the same on ext4, the tenth time in a row: time, of bun",
        bound: 0.15,
        of: |book| {
            let disk = book.get(&Key::new("application", "ext4", Line::Free))?;
            ratio(disk, scenario::AGAIN, "rusk", "bun", row::wall)
        },
        ..TARGET
    },
    Target {
        says: "cache + lockfile, isolated: time, of bun isolated",
        bound: 0.75,
        of: |book| time(book, WARM, "rusk-isolated", "bun-isolated"),
        least: Some(|book| of_floor(book, WARM, "floor-isolated", "bun-isolated")),
    },
    Target {
        says: "cache + lockfile, isolated: system calls, of bun isolated",
        bound: 0.75,
        of: |book| {
            let (own, other) = (calls(book, WARM, "rusk-isolated")?, calls(book, WARM, "bun-isolated")?);
            Some((own.number / other.number).into())
        },
        ..TARGET
    },
    Target {
        says: "cache + lockfile, shared store: system calls",
        bound: 1000.0,
        of: |book| calls(book, WARM, "rusk-global"),
        ..TARGET
    },
    Target {
        says: "cache + lockfile, shared store: time, of pnpm with a global virtual store",
        bound: 0.10,
        of: |book| time(book, WARM, "rusk-global", "pnpm-global"),
        ..TARGET
    },
    Target {
        says: "cache + lockfile, shared store: time, of bun hoisted",
        bound: 0.12,
        of: |book| time(book, WARM, "rusk-global", "bun"),
        ..TARGET
    },
    Target {
        says: "cache: time, of the best",
        bound: 0.7,
        of: |book| best(memory(book), "cache", row::wall),
        ..TARGET
    },
    Target {
        says: "node_modules: time, of the best",
        bound: 0.7,
        of: |book| best(memory(book), "node_modules", row::wall),
        ..TARGET
    },
    Target {
        says: "cache + node_modules: time, of the best",
        bound: 0.7,
        of: |book| best(memory(book), "cache+node_modules", row::wall),
        ..TARGET
    },
    Target {
        says: "lockfile: time, of the best",
        bound: 0.8,
        of: |book| best(memory(book), "lockfile", row::wall),
        least: Some(|book| {
            of_floor(book, "lockfile", "floor", &best_peer(memory(book), "lockfile", row::wall)?.tool)
        }),
    },
    Target {
        says: "lockfile, with the brake: time, of the best",
        bound: 0.95,
        of: |book| best(braked(book), "lockfile", row::wall),
        least: Some(|book| needed_of_best(book, "lockfile", 2)),
    },
    Target {
        says: "lockfile, with the brake: time, of what the bytes need",
        bound: 1.1,
        of: of_the_bytes,
        ..TARGET
    },
    Target {
        says: "nothing, with the brake: time, of the best",
        bound: 0.9,
        of: |book| best(braked(book), "nothing", row::wall),
        least: Some(|book| needed_of_best(book, "nothing", 3)),
    },
    Target {
        says: "update: time, of the best",
        bound: 0.7,
        of: |book| best(memory(book), "update", row::wall),
        ..TARGET
    },
    Target {
        says: "CPU seconds, of the best, in the worst of the nine",
        bound: 0.8,
        of: worst_cpu,
        ..TARGET
    },
    Target { says: "twice the packages: time, the worst doubling", bound: 2.1, of: worst_doubling, ..TARGET },
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
fn memory(book: &Book) -> &Results {
    book.get(&Key::new("application", "tmpfs", Line::Free)).unwrap_or(ABSENT)
}

fn braked(book: &Book) -> &Results {
    book.get(&Key::new("application", "tmpfs", Line::Braked)).unwrap_or(ABSENT)
}

fn calls(book: &Book, scenario: &str, tool: &str) -> Option<Found> {
    Some((memory(book).find(scenario, tool)?.system_calls? as f64).into())
}

fn time(book: &Book, scenario: &str, own: &str, other: &str) -> Option<Found> {
    ratio(memory(book), scenario, own, other, row::wall)
}

fn ratio(results: &Results, scenario: &str, own: &str, other: &str, of: fn(&Sample) -> f64) -> Option<Found> {
    Some(results.find(scenario, own)?.ratio(results.find(scenario, other)?, of)?.into())
}

/// Rusk's number, of the smallest of the peers' own.
fn best(results: &Results, scenario: &str, of: fn(&Sample) -> f64) -> Option<Found> {
    let best = best_peer(results, scenario, of)?;
    let number = results.find(scenario, "rusk")?.ratio(best, of)?;
    Some(Found { number, note: best.tool.clone() })
}

/// Of those that were measured with rusk.
fn best_peer<'a>(results: &'a Results, scenario: &str, of: fn(&Sample) -> f64) -> Option<&'a Row> {
    let run = &results.find(scenario, "rusk")?.run;
    let peers = PEERS.iter().filter_map(|peer| results.find(scenario, peer)).filter(|peer| peer.run == *run);
    peers.min_by(|a, b| a.median(of).total_cmp(&b.median(of)))
}

/// The bytes at the brake's rate, one round trip to connect, one for the first request.
fn of_the_bytes(book: &Book) -> Option<Found> {
    let row = braked(book).find("lockfile", "rusk")?;
    let ratio = |sample: &Sample| sample.wall_ms / needed_ms(sample, 2);
    Some(median(row.samples.iter().map(ratio).collect()).into())
}

/// The bytes that passed, at the brake's rate, and round trips that wait for each other.
fn needed_ms(sample: &Sample, round_trips: u32) -> f64 {
    let bytes_s = sample.passed.unwrap_or_default().bytes as f64 / BYTES_PER_SECOND;
    1000.0 * (bytes_s + f64::from(round_trips) * ROUND_TRIP.as_secs_f64())
}

/// What the bytes that rusk asks for need, of the best peer's time.
fn needed_of_best(book: &Book, scenario: &str, round_trips: u32) -> Option<f64> {
    let (own, best) = (braked(book).find(scenario, "rusk")?, best_peer(braked(book), scenario, row::wall)?);
    let needed = median(own.samples.iter().map(|sample| needed_ms(sample, round_trips)).collect());
    Some(needed / best.median(row::wall))
}

/// What making the same tree takes that knows all beforehand, of a peer's time.
fn of_floor(book: &Book, scenario: &str, floor: &str, peer: &str) -> Option<f64> {
    memory(book).find(scenario, floor)?.ratio(memory(book).find(scenario, peer)?, row::wall)
}

fn worst_cpu(book: &Book) -> Option<Found> {
    let ratios = scenario::PUBLISHED.iter().filter_map(|scenario| {
        let Found { number, note } = best(memory(book), scenario, row::cpu)?;
        Some(Found { number, note: format!("{scenario}, {note}") })
    });
    ratios.max_by(|a, b| a.number.total_cmp(&b.number))
}

/// Of the generated projects, each with the one of half its size.
fn worst_doubling(book: &Book) -> Option<Found> {
    let time = |fixture: &str, scenario: &str| {
        let results = book.get(&Key::new(fixture, "tmpfs", Line::Free))?;
        Some(results.find(scenario, "rusk")?.median(row::wall))
    };
    let doublings = GENERATED.windows(2).flat_map(|sizes| {
        [WARM, "cache"].map(|scenario| {
            let number = time(sizes[1], scenario)? / time(sizes[0], scenario)?;
            Some(Found { number, note: format!("{scenario}, {}", sizes[1]) })
        })
    });
    doublings.flatten().max_by(|a, b| a.number.total_cmp(&b.number))
}

impl Target {
    pub fn wanted(&self) -> String {
        match self.bound {
            bound if bound >= 10.0 => format!("≤ {bound:.0}"),
            bound => format!("≤ {bound:.2}"),
        }
    }

    /// The number, and whether it is what was wanted.
    pub fn verdict(&self, book: &Book) -> (String, &'static str) {
        let Some(Found { number, note }) = (self.of)(book) else { return ("–".to_owned(), "not measured") };
        let rounded = self.rounded(number);
        let shown = if note.is_empty() { rounded } else { format!("{rounded} ({note})") };
        (shown, if number <= self.bound { "met" } else { "NOT MET" })
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

impl Target {
    /// The least that the number could be, where that is known.
    pub fn least(&self, book: &Book) -> String {
        let least = self.least.and_then(|least| least(book));
        least.map_or_else(String::new, |least| format!("{least:.2}"))
    }
}

#[allow(clippy::print_stdout, reason = "the table is what was asked for")]
pub fn print(book: &Book) {
    println!("\n{:<76}{:>8}{:>7}  found", "target", "wanted", "least");
    for target in ALL {
        let (found, verdict) = target.verdict(book);
        println!("{:<76}{:>8}{:>7}  {verdict}: {found}", target.says, target.wanted(), target.least(book));
    }
}

#[cfg(test)]
mod tests;
