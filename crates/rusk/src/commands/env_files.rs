//! `--env-file` of a command: rusk starts again with the variables of the files in its environment,
//! where settings (`${TOKEN}` in .npmrc), scripts and programs find them. In: the command line.
//! Out: a process without the flag. Absent: tests, whose workers read the files.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process;

use rusk_base::Result;
use rusk_scripts::dotenv;

use crate::{host, problem, program};
use rusk_command_line::flags::{Command, Flag, Invocation};

/// Returns only if no file is named.
pub fn start_again(
    invocation: &Invocation,
    arguments: &[OsString],
    environment: &BTreeMap<String, String>,
) -> Result<()> {
    if !invocation.is_given(Flag::EnvFile) || invocation.command == Some(Command::Test) {
        return Ok(());
    }
    let dir = host::current_dir(None)?;
    // The last file takes precedence.
    let read = |path: &Path| {
        let text = program::settings::find_text(&dir.join(path))?;
        text.ok_or_else(|| problem::no_env_file_of_command(&path.to_string_lossy()))
    };
    let texts = invocation.paths(Flag::EnvFile).rev().map(read).collect::<Result<Vec<_>>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let error = process::Command::new(host::program()?)
        .arg0("rusk")
        .args(without_env_files(arguments, arguments.len() - invocation.arguments.len()))
        .envs(dotenv::parse_files(&texts, environment))
        .exec();
    Err(problem::no_program_file(error))
}

/// The arguments without the flag; those from `end` on belong to a program or script.
fn without_env_files(arguments: &[OsString], end: usize) -> Vec<&OsString> {
    let mut kept = Vec::with_capacity(arguments.len());
    let mut own = arguments[..end].iter();
    while let Some(argument) = own.next() {
        match argument.to_str() {
            Some("--env-file") => {
                own.next();
            }
            Some(text) if text.starts_with("--env-file=") => {}
            _ => kept.push(argument),
        }
    }
    kept.extend(&arguments[end..]);
    kept
}
