//! Rows of `bench runtime`: numbers of a tool in a case, their JSON, and performance targets. A
//! ratio is computed per round, then the median of the ratios.

use super::LEAST;
use super::case::RuntimeCase;
use crate::bench::median::median;
use crate::bench::results_file::{numbers, text};
use crate::files;
use crate::report::{self, Json};
use rusk_npm::json::Node;

/// One number of a tool in a case, per round.
pub struct RuntimeRow {
    pub case: String,
    /// What is measured, and its unit.
    pub what: String,
    pub tool: String,
    pub samples: Vec<f64>,
    pub failure: Option<String>,
    /// The tool was ended at a limit: it would have taken more than the samples.
    pub is_at_least: bool,
}

/// Adds the numbers of one round to the rows of a tool.
pub fn add(rows: &mut Vec<RuntimeRow>, case: &RuntimeCase, tool: &str, numbers: Vec<(String, f64)>) {
    for (what, number) in numbers {
        // Rounded as stored, so that a ratio is the same before and after.
        let number = (number * 1000.0).round() / 1000.0;
        match rows.iter_mut().find(|row| row.what == what) {
            Some(row) => row.samples.push(number),
            None => rows.push(RuntimeRow { what, samples: vec![number], ..RuntimeRow::empty(case, tool) }),
        }
    }
}

/// Adds a number of one round to the row of its case, name and tool; rounded as it is stored.
pub fn add_sample(rows: &mut Vec<RuntimeRow>, [case, what, tool]: [&str; 3], number: f64) {
    let number = (number * 1000.0).round() / 1000.0;
    match rows.iter_mut().find(|row| row.case == case && row.what == what && row.tool == tool) {
        Some(row) => row.samples.push(number),
        None => rows.push(RuntimeRow {
            case: case.to_owned(),
            what: what.to_owned(),
            tool: tool.to_owned(),
            samples: vec![number],
            failure: None,
            is_at_least: false,
        }),
    }
}

/// Writes `bench/results/NAME.json`. `versions`: of the tools, in the order of the tables.
pub fn store(
    name: &str,
    versions: Vec<(String, Json)>,
    load: &str,
    rounds: usize,
    rows: &[RuntimeRow],
) -> Result<(), String> {
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(&files::target())),
        ("versions", Json::Object(versions)),
        ("load_before", Json::text(load)),
        ("rounds", Json::number(rounds as f64)),
        ("rows", Json::List(rows.iter().map(RuntimeRow::json).collect())),
    ]);
    files::write(&files::root().join(format!("bench/results/{name}.json")), &json.render())
}

impl RuntimeRow {
    fn empty(case: &RuntimeCase, tool: &str) -> RuntimeRow {
        let (case, tool) = (case.name.to_owned(), tool.to_owned());
        RuntimeRow { case, what: String::new(), tool, samples: Vec::new(), failure: None, is_at_least: false }
    }

    pub fn failed(case: &RuntimeCase, tool: &str, message: String) -> RuntimeRow {
        RuntimeRow { failure: Some(message), ..RuntimeRow::empty(case, tool) }
    }

    pub fn json(&self) -> Json {
        let mut members: Vec<(String, Json)> =
            [("case", &self.case), ("what", &self.what), ("tool", &self.tool)]
                .map(|(key, value)| (key.to_owned(), Json::text(value)))
                .into();
        let samples = self.samples.iter().map(|&number| Json::number(number)).collect();
        members.push(("samples".to_owned(), Json::List(samples)));
        members.extend(self.failure.as_ref().map(|message| ("failure".to_owned(), Json::text(message))));
        members.extend(self.is_at_least.then(|| ("at_least".to_owned(), Json::text("ended at the limit"))));
        Json::Line(members)
    }

    pub fn read(node: &Node<'_>) -> RuntimeRow {
        let [case, what, tool] = ["case", "what", "tool"].map(|key| text(node, key));
        let failure = node.find("failure").and_then(Node::as_str).map(str::to_owned);
        RuntimeRow {
            case,
            what,
            tool,
            samples: node.find("samples").map(numbers).unwrap_or_default(),
            failure,
            is_at_least: node.find("at_least").is_some(),
        }
    }

    pub fn median(&self) -> f64 {
        median(self.samples.clone())
    }
}

pub fn find<'r>(rows: &'r [RuntimeRow], case: &str, what: &str, tool: &str) -> Option<&'r RuntimeRow> {
    rows.iter()
        .find(|row| row.case == case && row.what == what && row.tool == tool && !row.samples.is_empty())
}

/// A performance target for one number of rusk.
pub struct RuntimeTarget {
    pub description: &'static str,
    case: &'static str,
    what: &'static str,
    /// The number is relative to this tool's; absolute if `None`.
    of: Option<&'static str>,
    bound: f64,
}

