//! Annotations of GitHub Actions: `::error file=...,line=...::message` for each failure. In: items.
//! Out: lines on standard error.

use std::io;
use std::path::PathBuf;

use rusk_base::Result;

use super::{Item, ReportStreams, Reporter, full_name};
use crate::definitions::DefinitionFinder;
use crate::event::{ErrorReport, Status};
use crate::frames::{self, Frame};
use crate::report::RunReport;

pub struct GitHub {
    definitions: DefinitionFinder,
}

impl GitHub {
    /// `current_dir`: paths of files are relative to it.
    pub fn new(current_dir: PathBuf) -> GitHub {
        GitHub { definitions: DefinitionFinder::new(current_dir) }
    }
}

impl Reporter for GitHub {
    fn item(&mut self, file: &str, item: &Item, output: &mut ReportStreams<'_>) -> io::Result<()> {
        let (title, errors, origin) = match item {
            Item::Output(_) => return Ok(()),
            // A test that is to be done is expected to fail.
            Item::Test(result) if result.status == Status::Todo => return Ok(()),
            Item::Test(result) => {
                (full_name(&result.path), &result.errors[..], self.definitions.origin(file, result))
            }
            Item::Error(error) => (String::new(), std::slice::from_ref(&error.error), None),
        };
        for error in errors {
            writeln!(output.stderr, "{}", annotation(file, &title, error, origin.as_ref()))?;
        }
        Ok(())
    }

    fn run_end(&mut self, _: &RunReport, _: &mut ReportStreams<'_>) -> Result<()> {
        Ok(())
    }
}

fn annotation(file: &str, title: &str, error: &ErrorReport, origin: Option<&Frame>) -> String {
    let mut place = format!("file={}", property(file));
    if let Some(frame) = frames::user_frames(&error.stack).first().or(origin) {
        place = format!("file={},line={},col={}", property(&frame.file), frame.line, frame.column);
    }
    let title = if title.is_empty() { &error.name } else { title };
    format!("::error {place},title={}::{}", property(title), message(&error.message))
}

/// Values end at `,` and `:`, lines at line ends.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}
