//! Signals for those in the loop who listen. In: a number and a callback. Out: callbacks, in turns
//! of their own. They never keep the loop going, as in Node. One loop of a process has them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rusk_base::sys::signal_handler::SignalHandler;
use rusk_base::sys::{self, Errno};
use rusk_jsc::{Exception, Scope};

use crate::descriptors::{Descriptors, OwnNumber};
use crate::runtime::Handle;

type Callback = dyn for<'s> Fn(&'s Scope) -> Result<(), Exception<'s>>;

/// Who listens to what; nobody, most often.
#[derive(Default)]
pub(crate) struct Signals {
    notices: RefCell<Option<SignalHandler>>,
    listeners: RefCell<BTreeMap<i32, Rc<Callback>>>,
}

/// Someone who listens; dropped, the signal does again what it did before.
pub struct Listener {
    handle: Handle,
    signal: i32,
}

impl Handle {
    /// Calls `callback` whenever the signal comes. `EBUSY`: another loop of this process has the
    /// signals, or this one has somebody who listens to this one; `EINVAL`: there is none, or
    /// nobody can listen to it.
    pub fn listen(
        &self,
        signal: i32,
        callback: impl for<'s> Fn(&'s Scope) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<Listener> {
        let inner = self.inner();
        inner.signals.listen(&inner.descriptors, signal, Rc::new(callback))?;
        Ok(Listener { handle: self.clone(), signal })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let signals = &self.handle.inner().signals;
        signals.listeners.borrow_mut().remove(&self.signal);
        if let Some(notices) = &*signals.notices.borrow() {
            notices.remove(self.signal);
        }
    }
}

impl Signals {
    fn listen(&self, descriptors: &Descriptors, signal: i32, callback: Rc<Callback>) -> sys::Result<()> {
        let mut listeners = self.listeners.borrow_mut();
        if listeners.contains_key(&signal) {
            return Err(Errno::BUSY);
        }
        let mut notices = self.notices.borrow_mut();
        let notices = match &mut *notices {
            Some(notices) => notices,
            none => {
                let taken = SignalHandler::install()?;
                descriptors.add_own(taken.waker(), OwnNumber::SIGNALS)?;
                none.insert(taken)
            }
        };
        notices.add(signal)?;
        listeners.insert(signal, callback);
        Ok(())
    }

    /// Nobody listens any more.
    pub fn clear(&self) {
        let listeners = self.listeners.take();
        drop((listeners, self.notices.take()));
    }

    /// Who is to be called for what has come.
    pub fn take(&self) -> sys::Result<Vec<Rc<Callback>>> {
        let noted = self.notices.borrow().as_ref().map_or(Ok(Vec::new()), SignalHandler::take_pending)?;
        let listeners = self.listeners.borrow();
        Ok(noted.iter().filter_map(|signal| listeners.get(signal).cloned()).collect())
    }
}
