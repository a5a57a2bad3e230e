//! Ending what was started. In: a child, a polite signal, how long it may take, and whom it
//! concerns. Out: an [`TerminationReport`]: how the child ended, by what means the others were reached, and who
//! is left. Who is left after the limit gets `SIGKILL`.

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
pub(crate) use subreaper::forget;
pub use subreaper::{adopt_orphans, reap_orphans};
pub(crate) use tracking::{Mark, start};

/// Whom an ending concerns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KillScope {
    /// The program alone; what it started goes on.
    #[default]
    Process,
    /// The process group that the child leads, with whoever has stayed in it: see
    /// [`crate::Command::join_process_group`] and [`crate::Command::new_session`]. A child that
    /// leads none is ended alone.
    Group,
    /// The program, and what it started, and what those started, as well as they can be reached:
    /// see [`KillMethod`].
    Tree,
}

/// How a child is to be ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Termination {
    /// What it is told first, mostly `SIGTERM`.
    pub signal: i32,
    /// How long it may take.
    pub limit: Duration,
    pub scope: KillScope,
}

impl Termination {
    /// `SIGKILL` at once.
    pub fn immediate(scope: KillScope) -> Termination {
        Termination { signal: libc::SIGKILL, limit: Duration::ZERO, scope }
    }
}

/// By what the members of a tree were found. What was found was signalled by pidfd, so that nobody
/// else was hit, where the kernel has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillMethod {
    /// The child alone was signalled.
    Process,
    Group,
    /// A cgroup of the child's own: nobody gets out of it, and nobody else is in it.
    Cgroup,
    /// A walk over `/proc`: descendants of the child, its session, its group if it leads one, and
    /// orphans that bear its mark, if it has one ([`crate::Command::mark`]). Not found is who was
    /// orphaned before, left session and group, and bears no mark; and after the child was reaped,
    /// all who bear none.
    ProcTree,
}

/// How it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminationReport {
    /// How the child ended. Absent where even `SIGKILL` did not end it in [`KILL_TIMEOUT`]; it is
    /// among those left then.
    pub exit: Option<Exit>,
    pub method: KillMethod,
    /// Somebody was left after the limit and got `SIGKILL`.
    pub was_forced: bool,
    /// Who was found and is still there: they may not be signalled, as other users' may not, or
    /// hang in the kernel.
    pub survivors: Vec<i32>,
}

/// How long killed processes may take to be gone. They take milliseconds, unless the kernel itself
/// is stuck.
pub const KILL_TIMEOUT: Duration = Duration::from_secs(5);

impl Child {
    /// Ends the child, and whoever else it concerns; see [`Termination`]. Its input is closed.
    ///
    /// # Errors
    /// The start's; or that the processes cannot be listed.
    pub fn terminate(&mut self, termination: Termination) -> Result<TerminationReport> {
        let deadline = Instant::now().checked_add(termination.limit);
        // Until the program runs, it may not have the group or session that its command says.
        self.start.report.wait(Some(START_TIMEOUT));
        let mut target = KillTarget::of(self, termination.scope);
        let mut have_exited = false;
        if termination.signal != libc::SIGKILL {
            target.signal(self, termination.signal).map_err(at_kill)?;
            self.stdin = None;
            have_exited = target.wait_exited(self, deadline).map_err(at_kill)?;
        }
        let was_forced = !have_exited;
        let kill_deadline = Instant::now() + KILL_TIMEOUT;
        if was_forced {
            target.kill(self, kill_deadline).map_err(at_kill)?;
        }
        let survivors = target.survivors(kill_deadline).map_err(at_kill)?;
        let exit =
            self.wait_for(if survivors.contains(&self.id()) { Duration::ZERO } else { KILL_TIMEOUT })?;
        target.processes.reap(self.id());
        if survivors.is_empty() {
            self.cgroup = None;
        }
        Ok(TerminationReport { exit, method: target.method_used(), was_forced, survivors })
    }
}

/// How long a child may take from its clone to its exec. One that takes longer was stopped in
/// between.
const START_TIMEOUT: Duration = Duration::from_millis(100);

fn at_kill(errno: Errno) -> Error {
    Error::new(Step::Kill, errno)
}
