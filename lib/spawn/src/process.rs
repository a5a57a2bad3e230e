//! A child: its id, its pidfd, its streams, and how it ended. In: waits and signals. Out: an
//! [`Exit`], or the error of a start that went wrong, told as what it is and never as status 127.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::kernel::{self, WaitStatus};
use crate::pool::{Pool, UnreapedChild};
use crate::report::{Outcome, Report};
use crate::stdio::{Input, Output, StreamEnds};
use crate::step::Step;
use crate::termination::{self, Cgroup, Mark};
use crate::usage::Usage;

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Status(i32),
    Signal { number: i32, dumped_core: bool },
}

impl Exit {
    /// Whether it ended with status 0.
    pub fn is_success(self) -> bool {
        self == Exit::Status(0)
    }

    /// What a shell would say of it: the status, or 128 and the signal's number.
    pub fn shell_status(self) -> i32 {
        match self {
            Exit::Status(status) => status,
            Exit::Signal { number, .. } => 128 + number,
        }
    }
}

impl From<WaitStatus> for Exit {
    fn from(ended: WaitStatus) -> Exit {
        match ended.code {
            libc::CLD_EXITED => Exit::Status(ended.status),
            code => Exit::Signal { number: ended.status, dumped_core: code == libc::CLD_DUMPED },
        }
    }
}

/// What the command called its program and its folder, for errors.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErrorPaths {
    pub program: Option<Arc<[u8]>>,
    pub working_dir: Option<Arc<[u8]>>,
}

/// How far a start has come, as all holders of its report see it.
#[derive(Clone)]
pub(crate) struct Start {
    pub report: Arc<Report>,
    pub error_paths: ErrorPaths,
}

impl std::fmt::Debug for Start {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Start").field(&self.report.outcome()).finish()
    }
}

impl Start {
    /// Waits until the child has let go of our memory, and takes back what it did not take.
    pub fn wait_released(&self) {
        use std::sync::atomic::Ordering::Acquire;
        self.report.wait(None);
        if self.report.received.load(Acquire) == 0 {
            Pool::of_process().reap_all_in_flight();
        }
    }

    /// Whether to settle is a matter of no time.
    #[cfg(feature = "tokio")]
    pub fn is_released(&self) -> bool {
        self.report.outcome() != Outcome::Starting
    }

    fn result(&self, outcome: Outcome) -> Result<()> {
        let Outcome::Failed { step, errno } = outcome else { return Ok(()) };
        let path = match step {
            Step::Exec => self.error_paths.program.clone(),
            Step::WorkingDirectory => self.error_paths.working_dir.clone(),
            _ => None,
        };
        Err(Error::about(step, errno, path))
    }
}

/// A started child. To drop it neither stops nor waits for it; it is reaped by a later start.
#[derive(Debug)]
pub struct Child {
    /// Present where the command asked for a pipe.
    pub stdin: Option<Input>,
    pub stdout: Option<Output>,
    pub stderr: Option<Output>,
    pub(crate) pid: i32,
    pub(crate) pidfd: Option<OwnedFd>,
    pub(crate) start: Start,
    pub(crate) ended: Option<WaitStatus>,
    /// Its own, with all that it started.
    pub(crate) cgroup: Option<Cgroup>,
    pub(crate) mark: Option<Mark>,
}

/// Where there is no pidfd, a wait with a limit looks again after this, doubling up to the second.
const POLL_INTERVAL_MIN: Duration = Duration::from_micros(100);
const POLL_INTERVAL_MAX: Duration = Duration::from_millis(10);

impl Child {
    pub(crate) fn from_parts(
        pid: i32,
        pidfd: Option<OwnedFd>,
        report: Arc<Report>,
        error_paths: ErrorPaths,
        ends: &mut StreamEnds,
    ) -> Child {
        let start = Start { report, error_paths };
        let output = |pipe| Output { pipe, start: start.clone() };
        let [stdin, stdout, stderr] = std::mem::take(&mut ends.parent);
        // Without a number for it the child is waited for by its id.
        let pidfd = pidfd.and_then(|pidfd| kernel::above_stdio(pidfd).ok());
        Child {
            stdin: stdin.map(|pipe| Input { pipe }),
            stdout: stdout.map(output),
            stderr: stderr.map(output),
            pid,
            pidfd,
            start: start.clone(),
            ended: None,
            cgroup: None,
            mark: None,
        }
    }

