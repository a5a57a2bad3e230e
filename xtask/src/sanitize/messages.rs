//! `sanitize messages`: tests the Rust part of messages under ThreadSanitizer. In: number of runs.
//! Out: nothing, or its report. The stable compiler accepts nightly's flag with `RUSTC_BOOTSTRAP`.
//! Its standard library is not instrumented, so the crate spins where the library would wait, and
//! the fence of `Arc`, which ThreadSanitizer does not understand, is suppressed.

use crate::{files, process};
use std::process::Command;

/// The last owner of an `Arc` synchronizes by a fence; the others are sent by the test harness
/// between its own threads.
const SUPPRESSIONS: &str = "race:drop_slow\nrace:CompletedTest\nrace:Option<test::run_test\n";

#[allow(clippy::print_stdout, reason = "the result is the output of the task")]
pub fn run(arguments: &[String]) -> Result<(), String> {
    let runs: usize = match arguments {
        [] => 10,
        [flag, runs] if flag == "--runs" => runs.parse().map_err(|_| "expected a number after `--runs`")?,
        _ => return Err("expected `sanitize messages [--runs N]`".to_owned()),
    };
    let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let directory = files::target().join("sanitize");
    let suppressions = directory.join("suppressions.txt");
    files::write(&suppressions, SUPPRESSIONS)?;
    for _ in 0..runs {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut tests = Command::new(cargo);
        tests.args(["test", "--package", "rusk-messages", "--features", "spinning", "--target", &target]);
        tests.args(["--test", "threads"]).current_dir(files::root());
        tests.env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", &directory);
        tests.env("RUSTFLAGS", "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer");
        tests.env("TSAN_OPTIONS", format!("halt_on_error=1 suppressions={}", suppressions.display()));
        process::succeed(&mut tests)?;
    }
    println!("{runs} runs, nothing found");
    Ok(())
}
