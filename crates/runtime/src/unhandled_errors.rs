//! What callbacks leave for the end of a turn: that the program failed, rejections without a
//! handler. In: thrown values, in their scope. Out: the failure, once JavaScript's own listeners
//! have let it pass. Absent: when; that is the loop's.

use std::cell::{Cell, OnceCell, RefCell};

use rusk_jsc::{Exception, Position, Root, RootedRejection, Scope};

use crate::failure::{Failure, FailureKind, Told};
use crate::lifecycle::Verdict;
use crate::queues::LoopCounters;
use crate::state::RuntimeState;

/// Promises that were told of and may still get a handler. More than these are forgotten, the
/// oldest first: nobody waits for them.
const REPORTED_MAX: usize = 64;

pub(crate) struct UnhandledErrors {
    on_failure: Box<dyn Fn(&Failure)>,
    /// The script's address and text.
    source: RefCell<Option<(String, String)>>,
    failure: RefCell<Option<Box<Failure>>>,
    /// `require` of our own files, once there is one.
    require: RefCell<Option<Root>>,
    rejections: RefCell<Vec<RootedRejection>>,
    reported: RefCell<Vec<RootedRejection>>,
    is_failing: Cell<bool>,
    counters: OnceCell<LoopCounters>,
}

impl UnhandledErrors {
    pub fn new(on_failure: Box<dyn Fn(&Failure)>) -> UnhandledErrors {
        UnhandledErrors {
            on_failure,
            source: RefCell::default(),
            failure: RefCell::default(),
            require: RefCell::default(),
            rejections: RefCell::default(),
            reported: RefCell::default(),
            is_failing: Cell::new(false),
            counters: OnceCell::new(),
        }
    }

    /// Where JavaScript sees that something was noted.
    pub fn set_counters(&self, counters: LoopCounters) {
        let _ = self.counters.set(counters);
    }

    fn note(&self, is_noted: bool) {
        if let Some(counters) = self.counters.get() {
            counters.note(is_noted);
        }
    }

    /// Nothing is left for the loop to see to, but promises that may get a handler at any time.
    pub fn rest(&self) {
        self.note(self.has_reported());
    }

    pub fn set_source(&self, url: &str, text: &str) {
        *self.source.borrow_mut() = Some((url.to_owned(), text.to_owned()));
    }

    pub fn set_require(&self, require: Root) {
        *self.require.borrow_mut() = Some(require);
    }

    /// What js/internal/fatal.js says of what was thrown.
    fn tell(&self, scope: &Scope, kind: FailureKind, thrown: Exception<'_>) -> Option<Told> {
        let require =
            self.require.borrow().as_ref().and_then(|require| require.value(scope).as_function(scope))?;
        let tell = require.call(scope, &[scope.string("internal/errors/fatal")]).ok()?.as_function(scope)?;
        let is_rejection = scope.boolean(kind == FailureKind::Rejection);
        let told = tell.call(scope, &[thrown.value(), is_rejection]).ok()?.as_object(scope)?;
        let text = told.element(scope, 0).ok()?.to_rust_string(scope).ok()?;
        let part = |index| told.element(scope, index).ok().filter(|part| !part.is_undefined(scope));
        let number =
            |index| part(index).and_then(|part| part.to_number(scope).ok()).map(|number| number as u32);
        let url = part(1).and_then(|url| url.to_rust_string(scope).ok());
        let position = url.zip(number(2)).map(|(url, line)| Position { url, line, column: number(3) });
        let is_unparsed = part(4).is_some();
        Some(Told { text, position, is_unparsed })
    }

    /// The first one that no listener takes ends the program; what fails behind it never ran, where
    /// there is somebody to end it at once.
    pub fn fail(&self, scope: &Scope, kind: FailureKind, thrown: Exception<'_>) {
        if self.failure.borrow().is_some() {
            return;
        }
        let thrown = Exception::from(thrown.value());
        // What fails while listeners are asked is theirs.
        if self.is_failing.replace(true) {
            return self.end(scope, kind, thrown, 7);
        }
        let state = RuntimeState::current();
        let verdict = state.lifecycle.uncaught(scope, thrown, kind != FailureKind::Exception);
        self.is_failing.set(false);
        // A worker has told of it and ended itself.
        if state.ending().is_some() {
            return;
        }
        if let Verdict::Fatal { error, code } = verdict {
            self.end(scope, kind, error, code);
        }
    }

    fn end(&self, scope: &Scope, kind: FailureKind, thrown: Exception<'_>, code: i32) {
        let source = self.source.borrow().clone();
        let source = source.as_ref().map(|(url, text)| (url.as_str(), text.as_str()));
        // It may run getters of the program's.
        let told = self.tell(scope, kind, thrown);
        let failure = Failure { code, ..Failure::new(scope, kind, thrown, told, source) };
        RuntimeState::current().before_failure();
        (self.on_failure)(&failure);
        self.failure.borrow_mut().get_or_insert_with(|| Box::new(failure));
        self.note(true);
    }

    pub fn has_failed(&self) -> bool {
        self.failure.borrow().is_some()
    }

    pub fn take_failure(&self) -> Option<Box<Failure>> {
        self.failure.take()
    }

    pub fn reject(&self, rejection: RootedRejection) {
        self.rejections.borrow_mut().push(rejection);
        self.note(true);
    }

    /// Whether there is something for [`UnhandledErrors::settle_rejections`].
    pub fn has_rejections(&self) -> bool {
        !self.rejections.borrow().is_empty()
    }

    /// Tells of what still has no handler; the first one ends the program, unless JavaScript says
    /// otherwise.
    pub fn settle_rejections<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let mut lost = self.rejections.take();
        lost.retain(|rejection| rejection.is_handled(scope) != Some(true));
        let state = RuntimeState::current();
        if !state.lifecycle.is_set() {
            if let Some(lost) = lost.first() {
                self.fail(scope, FailureKind::Rejection, lost.reason(scope).into());
            }
            return Ok(());
        }
        let list: Vec<_> = lost.iter().flat_map(|lost| [lost.promise(scope), lost.reason(scope)]).collect();
        let verdict = state.lifecycle.rejections(scope, &list)?;
        let mut reported = self.reported.borrow_mut();
        reported.extend(lost);
        let excess = reported.len().saturating_sub(REPORTED_MAX);
        reported.drain(..excess);
        drop(reported);
        if let Verdict::Fatal { error, code } = verdict {
            self.end(scope, FailureKind::Rejection, error, code);
        }
        Ok(())
    }

    /// What listeners of 'exit' have left: no ticks, but promises, and those of them that nobody
    /// handles.
    pub fn settle_last<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        scope.run_microtasks();
        if RuntimeState::current().ending().is_none() {
            self.settle_rejections(scope)?;
            scope.run_microtasks();
        }
        Ok(())
    }

    /// Whether there are promises for [`UnhandledErrors::settle_reported`].
    pub fn has_reported(&self) -> bool {
        !self.reported.borrow().is_empty()
    }

    /// Tells of those that have got a handler since.
    pub fn settle_reported<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let reported = self.reported.take();
        let (handled, left): (Vec<_>, Vec<_>) =
            reported.into_iter().partition(|rejection| rejection.is_handled(scope) == Some(true));
        self.reported.borrow_mut().splice(0..0, left);
        if handled.is_empty() {
            return Ok(());
        }
        let list: Vec<_> = handled.iter().map(|rejection| rejection.promise(scope)).collect();
        RuntimeState::current().lifecycle.handled(scope, &list)
    }
}
