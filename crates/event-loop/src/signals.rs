//! Signal handlers of the loop (`uv_signal_t`). In: a signal number and a callback. Out: callbacks
//! of signals that came. They never keep the loop alive, as in Node. One loop of a process has
//! them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rusk_base::sys::signal_handler::SignalHandler;
use rusk_base::sys::{self, Errno};

use crate::{Context, EventLoop, LoopToken, Reactor};

pub type SignalCallback<C> =
    dyn for<'s> Fn(&'s <C as Context>::Scope) -> Result<(), <C as Context>::Error<'s>>;

/// The callbacks by signal number; mostly there are none.
pub struct Signals<C: Context> {
    source: RefCell<Option<SignalHandler>>,
    callbacks: RefCell<BTreeMap<i32, Registered<C>>>,
    next_id: Cell<u64>,
}

/// A callback, with the number of its registration.
type Registered<C> = (u64, Rc<SignalCallback<C>>);

/// A registered signal handler. Dropped, the signal has its former effect again.
pub struct SignalHandle<C: Context> {
    event_loop: Rc<EventLoop<C>>,
    signal: i32,
    id: u64,
}

impl<C: Context> EventLoop<C> {
    /// Calls `callback` whenever the signal comes. `EBUSY`: another loop of this process has the
    /// signals, or this loop has a handler for this one; `EINVAL`: no such signal, or it cannot be
    /// caught.
    pub fn on_signal(
        self: &Rc<Self>,
        signal: i32,
        callback: Rc<SignalCallback<C>>,
    ) -> sys::Result<SignalHandle<C>> {
        let id = self.signals.add(&self.reactor, signal, callback)?;
        Ok(SignalHandle { event_loop: Rc::clone(self), signal, id })
    }
}

impl<C: Context> Drop for SignalHandle<C> {
    fn drop(&mut self) {
        let signals = &self.event_loop.signals;
        let mut callbacks = signals.callbacks.borrow_mut();
        // All may have been cleared, and another one registered since.
        if callbacks.get(&self.signal).is_none_or(|(id, _)| *id != self.id) {
            return;
        }
        let removed = callbacks.remove(&self.signal);
        drop(callbacks);
        drop(removed);
        if let Some(source) = &*signals.source.borrow() {
            source.remove(self.signal);
        }
    }
}

impl<C: Context> Default for Signals<C> {
    fn default() -> Self {
        Signals { source: RefCell::default(), callbacks: RefCell::default(), next_id: Cell::new(0) }
    }
}

impl<C: Context> Signals<C> {
    fn add(&self, reactor: &Reactor<C>, signal: i32, callback: Rc<SignalCallback<C>>) -> sys::Result<u64> {
        let mut callbacks = self.callbacks.borrow_mut();
        if callbacks.contains_key(&signal) {
            return Err(Errno::BUSY);
        }
        let mut source = self.source.borrow_mut();
        let source = match &mut *source {
            Some(source) => source,
            none => {
                let taken = SignalHandler::install()?;
                match reactor.add_own(taken.waker(), LoopToken::SIGNALS) {
                    // It is the process's, and was added before all handlers were cleared.
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error),
                }
                none.insert(taken)
            }
        };
        source.add(signal)?;
        let id = self.next_id.replace(self.next_id.get() + 1);
        callbacks.insert(signal, (id, callback));
        Ok(id)
    }

    /// Removes all handlers.
    pub fn clear(&self) {
        let callbacks = self.callbacks.take();
        drop((callbacks, self.source.take()));
    }

    /// The callbacks of signals that came since the last call.
    pub fn take_pending(&self) -> sys::Result<Vec<Rc<SignalCallback<C>>>> {
        let pending = self.source.borrow().as_ref().map_or(Ok(Vec::new()), SignalHandler::take_pending)?;
        let callbacks = self.callbacks.borrow();
        Ok(pending.iter().filter_map(|signal| Some(Rc::clone(&callbacks.get(signal)?.1))).collect())
    }
}
