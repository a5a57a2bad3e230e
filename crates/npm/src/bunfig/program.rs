//! Settings of bunfig.toml for programs. In: source text. Out: the settings in it. Ignores tables
//! of other commands, and keys of bun without effect here (`telemetry`, `smol`, `logLevel`).
//! Absent: applying the settings.

use rusk_base::Result;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{find, root};
use crate::problem;

/// Keys of other commands, and keys without effect in this engine.
const SILENT: [&str; 11] = [
    "bundle",
    "debug",
    "install",
    "logLevel",
    "origin",
    "publish",
    "run",
    "serve",
    "smol",
    "telemetry",
    "test",
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Loaded first, in order.
    pub preloads: Vec<String>,
    /// Names and their replacements, as source text.
    pub defines: Vec<(String, String)>,
    /// Whether `.env` and related files are read by default.
    pub reads_env: Option<bool>,
    /// Keys that neither bun nor rusk has.
    pub unknown: Vec<String>,
}

impl Program {
    pub fn parse(text: &str) -> Result<Program> {
        let root = root(text)?;
        let root = root.get_ref();
        let known =
            |key: &str| matches!(key, "preload" | "define" | "env" | "lint" | "fmt") || SILENT.contains(&key);
        let keys = root.keys().map(|key| key.get_ref().to_string());
        Ok(Program {
            preloads: preloads(text, root)?,
            defines: defines(text, root)?,
            reads_env: reads_env(text, root)?,
            unknown: keys.filter(|key| !known(key)).collect(),
        })
    }
}

fn wrong(text: &str, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> rusk_base::Problem {
    problem::bunfig_kind(text, value.span().start, key, value.get_ref().type_str(), expected)
}

fn preloads(text: &str, root: &DeTable<'_>) -> Result<Vec<String>> {
    let Some(value) = find(root, "preload") else { return Ok(Vec::new()) };
    let string = |one: &Spanned<DeValue<'_>>| {
        let found = one.get_ref().as_str().map(str::to_owned);
        found.ok_or_else(|| wrong(text, "preload", one, "a string or a list of strings"))
    };
    match value.get_ref() {
        DeValue::Array(list) => list.iter().map(string).collect(),
        _ => Ok(vec![string(value)?]),
    }
}

fn defines(text: &str, root: &DeTable<'_>) -> Result<Vec<(String, String)>> {
    let Some(value) = find(root, "define") else { return Ok(Vec::new()) };
    let DeValue::Table(table) = value.get_ref() else {
        return Err(wrong(text, "define", value, "a table"));
    };
    let each = table.iter().map(|(name, value)| match value.get_ref().as_str() {
        Some(given) => Ok((name.get_ref().to_string(), given.to_owned())),
        None => Err(wrong(text, &format!("define.{}", name.get_ref()), value, "a string")),
    });
    each.collect()
}

/// `env = false`, or a table with `file = false`.
fn reads_env(text: &str, root: &DeTable<'_>) -> Result<Option<bool>> {
    let Some(value) = find(root, "env") else { return Ok(None) };
    match value.get_ref() {
        DeValue::Boolean(reads) => Ok(Some(*reads)),
        DeValue::Table(table) => match find(table, "file") {
            None => Ok(None),
            Some(file) => match file.get_ref() {
                DeValue::Boolean(reads) => Ok(Some(*reads)),
                _ => Err(wrong(text, "env.file", file, "true or false")),
            },
        },
        _ => Err(wrong(text, "env", value, "true, false or a table")),
    }
}

#[cfg(test)]
mod tests;
