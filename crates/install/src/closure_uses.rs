//! Records which shared entries a project uses: its directory and the names of closures. The file
//! stays when the record of installed packages is removed: a project whose install failed still
//! uses the entries. Written before links are made, with the closures used so far; when all is
//! done, with the current one.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};

use crate::problem;

const PROJECT: &str = "project";
const CLOSURE: &str = "closure";

/// A larger file was not written by us.
const BYTES_MAX: u64 = 64 << 10;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClosureUses {
    pub project: PathBuf,
    pub closures: Vec<String>,
}

pub fn path(record: &Path) -> PathBuf {
    record.with_extension("uses")
}

/// Reads the recorded uses; `None` when the file is missing, empty or damaged.
pub fn read(path: &Path) -> Result<Option<ClosureUses>> {
    Ok(files::find_cached_string(path, BYTES_MAX)?.as_deref().and_then(parse))
}

/// `None` when there is nothing in it.
pub fn parse(text: &str) -> Option<ClosureUses> {
    let mut uses = ClosureUses::default();
    for line in text.lines() {
        match line.split_once('\t') {
            Some((PROJECT, dir)) => uses.project = PathBuf::from(dir),
            Some((CLOSURE, closure)) => uses.closures.push(closure.to_owned()),
            _ => {}
        }
    }
    (uses != ClosureUses::default()).then_some(uses)
}

/// Adds a closure to the recorded uses.
pub fn add(record: &Path, project: &Path, closure: &str) -> Result<()> {
    let mut uses = read(&path(record))?.unwrap_or_default();
    if !uses.closures.iter().any(|noted| noted == closure) {
        uses.closures.push(closure.to_owned());
        write(record, project, &uses.closures)?;
    }
    Ok(())
}

/// Records that a project uses this closure and no other, or none at all.
pub fn replace(record: &Path, project: &Path, closure: Option<&str>) -> Result<()> {
    let closures: Vec<String> = closure.into_iter().map(str::to_owned).collect();
    match read(&path(record))? {
        Some(uses) if uses.closures == closures && uses.project == project => Ok(()),
        _ => write(record, project, &closures),
    }
}

fn write(record: &Path, project: &Path, closures: &[String]) -> Result<()> {
    let lines: String = closures.iter().map(|closure| format!("{CLOSURE}\t{closure}\n")).collect();
    let Some(shown) = project.to_str().filter(|shown| !shown.contains(char::is_control)) else {
        // `prune` finds no owner for such entries, and may remove them.
        return if closures.is_empty() { Ok(()) } else { Err(problem::project_text(project)) };
    };
    files::write_atomically(&path(record), format!("{PROJECT}\t{shown}\n{lines}").as_bytes())
}
