//! What callbacks leave for the end of a turn: that the program failed, rejections without a handler. In: thrown values, in their
//! scope. Out: the failure, the rejections. Absent: deciding; that is the loop's.

use std::cell::RefCell;

use rusk_jsc::{Exception, KeptRejection, Scope};

use crate::failure::{Failure, FailureKind};

pub(crate) struct Noted {
    on_failure: Box<dyn Fn(&Failure)>,
    /// The script's address and text.
    source: RefCell<Option<(String, String)>>,
    failure: RefCell<Option<Box<Failure>>>,
    rejections: RefCell<Vec<KeptRejection>>,
}

impl Noted {
    pub fn new(on_failure: Box<dyn Fn(&Failure)>) -> Noted {
        Noted {
            on_failure,
            source: RefCell::default(),
            failure: RefCell::default(),
            rejections: RefCell::default(),
        }
    }

    pub fn set_source(&self, url: &str, text: &str) {
        *self.source.borrow_mut() = Some((url.to_owned(), text.to_owned()));
    }

    /// The first one ends the program; what fails behind it never ran, where there is somebody to end it at once.
    pub fn fail(&self, scope: &Scope, kind: FailureKind, thrown: Exception<'_>) {
        if self.failure.borrow().is_some() {
            return;
        }
        let source = self.source.borrow().clone();
        let source = source.as_ref().map(|(url, text)| (url.as_str(), text.as_str()));
        // It may run getters of the program's.
        let failure = Failure::new(scope, kind, thrown, source);
        (self.on_failure)(&failure);
        self.failure.borrow_mut().get_or_insert_with(|| Box::new(failure));
    }

    pub fn take_failure(&self) -> Option<Box<Failure>> {
        self.failure.take()
    }

    pub fn reject(&self, rejection: KeptRejection) {
        self.rejections.borrow_mut().push(rejection);
    }

    pub fn take_rejections(&self) -> Vec<KeptRejection> {
        self.rejections.take()
    }
}
