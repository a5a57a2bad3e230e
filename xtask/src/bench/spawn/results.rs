//! Rows of `bench spawn`: pooled samples, their summaries, and their JSON. Times are in
//! microseconds. The summary of each round is stored, so that a ratio can be computed per round.

use super::Comparison;
use super::method::{Method, Programs};
use super::scenario::Exec;
use crate::bench::median::median;
use crate::bench::results_file::{self, number, numbers};
use crate::report::{self, Json};
use crate::{files, process};
use rusk_npm::json::Node;
use std::path::Path;
use std::process::Command;

/// One method in one scenario.
pub struct SpawnRow {
    pub scenario: String,
    pub method: String,
    measures: Vec<(Measure, SampleSummary)>,
    /// Samples of the rounds so far; empty in a row that was read.
    pools: Vec<(Measure, Vec<f64>)>,
    pub failure: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The call returned.
    Call,
    /// The parent could know that the program runs.
    Exec,
    /// The parent has the exit status.
    Reaped,
    /// The delay of a timer tick.
    TimerDelay,
    /// Processor time of the parent, per child.
    ParentCpu,
    /// Processor time of the child.
    ChildCpu,
    /// Children per second.
    PerSecond,
}

impl Measure {
    const ALL: &[Measure] = &[
        Measure::Call,
        Measure::Exec,
        Measure::Reaped,
        Measure::TimerDelay,
        Measure::ParentCpu,
        Measure::ChildCpu,
        Measure::PerSecond,
    ];

    fn key(self) -> &'static str {
        match self {
            Measure::Call => "call_us",
            Measure::Exec => "exec_us",
            Measure::Reaped => "reaped_us",
            Measure::TimerDelay => "late_us",
            Measure::ParentCpu => "parent_cpu_us",
            Measure::ChildCpu => "child_cpu_us",
            Measure::PerSecond => "per_second",
        }
    }
}

#[derive(Clone, Default)]
pub struct SampleSummary {
    pub p50: f64,
    pub p90: f64,
    pub p99: f64,
    pub mean: f64,
    pub max: f64,
    pub samples: f64,
    /// The median of each round, and its mean.
    pub rounds: Vec<f64>,
    pub round_means: Vec<f64>,
}

impl SpawnRow {
    pub fn new(scenario: &str, method: &str) -> SpawnRow {
        let (scenario, method) = (scenario.to_owned(), method.to_owned());
        SpawnRow { scenario, method, measures: Vec::new(), pools: Vec::new(), failure: None }
    }

    pub fn is(&self, scenario: &str, method: &str) -> bool {
        self.scenario == scenario && self.method == method
    }

    pub fn find(&self, measure: Measure) -> Option<&SampleSummary> {
        self.measures.iter().find(|(own, _)| *own == measure).map(|(_, summary)| summary)
    }

    /// Adds the line that a program printed for one round.
    pub fn add(&mut self, printed: &str, exec: Exec) -> Result<(), String> {
        let printed = results_file::parse("a program of the bench", printed)?;
        let (calls, reaped) = (list_us(&printed, "call"), list_us(&printed, "reaped"));
        let count = reaped.len() as f64;
        let per_child = |key| number_at(&printed, key).map(|ns| ns / 1000.0 / count);
        if count > 0.0 {
            self.pool(Measure::ParentCpu, per_child("parent_cpu").into_iter().collect());
            self.pool(Measure::ChildCpu, per_child("child_cpu").into_iter().collect());
            let wall_ns = number_at(&printed, "wall").ok_or("a program printed no `wall`")?;
            self.pool(Measure::PerSecond, vec![count * 1e9 / wall_ns]);
        }
        if exec == Exec::AtReturn {
            self.pool(Measure::Exec, calls.clone());
        }
        self.pool(Measure::Call, calls);
        self.pool(Measure::Reaped, reaped);
        self.pool(Measure::TimerDelay, list_us(&printed, "late"));
        Ok(())
    }

    /// Adds the line of a run in which exec was watched; only the time of exec counts.
    pub fn add_exec(&mut self, printed: &str) -> Result<(), String> {
        self.pool(Measure::Exec, list_us(&results_file::parse("a program of the bench", printed)?, "exec"));
        Ok(())
    }

    fn pool(&mut self, measure: Measure, samples: Vec<f64>) {
        if samples.is_empty() {
            return;
        }
        let round = (median(samples.clone()), samples.iter().sum::<f64>() / samples.len() as f64);
        let pool = match self.pools.iter().position(|(own, _)| *own == measure) {
            Some(index) => &mut self.pools[index].1,
            None => {
                self.pools.push((measure, Vec::new()));
                self.measures.push((measure, SampleSummary::default()));
                &mut self.pools.last_mut().expect("one was pushed").1
            }
        };
        pool.extend(samples);
        pool.sort_by(f64::total_cmp);
        let summary = self.measures.iter_mut().find(|(own, _)| *own == measure);
        summary.expect("every pool has its summary").1.update(pool, round);
    }

    fn json(&self) -> Json {
        let mut members = vec![
            ("scenario".to_owned(), Json::text(self.scenario.as_str())),
            ("method".to_owned(), Json::text(self.method.as_str())),
        ];
        for &measure in Measure::ALL {
            members.extend(self.find(measure).map(|summary| (measure.key().to_owned(), summary.json())));
        }
        members.extend(
            self.failure.as_ref().map(|message| ("failure".to_owned(), Json::text(message.as_str()))),
        );
        Json::Object(members)
    }

