//! Coverage-guided fuzzing: builds `fuzz/` with the instrumentation that libFuzzer reads, and runs
//! it. In: a target, a time. Out: how many inputs ran. Inputs that reach new code are kept in
//! `fuzz/corpus/<target>/`, so that the next run starts from them.
//!
//! The flags are those of cargo-fuzz without its sanitizer, which needs nightly: the compiler's
//! own checks of bounds, overflow and assertions are on.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::FuzzTarget;
use crate::command::findings;
use crate::targets::repository_root;

/// An input that takes longer is a finding.
const INPUT_MAX_S: u32 = 10;
/// Memory in which an input must be parsed.
const MEMORY_MAX_MB: u32 = 2048;

const INSTRUMENTATION: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "-Ccodegen-units=1",
];

/// Builds the program that fuzzes; returns its path.
pub fn build() -> Result<PathBuf, String> {
    let triple = host_triple()?;
    let root = repository_root();
    let directory = root.join("fuzz/target");
    // With a target, the flags are not those of build scripts and macros, which have no libFuzzer.
    let status = Command::new("cargo")
        .args(["build", "--release", "--locked", "--manifest-path"])
        .arg(root.join("fuzz/Cargo.toml"))
        .args(["--target", &triple, "--target-dir"])
        .arg(&directory)
        .env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTATION.join("\u{1f}"))
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    match status.success() {
        true => Ok(directory.join(triple).join("release/rusk-fuzz")),
        false => Err(format!("cargo build of fuzz/: {status}")),
    }
}

fn host_triple() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV: expected a line `host:`".to_owned())
}

/// The run of one target. Seeds are written to the corpus first.
pub fn command(program: &Path, target: &FuzzTarget, seconds: u64, seed: u64) -> std::io::Result<Command> {
    let corpus = repository_root().join("fuzz/corpus").join(target.name);
    std::fs::create_dir_all(&corpus)?;
    for (at, input) in target.all_seeds().iter().enumerate() {
        std::fs::write(corpus.join(format!("seed-{at}")), input)?;
    }
    let mut command = Command::new(program);
    command.arg(&corpus).env("FUZZ_TARGET", target.name);
    command.arg(format!("-max_total_time={seconds}")).arg(format!("-seed={seed}"));
    command.arg(format!("-timeout={INPUT_MAX_S}")).arg(format!("-rss_limit_mb={MEMORY_MAX_MB}"));
    command.arg(format!("-artifact_prefix={}/{}-", findings().display(), target.name));
    command.arg("-print_final_stats=1");
    Ok(command)
}

/// How many inputs a run executed, as its log says.
pub fn inputs(log: &str) -> Option<u64> {
    let mut lines = log.lines().filter_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    lines.next_back()?.trim().parse().ok()
}

/// What a failed run found: the end of its log.
pub fn finding(log: &str) -> String {
    let lines: Vec<&str> = log.lines().filter(|line| !line.starts_with('#')).collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}
