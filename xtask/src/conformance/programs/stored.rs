//! `conformance/programs.json`: for each program its version, and what is not as with node.

use crate::bench::stored;
use crate::report::{self, Json};
use crate::{place, process};
use rusk_npm::json::Node;
use std::path::PathBuf;

pub const FILE: &str = "conformance/programs.json";

pub struct Row {
    pub name: String,
    pub package: String,
    pub version: String,
    /// The first difference from node.
    pub rusk: Option<String>,
    /// The same, where bun was asked.
    pub bun: Option<Option<String>>,
}

#[derive(Default)]
pub struct Stored {
    pub date: String,
    pub versions: Vec<(String, String)>,
    pub rows: Vec<Row>,
}

impl Stored {
    /// What is stored; nothing where nothing is.
    pub fn read() -> Result<Stored, String> {
        let Some(text) = place::find(&place::root().join(FILE)) else { return Ok(Stored::default()) };
        let root = stored::parse(FILE, &text)?;
        let versions = stored::members(&root, "versions");
        let rows = root.find("programs").map(Node::elements).unwrap_or_default();
        Ok(Stored {
            date: stored::text(&root, "date"),
            versions: versions.iter().map(|(name, said)| (name.to_string(), said.to_string())).collect(),
            rows: rows.iter().map(Row::read).collect(),
        })
    }

    pub fn is_same(&self, name: &str) -> bool {
        self.rows.iter().any(|row| row.name == name && row.rusk.is_none())
    }
}

pub fn write<const N: usize>(rows: &[Row], programs: [(&str, Option<&PathBuf>); N]) -> Result<(), String> {
    let version = |(name, program): (&str, Option<&PathBuf>)| {
        Some((name.to_owned(), Json::text(process::version(program?)?)))
    };
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("versions", Json::Object(programs.into_iter().filter_map(version).collect())),
        ("programs", Json::List(rows.iter().map(Row::json).collect())),
    ]);
    place::write(&place::root().join(FILE), &json.render())
}

/// What stands for no difference.
const SAME: &str = "as node";

impl Row {
    fn read(node: &Node<'_>) -> Row {
        let difference = |said: &str| (said != SAME).then(|| said.to_owned());
        let [name, package, version] = ["program", "package", "version"].map(|key| stored::text(node, key));
        let bun = node.find("bun").and_then(Node::as_str).map(difference);
        Row { name, package, version, rusk: difference(&stored::text(node, "rusk")), bun }
    }

    fn json(&self) -> Json {
        let said = |difference: &Option<String>| Json::text(difference.as_deref().unwrap_or(SAME));
        let text = |key: &str, text: &str| (key.to_owned(), Json::text(text));
        let mut members = vec![
            text("program", &self.name),
            text("package", &self.package),
            text("version", &self.version),
            ("rusk".to_owned(), said(&self.rusk)),
        ];
        members.extend(self.bun.as_ref().map(|bun| ("bun".to_owned(), said(bun))));
        Json::Object(members)
    }
}
