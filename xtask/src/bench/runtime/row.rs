//! What was measured of a tool in a case, as JSON and back, and what is to be reached. A ratio is
//! taken within a round, then the median of those.

use super::LEAST;
use super::case::Case;
use crate::bench::median::median;
use crate::bench::stored::{numbers, text};
use crate::report::Json;
use rusk_npm::json::Node;

/// One number of a tool in a case, round by round.
pub struct Row {
    pub case: String,
    /// What is counted, and in what.
    pub what: String,
    pub tool: String,
    pub samples: Vec<f64>,
    pub failure: Option<String>,
}

/// Adds the numbers of one round to the rows of a tool.
pub fn add(rows: &mut Vec<Row>, case: &Case, tool: &str, numbers: Vec<(String, f64)>) {
    for (what, number) in numbers {
        // As fine as it is stored, so that a ratio is the same before and after.
        let number = (number * 1000.0).round() / 1000.0;
        match rows.iter_mut().find(|row| row.what == what) {
            Some(row) => row.samples.push(number),
            None => rows.push(Row { what, samples: vec![number], ..Row::empty(case, tool) }),
        }
    }
}

impl Row {
    fn empty(case: &Case, tool: &str) -> Row {
        let (case, tool) = (case.name.to_owned(), tool.to_owned());
        Row { case, what: String::new(), tool, samples: Vec::new(), failure: None }
    }

    pub fn failed(case: &Case, tool: &str, said: String) -> Row {
        Row { failure: Some(said), ..Row::empty(case, tool) }
    }

    pub fn json(&self) -> Json {
        let mut members: Vec<(String, Json)> =
            [("case", &self.case), ("what", &self.what), ("tool", &self.tool)]
                .map(|(key, value)| (key.to_owned(), Json::text(value)))
                .into();
        let samples = self.samples.iter().map(|&number| Json::number(number)).collect();
        members.push(("samples".to_owned(), Json::List(samples)));
        members.extend(self.failure.as_ref().map(|said| ("failure".to_owned(), Json::text(said))));
        Json::Line(members)
    }

    pub fn read(node: &Node<'_>) -> Row {
        let [case, what, tool] = ["case", "what", "tool"].map(|key| text(node, key));
        let failure = node.find("failure").and_then(Node::as_str).map(str::to_owned);
        Row { case, what, tool, samples: node.find("samples").map(numbers).unwrap_or_default(), failure }
    }

    pub fn median(&self) -> f64 {
        median(self.samples.clone())
    }
}

pub fn find<'r>(rows: &'r [Row], case: &str, what: &str, tool: &str) -> Option<&'r Row> {
    rows.iter()
        .find(|row| row.case == case && row.what == what && row.tool == tool && !row.samples.is_empty())
}

/// What is wanted of rusk's number.
pub struct Target {
    pub says: &'static str,
    case: &'static str,
    what: &'static str,
    /// The number is a ratio to this tool's; by itself where there is none.
    of: Option<&'static str>,
    bound: f64,
}

pub const fn target(
    says: &'static str,
    [case, what]: [&'static str; 2],
    of: Option<&'static str>,
    bound: f64,
) -> Target {
    Target { says, case, what, of, bound }
}

const WALL: &str = "wall, ms";
const NODE: Option<&str> = Some("node");
const BUN: Option<&str> = Some("bun");

pub const TARGETS: &[Target] = &[
    target("start of an empty file, of node", ["empty.js", WALL], NODE, 0.25),
    target("start of an empty TypeScript file, of node", ["empty.ts", WALL], NODE, 0.25),
    target("start of 1,000 ES modules, of node", ["modules-esm", WALL], NODE, 0.6),
    target("start of 1,000 CommonJS modules, of node", ["modules-cjs", WALL], NODE, 0.6),
    target("tsc --noEmit, of bun", ["tsc", WALL], BUN, 1.1),
    target("eslint, of bun", ["eslint", WALL], BUN, 1.1),
    target("100,000 files by readFileSync, of node", ["read-sync", "sync, ms"], NODE, 0.5),
    target("100,000 files by fs.promises, of node", ["read-promises", "promises, ms"], NODE, 0.5),
    target("JSON.parse, of bun", ["kernels", "JSON.parse, ms"], BUN, 1.1),
    target("JSON.stringify, of bun", ["kernels", "JSON.stringify, ms"], BUN, 1.1),
    target("regular expressions, of bun", ["kernels", "regular expressions, ms"], BUN, 1.1),
    target("nbody, of bun", ["kernels", "nbody, ms"], BUN, 1.1),
    target("fannkuch, of bun", ["kernels", "fannkuch, ms"], BUN, 1.1),
    target("spectral norm, of bun", ["kernels", "spectral norm, ms"], BUN, 1.1),
    target("binary trees, of bun", ["kernels", "binary trees, ms"], BUN, 1.1),
    target("sieve, of bun", ["kernels", "sieve, ms"], BUN, 1.1),
    target("words, of bun", ["kernels", "words, ms"], BUN, 1.1),
    target("resident size of an idle program, of node", ["idle-interval", "resident, MiB"], NODE, 1.0),
    target("processor time of an idle program in 10 s, ms", ["idle-interval", "CPU in 10 s, ms"], None, 0.0),
    target("wake-ups of an idle program in 10 s", ["idle-interval", "wake-ups in 10 s"], None, 0.0),
];

impl Target {
    pub fn wanted(&self) -> String {
        if self.of.is_some() { format!("≤ {:.2}", self.bound) } else { format!("{:.0}", self.bound) }
    }

    /// The number, and whether it is what was wanted.
    pub fn verdict(&self, rows: &[Row]) -> (String, &'static str) {
        let Some(number) = self.number(rows) else { return ("–".to_owned(), "not measured") };
        (format!("{number:.2}"), if number <= self.bound { "met" } else { "NOT MET" })
    }

    /// What is left where everything is left out that can be, if that was measured.
    pub fn least(&self, rows: &[Row]) -> Option<String> {
        self.of.and_then(|_| self.number_of(LEAST, rows)).map(|number| format!("{number:.2}"))
    }

    fn number(&self, rows: &[Row]) -> Option<f64> {
        self.number_of("rusk", rows)
    }

    fn number_of(&self, name: &str, rows: &[Row]) -> Option<f64> {
        let own = find(rows, self.case, self.what, name)?;
        let Some(tool) = self.of else { return Some(own.median()) };
        let pairs = own.samples.iter().zip(&find(rows, self.case, self.what, tool)?.samples);
        Some(median(pairs.map(|(own, other)| own / other).collect()))
    }
}

#[allow(clippy::print_stdout, reason = "the table is what was asked for")]
pub fn print(rows: &[Row], targets: &[Target]) {
    for row in rows {
        match &row.failure {
            Some(said) => println!("{:<16}{:<24}{:<14}left out: {said}", row.case, row.what, row.tool),
            None => println!("{:<16}{:<24}{:<14}{:>12.2}", row.case, row.what, row.tool, row.median()),
        }
    }
    for target in targets {
        let (found, verdict) = target.verdict(rows);
        let least = target.least(rows).map(|least| format!(", least {least}")).unwrap_or_default();
        println!("{:<50}{:>8}{found:>8} {verdict}{least}", target.says, target.wanted());
    }
}

#[cfg(test)]
mod tests;
