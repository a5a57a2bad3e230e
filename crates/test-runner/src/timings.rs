//! Timings file: how long each test file took, in bun's form, and which files have changed their
//! global object. In: JSON. Out: milliseconds by path, relative to the root. Absent: where the
//! files are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rusk_base::{Result, files};
use rusk_npm::json::text;
use rusk_npm::json::{self, Dialect, Value};

use crate::problem;

/// A file of 100,000 paths has some 8 MB.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

const VERSION: &str = "1";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Milliseconds by path.
    pub times: BTreeMap<String, u64>,
    /// Files after which the next one needs another global object; not in bun's form.
    pub changed: BTreeSet<String>,
}

impl Timings {
    /// All files as one table; a later file has precedence. Files that do not exist are skipped.
    pub fn read(paths: &[impl AsRef<Path>]) -> Result<Timings> {
        let mut all = Timings::default();
        for path in paths {
            let path = path.as_ref();
            if let Some(text) = files::find_string(path, FILE_BYTES_MAX)? {
                let timings = Timings::parse(&text).map_err(|what| problem::bad_timings(path, what))?;
                all.times.extend(timings.times);
                all.changed.extend(timings.changed);
            }
        }
        Ok(all)
    }

    pub fn parse(text: &str) -> std::result::Result<Timings, &'static str> {
        let root = json::parse(text, Dialect::Strict).map_err(|_| "it is not JSON")?;
        let is_known = matches!(&root.find("version").map(|node| &node.value), Some(Value::Number(VERSION)));
        if !is_known {
            return Err("expected `version` 1");
        }
        let files =
            root.find("files").filter(|files| files.is_object()).ok_or("expected an object `files`")?;
        let timing = |member: &json::Member<'_>| match &member.node.value {
            Value::Number(digits) => {
                Some((member.key.clone().into_owned(), digits.parse::<f64>().ok()?.max(0.0) as u64))
            }
            _ => None,
        };
        let changed = root.find("changed").map_or(&[][..], |node| node.elements());
        let path = |node: &json::Node<'_>| match &node.value {
            Value::String(path) => Some(path.clone().into_owned()),
            _ => None,
        };
        Ok(Timings {
            times: files.members().iter().filter_map(timing).collect(),
            changed: changed.iter().filter_map(path).collect(),
        })
    }

    /// Slowest first, so that the file also shows what is slow.
    pub fn render(&self) -> String {
        let mut rows: Vec<(&String, &u64)> = self.times.iter().collect();
        rows.sort_by(|one, other| other.1.cmp(one.1).then_with(|| one.0.cmp(other.0)));
        let rows: Vec<String> =
            rows.into_iter().map(|(path, time)| format!("    {}: {time}", text::string(path))).collect();
        let files = if rows.is_empty() { "{}".to_owned() } else { format!("{{\n{}\n  }}", rows.join(",\n")) };
        let changed: Vec<String> = self.changed.iter().map(|path| text::string(path)).collect();
        let changed = match changed.is_empty() {
            true => String::new(),
            false => format!(",\n  \"changed\": [{}]", changed.join(", ")),
        };
        format!("{{\n  \"version\": {VERSION},\n  \"files\": {files}{changed}\n}}\n")
    }

    /// The time that half of the files take less than.
    pub fn median(&self) -> u64 {
        let mut times: Vec<u64> = self.times.values().copied().collect();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
