//! What `bench install` stores: one file for each fixture, place and brake,
//! `bench/results/install-….json`. A run replaces the rows that it measured and leaves the others
//! as they are; every row says of which run it is.

use super::brake;
use super::row::{self, Row};
use crate::bench::spawn::results::load_average;
use crate::bench::stored;
use crate::place;
use crate::report::{self, Json};
use rusk_npm::json::Node;
use std::collections::BTreeMap;
use std::path::Path;

/// Which file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub fixture: String,
    /// The file system's type.
    pub filesystem: String,
    pub line: Line,
}

/// What lies between the tools and the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    Free,
    Braked,
}

/// One file's content.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The newest run's day.
    pub date: String,
    /// `2026-11-21, 5 rounds: …` without the rounds.
    pub machine: String,
    /// By name of the tool.
    pub versions: BTreeMap<String, String>,
    pub runs: Vec<Run>,
    pub rows: Vec<Row>,
}

/// One call of `bench install`.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// When it began.
    pub name: String,
    pub load_before: String,
    /// The brake as it was measured before, in ms and in MB a second; zeros without one.
    pub round_trip_ms: f64,
    pub megabytes_per_second: f64,
}

impl Run {
    pub fn begun() -> Run {
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
        let number = |key| node.find(key).and_then(stored::number).unwrap_or_default();
        Run {
            name: stored::text(node, "name"),
            load_before: stored::text(node, "load_before"),
            round_trip_ms: number("round_trip_ms"),
            megabytes_per_second: number("megabytes_per_second"),
        }
    }
}

impl Line {
    fn name(self) -> &'static str {
        match self {
            Line::Free => "free",
            Line::Braked => "braked",
        }
    }

    pub fn says(self) -> String {
        let (ms, mbit) = (brake::ROUND_TRIP.as_millis(), brake::BYTES_PER_SECOND * 8.0 / 1e6);
        match self {
            Line::Free => "no brake".to_owned(),
            Line::Braked => format!("{ms} ms, {mbit:.0} Mbit/s"),
        }
    }
}

impl Key {
    pub fn new(fixture: &str, filesystem: &str, line: Line) -> Key {
        Key { fixture: fixture.to_owned(), filesystem: filesystem.to_owned(), line }
    }

    /// The file in `bench/results`.
    pub fn file(&self) -> String {
        format!("install-{}-{}-{}.json", self.fixture, self.filesystem, self.line.name())
    }

    fn parse(file: &str) -> Option<Key> {
        let stem = file.strip_prefix("install-")?.strip_suffix(".json")?;
        let (stem, line) = stem.rsplit_once('-')?;
        let (fixture, filesystem) = stem.rsplit_once('-')?;
        let line = [Line::Free, Line::Braked].into_iter().find(|known| known.name() == line)?;
        Some(Key::new(fixture, filesystem, line))
    }
}

/// Every stored file.
pub fn all() -> Result<BTreeMap<Key, Results>, String> {
    let folder = place::root().join("bench/results");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut all = BTreeMap::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let (Some(key), Some(text)) = (Key::parse(&name), stored::find(&name)) {
            all.insert(key, Results::parse(&name, &text)?);
        }
    }
    Ok(all)
}

impl Results {
    pub fn parse(name: &str, text: &str) -> Result<Results, String> {
        let root = stored::parse(name, text)?;
        let list = |key| root.find(key).map(Node::elements).unwrap_or_default();
        let owned = |(tool, version): (&str, &str)| (tool.to_owned(), version.to_owned());
        Ok(Results {
            date: stored::text(&root, "date"),
            machine: stored::machine_line(&root),
            versions: stored::members(&root, "versions").into_iter().map(owned).collect(),
            runs: list("runs").iter().map(Run::read).collect(),
            rows: list("rows").iter().map(Row::read).collect(),
        })
    }

    /// Rows of two machines do not belong in one table: where it is another one, `folder` on it,
    /// nothing is kept.
    pub fn forget_other_machines(&mut self, folder: &Path) -> Result<(), String> {
        let machine = Json::object([("machine", report::machine(folder))]).render();
        let machine = stored::machine_line(&stored::parse("the machine", &machine)?);
        if self.machine != machine {
            *self = Results { machine, ..Results::default() };
        }
        Ok(())
    }

    /// Takes the rows of a run in, in place of those for the same scenario and tool.
    pub fn merge(&mut self, run: &Run, rows: &[Row]) {
        for row in rows {
            self.rows.retain(|own| !own.is(&row.scenario, &row.tool));
            self.rows.push(row.clone());
        }
        self.runs.retain(|own| own.name != run.name);
        self.runs.push(run.clone());
        self.runs.retain(|run| self.rows.iter().any(|row| row.run == run.name));
    }

    /// A row that has numbers.
    pub fn find(&self, scenario: &str, tool: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.is(scenario, tool) && row.is_whole())
    }

    /// How many times rusk's time.
    pub fn times_rusk(&self, row: &Row) -> Option<f64> {
        row.ratio(self.find(&row.scenario, "rusk")?, row::wall)
    }

    /// Writes the file; `folder` is where the work was done.
    pub fn write(&self, key: &Key, folder: &Path) -> Result<(), String> {
        let text = |(tool, version): (&String, &String)| (tool.clone(), Json::text(version.as_str()));
        let json = Json::object([
            ("date", Json::text(report::today())),
            ("fixture", Json::text(&*key.fixture)),
            ("line", Json::text(key.line.says())),
            ("machine", report::machine(folder)),
            ("versions", Json::Object(self.versions.iter().map(text).collect())),
            ("runs", Json::List(self.runs.iter().map(Run::json).collect())),
            ("rows", Json::List(self.rows.iter().map(Row::json).collect())),
        ]);
        place::write(&place::root().join("bench/results").join(key.file()), &json.render())
    }
}

#[cfg(test)]
mod tests;
