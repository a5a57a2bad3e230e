//! Check hooks (libuv's `uv_check_t`): functions that run once in each iteration of the event loop,
//! after the poll phase and the immediates. In: functions. Out: calls, in the order in which they
//! were added. Absent: keeping the loop alive.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use rusk_jsc::{Exception, Scope};

use crate::handle::Inner;

/// What a hook calls.
pub type CheckCallback = Rc<dyn for<'s> Fn(&'s Scope) -> Result<(), Exception<'s>>>;

/// The hooks of a loop.
#[derive(Default)]
pub struct CheckHooks {
    all: RefCell<Vec<(u64, CheckCallback)>>,
    next_id: Cell<u64>,
}

/// A hook, which is removed when this is dropped.
pub struct CheckHandle {
    owner: Weak<Inner>,
    id: u64,
}

impl CheckHandle {
    pub(crate) fn new(owner: &Rc<Inner>, callback: CheckCallback) -> CheckHandle {
        let hooks = &owner.check_hooks;
        let id = hooks.next_id.get();
        hooks.next_id.set(id + 1);
        hooks.all.borrow_mut().push((id, callback));
        CheckHandle { owner: Rc::downgrade(owner), id }
    }
}

impl Drop for CheckHandle {
    fn drop(&mut self) {
        let Some(owner) = self.owner.upgrade() else { return };
        let mut all = owner.check_hooks.all.borrow_mut();
        let removed = all.iter().position(|(id, _)| *id == self.id).map(|index| all.remove(index));
        // Dropping what the function owns may need the list.
        drop(all);
        drop(removed);
    }
}

impl CheckHooks {
    /// Removes all.
    pub fn clear(&self) {
        let all = self.all.take();
        drop(all);
    }

    pub fn is_empty(&self) -> bool {
        self.all.borrow().is_empty()
    }

    /// The hooks as an iteration begins: one that is added meanwhile waits for the next.
    pub fn ids(&self) -> Vec<u64> {
        self.all.borrow().iter().map(|(id, _)| *id).collect()
    }

    /// `None`: it was removed meanwhile.
    pub fn find(&self, id: u64) -> Option<CheckCallback> {
        let all = self.all.borrow();
        all.iter().find(|(other, _)| *other == id).map(|(_, callback)| Rc::clone(callback))
    }
}
