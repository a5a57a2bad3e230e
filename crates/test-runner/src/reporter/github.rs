//! Annotations of GitHub Actions: `::error file=...,line=...::message` for each failure. In: items.
//! Out: lines on standard error.

use std::io;

use rusk_base::Result;

use super::{Item, ReportStreams, Reporter, full_name};
use crate::event::{ErrorReport, Status};
use crate::frames;
use crate::report::RunReport;

pub struct GitHub;

impl Reporter for GitHub {
    fn item(&mut self, file: &str, item: &Item, output: &mut ReportStreams<'_>) -> io::Result<()> {
        let (title, errors) = match item {
            Item::Output(_) => return Ok(()),
            // A test that is to be done is expected to fail.
            Item::Test(result) if result.status == Status::Todo => return Ok(()),
            Item::Test(result) => (full_name(&result.path), &result.errors[..]),
            Item::Error(error) => (String::new(), std::slice::from_ref(&error.error)),
        };
        for error in errors {
            writeln!(output.stderr, "{}", annotation(file, &title, error))?;
        }
        Ok(())
    }

    fn run_end(&mut self, _: &RunReport, _: &mut ReportStreams<'_>) -> Result<()> {
        Ok(())
    }
}

fn annotation(file: &str, title: &str, error: &ErrorReport) -> String {
    let mut place = format!("file={}", property(file));
    if let Some(frame) = frames::user_frames(&error.stack).first() {
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