    pub fn id(&self) -> i32 {
        self.pid
    }

    /// Readable once the child has ended. Absent on kernels before 5.2.
    pub fn pidfd(&self) -> Option<BorrowedFd<'_>> {
        self.pidfd.as_ref().map(AsFd::as_fd)
    }

    /// What it used; absent until its end was waited for.
    pub fn usage(&self) -> Option<Usage> {
        self.ended.map(|ended| ended.usage)
    }

    /// Waits until the program runs, or is known not to. From then on the ends of its pipes that it
    /// did not take are closed here too: who reads them finds their end.
    ///
    /// # Errors
    /// The step that went wrong in the child.
    pub fn wait_started(&mut self) -> Result<()> {
        self.start.wait_released();
        self.start.result(self.start.report.outcome())
    }

    /// Whether the program runs, if that is known by now.
    ///
    /// # Errors
    /// As [`Child::wait_started`].
    pub fn try_started(&mut self) -> Result<bool> {
        let outcome = self.start.report.outcome();
        self.start.result(outcome)?;
        Ok(outcome == Outcome::Started)
    }

    /// Waits for the end. The child's input is closed first, so that one that reads it can end.
    ///
    /// # Errors
    /// The start's, or that somebody else has reaped the child.
    pub fn wait(&mut self) -> Result<Exit> {
        self.stdin = None;
        if self.ended.is_none() {
            self.ended = self.take_end(0)?;
        }
        self.exit().map(|exit| exit.expect("a wait without a limit returns at the end"))
    }

    /// The end, if it has come.
    ///
    /// # Errors
    /// As [`Child::wait`].
    pub fn try_wait(&mut self) -> Result<Option<Exit>> {
        if self.ended.is_none() {
            self.ended = self.take_end(libc::WNOHANG)?;
        }
        self.exit()
    }

    /// The end, if it comes within the limit. Input stays open.
    ///
    /// # Errors
    /// As [`Child::wait`].
    pub fn wait_for(&mut self, limit: Duration) -> Result<Option<Exit>> {
        // A limit beyond what a clock can say is none.
        let end = Instant::now().checked_add(limit);
        let mut pause = POLL_INTERVAL_MIN;
        loop {
            let exit = self.try_wait()?;
            let left = end.map_or(limit, |end| end.saturating_duration_since(Instant::now()));
            if exit.is_some() || left.is_zero() {
                return Ok(exit);
            }
            match self.pidfd() {
                Some(pidfd) => drop(
                    kernel::poll_readable(&[pidfd], Some(left))
                        .map_err(|errno| Error::new(Step::Wait, errno))?,
                ),
                None => std::thread::sleep(pause.min(left)),
            }
            pause = (pause * 2).min(POLL_INTERVAL_MAX);
        }
    }

    /// Sends a signal. A child that was reaped gets none: its id may be another's by now.
    ///
    /// # Errors
    /// `EPERM` where it has become another user's.
    pub fn signal(&self, number: i32) -> Result<()> {
        if self.ended.is_some() {
            return Ok(());
        }
        kernel::signal(self.pid, self.pidfd(), number).map_err(|errno| Error::new(Step::Kill, errno))
    }

    /// `SIGKILL`.
    ///
    /// # Errors
    /// As [`Child::signal`].
    pub fn kill(&self) -> Result<()> {
        self.signal(libc::SIGKILL)
    }

    fn take_end(&self, flags: i32) -> Result<Option<WaitStatus>> {
        let ended = kernel::wait(self.pid, self.pidfd(), flags).or_else(|errno| {
            // Where SIGCHLD is ignored the kernel keeps no ends; what went wrong before the end is
            // known all the same.
            self.start.result(self.start.report.outcome())?;
            Err(Error::new(Step::Wait, errno))
        })?;
        if ended.is_some() {
            termination::forget(self.pid);
        }
        Ok(ended)
    }

    /// The end as the caller sees it: the start's error goes before it.
    fn exit(&self) -> Result<Option<Exit>> {
        let Some(ended) = self.ended else { return Ok(None) };
        self.start.wait_released();
        self.start.result(self.start.report.outcome())?;
        Ok(Some(Exit::from(ended)))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.ended.is_none() && !matches!(self.take_end(libc::WNOHANG), Ok(Some(_)) | Err(_)) {
            Pool::of_process().add_unreaped(UnreapedChild { pid: self.pid, pidfd: self.pidfd.take() });
        }
    }
}
