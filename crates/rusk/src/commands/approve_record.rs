//! `rusk approve --record`: runs the scripts of approved packages in the jail, under a tracer, one
//! package after the other, and proposes the smallest grant: the paths and the hosts that a script
//! was denied. What a script does after a denial is not known: it may need more then.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusk_base::problem::printable;
use rusk_base::sys::Errno;
use rusk_base::sys::stopped_child::SpawnOptions;
use rusk_base::{Result, files};
use rusk_install::dependency_scripts::REFUSED_HOSTS;
use rusk_observe::denied_calls::{self, DeniedAccess};
use rusk_scripts::{Exit, quoted};

use crate::host;
use crate::screen::Screen;
use rusk_command_line::flags::{Flag, Invocation};

const TERMINAL: &str = "/dev/tty";
/// Some thousand hosts.
const HOSTS_BYTES_MAX: u64 = 64 << 10;
/// Denials that are shown of one package.
const SHOWN_MAX: usize = 12;

pub fn run(project: &Path, names: &[String], invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    let mut exit = Exit::DONE;
    for name in names {
        let hosts = RefusedHosts::new()?;
        let recorded = denied_calls::run(options(&program(name, &hosts, invocation)?, project))?;
        let succeeded = recorded.code == Some(0);
        screen.page(&text(name, succeeded, &Denials::new(recorded.denied, hosts.read())))?;
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
fn program(name: &str, hosts: &RefusedHosts, invocation: &Invocation) -> Result<TracedProgram> {
    let mut arguments: Vec<OsString> = ["rusk", "rebuild", name, "--silent"].map(OsString::from).into();
    if let Some(dir) = invocation.path(Flag::CacheDir) {
        arguments.extend(["--cache-dir".into(), dir.as_os_str().to_owned()]);
    }
    let mut environment = host::variables();
    environment.push((REFUSED_HOSTS.into(), hosts.path.clone().into_os_string()));
    Ok(TracedProgram { file: host::program()?, arguments, environment })
}

/// A private file in which the traced program names the hosts that its jail refused. The tracer
/// sees addresses only, and none of a name that was not resolved.
struct RefusedHosts {
    path: PathBuf,
}

impl RefusedHosts {
    fn new() -> Result<RefusedHosts> {
        let path = std::env::temp_dir().join(format!("rusk-hosts-{}", files::unpredictable_name()));
        let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        match created {
            Ok(_) => Ok(RefusedHosts { path }),
            Err(error) => {
                Err(files::problem::write(&path, Errno::from_io_error(&error).unwrap_or(Errno::IO)))
            }
        }
    }

    fn read(&self) -> BTreeSet<String> {
        let text = files::read_to_string(&self.path, HOSTS_BYTES_MAX).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for RefusedHosts {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// What the scripts of a package were denied.
#[derive(Default)]
struct Denials {
    hosts: BTreeSet<String>,
    calls: BTreeSet<DeniedAccess>,
}

impl Denials {
    /// Without denied sockets and addresses where hosts explain them, and without the terminal,
    /// for which shells look: no grant of a path reaches it.
    fn new(calls: BTreeSet<DeniedAccess>, hosts: BTreeSet<String>) -> Denials {
        let is_kept = |access: &DeniedAccess| match access {
            DeniedAccess::Network(_) => hosts.is_empty(),
            DeniedAccess::Read(path) | DeniedAccess::Write(path) => path != Path::new(TERMINAL),
        };
        Denials { calls: calls.into_iter().filter(is_kept).collect(), hosts }
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let hosts = self.hosts.iter().map(|host| format!("connecting to {host}"));
        hosts.chain(self.calls.iter().map(line))
    }
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

fn text(name: &str, succeeded: bool, denied: &Denials) -> String {
    let count = denied.lines().count();
    let ended = match (succeeded, count == 0) {
        (true, true) => "works without grants, and was denied nothing",
        (true, false) => "works without more grants; it was denied",
        (false, true) => "fails, but was denied nothing: no grant helps",
        (false, false) => "fails; it was denied",
    };
    let mut text = format!("{}: {ended}\n", printable(name));
    for line in denied.lines().take(SHOWN_MAX) {
        text += &format!("  {}\n", printable(&line));
    }
    if let Some(hidden) = count.checked_sub(SHOWN_MAX).filter(|hidden| *hidden > 0) {
        text += &format!("  and {hidden} more\n");
    }
    if !succeeded && count > 0 {
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
fn flags(denied: &Denials) -> String {
    let is_network = |access: &DeniedAccess| matches!(access, DeniedAccess::Network(_));
    let mut flags: String =
        denied.hosts.iter().map(|host| format!(" --connect={}", quoted(&printable(host)))).collect();
    if denied.calls.iter().any(is_network) {
        flags += " --network";
    }
    let written = |path: &Path| denied.calls.contains(&DeniedAccess::Write(path.to_owned()));
    for access in &denied.calls {
        match access {
            DeniedAccess::Network(_) => {}
            DeniedAccess::Read(path) if written(path) => {}
            DeniedAccess::Read(path) => {
                flags += &format!(" --read={}", quoted(&printable(&path.display().to_string())))
            }
            DeniedAccess::Write(path) => {
                flags += &format!(" --write={}", quoted(&printable(&path.display().to_string())))
            }
        }
    }
    flags
}

#[cfg(test)]
mod tests;
