//! Command line by which rusk starts itself to run the scripts of one package again. In: the
//! package, and the command line that was given. Out: argv. Absent: starting it.

use std::ffi::OsString;

use super::{Flag, Invocation};

/// The name is an operand, whatever it looks like.
pub fn arguments(name: &str, given: &Invocation) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["rusk", "rebuild", "--silent"].map(OsString::from).into();
    if given.is_on(Flag::Global) {
        arguments.push("--global".into());
    }
    if let Some(dir) = given.path(Flag::CacheDir) {
        arguments.extend(["--cache-dir".into(), dir.as_os_str().to_owned()]);
    }
    if let Some(linker) = given.value(Flag::Linker) {
        arguments.push(format!("--linker={linker}").into());
    }
    arguments.extend(["--".into(), name.into()]);
    arguments
}

#[cfg(test)]
mod tests;
