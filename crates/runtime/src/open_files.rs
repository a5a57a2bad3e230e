//! Files that a worker has opened by number and not closed: its thread goes and the process stays,
//! so they are closed for it. In: numbers as they are opened and closed. Out: those that are odd,
//! told to a function. Absent: what owns its descriptor; that closes by itself.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rusk_base::sys::raw_fd;
use rusk_jsc::{Exception, Root, Scope};

/// `None`: of a program whose end closes all.
pub(crate) struct OpenFiles(Option<Tracked>);

#[derive(Default)]
struct Tracked {
    numbers: RefCell<BTreeSet<i32>>,
    /// Told of a number, and whether it was opened.
    listener: RefCell<Option<Root>>,
}

impl OpenFiles {
    pub fn new(are_tracked: bool) -> OpenFiles {
        OpenFiles(are_tracked.then(Tracked::default))
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
