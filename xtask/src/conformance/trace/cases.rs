//! The programs that both trace.

use crate::bench::c;
use crate::files;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program, and its arguments.
pub struct TracedProgram {
    pub name: &'static str,
    pub arguments: Vec<OsString>,
    as_nobody: bool,
}

/// The uid of the unprivileged user, on every system.
const NOBODY: &str = "65534";

impl TracedProgram {
    /// BPF does not drop privileges, which this program is about.
    pub fn suits(&self, collector: &str) -> bool {
        !self.as_nobody || collector == "ptrace"
    }

    /// The tracer's command, run as the given user.
    pub fn starter(&self, program: &Path) -> Command {
        if !self.as_nobody {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]).arg(program);
        command
    }
}

/// Builds the C programs, in this directory.
pub fn all(directory: &Path) -> Result<Vec<TracedProgram>, String> {
    let built = |name: &str, options: &[&str]| -> Result<PathBuf, String> {
        let program = directory.join(name);
        let source = files::root().join("conformance/trace").join(format!("{name}.c"));
        c::compile(&source, &program, options).map(|()| program)
    };
    let mut cases = vec![
        case("node", &["node", "-e", "0"]),
        case("git", &["git", "log", "--oneline", "-3"]),
        case("bash", &["bash", "-c", "ls / | wc -l; (exit 3); echo $(echo inner) > /dev/null; exit 7"]),
        case("exec", &["sh", "-c", "exec sh -c 'exec /bin/true'"]),
        case("signal", &["sh", "-c", "ulimit -c 0; kill -SEGV $$"]),
        program("threads", built("threads", &["-O1", "-pthread"])?),
        program("exec-thread", built("exec-thread", &["-O1", "-pthread"])?),
        program("vfork", built("vfork", &["-O1"])?),
    ];
    if cfg!(target_arch = "x86_64") {
        cases.push(program("small", built("small", &["-O1", "-m32", "-static", "-nostdlib"])?));
    }
    let set_uid = built("set-uid", &["-O1"])?;
    fs::set_permissions(&set_uid, Permissions::from_mode(0o4755)).map_err(|error| error.to_string())?;
    cases.push(program("set-uid", set_uid));
    Ok(cases)
}

fn case(name: &'static str, arguments: &[&str]) -> TracedProgram {
    TracedProgram { name, arguments: arguments.iter().map(OsString::from).collect(), as_nobody: false }
}

fn program(name: &'static str, file: PathBuf) -> TracedProgram {
    TracedProgram { name, arguments: vec![file.into()], as_nobody: name == "set-uid" }
}
