//! Async children for tokio. In: a [`Child`]. Out: an [`AsyncChild`], whose exit and streams are
//! futures: no thread blocks, and no signal handler is installed. Only with the feature `tokio`.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};

use crate::error::{Error, Result};
use crate::kernel::{self, Errno};
use crate::process::{Child, Exit, Start};
use crate::stdio;
use crate::step::Step;
use crate::streams::transfer;

/// A started child. Dropping it neither stops nor waits for it.
#[derive(Debug)]
pub struct AsyncChild {
    /// Present if the command requested a pipe.
    pub stdin: Option<AsyncInput>,
    pub stdout: Option<AsyncOutput>,
    pub stderr: Option<AsyncOutput>,
    child: Child,
    ended: AsyncFd<OwnedFd>,
}

/// The parent's end of a child's stdout or stderr.
#[derive(Debug)]
pub struct AsyncOutput {
    pipe: AsyncFd<OwnedFd>,
    start: Start,
}

/// The parent's end of a child's stdin. Dropping it closes the stdin.
#[derive(Debug)]
pub struct AsyncInput {
    pipe: AsyncFd<OwnedFd>,
}

impl Child {
    /// Registers the child with the current tokio runtime. Its streams become non-blocking, and so
    /// does the [`crate::Pty`] that it runs on.
    ///
    /// # Errors
    /// Those of epoll, or `ENOTSUP` for a child without a pidfd. The child is dropped then: it
    /// keeps running.
    pub fn into_async(mut self) -> Result<AsyncChild> {
        let pidfd = self.pidfd().ok_or(libc::ENOTSUP).and_then(kernel::dup).map_err(watch_error)?;
        let ended = register(pidfd, Interest::READABLE)?;
        let stdin = match self.stdin.take() {
            Some(input) => Some(AsyncInput { pipe: watch(input.into(), Interest::WRITABLE)? }),
            None => None,
        };
        let outputs = [self.stdout.take(), self.stderr.take()].map(|output| match output {
            Some(output) => {
                let start = output.start.clone();
                watch(output.into(), Interest::READABLE).map(|pipe| Some(AsyncOutput { pipe, start }))
            }
            None => Ok(None),
        });
        let [stdout, stderr] = outputs;
        Ok(AsyncChild { stdin, stdout: stdout?, stderr: stderr?, child: self, ended })
    }
}

fn watch(pipe: OwnedFd, interest: Interest) -> Result<AsyncFd<OwnedFd>> {
    transfer::unblock(pipe.as_fd()).map_err(watch_error)?;
    register(pipe, interest)
}

fn register(fd: OwnedFd, interest: Interest) -> Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` is open, and stays the same fd, as long as the `AsyncFd` owns it.
    let registered = unsafe { AsyncFd::register_with_interest(fd, interest) };
    registered.map_err(|error| epoll_error(error.into()))
}

fn watch_error(errno: Errno) -> Error {
    Error::new(Step::Watch, errno)
}

fn epoll_error(error: io::Error) -> Error {
    watch_error(error.raw_os_error().unwrap_or(libc::EIO))
}

impl AsyncChild {
    /// Waits for the exit. Closes the child's stdin first. Cancel safe.
    ///
    /// # Errors
    /// As [`Child::wait`].
    pub async fn wait(&mut self) -> Result<Exit> {
        self.stdin = None;
        loop {
            if let Some(exit) = self.child.try_wait()? {
                return Ok(exit);
            }
            let mut ended = self.ended.readable().await.map_err(epoll_error)?;
            if let Some(exit) = self.child.try_wait()? {
                return Ok(exit);
            }
            ended.clear_ready();
        }
    }

    /// For signals and queries. Waiting for the child through this would block the runtime.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl AsyncRead for AsyncOutput {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // A child that was killed before it took its pipe ends left them open here.
        if self.start.is_released() {
            self.start.wait_released();
        }
        loop {
            let mut ready = ready!(self.pipe.poll_read_ready(context))?;
            let room = buffer.initialize_unfilled();
            match ready.try_io(|pipe| stdio::read(pipe.as_fd(), room).map_err(io::Error::from_raw_os_error)) {
                Ok(Ok(bytes)) => {
                    buffer.advance(bytes);
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(error)) => return Poll::Ready(Err(error)),
                Err(_would_block) => {}
            }
        }
    }
}

impl AsyncWrite for AsyncInput {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut ready = ready!(self.pipe.poll_write_ready(context))?;
            let write = |pipe: &AsyncFd<OwnedFd>| {
                transfer::write(pipe.as_fd(), bytes).map_err(io::Error::from_raw_os_error)
            };
            match ready.try_io(write) {
                Ok(done) => return Poll::Ready(done),
                Err(_would_block) => {}
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// The stdin is closed when this is dropped.
    fn poll_shutdown(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
