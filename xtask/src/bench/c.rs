//! C programs of the benchmarks: those that call the kernel or libc in their own way. Built by `cc`
//! on demand.

use crate::process;
use std::path::Path;
use std::process::Command;

/// Static, without libc: no code runs before the program's own first instruction.
pub const BARE: &[&str] = &["-Os", "-static", "-nostdlib"];

/// Builds a program from one source file; warnings are errors.
pub fn compile(source: &Path, program: &Path, options: &[&str]) -> Result<(), String> {
    let mut compiler = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compiler.args(["-Wall", "-Wextra", "-Werror"]).args(options).arg("-o").args([program, source]);
    process::succeed(&mut compiler).map(drop)
}

#[cfg(test)]
mod tests;
