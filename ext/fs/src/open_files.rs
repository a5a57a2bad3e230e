//! Unmanaged file descriptors of a worker (`fs.open` without `FileHandle`): its thread ends and the
//! process stays, so those that it left open are closed. In: numbers as they are opened and closed.
//! Out: those that are opened or closed twice, reported to a function. Absent: descriptors that an
//! object owns; it closes them.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rusk_base::sys::raw_fd;
use rusk_jsc::{Exception, Root, Scope};
use rusk_runtime::RuntimeState;

/// `None`: of a program whose end closes all.
pub(crate) struct OpenFiles(Option<Tracked>);

#[derive(Default)]
struct Tracked {
    numbers: RefCell<BTreeSet<i32>>,
    /// Told of a number, and whether it was opened.
    listener: RefCell<Option<Root>>,
}

impl OpenFiles {
    /// Those of the runtime on this thread.
    pub fn current() -> Rc<OpenFiles> {
        OpenFiles::of(&RuntimeState::current())
    }

    pub fn of(state: &RuntimeState) -> Rc<OpenFiles> {
        state.extension(|state| {
            let are_tracked = state.worker.as_ref().is_some_and(|worker| worker.closes_files);
            OpenFiles(are_tracked.then(Tracked::default))
        })
    }

    pub fn listen(&self, listener: Root) {
        if let Some(tracked) = &self.0 {
            *tracked.listener.borrow_mut() = Some(listener);
        }
    }

    /// One that is there already was closed by somebody else.
    pub fn opened<'s>(&self, scope: &'s Scope, number: i32) -> Result<(), Exception<'s>> {
        match &self.0 {
            Some(tracked) if !tracked.numbers.borrow_mut().insert(number) => {
                tracked.tell(scope, number, true)
            }
            _ => Ok(()),
        }
    }

    /// One that is not there was opened by somebody else. Said before it is closed: then any thread
    /// may get its number.
    pub fn closed<'s>(&self, scope: &'s Scope, number: i32) -> Result<(), Exception<'s>> {
        match &self.0 {
            Some(tracked) if !tracked.numbers.borrow_mut().remove(&number) => {
                tracked.tell(scope, number, false)
            }
            _ => Ok(()),
        }
    }

    /// Closes what is left.
    pub fn close(&self) {
        let Some(tracked) = &self.0 else { return };
        drop(tracked.listener.take());
        for number in tracked.numbers.take() {
            // One that somebody else has closed is none of ours any more.
            let _ = raw_fd::close(number);
        }
    }
}

impl Tracked {
    fn tell<'s>(&self, scope: &'s Scope, number: i32, is_opened: bool) -> Result<(), Exception<'s>> {
        let listener = self.listener.borrow().as_ref().map(|listener| listener.value(scope));
        match listener.and_then(|listener| listener.as_function(scope)) {
            Some(listener) => {
                listener.call(scope, &[scope.number(number.into()), scope.boolean(is_opened)]).map(|_| ())
            }
            None => Ok(()),
        }
    }
}
