//! Read-ahead buffer for a child's output that the program does not read yet. In: the parent's end
//! of the pipe. Out: the bytes so far, and a stream handle for the rest. No JavaScript runs, so an
//! unused output costs little. Absent: `maxBuffer` and reading on demand
//! (`ext/bun/js/internal/bun/subprocess_output.js`).

use std::cell::RefCell;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Object, Outcome, Scope};

use rusk_ext_io::stream_handle::{self, StreamHandle};
use rusk_runtime::IoHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;
use rusk_runtime::values::negative_errno;

rusk_runtime::shared_constants! {
    /// Limits that JavaScript applies as well.
    pub(super) mod limits: usize {
        /// Bytes that are buffered for a program that has not begun to read. A child that writes
        /// more is blocked.
        UNREAD_BYTES_MAX = 256 * 1024 * 1024,
    }
}

pub(super) struct OutputBuffer(RefCell<BufferState>);

struct BufferState {
    /// `None` after the end of the output.
    fd: Option<Rc<OwnedFd>>,
    /// Present while the pipe is read.
    io: Option<IoHandle>,
    chunks: Vec<Vec<u8>>,
    bytes: usize,
    failure: Option<Errno>,
    is_ref: bool,
}

impl OutputBuffer {
    /// Starts to read. The event loop holds the buffer alive until the end of the output.
    pub fn start(fd: OwnedFd) -> sys::Result<Rc<OutputBuffer>> {
        let fd = Rc::new(fd);
        let state = BufferState {
            fd: Some(Rc::clone(&fd)),
            io: None,
            chunks: Vec::new(),
            bytes: 0,
            failure: None,
            is_ref: true,
        };
        let buffer = Rc::new(OutputBuffer(RefCell::new(state)));
        let own = Rc::clone(&buffer);
        let io = RuntimeState::current().handle.add_io(fd, Readiness::READ, move |_, _| {
            own.0.borrow_mut().read();
            Ok(())
        })?;
        buffer.0.borrow_mut().io = Some(io);
        Ok(buffer)
    }

    pub fn set_ref(&self, is_ref: bool) {
        let mut state = self.0.borrow_mut();
        state.is_ref = is_ref;
        if let Some(io) = &state.io {
            if is_ref { io.r#ref() } else { io.unref() }
        }
    }

    /// An array: a stream handle for the rest of the output, or null at its end; an errno less than
    /// 0 if reading failed, or 0; the chunks that were read.
    pub fn take<'s>(&self, scope: &'s Scope) -> Outcome<'s> {
        let (fd, chunks, failure, is_ref) = {
            let mut state = self.0.borrow_mut();
            state.io = None;
            (state.fd.take(), std::mem::take(&mut state.chunks), state.failure, state.is_ref)
        };
        let handle = fd.and_then(Rc::into_inner).map(|fd| StreamHandle::new(fd, true));
        let (handle, failure) = match handle {
            Some(Ok(handle)) => (Some(handle), failure),
            Some(Err(error)) => (None, Some(error)),
            None => (None, failure),
        };
        let handle = handle.map_or(scope.null(), |handle| {
            handle.set_ref(is_ref);
            handle.show(scope).value()
        });
        let mut values = vec![handle, scope.number(failure.map_or(0.0, negative_errno))];
        for chunk in chunks {
            values.push(Bytes::from_vec(scope, chunk)?.value());
        }
        scope.array(&values).map(Object::value)
    }
}

impl BufferState {
    /// Reads once. It does not block: the pipe is readable, and has no other reader.
    fn read(&mut self) {
        let Some(fd) = &self.fd else { return };
        match stream_handle::read_chunk(|buffer| sys::read(fd.as_fd(), buffer)) {
            Ok(chunk) if chunk.is_empty() => self.end(None),
            Ok(chunk) => {
                self.bytes += chunk.len();
                self.chunks.push(chunk);
                if self.bytes >= limits::UNREAD_BYTES_MAX {
                    self.io = None;
                }
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => self.end(Some(error)),
        }
    }

    fn end(&mut self, failure: Option<Errno>) {
        self.failure = failure;
        (self.io, self.fd) = (None, None);
    }
}
