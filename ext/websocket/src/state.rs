//! The sockets of a thread, and how the event loop drives them. In: a readable epoll instance. Out:
//! one call of JavaScript for all events that are ready; it takes them one by one by `next`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rusk_base::sys;
use rusk_jsc::{Exception, Root, Scope, SharedU32Array};
use rusk_runtime::{IoHandle, Readiness, RuntimeState};

use crate::pool::{SocketEvent, SocketPool};
use crate::word;

/// Words that `next` fills in.
const WORDS: usize = word::ALL.len();

/// How often the sockets are polled before the loop has its turn.
const ROUNDS_MAX: usize = 4;

pub struct SocketState {
    pub pool: RefCell<SocketPool>,
    io: RefCell<Option<IoHandle>>,
    is_ref: Cell<bool>,
    /// The event for which JavaScript is called.
    first: Cell<Option<(u32, SocketEvent)>>,
    /// A payload that JavaScript has yet to make an array for.
    payload: Cell<Vec<u8>>,
    /// The JavaScript function that takes all events.
    run: Root,
}

thread_local! {
    static STATE: RefCell<Option<Rc<SocketState>>> = const { RefCell::new(None) };
    static SHARED_WORDS: RefCell<Option<SharedU32Array<WORDS>>> = const { RefCell::new(None) };
}

pub fn set_words(words: SharedU32Array<WORDS>) {
    SHARED_WORDS.set(Some(words));
}

pub fn store(index: usize, value: u32) {
    SHARED_WORDS.with_borrow(|words| {
        if let Some(words) = words {
            words.store(index, value);
        }
    });
}

/// `run`: the function that takes events.
pub fn start(run: Root) -> sys::Result<()> {
    let pool = SocketPool::new()?;
    let poll_fd = Rc::new(pool.poll_fd()?);
    let state = Rc::new(SocketState {
        pool: RefCell::new(pool),
        io: RefCell::default(),
        is_ref: Cell::new(false),
        first: Cell::new(None),
        payload: Cell::default(),
        run,
    });
    let runner = Rc::downgrade(&state);
    let io = RuntimeState::current().handle.add_io(poll_fd, Readiness::READ, move |scope, _| {
        runner.upgrade().map_or(Ok(()), |state| state.run(scope))
    })?;
    io.unref();
    *state.io.borrow_mut() = Some(io);
    STATE.set(Some(state));
    Ok(())
}

pub fn current() -> Option<Rc<SocketState>> {
    STATE.with_borrow(Clone::clone)
}

/// Runs `body` with the sockets of this thread, if there are any.
pub fn with_pool<R>(body: impl FnOnce(&mut SocketPool) -> R) -> Option<R> {
    STATE.with_borrow(|state| state.as_ref().map(|state| body(&mut state.pool.borrow_mut())))
}

impl SocketState {
    fn run<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        for _ in 0..ROUNDS_MAX {
            let mut pool = self.pool.borrow_mut();
            pool.poll();
            let Some(event) = pool.next_event() else {
                pool.flush();
                break;
            };
            let is_busy = pool.is_busy();
            drop(pool);
            self.first.set(Some(event));
            let run = self.run.value(scope).as_function(scope).expect("js/internal/websocket passes one");
            let has_all = run.call(scope, &[])?.is_truthy(scope);
            self.pool.borrow_mut().flush();
            if !has_all || !is_busy {
                break;
            }
        }
        Ok(())
    }

    pub fn next(&self) -> Option<(u32, SocketEvent)> {
        self.first.take().or_else(|| self.pool.borrow_mut().next_event())
    }

    pub fn put_payload(&self, payload: Vec<u8>) {
        self.payload.set(payload);
    }

    pub fn take_payload(&self) -> Vec<u8> {
        self.payload.take()
    }

    /// The loop waits while there are connections.
    fn update_ref(&self, has_sockets: bool) {
        if self.is_ref.replace(has_sockets) != has_sockets
            && let Some(io) = &*self.io.borrow()
        {
            if has_sockets { io.r#ref() } else { io.unref() }
        }
    }
}

/// After each callback: writes what was sent in it.
pub fn flush_all() {
    STATE.with_borrow(|state| {
        let Some(state) = state else { return };
        if let Ok(mut pool) = state.pool.try_borrow_mut() {
            pool.flush();
            state.update_ref(pool.counted > 0);
        }
    });
}

/// The runtime ends.
pub fn close_all(_: &RuntimeState) {
    drop(STATE.take());
    SHARED_WORDS.set(None);
}
