//! Termination of a child and its descendants. In: a child, a first signal, a time limit, and the
//! scope. Out: a [`TerminationReport`]: how the child exited, how the others were found, and which
//! survived. After the limit, `SIGKILL` is sent.

use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::kernel::Errno;
use crate::process::{Child, Exit};
use crate::step::Step;
use kill_target::KillTarget;

mod cgroup;
mod group;
mod kill_target;
mod proc_table;
mod process_set;
mod process_tree;
mod subreaper;
mod tracking;

pub(crate) use cgroup::Cgroup;
pub(crate) use subreaper::unregister;
pub use subreaper::{adopt_orphans, reap_orphans};
pub(crate) use tracking::{Mark, start};

/// Which processes are signalled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KillScope {
    /// Only the program; its descendants keep running.
    #[default]
    Process,
    /// The process group that the child leads: see [`crate::Command::join_process_group`] and
    /// [`crate::Command::new_session`]. A child that leads none is signalled alone.
    Group,
    /// The program and its descendants, as far as they can be found: see [`KillMethod`].
    Tree,
}

/// How to terminate a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Termination {
    /// The first signal, mostly `SIGTERM`.
    pub signal: i32,
    /// The time until `SIGKILL`.
    pub limit: Duration,
    pub scope: KillScope,
}

impl Termination {
    /// `SIGKILL` at once.
    pub fn immediate(scope: KillScope) -> Termination {
        Termination { signal: libc::SIGKILL, limit: Duration::ZERO, scope }
    }
}

/// How the processes of a tree were found. They are signalled by pidfd, if the kernel has those, so
/// that a reused pid is never hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillMethod {
    /// Only the child was signalled.
    Process,
    Group,
    /// A cgroup of the child's own: no process leaves it, and no other is in it.
    Cgroup,
    /// A walk over `/proc`: descendants of the child, its session, its group if it leads one, and
    /// orphans with its mark ([`crate::Command::mark`]). Not found are processes that were orphaned
    /// before, left the session and group, and have no mark; and after the child was reaped, all
    /// without a mark.
    ProcTree,
}

/// The result of a termination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminationReport {
    /// How the child exited. None if even `SIGKILL` did not end it within [`KILL_TIMEOUT`]; it is
    /// among the survivors then.
    pub exit: Option<Exit>,
    pub method: KillMethod,
    /// Some process outlived the limit and got `SIGKILL`.
    pub was_forced: bool,
    /// Processes that are still there: this user may not signal them, or they hang in the kernel.
    pub survivors: Vec<i32>,
}

/// How long killed processes may take to exit. They take milliseconds, unless the kernel itself
/// hangs.
pub const KILL_TIMEOUT: Duration = Duration::from_secs(5);

impl Child {
    /// Terminates the child, and other processes in the scope; see [`Termination`]. Closes the
    /// child's stdin.
    ///
    /// # Errors
    /// Those of the start; or that `/proc` cannot be read.
    pub fn terminate(&mut self, termination: Termination) -> Result<TerminationReport> {
        let deadline = Instant::now().checked_add(termination.limit);
        // Before its exec, the child may not be in its process group or session yet.
        self.start.report.wait(Some(START_TIMEOUT));
        let mut target = KillTarget::of(self, termination.scope);
        let mut have_exited = false;
        if termination.signal != libc::SIGKILL {
            target.signal(self, termination.signal).map_err(kill_error)?;
            self.stdin = None;
            have_exited = target.wait_exited(self, deadline).map_err(kill_error)?;
        }
        let was_forced = !have_exited;
        let kill_deadline = Instant::now() + KILL_TIMEOUT;
        if was_forced {
            target.kill(self, kill_deadline).map_err(kill_error)?;
        }
        let survivors = target.survivors(kill_deadline).map_err(kill_error)?;
        let exit =
            self.wait_for(if survivors.contains(&self.id()) { Duration::ZERO } else { KILL_TIMEOUT })?;
        target.processes.reap(self.id());
        if survivors.is_empty() {
            self.cgroup = None;
        }
        Ok(TerminationReport { exit, method: target.method_used(), was_forced, survivors })
    }
}

/// How long a child may take from clone to exec. A slower one was stopped in between.
const START_TIMEOUT: Duration = Duration::from_millis(100);

fn kill_error(errno: Errno) -> Error {
    Error::new(Step::Kill, errno)
}
