//! Zygote: a small process, forked early, that starts others on request. For children that change
//! users (which would affect access to the shared memory), and for a process that has grown too
//! large to clone. The children are still this process's own. In: a command. Out: a [`Child`], when
//! the program runs or has failed to start.

use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::PoisonError;

use crate::child::fd_passing::{self, Numbers};
use crate::command::Command;
use crate::error::{Error, Result};
use crate::kernel::{self, Errno};
use crate::plan::{NULL_DEVICE, Plan};
use crate::pool::{Pool, UnreapedChild};
use crate::process::Child;
use crate::report::Report;
use crate::slot::Stack;
use crate::stdio::StreamEnds;
use crate::step::Step;
use request::{Reply, ZygoteRequest};

mod request;
mod serve;

/// This process's end of the socket to its zygote.
pub struct Zygote {
    socket: OwnedFd,
    pid: i32,
}

/// Forks the zygote now, while this process is small. Otherwise the first command that needs one
/// does it. A child of the zygote inherits the state of this process at that time, except its
/// working directory, umask, environment and fds, which are as of its spawn.
///
/// # Errors
/// Those of `fork`.
pub fn start_zygote() -> Result<()> {
    let mut zygote = Pool::of_process().zygote.lock().unwrap_or_else(PoisonError::into_inner);
    if zygote.is_none() {
        *zygote = Some(Zygote::fork().map_err(zygote_error)?);
    }
    Ok(())
}

fn zygote_error(errno: Errno) -> Error {
    Error::new(Step::Zygote, errno)
}

/// State of this process at the spawn that the child of the zygote takes over.
pub(crate) struct ParentState {
    pub working_dir: OwnedFd,
    pub umask: u32,
}

impl ParentState {
    fn now() -> std::result::Result<ParentState, Errno> {
        let working_dir = kernel::open_dir(c".")?;
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
        let umask = line.and_then(|octal| u32::from_str_radix(octal.trim(), 8).ok());
        Ok(ParentState { working_dir, umask: umask.unwrap_or(0o022) })
    }
}

/// Starts a command through the zygote.
pub(crate) fn start(command: &Command) -> Result<Child> {
    Pool::of_process().reap();
    let mut ends = StreamEnds::open(command.streams()).map_err(|errno| Error::new(Step::Pipe, errno))?;
    ends.note_closed();
    let parent_state = ParentState::now().map_err(zygote_error)?;
    let mut plan = Plan::default();
    command.write_for_zygote(&parent_state, &mut plan, &ends);
    let cgroup = command.setup.cgroup.as_ref().map(AsRawFd::as_raw_fd);
    let arrays = plan.arrays();
    let (request, memory) = ZygoteRequest::write(&arrays, command.setup.namespaces.flags(), cgroup.is_some())
        .map_err(|errno| Error::new(Step::Command, errno))?;
    let mut fds = vec![memory.as_raw_fd()];
    fds.extend(cgroup);
    let sources = plan.sources().iter().map(|source| source.number);
    fds.extend(sources.filter(|number| *number != NULL_DEVICE));

    let (reply, pidfd) = send_request(&request, &fds).map_err(zygote_error)?;
    if reply.clone_errno != 0 {
        return Err(Error::new(Step::Clone, reply.clone_errno));
    }
    let report = Report::finished(reply.step, reply.errno);
    Ok(Child::from_parts(reply.pid, pidfd, report.into(), command.error_paths(), &mut ends))
}

/// Sends a request and receives its reply, one at a time. A killed zygote is replaced once.
fn send_request(
    request: &ZygoteRequest,
    fds: &[RawFd],
) -> std::result::Result<(Reply, Option<OwnedFd>), Errno> {
    let mut zygote = Pool::of_process().zygote.lock().unwrap_or_else(PoisonError::into_inner);
    for attempt in 0..2 {
        let current = match &mut *zygote {
            Some(zygote) => zygote,
            none => none.insert(Zygote::fork()?),
        };
        match current.send_request(request, fds) {
            Err(libc::EPIPE | libc::ECONNRESET | libc::ECONNREFUSED | libc::ENOTCONN) if attempt == 0 => {
                // It has exited, or is about to: a later start reaps it.
                Pool::of_process().add_unreaped(UnreapedChild { pid: current.pid, pidfd: None });
                *zygote = None;
            }
            done => return done,
        }
    }
    Err(libc::EPIPE)
}

impl Zygote {
    fn fork() -> std::result::Result<Zygote, Errno> {
        let (socket, theirs) = kernel::socket_pair(libc::SOCK_SEQPACKET)?;
        let stack = Stack::new()?;
        // The new process must not run a signal handler of this one.
        let before = kernel::block_signals();
        // SAFETY: the new process only calls `serve`, which makes raw calls and never returns.
        let forked = unsafe {
            match kernel::fork() {
                Ok(0) => serve::serve(theirs.as_raw_fd(), &stack),
                forked => forked,
            }
        };
        kernel::set_signal_mask(before);
        forked.map(|pid| Zygote { socket, pid })
    }

    fn send_request(
        &self,
        request: &ZygoteRequest,
        fds: &[RawFd],
    ) -> std::result::Result<(Reply, Option<OwnedFd>), Errno> {
        kernel::send(self.socket.as_fd(), request.as_bytes(), fds)?;
        let mut reply = MaybeUninit::<Reply>::uninit();
        let mut numbers = Numbers::uninit();
        // SAFETY: the buffer has room for a reply.
        let received = unsafe {
            fd_passing::receive(
                self.socket.as_raw_fd(),
                reply.as_mut_ptr().cast(),
                size_of::<Reply>(),
                0,
                &mut numbers,
            )
        };
        let received = received.map_err(|errno| errno.0)?;
        if received.body_bytes != size_of::<Reply>() {
            return Err(libc::EPIPE);
        }
        // SAFETY: a whole reply was written, and a number for each fd, which is not owned
        // elsewhere.
        unsafe {
            let pidfd = (received.fds > 0).then(|| OwnedFd::from_raw_fd(numbers.assume_init()[0]));
            Ok((reply.assume_init(), pidfd))
        }
    }
}