    /// A stored row.
    pub fn read(node: &Node<'_>) -> SpawnRow {
        let text = |key| node.find(key).and_then(Node::as_str);
        let mut row = SpawnRow::new(text("scenario").unwrap_or_default(), text("method").unwrap_or_default());
        for &measure in Measure::ALL {
            row.measures.extend(node.find(measure.key()).map(|node| (measure, SampleSummary::read(node))));
        }
        row.failure = text("failure").map(str::to_owned);
        row
    }
}

impl SampleSummary {
    /// `sorted` are all samples, `round` the median and the mean of the newest round.
    fn update(&mut self, sorted: &[f64], round: (f64, f64)) {
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        self.p50 = at(0.5);
        self.p90 = at(0.9);
        self.p99 = at(0.99);
        self.max = at(1.0);
        self.mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        self.samples = sorted.len() as f64;
        self.rounds.push(round.0);
        self.round_means.push(round.1);
    }

    fn json(&self) -> Json {
        let list = |numbers: &[f64]| Json::List(numbers.iter().map(|&number| Json::number(number)).collect());
        Json::line([
            ("p50", Json::number(self.p50)),
            ("p90", Json::number(self.p90)),
            ("p99", Json::number(self.p99)),
            ("mean", Json::number(self.mean)),
            ("max", Json::number(self.max)),
            ("samples", Json::number(self.samples)),
            ("rounds", list(&self.rounds)),
            ("round_means", list(&self.round_means)),
        ])
    }

    fn read(node: &Node<'_>) -> SampleSummary {
        let own = |key| number_at(node, key).unwrap_or_default();
        SampleSummary {
            p50: own("p50"),
            p90: own("p90"),
            p99: own("p99"),
            mean: own("mean"),
            max: own("max"),
            samples: own("samples"),
            rounds: node.find("rounds").map(numbers).unwrap_or_default(),
            round_means: node.find("round_means").map(numbers).unwrap_or_default(),
        }
    }
}

fn list_us(printed: &Node<'_>, key: &str) -> Vec<f64> {
    let samples = printed.find(key).map(numbers).unwrap_or_default();
    samples.into_iter().map(|ns| ns / 1000.0).collect()
}

fn number_at(node: &Node<'_>, key: &str) -> Option<f64> {
    node.find(key).and_then(number)
}

/// The load average of the machine over one, five and fifteen minutes.
pub fn load_average() -> String {
    let text = files::find(Path::new("/proc/loadavg")).unwrap_or_default();
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// The file in `bench/results`.
pub fn file(line: &Comparison) -> &'static str {
    if *line == Comparison::Library { "spawn.json" } else { "spawn-runtimes.json" }
}

/// Writes the results file.
pub fn store(
    programs: &Programs,
    methods: &[Method],
    line: &Comparison,
    rounds: usize,
    load: &str,
    rows: &[SpawnRow],
) -> Result<(), String> {
    let huge_pages = files::find(Path::new("/sys/kernel/mm/transparent_hugepage/enabled"));
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(&files::target())),
        ("versions", versions(programs)),
        ("huge_pages", Json::text(huge_pages.unwrap_or_default().trim())),
        ("load_before", Json::text(load)),
        ("rounds", Json::number(rounds as f64)),
        ("methods", Json::List(methods.iter().map(|method| Json::text(method.name)).collect())),
        ("rows", Json::List(rows.iter().map(SpawnRow::json).collect())),
    ]);
    files::write(&files::root().join("bench/results").join(file(line)), &json.render())
}

fn versions(programs: &Programs) -> Json {
    let of = |program: Option<&Path>| {
        Json::text(program.and_then(process::version).unwrap_or_else(|| "absent".to_owned()))
    };
    let lock = files::find(&files::root().join("Cargo.lock")).unwrap_or_default();
    let rusk = programs.rusk.as_deref().map(|program| ("rusk", of(Some(program))));
    let others = [
        ("rusk-spawn", Json::text(locked(&lock, "rusk-spawn"))),
        ("commit", Json::text(commit())),
        ("libc", of(Some(&programs.c))),
        ("cc", of(Some(Path::new("cc")))),
        ("rustc", of(Some(Path::new("rustc")))),
        ("tokio", Json::text(locked(&lock, "tokio"))),
        ("bun", of(programs.bun.as_deref())),
        ("node", of(programs.node.as_deref())),
        ("deno", of(programs.deno.as_deref())),
    ];
    Json::Object(rusk.into_iter().chain(others).map(|(name, version)| (name.to_owned(), version)).collect())
}

/// The version of a crate in Cargo.lock.
fn locked(lock: &str, name: &str) -> String {
    let after = lock.split_once(&format!("name = \"{name}\"\nversion = \"")).map(|(_, after)| after);
    after.and_then(|after| after.split('"').next()).unwrap_or("unknown").to_owned()
}

/// The measured commit, with `-dirty` if files were changed since.
fn commit() -> String {
    let mut describe = Command::new("git");
    describe.args(["describe", "--always", "--dirty"]).current_dir(files::root());
    let message = process::succeed(&mut describe).map(|ended| ended.output);
    message.unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests;
