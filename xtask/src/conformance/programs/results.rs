//! `conformance/programs.json`: for each program its version, and the first difference from node.

use crate::bench::results_file;
use crate::report::{self, Json};
use crate::{files, process};
use rusk_npm::json::Node;
use std::path::PathBuf;

pub const FILE: &str = "conformance/programs.json";

#[derive(Clone)]
pub struct ProgramRow {
    pub name: String,
    pub package: String,
    pub version: String,
    /// The first difference from node.
    pub rusk: Option<String>,
    /// The same for bun, if it ran.
    pub bun: Option<Option<String>>,
}

#[derive(Default)]
pub struct ProgramResults {
    pub date: String,
    pub versions: Vec<(String, String)>,
    pub rows: Vec<ProgramRow>,
}

impl ProgramResults {
    /// The stored results; empty if there are none.
    pub fn read() -> Result<ProgramResults, String> {
        let Some(text) = files::find(&files::root().join(FILE)) else { return Ok(ProgramResults::default()) };
        let root = results_file::parse(FILE, &text)?;
        let versions = results_file::members(&root, "versions");
        let rows = root.find("programs").map(Node::elements).unwrap_or_default();
        Ok(ProgramResults {
            date: results_file::text(&root, "date"),
            versions: versions
                .iter()
                .map(|(name, message)| (name.to_string(), message.to_string()))
                .collect(),
            rows: rows.iter().map(ProgramRow::read).collect(),
        })
    }

    pub fn find(&self, name: &str) -> Option<&ProgramRow> {
        self.rows.iter().find(|row| row.name == name)
    }

    pub fn is_same(&self, name: &str) -> bool {
        self.find(name).is_some_and(|row| row.rusk.is_none())
    }
}

pub fn write<const N: usize>(
    rows: &[ProgramRow],
    programs: [(&str, Option<&PathBuf>); N],
) -> Result<(), String> {
    let version = |(name, program): (&str, Option<&PathBuf>)| {
        Some((name.to_owned(), Json::text(process::version(program?)?)))
    };
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("versions", Json::Object(programs.into_iter().filter_map(version).collect())),
        ("programs", Json::List(rows.iter().map(ProgramRow::json).collect())),
    ]);
    files::write(&files::root().join(FILE), &json.render())
}

/// Stands for no difference.
const SAME: &str = "as node";

impl ProgramRow {
    fn read(node: &Node<'_>) -> ProgramRow {
        let difference = |message: &str| (message != SAME).then(|| message.to_owned());
        let [name, package, version] =
            ["program", "package", "version"].map(|key| results_file::text(node, key));
        let bun = node.find("bun").and_then(Node::as_str).map(difference);
        ProgramRow { name, package, version, rusk: difference(&results_file::text(node, "rusk")), bun }
    }

    fn json(&self) -> Json {
        let message = |difference: &Option<String>| Json::text(difference.as_deref().unwrap_or(SAME));
        let text = |key: &str, text: &str| (key.to_owned(), Json::text(text));
        let mut members = vec![
            text("program", &self.name),
            text("package", &self.package),
            text("version", &self.version),
            ("rusk".to_owned(), message(&self.rusk)),
        ];
        members.extend(self.bun.as_ref().map(|bun| ("bun".to_owned(), message(bun))));
        Json::Object(members)
    }
}
