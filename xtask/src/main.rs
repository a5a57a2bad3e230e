//! `cargo xtask`: picks the task and says how it ended.

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

  fuzz [target ...] [--seconds N] [--jobs N] [--seed N]
      throws mutated inputs at everything that reads hostile bytes; 60 seconds a target, all targets, one job
";

#[allow(clippy::print_stderr, reason = "this is the only place where a task says how it ended")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.split_first() {
        Some((task, rest)) if task == "fuzz" => xtask::fuzz::command::run(rest),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(said) => {
            eprintln!("{said}");
            ExitCode::FAILURE
        }
    }
}
