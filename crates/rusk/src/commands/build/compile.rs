//! `rusk build --compile`: a bundle as an executable. In: a bundle, flags. Out: the executable, and
//! a summary.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::Result;
use rusk_bundler::{Bundle, ExecutableSettings};
use rusk_command_line::flags::{Flag, Invocation};

use crate::host;

/// Writes the executable. Out: the summary.
pub fn write(
    bundle: &Bundle,
    file: &Path,
    current_dir: &Path,
    invocation: &Invocation,
    elapsed: Duration,
) -> Result<String> {
    let flags = invocation.value(Flag::CompileExecArgv).unwrap_or_default();
    let settings = ExecutableSettings {
        exec_arguments: flags.split_whitespace().map(str::to_owned).collect(),
        reads_env: !invocation.is_negated(Flag::CompileAutoloadDotenv),
        reads_bunfig: !invocation.is_negated(Flag::CompileAutoloadBunfig),
        assets: invocation.values(Flag::Asset).map(PathBuf::from).collect(),
        program: invocation.path(Flag::CompileExecutablePath).map(PathBuf::from),
    };
    let count = rusk_bundler::write_executable(bundle, file, &settings, &host::program()?, current_dir)?;
    let modules = if bundle.modules == 1 { "module" } else { "modules" };
    let assets = match count {
        0 => String::new(),
        1 => " and 1 file".to_owned(),
        count => format!(" and {count} files"),
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok(format!("compiled {} {modules}{assets} in {} ms\n\n  {name}\n", bundle.modules, elapsed.as_millis()))
}
