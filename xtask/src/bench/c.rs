//! C programs of the benchmarks: what has to call the kernel or libc in its own way. Built by `cc`
//! when they are needed.

use crate::process;
use std::path::Path;
use std::process::Command;

/// Static, without libc: nothing comes before the program's own first instruction.
pub const BARE: &[&str] = &["-Os", "-static", "-nostdlib"];

/// Builds a program of one file; warnings are errors.
pub fn compile(source: &Path, program: &Path, options: &[&str]) -> Result<(), String> {
    let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compiler.args(["-Wall", "-Wextra", "-Werror"]).args(options).arg("-o").args([program, source]);
    process::succeed(&mut compiler).map(drop)
}

#[cfg(test)]
mod tests;
