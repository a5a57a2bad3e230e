//! `rusk approve --record`: runs the scripts of approved packages in the jail, under a tracer, one
//! package after the other, and proposes the smallest grant: the paths and the network that a
//! script was denied. What a script does after a denial is not known: it may need more then.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_base::sys::stopped_child::SpawnOptions;
use rusk_observe::denied_calls::{self, DeniedAccess};
use rusk_scripts::Exit;

use crate::host;
use crate::screen::Screen;
use rusk_command_line::flags::{Flag, Invocation};

/// Denials that are shown of one package.
const SHOWN_MAX: usize = 12;

pub fn run(project: &Path, names: &[String], invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let mut exit = Exit::DONE;
    for name in names {
        let recorded = denied_calls::run(options(&program(name, invocation)?, project))?;
        let succeeded = recorded.code == Some(0);
        screen.page(&text(name, succeeded, &recorded.denied))?;
        if !succeeded {
            exit = Exit::Code(1);
        }
    }
    Ok(exit)
}

/// A command line of this program.
struct TracedProgram {
    file: PathBuf,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
}

/// Runs the scripts of one package again, whatever was installed.
fn program(name: &str, invocation: &Invocation) -> Result<TracedProgram> {
    let mut arguments: Vec<OsString> = ["rusk", "rebuild", name, "--silent"].map(OsString::from).into();
    if let Some(dir) = invocation.path(Flag::CacheDir) {
        arguments.extend(["--cache-dir".into(), dir.as_os_str().to_owned()]);
    }
    Ok(TracedProgram { file: host::program()?, arguments, environment: host::variables() })
}

fn options<'a>(program: &'a TracedProgram, project: &'a Path) -> SpawnOptions<'a> {
    SpawnOptions {
        file: &program.file,
        arguments: &program.arguments,
        environment: &program.environment,
        directory: project,
        pre_exec: None,
        probe_calls: 0,
    }
}

fn text(name: &str, succeeded: bool, denied: &BTreeSet<DeniedAccess>) -> String {
    let ended = match (succeeded, denied.is_empty()) {
        (true, true) => "works without grants, and was denied nothing",
        (true, false) => "works without more grants; it was denied",
        (false, true) => "fails, but was denied nothing: no grant helps",
        (false, false) => "fails; it was denied",
    };
    let mut text = format!("{}: {ended}\n", printable(name));
    for access in denied.iter().take(SHOWN_MAX) {
        text += &format!("  {}\n", printable(&line(access)));
    }
    if let Some(hidden) = denied.len().checked_sub(SHOWN_MAX).filter(|hidden| *hidden > 0) {
        text += &format!("  and {hidden} more\n");
    }
    if !succeeded && !denied.is_empty() {
        text += &format!("grant it by `rusk approve {}{}`\n", printable(name), flags(denied));
    }
    text
}

fn line(access: &DeniedAccess) -> String {
    match access {
        DeniedAccess::Network(None) => "the network".to_owned(),
        DeniedAccess::Network(Some(address)) => format!("the network: {address}"),
        DeniedAccess::Read(path) => format!("reading {}", path.display()),
        DeniedAccess::Write(path) => format!("writing {}", path.display()),
    }
}

/// One flag for each grant; a path that is written is also read.
fn flags(denied: &BTreeSet<DeniedAccess>) -> String {
    let is_network = |access: &DeniedAccess| matches!(access, DeniedAccess::Network(_));
    let mut flags = if denied.iter().any(is_network) { " --network".to_owned() } else { String::new() };
    let written = |path: &Path| denied.contains(&DeniedAccess::Write(path.to_owned()));
    for access in denied {
        match access {
            DeniedAccess::Network(_) => {}
            DeniedAccess::Read(path) if written(path) => {}
            DeniedAccess::Read(path) => {
                flags += &format!(" --read={}", printable(&path.display().to_string()))
            }
            DeniedAccess::Write(path) => {
                flags += &format!(" --write={}", printable(&path.display().to_string()))
            }
        }
    }
    flags
}

#[cfg(test)]
mod tests;
