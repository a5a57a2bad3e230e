//! What one child writes, read by a thread that does nothing else until its end. In: a child. Out:
//! pieces, as they come. Fewer calls than [`crate::Streams`] makes, which watches many: a poll
//! while there are two pipes, and reads alone when there is one. Absent: limits of time.

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
    /// Reads both outputs, where they are pipes, until nobody can write to them any more, or `take`
    /// breaks off; what was read to its end is closed. The child's input is closed first. Nothing
    /// is said of its end: see [`Child::wait`].
    ///
    /// # Errors
    /// What `poll` and `read` say.
    pub fn read_outputs(
        &mut self,
        buffer: &mut [u8],
        mut take: impl FnMut(Stream, &[u8]) -> ControlFlow<()>,
    ) -> Result<()> {
        self.stdin = None;
        // Ends that are lent to the child are open here until it has taken them: if it dies before,
        // nobody else closes them.
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
        let place: &mut Option<Output> = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let Some(output) = place else { return Ok(ControlFlow::Continue(())) };
        match stdio::read(output.as_fd(), buffer) {
            Ok(0) => {
                *place = None;
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
