//! Timings file: how long each test file took, in bun's form. In: JSON. Out: milliseconds by path,
//! relative to the root. Absent: where the files are.

use std::collections::BTreeMap;
use std::path::Path;

use rusk_base::{Result, files};
use rusk_npm::json::text;
use rusk_npm::json::{self, Dialect, Value};

use crate::problem;

/// A file of 100,000 paths has some 8 MB.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

const VERSION: &str = "1";

/// Milliseconds by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timings(pub BTreeMap<String, u64>);

impl Timings {
    /// All files as one table; a later file has precedence. Files that do not exist are skipped.
    pub fn read(paths: &[impl AsRef<Path>]) -> Result<Timings> {
        let mut all = Timings::default();
        for path in paths {
            let path = path.as_ref();
            if let Some(text) = files::find_string(path, FILE_BYTES_MAX)? {
                let timings = Timings::parse(&text).map_err(|what| problem::bad_timings(path, what))?;
                all.0.extend(timings.0);
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
        Ok(Timings(files.members().iter().filter_map(timing).collect()))
    }

    /// Slowest first, so that the file also shows what is slow.
    pub fn render(&self) -> String {
        let mut rows: Vec<(&String, &u64)> = self.0.iter().collect();
        rows.sort_by(|one, other| other.1.cmp(one.1).then_with(|| one.0.cmp(other.0)));
        let rows: Vec<String> =
            rows.into_iter().map(|(path, time)| format!("    {}: {time}", text::string(path))).collect();
        let files = if rows.is_empty() { "{}".to_owned() } else { format!("{{\n{}\n  }}", rows.join(",\n")) };
        format!("{{\n  \"version\": {VERSION},\n  \"files\": {files}\n}}\n")
    }

    /// The time that half of the files take less than.
    pub fn median(&self) -> u64 {
        let mut times: Vec<u64> = self.0.values().copied().collect();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
