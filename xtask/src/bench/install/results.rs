//! Stored results of `bench install`: one file per fixture, file system and network,
//! `bench/results/install-….json`. A run replaces the rows that it measured and leaves the others
//! unchanged; every row names its run.

use super::row::{self, InstallRow};
use super::throttle;
use crate::bench::results_file;
use crate::bench::spawn::results::load_average;
use crate::files;
use crate::report::{self, Json};
use rusk_npm::json::Node;
use std::collections::BTreeMap;
use std::path::Path;

/// Identifies a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResultsKey {
    pub fixture: String,
    /// The file system's type.
    pub filesystem: String,
    pub network: Network,
}

/// The network between the tools and the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Network {
    Unthrottled,
    Throttled,
}

/// One file's content.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The day of the newest run.
    pub date: String,
    /// `2026-11-21, 5 rounds: …` without the rounds.
    pub machine: String,
    /// By tool.
    pub versions: BTreeMap<String, String>,
    pub runs: Vec<Run>,
    pub rows: Vec<InstallRow>,
}

/// One call of `bench install`.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// When it started.
    pub name: String,
    pub load_before: String,
    /// The throttled network as measured before the run, in ms and in MB per second; zeros if
    /// unthrottled.
    pub round_trip_ms: f64,
    pub megabytes_per_second: f64,
}

impl Run {
    pub fn start_now() -> Run {
        let name = format!("{} {}", report::today(), report::time());
        Run { name, load_before: load_average(), round_trip_ms: 0.0, megabytes_per_second: 0.0 }
    }

    fn json(&self) -> Json {
        let mut members =
            vec![("name", Json::text(&*self.name)), ("load_before", Json::text(&*self.load_before))];
        if self.round_trip_ms > 0.0 {
            members.push(("round_trip_ms", Json::number(self.round_trip_ms)));
            members.push(("megabytes_per_second", Json::number(self.megabytes_per_second)));
        }
        Json::Line(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    fn read(node: &Node<'_>) -> Run {
        let number = |key| node.find(key).and_then(results_file::number).unwrap_or_default();
        Run {
            name: results_file::text(node, "name"),
            load_before: results_file::text(node, "load_before"),
            round_trip_ms: number("round_trip_ms"),
            megabytes_per_second: number("megabytes_per_second"),
        }
    }
}

impl Network {
    fn name(self) -> &'static str {
        match self {
            Network::Unthrottled => "unthrottled",
            Network::Throttled => "throttled",
        }
    }

    pub fn description(self) -> String {
        let (ms, mbit) = (throttle::ROUND_TRIP.as_millis(), throttle::BYTES_PER_SECOND * 8.0 / 1e6);
        match self {
            Network::Unthrottled => "no throttling".to_owned(),
            Network::Throttled => format!("{ms} ms, {mbit:.0} Mbit/s"),
        }
    }
}

impl ResultsKey {
    pub fn new(fixture: &str, filesystem: &str, network: Network) -> ResultsKey {
        ResultsKey { fixture: fixture.to_owned(), filesystem: filesystem.to_owned(), network }
    }

    /// The file name in `bench/results`.
    pub fn file(&self) -> String {
        format!("install-{}-{}-{}.json", self.fixture, self.filesystem, self.network.name())
    }

    fn parse(file: &str) -> Option<ResultsKey> {
        let stem = file.strip_prefix("install-")?.strip_suffix(".json")?;
        let (stem, network) = stem.rsplit_once('-')?;
        let (fixture, filesystem) = stem.rsplit_once('-')?;
        let network =
            [Network::Unthrottled, Network::Throttled].into_iter().find(|known| known.name() == network)?;
        Some(ResultsKey::new(fixture, filesystem, network))
    }
}

/// All stored files.
pub fn all() -> Result<BTreeMap<ResultsKey, Results>, String> {
    let directory = files::root().join("bench/results");
    let entries =
        std::fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut all = BTreeMap::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let (Some(key), Some(text)) = (ResultsKey::parse(&name), results_file::find(&name)) {
            all.insert(key, Results::parse(&name, &text)?);
        }
    }
    Ok(all)
}

impl Results {
    pub fn parse(name: &str, text: &str) -> Result<Results, String> {
        let root = results_file::parse(name, text)?;
        let list = |key| root.find(key).map(Node::elements).unwrap_or_default();
        let owned = |(tool, version): (&str, &str)| (tool.to_owned(), version.to_owned());
        Ok(Results {
            date: results_file::text(&root, "date"),
            machine: results_file::machine_line(&root),
            versions: results_file::members(&root, "versions").into_iter().map(owned).collect(),
            runs: list("runs").iter().map(Run::read).collect(),
            rows: list("rows").iter().map(InstallRow::read).collect(),
        })
    }

    /// Rows of two machines do not belong in one table: drops everything if the results are from
    /// another machine than the one with `directory`.
    pub fn remove_other_machines(&mut self, directory: &Path) -> Result<(), String> {
        let machine = Json::object([("machine", report::machine(directory))]).render();
        let machine = results_file::machine_line(&results_file::parse("the machine", &machine)?);
        if self.machine != machine {
            *self = Results { machine, ..Results::default() };
        }
        Ok(())
    }

    /// Replaces the rows of the same scenario and tool.
    pub fn merge(&mut self, run: &Run, rows: &[InstallRow]) {
        for row in rows {
            self.rows.retain(|own| !own.is(&row.scenario, &row.tool));
            self.rows.push(row.clone());
        }
        self.runs.retain(|own| own.name != run.name);
        self.runs.push(run.clone());
        self.runs.retain(|run| self.rows.iter().any(|row| row.run == run.name));
    }

    /// A row with samples.
    pub fn find(&self, scenario: &str, tool: &str) -> Option<&InstallRow> {
        self.rows.iter().find(|row| row.is(scenario, tool) && row.is_complete())
    }

    /// The time relative to rusk's.
    pub fn times_rusk(&self, row: &InstallRow) -> Option<f64> {
        row.ratio(self.find(&row.scenario, "rusk")?, row::wall)
    }

    /// Writes the file; `directory` is where the installs ran.
    pub fn write(&self, key: &ResultsKey, directory: &Path) -> Result<(), String> {
        let text = |(tool, version): (&String, &String)| (tool.clone(), Json::text(version.as_str()));
        let json = Json::object([
            ("date", Json::text(report::today())),
            ("fixture", Json::text(&*key.fixture)),
            ("line", Json::text(key.network.description())),
            ("machine", report::machine(directory)),
            ("versions", Json::Object(self.versions.iter().map(text).collect())),
            ("runs", Json::List(self.runs.iter().map(Run::json).collect())),
            ("rows", Json::List(self.rows.iter().map(InstallRow::json).collect())),
        ]);
        files::write(&files::root().join("bench/results").join(key.file()), &json.render())
    }
}

#[cfg(test)]
mod tests;
