//! What makes a command's tree findable: a cgroup of its own, a mark. In: what a command asks for.
//! Out: a started child that remembers what it got.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{SystemTime, UNIX_EPOCH};

use super::cgroup::Cgroup;
use super::subreaper;
use crate::command::Command;
use crate::error::Result;
use crate::process::Child;
use crate::step::Step;

/// A value of [`VARIABLE`], or a part of it: no other start has it.
#[derive(Clone, Debug)]
pub struct Mark(pub String);

/// The variable that holds marks: the start's own, after those that were inherited, divided by `/`.
pub const VARIABLE: &str = "RUSK_SPAWN_MARK";

impl Command {
    /// The child is born in a new cgroup (version 2) below this process's own, where that is
    /// delegated to it, and writable; elsewhere it starts as it would have. [`crate::KillMethod`] tells
    /// which. The cgroup goes when the [`Child`] does, or when it is empty later.
    pub fn own_cgroup(&mut self) -> &mut Command {
        self.setup.own_cgroup = true;
        self
    }

    /// The program gets one more variable, `RUSK_SPAWN_MARK`, by which those that it starts can be
    /// found after they have left its session and lost their parent, unless they were started
    /// without it. Done for every command once [`crate::adopt_orphans`] was called.
    pub fn mark(&mut self) -> &mut Command {
        self.setup.marks = true;
        self
    }
}

/// Starts a command, and holds on to what it starts as far as it asks for that.
pub fn start(command: &Command, start: fn(&Command) -> Result<Child>) -> Result<Child> {
    let wants_cgroup = command.setup.own_cgroup && command.setup.cgroup.is_none();
    let wants_mark = command.setup.marks || subreaper::adopts();
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
