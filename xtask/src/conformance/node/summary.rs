//! The counts of all areas, in `conformance/node.json`: read, replaced area by area, written; drawn by `bench readme`.

use crate::bench::stored;
use crate::conformance::list::Counts;
use crate::report::{self, Json};
use crate::{place, process};
use rusk_npm::json::Node;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub const FILE: &str = "conformance/node.json";

#[derive(Default)]
pub struct Summary {
    pub date: String,
    pub versions: BTreeMap<String, String>,
    pub rows: BTreeMap<String, Row>,
}

/// One area.
pub struct Row {
    pub area: String,
    pub target: Option<u32>,
    pub files: usize,
    /// Files that node passes here, and of these:
    pub node: usize,
    pub rusk: usize,
    pub bun: Option<usize>,
}

impl Summary {
    /// What is stored; nothing where nothing is.
    pub fn read() -> Result<Summary, String> {
        let Some(text) = place::find(&place::root().join(FILE)) else { return Ok(Summary::default()) };
        let root = stored::parse(FILE, &text)?;
        let versions = stored::members(&root, "versions");
        let rows = root.find("areas").map(Node::elements).unwrap_or_default();
        Ok(Summary {
            date: stored::text(&root, "date"),
            versions: versions.iter().map(|(name, said)| (name.to_string(), said.to_string())).collect(),
            rows: rows.iter().map(Row::read).map(|row| (row.area.clone(), row)).collect(),
        })
    }

    /// The versions of those that are asked now.
    pub fn note_versions<const N: usize>(&mut self, programs: [(&str, Option<&PathBuf>); N]) {
        for (name, program) in programs {
            let version = program.and_then(|program| process::version(program));
            self.versions.extend(version.map(|version| (name.to_owned(), version)));
        }
    }

    /// In the place of the row of the same area; what bun did stays where it was not asked again.
    pub fn put(&mut self, mut row: Row) {
        let before = self.rows.get(&row.area).filter(|before| before.node == row.node);
        row.bun = row.bun.or(before.and_then(|before| before.bun));
        self.rows.insert(row.area.clone(), row);
    }

    pub fn write(&self) -> Result<(), String> {
        let versions = self.versions.iter().map(|(name, said)| (name.clone(), Json::text(said))).collect();
        let json = Json::object([
            ("date", Json::text(report::today())),
            ("versions", Json::Object(versions)),
            ("areas", Json::List(self.rows.values().map(Row::json).collect())),
        ]);
        place::write(&place::root().join(FILE), &json.render())
    }
}

impl Row {
    pub fn new(area: &str, target: Option<u32>, counts: Counts, bun: Option<usize>) -> Row {
        let (files, node) = (counts.counted() + counts.skipped, counts.counted());
        Row { area: area.to_owned(), target, files, node, rusk: counts.passed, bun }
    }

    fn read(node: &Node<'_>) -> Row {
        let number = |key| node.find(key).and_then(stored::number);
        let count = |key| number(key).unwrap_or_default() as usize;
        Row {
            area: stored::text(node, "area"),
            target: number("target").map(|target| target as u32),
            files: count("files"),
            node: count("node"),
            rusk: count("rusk"),
            bun: number("bun").map(|bun| bun as usize),
        }
    }

    fn json(&self) -> Json {
        let count = |name: &str, count: usize| (name.to_owned(), Json::number(count as f64));
        let mut members = vec![("area".to_owned(), Json::text(&self.area))];
        members.extend(self.target.map(|target| count("target", target as usize)));
        members.extend([count("files", self.files), count("node", self.node), count("rusk", self.rusk)]);
        members.extend(self.bun.map(|bun| count("bun", bun)));
        Json::Line(members)
    }
}
