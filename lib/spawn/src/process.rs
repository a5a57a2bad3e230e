//! A child process: its pid, its pidfd, its streams, and how it exited. In: waits and signals. Out:
//! an [`Exit`], or the error of a failed start, which is never reported as status 127.

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

/// How a program exited.
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

    /// The status as shells report it: 128 plus the signal's number if it was killed.
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

/// The command's program and working directory, for errors.
#[derive(Clone, Debug, Default)]
pub(crate) struct ErrorPaths {
    pub program: Option<Arc<[u8]>>,
    pub working_dir: Option<Arc<[u8]>>,
}

/// The progress of a start, shared by all holders of its report.
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
    /// Waits until the child has released the shared memory, and closes the fds that it did not
    /// take.
    pub fn wait_released(&self) {
        use std::sync::atomic::Ordering::Acquire;
        self.report.wait(None);
        if self.report.received.load(Acquire) == 0 {
            Pool::of_process().reap_all_in_flight();
        }
    }

    /// Whether [`Start::wait_released`] returns at once.
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

/// A started child. Dropping it neither stops nor waits for it; a later start reaps it.
#[derive(Debug)]
pub struct Child {
    /// Present if the command requested a pipe.
    pub stdin: Option<Input>,
    pub stdout: Option<Output>,
    pub stderr: Option<Output>,
    pub(crate) pid: i32,
    pub(crate) pidfd: Option<OwnedFd>,
    pub(crate) start: Start,
    pub(crate) ended: Option<WaitStatus>,
    /// The cgroup created for the child and its descendants.
    pub(crate) cgroup: Option<Cgroup>,
    pub(crate) mark: Option<Mark>,
}

/// Without a pidfd, a wait with a limit polls at this interval, which doubles up to the maximum.
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
        // Without a free fd for it, the child is waited for by its pid.
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

    /// Readable once the child has exited. None on kernels before 5.2.
    pub fn pidfd(&self) -> Option<BorrowedFd<'_>> {
        self.pidfd.as_ref().map(AsFd::as_fd)
    }

    /// The resource usage; None until the exit was waited for.
    pub fn usage(&self) -> Option<Usage> {
        self.ended.map(|ended| ended.usage)
    }

    /// Waits until the program runs, or has failed to start. Then closes the pipe ends that the
    /// child did not take, so that readers see the end of file.
    ///
    /// # Errors
    /// The step that failed in the child.
    pub fn wait_started(&mut self) -> Result<()> {
        self.start.wait_released();
        self.start.result(self.start.report.outcome())
    }

    /// Whether the program is known to run.
    ///
    /// # Errors
    /// As [`Child::wait_started`].
    pub fn try_started(&mut self) -> Result<bool> {
        let outcome = self.start.report.outcome();
        self.start.result(outcome)?;
        Ok(outcome == Outcome::Started)
    }

    /// Waits for the exit. Closes the child's stdin first, so that a child that reads it can exit.
    ///
    /// # Errors
    /// Those of the start, or that other code has reaped the child.
    pub fn wait(&mut self) -> Result<Exit> {
        self.stdin = None;
        if self.ended.is_none() {
            self.ended = self.reap(0)?;
        }
        self.exit().map(|exit| exit.expect("a wait without a limit returns after the exit"))
    }

    /// The exit, if the child has exited.
    ///
    /// # Errors
    /// As [`Child::wait`].
    pub fn try_wait(&mut self) -> Result<Option<Exit>> {
        if self.ended.is_none() {
            self.ended = self.reap(libc::WNOHANG)?;
        }
        self.exit()
    }

    /// Waits for the exit up to the limit. The stdin stays open.
    ///
    /// # Errors
    /// As [`Child::wait`].
    pub fn wait_for(&mut self, limit: Duration) -> Result<Option<Exit>> {
        // A limit beyond the clock's range is none.
        let deadline = Instant::now().checked_add(limit);
        let mut pause = POLL_INTERVAL_MIN;
        loop {
            let exit = self.try_wait()?;
            let remaining =
                deadline.map_or(limit, |deadline| deadline.saturating_duration_since(Instant::now()));
            if exit.is_some() || remaining.is_zero() {
                return Ok(exit);
            }
            match self.pidfd() {
                Some(pidfd) => drop(
                    kernel::poll_readable(&[pidfd], Some(remaining))
                        .map_err(|errno| Error::new(Step::Wait, errno))?,
                ),
                None => std::thread::sleep(pause.min(remaining)),
            }
            pause = (pause * 2).min(POLL_INTERVAL_MAX);
        }
    }

    /// Sends a signal. Does nothing after the child was reaped: its pid may be reused.
    ///
    /// # Errors
    /// `EPERM` if it has changed to another user.
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

    fn reap(&self, flags: i32) -> Result<Option<WaitStatus>> {
        let ended = kernel::wait(self.pid, self.pidfd(), flags).or_else(|errno| {
            // If SIGCHLD is ignored, the kernel keeps no exit status; an error of the start is
            // known anyway.
            self.start.result(self.start.report.outcome())?;
            Err(Error::new(Step::Wait, errno))
        })?;
        if ended.is_some() {
            termination::unregister(self.pid);
        }
        Ok(ended)
    }

    /// The exit as the caller sees it: an error of the start comes first.
    fn exit(&self) -> Result<Option<Exit>> {
        let Some(ended) = self.ended else { return Ok(None) };
        self.start.wait_released();
        self.start.result(self.start.report.outcome())?;
        Ok(Some(Exit::from(ended)))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.ended.is_none() && !matches!(self.reap(libc::WNOHANG), Ok(Some(_)) | Err(_)) {
            Pool::of_process().add_unreaped(UnreapedChild { pid: self.pid, pidfd: self.pidfd.take() });
        }
    }
}
