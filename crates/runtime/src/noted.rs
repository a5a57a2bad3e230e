//! What callbacks leave for the end of a turn: that the program failed, rejections without a handler. In: thrown values, in their
//! scope. Out: the failure, the rejections. Absent: deciding; that is the loop's.

use std::cell::RefCell;

use rusk_jsc::{Exception, KeptRejection, Position, Root, Scope};

use crate::failure::{Failure, FailureKind};

pub(crate) struct Noted {
    on_failure: Box<dyn Fn(&Failure)>,
    /// The script's address and text.
    source: RefCell<Option<(String, String)>>,
    failure: RefCell<Option<Box<Failure>>>,
    /// `require` of our own files, once there is one.
    require: RefCell<Option<Root>>,
    rejections: RefCell<Vec<KeptRejection>>,
}

impl Noted {
    pub fn new(on_failure: Box<dyn Fn(&Failure)>) -> Noted {
        Noted {
            on_failure,
            source: RefCell::default(),
            failure: RefCell::default(),
            require: RefCell::default(),
            rejections: RefCell::default(),
        }
    }

    pub fn set_source(&self, url: &str, text: &str) {
        *self.source.borrow_mut() = Some((url.to_owned(), text.to_owned()));
    }

    pub fn set_require(&self, require: Root) {
        *self.require.borrow_mut() = Some(require);
    }

    /// What js/internal/fatal.js says of what was thrown.
    fn tell(&self, scope: &Scope, thrown: Exception<'_>) -> Option<(String, Option<Position>)> {
        let require =
            self.require.borrow().as_ref().and_then(|require| require.value(scope).as_function(scope))?;
        let tell = require.call(scope, &[scope.text("internal/fatal")]).ok()?.as_function(scope)?;
        let told = tell.call(scope, &[thrown.value()]).ok()?.as_object(scope)?;
        let text = told.element(scope, 0).ok()?.to_text(scope).ok()?;
        let part = |index| told.element(scope, index).ok().filter(|part| !part.is_undefined(scope));
        let number =
            |index| part(index).and_then(|part| part.to_number(scope).ok()).map(|number| number as u32);
        let url = part(1).and_then(|url| url.to_text(scope).ok());
        let position = url.zip(number(2)).map(|(url, line)| Position { url, line, column: number(3) });
        Some((text, position))
    }

    /// The first one ends the program; what fails behind it never ran, where there is somebody to end it at once.
    pub fn fail(&self, scope: &Scope, kind: FailureKind, thrown: Exception<'_>) {
        if self.failure.borrow().is_some() {
            return;
        }
        let source = self.source.borrow().clone();
        let source = source.as_ref().map(|(url, text)| (url.as_str(), text.as_str()));
        // It may run getters of the program's.
        let told = self.tell(scope, thrown);
        let failure = Failure::new(scope, kind, thrown, told, source);
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
