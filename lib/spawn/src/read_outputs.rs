//! Reads the output of one child until its end, in a thread that does nothing else. In: a child.
//! Out: chunks, as they arrive. This takes fewer system calls than [`crate::Streams`], which
//! watches many: a poll while there are two pipes, and only reads when there is one. Absent: time
//! limits.

use std::ops::ControlFlow;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::Ordering::Acquire;

use crate::error::{Error, Result};
use crate::kernel;
use crate::process::Child;
use crate::stdio::{self, Output};
use crate::step::Step;
use crate::streams::Stream;

impl Child {
    /// Reads stdout and stderr, if they are pipes, until all writers have closed them or `take`
    /// breaks; a stream at its end is closed. Closes the child's stdin first. For the exit, see
    /// [`Child::wait`].
    ///
    /// # Errors
    /// Those of `poll` and `read`.
    pub fn read_outputs(
        &mut self,
        buffer: &mut [u8],
        mut take: impl FnMut(Stream, &[u8]) -> ControlFlow<()>,
    ) -> Result<()> {
        self.stdin = None;
        // Borrowed pipe ends are open here until the child has taken them: if it dies before that,
        // this closes them.
        if self.start.report.received.load(Acquire) == 0 {
            self.start.wait_released();
        }
        loop {
            let ready = match (&self.stdout, &self.stderr) {
                (None, None) => return Ok(()),
                (Some(_), None) => [true, false],
                (None, Some(_)) => [false, true],
                (Some(stdout), Some(stderr)) => wait_for_either(stdout.as_fd(), stderr.as_fd())?,
            };
            for (stream, is_ready) in [Stream::Stdout, Stream::Stderr].into_iter().zip(ready) {
                if is_ready && self.read_output(stream, buffer, &mut take)?.is_break() {
                    return Ok(());
                }
            }
        }
    }

    fn read_output(
        &mut self,
        stream: Stream,
        buffer: &mut [u8],
        take: &mut impl FnMut(Stream, &[u8]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>> {
        let output: &mut Option<Output> = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let Some(open) = output else { return Ok(ControlFlow::Continue(())) };
        match stdio::read(open.as_fd(), buffer) {
            Ok(0) => {
                *output = None;
                Ok(ControlFlow::Continue(()))
            }
            Ok(bytes) => Ok(take(stream, &buffer[..bytes])),
            Err(errno) => Err(Error::new(Step::Read, errno)),
        }
    }
}

fn wait_for_either(first: BorrowedFd<'_>, second: BorrowedFd<'_>) -> Result<[bool; 2]> {
    let ready =
        kernel::poll_readable(&[first, second], None).map_err(|errno| Error::new(Step::Watch, errno))?;
    Ok([ready[0], ready[1]])
}
