//! Tracking of a command's descendants: by a cgroup of its own, or by a mark in the environment.
//! In: the command's settings. Out: a started child that remembers them.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{SystemTime, UNIX_EPOCH};

use super::cgroup::Cgroup;
use super::subreaper;
use crate::command::Command;
use crate::error::Result;
use crate::process::Child;
use crate::step::Step;

/// A value of [`VARIABLE`], or a part of it: unique for each start.
#[derive(Clone, Debug)]
pub struct Mark(pub String);

/// The environment variable that holds marks: the inherited ones, then the start's own, separated
/// by `/`.
pub const VARIABLE: &str = "RUSK_SPAWN_MARK";

impl Command {
    /// Creates the child in a new cgroup (version 2) below this process's own, if that is delegated
    /// and writable; otherwise it starts without one. [`crate::KillMethod`] reports which. The
    /// cgroup is removed with the [`Child`], or later when it is empty.
    pub fn own_cgroup(&mut self) -> &mut Command {
        self.setup.own_cgroup = true;
        self
    }

    /// Sets the environment variable `RUSK_SPAWN_MARK`, by which descendants can be found after
    /// they have left the session and lost their parent, unless they were started without it.
    /// Implied by [`crate::adopt_orphans`].
    pub fn mark(&mut self) -> &mut Command {
        self.setup.marks = true;
        self
    }
}

/// Starts a command with the requested tracking.
pub fn start(command: &Command, start: fn(&Command) -> Result<Child>) -> Result<Child> {
    let wants_cgroup = command.setup.own_cgroup && command.setup.cgroup.is_none();
    let wants_mark = command.setup.marks || subreaper::is_subreaper();
    let start = |command: &Command| subreaper::start(|| start(command));
    if !wants_cgroup && !wants_mark {
        return start(command);
    }
    let mut command = command.clone();
    let mark = wants_mark.then(Mark::create);
    if let Some(mark) = &mark {
        let value = match command.variable(VARIABLE) {
            Some(marks) => format!("{}/{}", String::from_utf8_lossy(&marks), mark.0),
            None => mark.0.clone(),
        };
        command.env(VARIABLE, value);
    }
    let cgroup = if wants_cgroup { Cgroup::create() } else { None };
    let (mut child, cgroup) = match cgroup {
        None => (start(&command)?, None),
        Some(cgroup) => match start(command.clone().cgroup(cgroup.dir()?)) {
            Err(error) if error.step() == Step::Clone => (start(&command)?, None),
            child => (child?, Some(cgroup)),
        },
    };
    (child.cgroup, child.mark) = (cgroup, mark);
    Ok(child)
}

impl Mark {
    fn create() -> Mark {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let number = MADE.fetch_add(1, Relaxed);
        Mark(format!("{}-{:x}-{number}", std::process::id(), now.as_nanos()))
    }
}
