//! Counts of all areas of a test suite, in a file below `conformance`: read, updated per area,
//! written; rendered by `bench readme`.

use super::test_runner::TestArea;
use super::verdicts::VerdictCounts;
use crate::bench::results_file;
use crate::report::{self, Json};
use crate::{files, process};
use rusk_npm::json::Node;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub struct ConformanceSummary {
    /// Relative to the repository.
    pub file: String,
    pub date: String,
    pub versions: BTreeMap<String, String>,
    pub rows: BTreeMap<String, AreaRow>,
}

/// One area.
pub struct AreaRow {
    pub area: String,
    pub target: Option<u32>,
    pub files: usize,
    /// Files that are not skipped, and of these:
    pub counted: usize,
    pub rusk: usize,
    /// `None` if all counted files are those that node passes.
    pub node: Option<usize>,
    pub bun: Option<usize>,
}

impl ConformanceSummary {
    /// The stored counts; empty if there are none.
    pub fn read(file: &str) -> Result<ConformanceSummary, String> {
        let text = files::find(&files::root().join(file)).unwrap_or_else(|| "{}".to_owned());
        let root = results_file::parse(file, &text)?;
        let versions = results_file::members(&root, "versions");
        let rows = root.find("areas").map(Node::elements).unwrap_or_default();
        Ok(ConformanceSummary {
            file: file.to_owned(),
            date: results_file::text(&root, "date"),
            versions: versions
                .iter()
                .map(|(name, message)| (name.to_string(), message.to_string()))
                .collect(),
            rows: rows.iter().map(AreaRow::read).map(|row| (row.area.clone(), row)).collect(),
        })
    }

    /// Sets the versions of the programs that run now.
    pub fn note_versions<const N: usize>(&mut self, programs: [(&str, Option<&PathBuf>); N]) {
        for (name, program) in programs {
            let version = program.and_then(|program| process::version(program));
            self.versions.extend(version.map(|version| (name.to_owned(), version)));
        }
    }

    /// Replaces the row of the same area; counts of programs that did not run now are retained.
    pub fn put(&mut self, mut row: AreaRow) {
        let before = self.rows.get(&row.area).filter(|before| before.counted == row.counted);
        row.node = row.node.or(before.and_then(|before| before.node));
        row.bun = row.bun.or(before.and_then(|before| before.bun));
        self.rows.insert(row.area.clone(), row);
    }

    pub fn write(&self) -> Result<(), String> {
        let versions =
            self.versions.iter().map(|(name, message)| (name.clone(), Json::text(message))).collect();
        let json = Json::object([
            ("date", Json::text(report::today())),
            ("versions", Json::Object(versions)),
            ("areas", Json::List(self.rows.values().map(AreaRow::json).collect())),
        ]);
        files::write(&files::root().join(&self.file), &json.render())
    }
}

impl AreaRow {
    /// Counts of rusk only.
    pub fn new(area: &TestArea<'_>, counts: VerdictCounts) -> AreaRow {
        let (files, counted) = (counts.counted() + counts.skipped, counts.counted());
        let area_name = area.name.to_owned();
        AreaRow {
            area: area_name,
            target: area.target,
            files,
            counted,
            rusk: counts.passed,
            node: None,
            bun: None,
        }
    }

    fn read(node: &Node<'_>) -> AreaRow {
        let number = |key| node.find(key).and_then(results_file::number);
        let count = |key| number(key).unwrap_or_default() as usize;
        AreaRow {
            area: results_file::text(node, "area"),
            target: number("target").map(|target| target as u32),
            files: count("files"),
            counted: count("counted"),
            rusk: count("rusk"),
            node: number("node").map(|node| node as usize),
            bun: number("bun").map(|bun| bun as usize),
        }
    }

    fn json(&self) -> Json {
        let count = |name: &str, count: usize| (name.to_owned(), Json::number(count as f64));
        let mut members = vec![("area".to_owned(), Json::text(&self.area))];
        members.extend(self.target.map(|target| count("target", target as usize)));
        members.extend([
            count("files", self.files),
            count("counted", self.counted),
            count("rusk", self.rusk),
        ]);
        members.extend(self.node.map(|node| count("node", node)));
        members.extend(self.bun.map(|bun| count("bun", bun)));
        Json::Line(members)
    }
}
