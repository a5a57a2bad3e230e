//! `conformance node`: Node's own tests, run by rusk, and beside it by node and bun. In: a checkout
//! of the tests, given by its path; nothing of it is kept. Out: `conformance/node/AREA.txt`, a
//! verdict for each file, and `conformance/node.json`, the counts. A file that node itself fails or
//! skips here judges nobody.

mod area;
pub mod file;

use super::flags::Flags;
use super::list::{List, Verdict};
use super::summary::Summary;
use super::trial::{self, Judge, Outcome, Program, Test};
use crate::place;
use file::TestFile;

pub const SUMMARY: &str = "conformance/node.json";

pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = Flags::read("node", arguments)?;
    let areas = area::chosen(&flags.areas)?;
    let judge = Judge::new(flags.jobs);
    let mut summary = Summary::read(SUMMARY)?;
    summary.note_versions(flags.programs());
    let mut lost = Vec::new();
    for area in areas {
        let files = area.files(flags.tests()?)?;
        let list = format!("node/{}.txt", area.name);
        let reasons = reasons(&judge, &files, &list, &flags)?;
        let (mut tests, mut skipped): (Vec<&dyn Test>, Vec<_>) = (Vec::new(), Vec::new());
        for (file, reason) in files.iter().zip(reasons) {
            match reason {
                Some(why) => skipped.push((file.name().to_owned(), why)),
                None => tests.push(file),
            }
        }
        let area = trial::Area { name: area.name, file: list, target: area.target, judges_node: false };
        lost.extend(judge.keep(&area, &tests, skipped, &flags, &mut summary)?);
    }
    judge.end()?;
    trial::verdict_of(&lost, &flags)
}

/// Why a file judges nobody: what node made of it, now or when it was last asked.
fn reasons(
    judge: &Judge,
    files: &[TestFile],
    list: &str,
    flags: &Flags,
) -> Result<Vec<Option<String>>, String> {
    let Some(path) = flags.node.as_deref() else {
        let before = List::read(&place::root().join("conformance").join(list))?;
        let known = |file: &TestFile| match before.0.get(file.name()) {
            Some(Verdict::Skip(why)) => Ok(Some(why.clone())),
            Some(_) => Ok(None),
            None => Err(format!("expected `--node`: nobody knows what it makes of {}", file.name())),
        };
        return files.iter().map(known).collect();
    };
    let tests: Vec<&dyn Test> = files.iter().map(|file| file as &dyn Test).collect();
    let reason = |outcome| match outcome {
        Outcome::Passed => None,
        Outcome::Skipped(why) => Some(format!("node skips it: {}", without_folders(&why))),
        Outcome::Failed(why) => Some(format!("node fails it here: {}", without_folders(&why))),
    };
    Ok(judge.all(Program { path, globals: "" }, &tests).into_iter().map(reason).collect())
}

/// Lists are the same wherever they are made, so a path is its last name.
fn without_folders(reason: &str) -> String {
    // What a test expects, `/pattern/`, is no path.
    let is_name =
        |part: &str| part.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter));
    let last = |word: &'_ str| -> String {
        let path = word.strip_prefix('/').filter(|path| path.split('/').all(is_name));
        let name = path.and_then(|path| path.rsplit('/').next());
        name.filter(|name| name.contains(char::is_alphanumeric)).unwrap_or(word).to_owned()
    };
    reason.split(' ').map(last).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
