//! Driver of an HTTP/2 connection: a task that moves bytes between the stream and the session. In:
//! the stream. Out: events, distributed to the exchanges. It ends with the connection, or when
//! there was no exchange for some time.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use rusk_http2::error::code;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use super::{IDLE_TIMEOUT, Shared};
use crate::error::ClientError;
use crate::exchange::Duplex;

/// Bytes that are read at once, and made to be sent at once.
const CHUNK_BYTES: usize = 64 << 10;
/// Reads in one turn, after which other tasks have theirs.
const READS_MAX: usize = 16;

pub(super) struct Driver {
    shared: Arc<Shared>,
    stream: Box<dyn Duplex>,
    input: Vec<u8>,
    output: Vec<u8>,
    /// Bytes of the output that were sent.
    sent: usize,
    started: Instant,
    /// Wakes the task at the next deadline.
    sleep: Pin<Box<Sleep>>,
    /// When the connection has been idle for too long.
    idle_deadline: Option<Instant>,
    is_shutting_down: bool,
}

impl Driver {
    pub fn new(shared: Arc<Shared>, stream: Box<dyn Duplex>) -> Driver {
        let started = Instant::now();
        Driver {
            shared,
            stream,
            input: vec![0; CHUNK_BYTES],
            output: Vec::new(),
            sent: 0,
            started,
            sleep: Box::pin(tokio::time::sleep_until(started + IDLE_TIMEOUT)),
            idle_deadline: None,
            is_shutting_down: false,
        }
    }

    /// Sends until nothing is left, or the stream takes no more.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ClientError>> {
        let failed = |error: &std::io::Error| ClientError::of_io(error, true);
        loop {
            while self.sent < self.output.len() {
                let written = Pin::new(&mut self.stream).poll_write(context, &self.output[self.sent..]);
                match ready!(written).map_err(|error| failed(&error))? {
                    0 => return Poll::Ready(Err(ClientError::Closed)),
                    count => self.sent += count,
                }
            }
            self.sent = 0;
            let mut state = self.shared.lock();
            self.output = state.session.take_output(CHUNK_BYTES);
            // Chunks that are in frames now.
            state.distribute();
            drop(state);
            if self.output.is_empty() {
                return Pin::new(&mut self.stream).poll_flush(context).map_err(|error| failed(&error));
            }
        }
    }

    /// Receives until nothing is left. Ready: there was something.
    fn poll_receive(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ClientError>> {
        for turn in 0..READS_MAX {
            let mut buffer = ReadBuf::new(&mut self.input);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Pending if turn == 0 => return Poll::Pending,
                Poll::Pending => return Poll::Ready(Ok(())),
                Poll::Ready(Err(error)) => return Poll::Ready(Err(ClientError::of_io(&error, false))),
                Poll::Ready(Ok(())) if buffer.filled().is_empty() => {
                    return Poll::Ready(Err(ClientError::Closed));
                }
                Poll::Ready(Ok(())) => {
                    self.shared.lock().receive(buffer.filled(), self.started.elapsed().as_secs())?;
                }
            }
        }
        context.waker().wake_by_ref();
        Poll::Ready(Ok(()))
    }

    /// Ends what has lasted too long. Ready: the connection ends.
    fn poll_deadlines(&mut self, context: &mut Context<'_>) -> Poll<ClientError> {
        let mut state = self.shared.lock();
        let now = Instant::now();
        if state.ping_deadline.is_some_and(|deadline| deadline <= now) {
            return Poll::Ready(ClientError::Closed);
        }
        if !state.streams.is_empty() {
            self.idle_deadline = None;
        } else if state.is_closing || self.idle_deadline.is_some_and(|deadline| deadline <= now) {
            state.is_closing = true;
            state.session.terminate(code::NO_ERROR);
        } else if self.idle_deadline.is_none() {
            self.idle_deadline = Some(now + IDLE_TIMEOUT);
        }
        let next = [state.ping_deadline, self.idle_deadline].into_iter().flatten().min();
        drop(state);
        if let Some(deadline) = next {
            if self.sleep.deadline() != deadline {
                self.sleep.as_mut().reset(deadline);
            }
            if self.sleep.as_mut().poll(context).is_ready() {
                context.waker().wake_by_ref();
            }
        }
        Poll::Pending
    }

    fn poll_step(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ClientError>> {
        self.shared.lock().driver = Some(context.waker().clone());
        loop {
            if let Poll::Ready(error) = self.poll_deadlines(context) {
                return Poll::Ready(Err(error));
            }
            let sent = self.poll_send(context)?;
            if self.shared.lock().session.is_terminated() {
                // The reason is on its way.
                ready!(sent);
                self.is_shutting_down = true;
                return Poll::Ready(Ok(()));
            }
            ready!(self.poll_receive(context))?;
        }
    }
}

impl Future for Driver {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        if !this.is_shutting_down {
            let error = match ready!(this.poll_step(context)) {
                Ok(()) => ClientError::Closed,
                Err(error) => error,
            };
            this.shared.lock().end(error);
        }
        if this.is_shutting_down {
            // All exchanges have ended, so an error has no reader.
            let _ = ready!(Pin::new(&mut this.stream).poll_shutdown(context));
        }
        Poll::Ready(())
    }
}
