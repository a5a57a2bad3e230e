//! Record of a cache slot: one small text file, read by every run. A damaged record is ignored.

use std::path::Path;

use rusk_base::{Result, files};

use super::Program;

/// The first line; another one means another format, or an earlier version, which did not find all
/// programs.
const HEAD: &str = "rusk x 2";
const FILE_NAME: &str = "record";

/// A larger file is ignored: a package of a thousand programs has 100 kB.
const BYTES_MAX: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The project's directory in the slot.
    pub name: String,
    /// The previous project: programs may still run from it.
    pub previous: Option<String>,
    /// When it was last resolved, in seconds since 1970.
    pub made_s: u64,
    pub programs: Vec<Program>,
}

impl Record {
    pub fn find(slot: &Path) -> Result<Option<Record>> {
        let text = files::find_cached_string(&slot.join(FILE_NAME), BYTES_MAX)?;
        Ok(text.as_deref().and_then(Record::parse))
    }

    pub fn write(&self, slot: &Path) -> Result<()> {
        files::write_atomically(&slot.join(FILE_NAME), self.render().as_bytes())
    }

    pub fn parse(text: &str) -> Option<Record> {
        let lines = text.strip_prefix(HEAD)?.strip_prefix('\n')?.strip_suffix("end\n")?.lines();
        let mut record = Record { name: String::new(), previous: None, made_s: 0, programs: Vec::new() };
        for line in lines {
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["made", seconds] => record.made_s = seconds.parse().ok()?,
                ["folder", name] if is_dir(name) => name.clone_into(&mut record.name),
                ["kept", name] if is_dir(name) => record.previous = Some(name.to_owned()),
                ["program", name, package, target] => record.programs.push(Program {
                    name: name.to_owned(),
                    package: package.to_owned(),
                    target: target.to_owned(),
                }),
                _ => return None,
            }
        }
        (!record.name.is_empty()).then_some(record)
    }

    pub fn render(&self) -> String {
        let mut text = format!("{HEAD}\nmade\t{}\nfolder\t{}\n", self.made_s, self.name);
        if let Some(previous) = &self.previous {
            text.push_str(&format!("kept\t{previous}\n"));
        }
        for Program { name, package, target } in &self.programs {
            text.push_str(&format!("program\t{name}\t{package}\t{target}\n"));
        }
        text + "end\n"
    }
}

/// A name made by `unpredictable_name`: it cannot point outside the slot.
fn is_dir(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests;
