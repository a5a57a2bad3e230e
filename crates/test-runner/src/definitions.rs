//! Where tests are defined, for reports: `describe('group', …)`, `test('name', …)`. In: a test file
//! and names. Out: a line and a column; none for names that only the run has made. A file is
//! parsed when its first position is asked for, which most runs never do.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusk_transpile::{Language, TestCall, test_calls};

use crate::event::{ErrorReport, TestResult};
use crate::frames::{self, Frame};

/// A larger file is generated code.
const SOURCE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Separates names in a key.
const SEPARATOR: &str = "\0";

/// What a frame of a definition is called.
const TEST: &str = "the test";

/// A place in a test file, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// Definitions of the file that was asked for last.
#[derive(Debug)]
pub struct DefinitionFinder {
    /// Paths of files are relative to it.
    current_dir: PathBuf,
    last: Option<(String, Definitions)>,
}

impl DefinitionFinder {
    pub fn new(current_dir: PathBuf) -> DefinitionFinder {
        DefinitionFinder { current_dir, last: None }
    }

    /// Where a test or a group is defined, as a frame.
    pub fn frame(&mut self, file: &str, path: &[String]) -> Option<Frame> {
        let absolute = self.current_dir.join(file);
        if self.last.as_ref().is_none_or(|(last, _)| last != file) {
            self.last = Some((file.to_owned(), Definitions::read(&absolute)));
        }
        let (_, definitions) = self.last.as_ref()?;
        let Position { line, column } = definitions.find(path)?;
        Some(Frame { function: TEST.to_owned(), file: absolute.to_str()?.to_owned(), line, column })
    }

    /// Where a test is defined, if the frames of its errors do not say it.
    pub fn origin(&mut self, file: &str, result: &TestResult) -> Option<Frame> {
        let absolute = self.current_dir.join(file);
        let names_file = |error: &ErrorReport| {
            frames::user_frames(&error.stack).iter().any(|frame| Path::new(&frame.file) == absolute)
        };
        let mut errors = result.errors.iter().chain(&result.retried);
        if errors.all(names_file) { None } else { self.frame(file, &result.path) }
    }
}

/// The tests that a file defines.
#[derive(Debug, Default)]
pub struct Definitions {
    /// By names that the source has whole.
    literal: HashMap<String, Position>,
    /// Those of which a part is computed.
    others: Vec<TestCall>,
}

impl Definitions {
    /// A file that cannot be read or parsed defines nothing.
    pub fn read(path: &Path) -> Definitions {
        let is_small = path.metadata().is_ok_and(|data| data.len() <= SOURCE_BYTES_MAX);
        let source = if is_small { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() };
        let language = path.extension().and_then(|end| end.to_str()).and_then(Language::of_extension);
        Definitions::of(&source, language.unwrap_or(Language::TypeScript))
    }

    fn of(source: &str, language: Language) -> Definitions {
        let mut definitions = Definitions::default();
        for call in test_calls(source, language).unwrap_or_default() {
            let names: Option<Vec<&str>> = call.names.iter().map(|name| name.literal()).collect();
            match names {
                Some(names) => {
                    _ = definitions.literal.entry(names.join(SEPARATOR)).or_insert(position(&call))
                }
                None => definitions.others.push(call),
            }
        }
        definitions
    }

    /// Where a test or a group of this name is defined. Of several definitions whose names are
    /// computed, it is that of which most is known; none if that is not one.
    pub fn find(&self, path: &[String]) -> Option<Position> {
        if let Some(position) = self.literal.get(&path.join(SEPARATOR)) {
            return Some(*position);
        }
        let matches = |call: &&TestCall| {
            call.names.len() == path.len() && call.names.iter().zip(path).all(|(name, own)| name.matches(own))
        };
        let known = |call: &TestCall| call.names.iter().map(|name| name.literal_bytes()).sum::<usize>();
        let candidates: Vec<&TestCall> = self.others.iter().filter(matches).collect();
        let most = candidates.iter().map(|call| known(call)).max()?;
        let mut best = candidates.into_iter().filter(|call| known(call) == most);
        let first = best.next()?;
        best.next().is_none().then(|| position(first))
    }
}

fn position(call: &TestCall) -> Position {
    Position { line: call.line, column: call.column }
}

#[cfg(test)]
mod tests;
