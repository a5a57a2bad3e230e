//! Rows of `bench resolve`: samples of a resolver in a tree, their JSON, and performance targets.
//! Times in milliseconds.

use crate::bench::median::median;
use crate::bench::results_file::{number, numbers, text};
use crate::report::Json;
use rusk_npm::json::Node;

/// The maximum of rusk-modules relative to oxc-resolver.
pub const TARGETS: &[(&str, f64)] = &[("cold: system calls", 0.5), ("cold: time", 1.0), ("warm: time", 1.0)];

/// One pass over the list.
#[derive(Clone, Copy)]
pub struct Pass {
    ms: f64,
    found: [f64; 3],
}

impl Pass {
    pub fn read(node: &Node<'_>) -> Pass {
        let of = |key: &str| node.find(key).and_then(number).unwrap_or_default();
        Pass { ms: of("ns") / 1e6, found: ["files", "builtins", "failures"].map(of) }
    }
}

/// One resolver in one tree.
pub struct ResolveRow {
    pub tree: String,
    pub tool: String,
    pub specifiers: usize,
    pub cold_calls: f64,
    pub warm_calls: f64,
    pub cold_ms: Vec<f64>,
    pub warm_ms: Vec<f64>,
    /// Files, builtins and URLs, failures.
    found: [f64; 3],
}

impl ResolveRow {
    pub fn new(tree: &str, tool: &str, specifiers: usize) -> ResolveRow {
        ResolveRow {
            tree: tree.to_owned(),
            tool: tool.to_owned(),
            specifiers,
            cold_calls: 0.0,
            warm_calls: 0.0,
            cold_ms: Vec::new(),
            warm_ms: Vec::new(),
            found: [0.0; 3],
        }
    }

    pub fn add(&mut self, [cold, warm]: [Pass; 2]) {
        self.cold_ms.push(cold.ms);
        self.warm_ms.push(warm.ms);
        self.found = cold.found;
    }

    pub fn json(&self) -> Json {
        let list = |numbers: &[f64]| Json::List(numbers.iter().map(|&number| Json::number(number)).collect());
        Json::object([
            ("tree", Json::text(&self.tree)),
            ("tool", Json::text(&self.tool)),
            ("specifiers", Json::number(self.specifiers as f64)),
            ("found", list(&self.found)),
            ("cold_calls", Json::number(self.cold_calls)),
            ("warm_calls", Json::number(self.warm_calls)),
            ("cold_ms", list(&self.cold_ms)),
            ("warm_ms", list(&self.warm_ms)),
        ])
    }

    pub fn read(node: &Node<'_>) -> Option<ResolveRow> {
        let count = |key: &str| node.find(key).and_then(number);
        let list = |key: &str| node.find(key).map(numbers).unwrap_or_default();
        Some(ResolveRow {
            tree: text(node, "tree"),
            tool: text(node, "tool"),
            specifiers: count("specifiers")? as usize,
            cold_calls: count("cold_calls")?,
            warm_calls: count("warm_calls")?,
            cold_ms: list("cold_ms"),
            warm_ms: list("warm_ms"),
            found: list("found").try_into().ok()?,
        })
    }

    /// The cells of the tables, in the order of [`HEADS`].
    pub fn cells(&self) -> [f64; 6] {
        let [files, _, failures] = self.found;
        let (cold, warm) = (median(self.cold_ms.clone()), median(self.warm_ms.clone()));
        // A run may request memory from the kernel once more than another.
        [self.cold_calls, cold, self.warm_calls.max(0.0), warm, files, failures]
    }
}

pub const HEADS: [&str; 6] =
    ["cold: system calls", "cold: ms", "warm: system calls", "warm: ms", "files found", "failures"];

/// rusk-modules relative to oxc-resolver, for each target in a tree; for times the median of the
/// rounds' ratios.
pub fn ratios(rows: &[ResolveRow], tree: &str) -> Option<[f64; 3]> {
    let row = |tool: &str| rows.iter().find(|row| row.tree == tree && row.tool == tool);
    let (ours, theirs) = (row("rusk")?, row("oxc")?);
    let times = |ours: &[f64], theirs: &[f64]| {
        median(ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect())
    };
    Some([
        ours.cold_calls / theirs.cold_calls,
        times(&ours.cold_ms, &theirs.cold_ms),
        times(&ours.warm_ms, &theirs.warm_ms),
    ])
}

/// The trees in the order they were measured.
pub fn trees(rows: &[ResolveRow]) -> Vec<&str> {
    let mut trees: Vec<&str> = rows.iter().map(|row| row.tree.as_str()).collect();
    trees.dedup();
    trees
}

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(rows: &[ResolveRow]) {
    for row in rows {
        let cells = HEADS.iter().zip(row.cells()).map(|(head, cell)| format!("{head} {cell:.1}"));
        println!("{} {}: {}", row.tree, row.tool, cells.collect::<Vec<_>>().join(", "));
    }
    for tree in trees(rows) {
        for ((what, bound), found) in TARGETS.iter().zip(ratios(rows, tree).unwrap_or_default()) {
            let verdict = if found <= *bound { "pass" } else { "FAIL" };
            println!("{tree}: {what}, of oxc-resolver: target {bound:.2}, measured {found:.2}: {verdict}");
        }
    }
}
