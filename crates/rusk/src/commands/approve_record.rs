//! `rusk approve --record`: runs the scripts of approved packages in the jail, under a tracer, one
//! package after the other, and proposes the smallest grant: the paths and the hosts that a script
//! was denied. What a script does after a denial is not known: it may need more then.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rusk_base::sys::Errno;
use rusk_base::sys::stopped_child::SpawnOptions;
use rusk_base::{Result, files};
use rusk_install::dependency_scripts::REFUSED_HOSTS;
use rusk_npm::script_approvals::{GrantBase, NetworkAccess};
use rusk_observe::denied_calls;
use rusk_reports::denials::{Denials, json, text};
use rusk_scripts::Exit;

use crate::host;
use rusk_command_line::flags::{Flag, Invocation, rebuild};
use rusk_screen::Screen;

/// Some thousand hosts.
const HOSTS_BYTES_MAX: u64 = 64 << 10;

/// `networks`: the packages, and what their scripts may connect to.
pub fn run(
    project: &Path,
    networks: &BTreeMap<&str, NetworkAccess>,
    invocation: &Invocation,
    screen: &mut Screen,
) -> Result<Exit> {
    let mut exit = Exit::DONE;
    let home = host::variables().into_iter().find(|(name, _)| name == "HOME");
    let home = home.map(|(_, home)| PathBuf::from(home));
    let base = GrantBase { project, home: home.as_deref() };
    for (name, network) in networks {
        let hosts = RefusedHosts::new()?;
        let recorded = denied_calls::run(options(&program(name, &hosts, invocation)?, project))?;
        if let Some(signal) = recorded.signal {
            return Ok(Exit::Signal(signal));
        }
        let succeeded = recorded.code == Some(0);
        let denials = Denials::new(recorded.denied, hosts.read(), network);
        screen.page(&match invocation.is_on(Flag::Json) {
            true => json(name, succeeded, &denials, &base),
            false => text(name, succeeded, &denials, &base),
        })?;
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
    let mut environment = host::variables();
    environment.push((REFUSED_HOSTS.into(), hosts.path.clone().into_os_string()));
    Ok(TracedProgram { file: host::program()?, arguments: rebuild::arguments(name, invocation), environment })
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