pub const fn target(
    description: &'static str,
    [case, what]: [&'static str; 2],
    of: Option<&'static str>,
    bound: f64,
) -> RuntimeTarget {
    RuntimeTarget { description, case, what, of, bound }
}

const WALL: &str = "wall, ms";
const NODE: Option<&str> = Some("node");
const BUN: Option<&str> = Some("bun");

pub const TARGETS: &[RuntimeTarget] = &[
    target("start of an empty file, relative to node", ["empty.js", WALL], NODE, 0.25),
    target("start of an empty TypeScript file, relative to node", ["empty.ts", WALL], NODE, 0.25),
    target("start of 1,000 ES modules, relative to node", ["modules-esm", WALL], NODE, 0.6),
    target("start of 1,000 CommonJS modules, relative to node", ["modules-cjs", WALL], NODE, 0.6),
    target("tsc --noEmit, relative to bun", ["tsc", WALL], BUN, 1.1),
    target("eslint, relative to bun", ["eslint", WALL], BUN, 1.1),
    target("100,000 files by readFileSync, relative to node", ["read-sync", "sync, ms"], NODE, 0.5),
    target("100,000 files by fs.promises, relative to node", ["read-promises", "promises, ms"], NODE, 0.5),
    target("JSON.parse, relative to bun", ["kernels", "JSON.parse, ms"], BUN, 1.1),
    target("JSON.stringify, relative to bun", ["kernels", "JSON.stringify, ms"], BUN, 1.1),
    target("regular expressions, relative to bun", ["kernels", "regular expressions, ms"], BUN, 1.1),
    target("nbody, relative to bun", ["kernels", "nbody, ms"], BUN, 1.1),
    target("fannkuch, relative to bun", ["kernels", "fannkuch, ms"], BUN, 1.1),
    target("spectral norm, relative to bun", ["kernels", "spectral norm, ms"], BUN, 1.1),
    target("binary trees, relative to bun", ["kernels", "binary trees, ms"], BUN, 1.1),
    target("sieve, relative to bun", ["kernels", "sieve, ms"], BUN, 1.1),
    target("words, relative to bun", ["kernels", "words, ms"], BUN, 1.1),
    target(
        "resident size of an idle program, relative to node",
        ["idle-interval", "resident, MiB"],
        NODE,
        1.0,
    ),
    target("processor time of an idle program in 10 s, ms", ["idle-interval", "CPU in 10 s, ms"], None, 0.0),
    target("wake-ups of an idle program in 10 s", ["idle-interval", "wake-ups in 10 s"], None, 0.0),
];

impl RuntimeTarget {
    pub fn target_text(&self) -> String {
        match self.of.is_some() || self.bound.fract() > 0.0 {
            true => format!("≤ {:.2}", self.bound),
            false => format!("{:.0}", self.bound),
        }
    }

    /// The number, and whether it reaches the target.
    pub fn verdict(&self, rows: &[RuntimeRow]) -> (String, &'static str) {
        let Some(number) = self.number(rows) else { return ("–".to_owned(), "not measured") };
        let other = self.of.and_then(|tool| find(rows, self.case, self.what, tool));
        // The other one would have taken longer: the true ratio is smaller.
        let sign = if other.is_some_and(|row| row.is_at_least) { "< " } else { "" };
        (format!("{sign}{number:.2}"), if number <= self.bound { "pass" } else { "FAIL" })
    }

    /// The number of the minimal program, if that was measured.
    pub fn lower_bound(&self, rows: &[RuntimeRow]) -> Option<String> {
        self.of.and_then(|_| self.number_of(LEAST, rows)).map(|number| format!("{number:.2}"))
    }

    fn number(&self, rows: &[RuntimeRow]) -> Option<f64> {
        self.number_of("rusk", rows)
    }

    fn number_of(&self, name: &str, rows: &[RuntimeRow]) -> Option<f64> {
        let own = find(rows, self.case, self.what, name)?;
        let Some(tool) = self.of else { return Some(own.median()) };
        let other = find(rows, self.case, self.what, tool)?;
        // A slow tool has fewer rounds.
        if own.samples.len() != other.samples.len() {
            return Some(own.median() / other.median());
        }
        let pairs = own.samples.iter().zip(&other.samples);
        Some(median(pairs.map(|(own, other)| own / other).collect()))
    }
}

#[allow(clippy::print_stdout, reason = "the table is the output of the task")]
pub fn print(rows: &[RuntimeRow], targets: &[RuntimeTarget]) {
    for row in rows {
        match &row.failure {
            Some(message) => println!("{:<24}{:<24}{:<14}left out: {message}", row.case, row.what, row.tool),
            None => {
                let sign = if row.is_at_least { "> " } else { "" };
                let number = format!("{sign}{:.2}", row.median());
                println!("{:<24}{:<24}{:<14}{number:>12}", row.case, row.what, row.tool);
            }
        }
    }
    for target in targets {
        let (found, verdict) = target.verdict(rows);
        let lower_bound =
            target.lower_bound(rows).map(|lower_bound| format!(", least {lower_bound}")).unwrap_or_default();
        println!("{:<60}{:>8}{found:>10} {verdict}{lower_bound}", target.description, target.target_text());
    }
}

#[cfg(test)]
mod tests;
