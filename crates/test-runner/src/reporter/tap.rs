//! TAP version 14 on standard output, one point for each test. In: items. Out: lines; the output of
//! tests goes to standard error.

use std::io;

use rusk_base::Result;

use super::{Item, ReportStreams, Reporter, TO_DO, full_name};
use crate::event::Status;
use crate::problem;
use crate::report::RunReport;

#[derive(Default)]
pub struct Tap {
    points: u64,
}

impl Tap {
    fn number(&mut self, output: &mut ReportStreams<'_>) -> io::Result<u64> {
        if self.points == 0 {
            writeln!(output.stdout, "TAP version 14")?;
        }
        self.points += 1;
        Ok(self.points)
    }

    fn end(&self, report: &RunReport, output: &mut ReportStreams<'_>) -> io::Result<()> {
        if self.points == 0 {
            writeln!(output.stdout, "TAP version 14")?;
        }
        let counts = &report.counts;
        writeln!(output.stdout, "1..{}", self.points)?;
        writeln!(
            output.stdout,
            "# tests {}\n# pass {}\n# fail {}",
            counts.total(),
            counts.pass,
            counts.fail
        )?;
        writeln!(output.stdout, "# skipped {}\n# todo {}", counts.skip, counts.todo)
    }
}

impl Reporter for Tap {
    fn item(&mut self, file: &str, item: &Item, output: &mut ReportStreams<'_>) -> io::Result<()> {
        match item {
            Item::Output(bytes) => output.stderr.write_all(bytes),
            Item::Test(result) if result.status == Status::Filtered => Ok(()),
            Item::Test(result) => {
                let number = self.number(output)?;
                let word = if result.status == Status::Fail { "not ok" } else { "ok" };
                let directive = match result.status {
                    Status::Skip => " # SKIP".to_owned(),
                    Status::Todo => format!(" # {TO_DO}"),
                    _ => String::new(),
                };
                let name = escape(&format!("{file} > {}", full_name(&result.path)));
                writeln!(output.stdout, "{word} {number} - {name}{directive}")?;
                let has_time = matches!(result.status, Status::Pass | Status::Fail);
                if !has_time {
                    return Ok(());
                }
                writeln!(output.stdout, "  ---\n  duration_ms: {:.3}", result.duration_ms)?;
                if let Some(error) = result.errors.first() {
                    diagnostic(&error.message, &error.stack, output)?;
                }
                writeln!(output.stdout, "  ...")
            }
            Item::Error(error) => {
                let number = self.number(output)?;
                writeln!(output.stdout, "not ok {number} - {}\n  ---", escape(file))?;
                diagnostic(&error.error.message, &error.error.stack, output)?;
                writeln!(output.stdout, "  ...")
            }
        }
    }

    fn run_end(&mut self, report: &RunReport, output: &mut ReportStreams<'_>) -> Result<()> {
        self.end(report, output).map_err(problem::output_closed)
    }
}

fn diagnostic(message: &str, stack: &str, output: &mut ReportStreams<'_>) -> io::Result<()> {
    writeln!(output.stdout, "  message: |-")?;
    for line in message.lines() {
        writeln!(output.stdout, "    {line}")?;
    }
    if stack.is_empty() {
        return Ok(());
    }
    writeln!(output.stdout, "  stack: |-")?;
    for frame in crate::frames::user_frames(stack) {
        writeln!(output.stdout, "    {} ({}:{}:{})", frame.function, frame.file, frame.line, frame.column)?;
    }
    Ok(())
}

/// `#` begins a directive, and a point is one line.
fn escape(name: &str) -> String {
    name.replace('\\', "\\\\").replace('#', "\\#").replace(['\n', '\r'], " ")
}
