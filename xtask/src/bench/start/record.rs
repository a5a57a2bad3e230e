//! Cost of tracing a system call (`RUSK_STARTUP_TRACE`), relative to a null call of the same run.
//! In: the measuring program, built for release. Out: a line, and an error above the bound.

use crate::{files, process};
use std::process::Command;

/// 60 ns, where a null call takes 130.
const ON_MAX: f64 = 0.46;

/// In nanoseconds, the minimum of several rounds.
pub struct RecordCost {
    null: f64,
    off: f64,
    on: f64,
}

impl RecordCost {
    pub fn measure() -> Result<RecordCost, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut measure = Command::new(cargo);
        measure.args([
            "run",
            "--quiet",
            "--release",
            "--locked",
            "--package",
            "rusk-base",
            "--example",
            "syscall_stats",
        ]);
        let ended = process::succeed(measure.current_dir(files::root()))?;
        parse(&ended.output)
    }

    fn added(&self) -> [f64; 2] {
        [self.off, self.on].map(|time| (time - self.null).max(0.0))
    }
}

fn parse(text: &str) -> Result<RecordCost, String> {
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [null, off, on] => Ok(RecordCost { null, off, on }),
        _ => Err(format!("expected three numbers of `--example record`, found `{text}`")),
    }
}

/// Prints the cost; an error if it is above the bound.
#[allow(clippy::print_stdout, reason = "the line is the output of the task")]
pub fn check(cost: &RecordCost) -> Result<(), String> {
    let [off, on] = cost.added();
    println!(
        "recording a call adds {on:.0} ns, {:.2} null calls; off, {off:.0} ns, {:.2} null calls",
        on / cost.null,
        off / cost.null
    );
    match on / cost.null <= ON_MAX {
        true => Ok(()),
        false => Err(format!("to record a call costs more than {ON_MAX} null calls")),
    }
}

#[cfg(test)]
mod tests;
