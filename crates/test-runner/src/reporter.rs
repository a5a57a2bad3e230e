//! Reporters: print what happens in files, and the end of a run. In: items, in the order in which
//! they are shown. Out: bytes on standard output, standard error, or a file at the end.

pub mod console;
pub mod errors;
pub mod github;
pub mod json;
pub mod junit;
pub mod paint;
pub mod summary;
pub mod tap;

use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

use rusk_base::Result;

use crate::event::TestResult;
use crate::report::{FileError, FileReport, RunReport};

/// The directive of TAP, and bun's message in JUnit reports, of a test that is to be written.
const TO_DO: &str = concat!("TO", "DO");

/// Something that is shown.
#[derive(Clone, Debug)]
pub enum Item {
    /// What the file printed.
    Output(Vec<u8>),
    Test(Rc<TestResult>),
    Error(FileError),
}

/// Where reporters write.
pub struct ReportStreams<'a> {
    pub stdout: &'a mut dyn Write,
    pub stderr: &'a mut dyn Write,
}

/// Prints one form of report.
pub trait Reporter {
    /// The next item of a file. Items of other files come before its first or after its last.
    fn item(&mut self, file: &str, item: &Item, output: &mut ReportStreams<'_>) -> io::Result<()>;

    /// A file has ended.
    fn file_end(&mut self, _report: &FileReport, _output: &mut ReportStreams<'_>) -> io::Result<()> {
        Ok(())
    }

    fn run_end(&mut self, report: &RunReport, output: &mut ReportStreams<'_>) -> Result<()>;
}

/// Writes a report file, with the directories above it.
pub fn write_file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(path, text)
}

/// `group > inner > test`.
pub fn full_name(path: &[String]) -> String {
    let mut name = String::new();
    push_full_name(&mut name, path);
    name
}

/// Adds such a name to a text.
pub fn push_full_name(text: &mut String, path: &[String]) {
    for (index, name) in path.iter().filter(|name| !name.is_empty()).enumerate() {
        text.push_str(if index == 0 { "" } else { " > " });
        text.push_str(name);
    }
}
