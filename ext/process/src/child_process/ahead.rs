//! What a child writes before anybody asks for it. In: our end of its pipe. Out: all that came so
//! far, and a pipe for the rest. It is read without the engine, so that an output that nobody wants
//! costs no JavaScript. Absent: limits of the program's own, and reading on demand;
//! js/internal/bun/child_output.js has both.

use std::cell::RefCell;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Object, Outcome, Scope};

use rusk_ext_io::stream_handle::{self as pipe, Pipe};
use rusk_runtime::IoHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;
use rusk_runtime::values::negative;

/// Bytes that are kept for who has not asked; the same in js/internal/bun/child_output.js. A child
/// that writes more waits.
const UNREAD_MAX: usize = 256 * 1024 * 1024;

pub(super) struct Ahead(RefCell<State>);

struct State {
    /// Present until the end.
    fd: Option<Rc<OwnedFd>>,
    /// Present while it is read.
    watch: Option<IoHandle>,
    pieces: Vec<Vec<u8>>,
    bytes: usize,
    failure: Option<Errno>,
    is_kept: bool,
}

impl Ahead {
    /// It goes on until the end, whoever holds it.
    pub fn begin(fd: OwnedFd) -> sys::Result<Rc<Ahead>> {
        let fd = Rc::new(fd);
        let (pieces, fd_if_any) = (Vec::new(), Some(Rc::clone(&fd)));
        let state = State { fd: fd_if_any, watch: None, pieces, bytes: 0, failure: None, is_kept: true };
        let ahead = Rc::new(Ahead(RefCell::new(state)));
        let own = Rc::clone(&ahead);
        let watch = RuntimeState::current().handle.add_io(fd, Readiness::READ, move |_, _| {
            own.0.borrow_mut().read();
            Ok(())
        })?;
        ahead.0.borrow_mut().watch = Some(watch);
        Ok(ahead)
    }

    pub fn set_kept(&self, is_kept: bool) {
        let mut state = self.0.borrow_mut();
        state.is_kept = is_kept;
        if let Some(watch) = &state.watch {
            if is_kept { watch.r#ref() } else { watch.unref() }
        }
    }

    /// A list: a pipe for what is to come, or null at the end; an errno less than 0 if it ended by
    /// that, or 0; the pieces that came.
    pub fn take<'s>(&self, scope: &'s Scope) -> Outcome<'s> {
        let (fd, pieces, failure, is_kept) = {
            let mut state = self.0.borrow_mut();
            state.watch = None;
            (state.fd.take(), std::mem::take(&mut state.pieces), state.failure, state.is_kept)
        };
        let pipe = fd.and_then(Rc::into_inner).map(|fd| Pipe::new(fd, true));
        let (pipe, failure) = match pipe {
            Some(Ok(pipe)) => (Some(pipe), failure),
            Some(Err(error)) => (None, Some(error)),
            None => (None, failure),
        };
        let pipe = pipe.map_or(scope.null(), |pipe| {
            pipe.set_kept(is_kept);
            pipe.show(scope).value()
        });
        let mut told = vec![pipe, scope.number(failure.map_or(0.0, negative))];
        for piece in pieces {
            told.push(Bytes::from_vec(scope, piece)?.value());
        }
        scope.array(&told).map(Object::value)
    }
}

impl State {
    /// Once: what is ready, and nobody else reads it, is read without a wait.
    fn read(&mut self) {
        let Some(fd) = &self.fd else { return };
        match pipe::read_piece(|buffer| sys::read(fd.as_fd(), buffer)) {
            Ok(piece) if piece.is_empty() => self.end(None),
            Ok(piece) => {
                self.bytes += piece.len();
                self.pieces.push(piece);
                if self.bytes >= UNREAD_MAX {
                    self.watch = None;
                }
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(error) => self.end(Some(error)),
        }
    }

    fn end(&mut self, failure: Option<Errno>) {
        self.failure = failure;
        (self.watch, self.fd) = (None, None);
    }
}
