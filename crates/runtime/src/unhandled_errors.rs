//! Uncaught exceptions and unhandled rejections, from where they happen until the loop handles
//! them. In: thrown values, in their scope. Out: the failure that ends the program, unless a
//! listener of `process` handles it. Absent: when; the event loop decides that.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rusk_jsc::{Exception, Position, Root, RootedRejection, Scope};

use crate::failure::{Failure, FailureKind, FatalReport};
use crate::lifecycle::Verdict;
use crate::queues::LoopCounters;
use crate::state::RuntimeState;

/// Reported promises that may still get a handler. If there are more, the oldest are dropped.
const REPORTED_MAX: usize = 64;

pub(crate) struct UnhandledErrors {
    pub(crate) on_failure: Rc<dyn Fn(&Failure)>,
    /// URL and source of the script.
    source: RefCell<Option<(String, String)>>,
    failure: RefCell<Option<Box<Failure>>>,
    /// `require` of our builtins, once it exists.
    require: RefCell<Option<Root>>,
    rejections: RefCell<Vec<RootedRejection>>,
    reported: RefCell<Vec<RootedRejection>>,
    is_failing: Cell<bool>,
    counters: OnceCell<LoopCounters>,
}

impl UnhandledErrors {
    pub fn new(on_failure: Rc<dyn Fn(&Failure)>) -> UnhandledErrors {
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

    /// Sets the counters by which JavaScript sees that there is an error.
    pub fn set_counters(&self, counters: LoopCounters) {
        let _ = self.counters.set(counters);
    }

    fn set_has_errors(&self, has_errors: bool) {
        if let Some(counters) = self.counters.get() {
            counters.set_has_errors(has_errors);
        }
    }

    /// Nothing is left to handle but promises that may get a handler at any time.
    pub fn finish_handling(&self) {
        self.set_has_errors(self.has_reported());
    }

    pub fn set_source(&self, url: &str, text: &str) {
        *self.source.borrow_mut() = Some((url.to_owned(), text.to_owned()));
    }

    pub fn set_require(&self, require: Root) {
        *self.require.borrow_mut() = Some(require);
    }

    /// What internal/errors/fatal reports of a thrown value.
    fn fatal_report(&self, scope: &Scope, kind: FailureKind, thrown: Exception<'_>) -> Option<FatalReport> {
        let require =
            self.require.borrow().as_ref().and_then(|require| require.value(scope).as_function(scope))?;
        let report =
            require.call(scope, &[scope.string("internal/errors/fatal")]).ok()?.as_function(scope)?;
        let is_rejection = scope.boolean(kind == FailureKind::Rejection);
        let parts = report.call(scope, &[thrown.value(), is_rejection]).ok()?.as_object(scope)?;
        let text = parts.element(scope, 0).ok()?.to_rust_string(scope).ok()?;
        let part = |index| parts.element(scope, index).ok().filter(|part| !part.is_undefined(scope));
        let number =
            |index| part(index).and_then(|part| part.to_number(scope).ok()).map(|number| number as u32);
        let url = part(1).and_then(|url| url.to_rust_string(scope).ok());
        let position = url.zip(number(2)).map(|(url, line)| Position { url, line, column: number(3) });
        let is_unparsed = part(4).is_some();
        Some(FatalReport { text, position, is_unparsed })
    }

    /// Handles an uncaught error. The first one that no listener handles ends the program; the
    /// embedder ends the process at once, so later ones are ignored.
    pub fn fail(&self, scope: &Scope, kind: FailureKind, thrown: Exception<'_>) {
        if self.failure.borrow().is_some() {
            return;
        }
        let thrown = Exception::from(thrown.value());
        // An error thrown while listeners run is the listeners' own.
        if self.is_failing.replace(true) {
            return self.end(scope, kind, thrown, 7);
        }
        let state = RuntimeState::current();
        let verdict = state.lifecycle.uncaught(scope, thrown, kind != FailureKind::Exception);
        self.is_failing.set(false);
        // A worker has reported it and is ending.
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
        // This may run getters of the program.
        let report = self.fatal_report(scope, kind, thrown);
        let failure = Failure { code, ..Failure::new(scope, kind, thrown, report, source) };
        RuntimeState::current().before_failure();
        (self.on_failure)(&failure);
        self.failure.borrow_mut().get_or_insert_with(|| Box::new(failure));
        self.set_has_errors(true);
    }

    pub fn has_failed(&self) -> bool {
        self.failure.borrow().is_some()
    }

    pub fn take_failure(&self) -> Option<Box<Failure>> {
        self.failure.take()
    }

    pub fn reject(&self, rejection: RootedRejection) {
        self.rejections.borrow_mut().push(rejection);
        self.set_has_errors(true);
    }

    /// Whether there is something for [`UnhandledErrors::settle_rejections`].
    pub fn has_rejections(&self) -> bool {
        !self.rejections.borrow().is_empty()
    }

    /// Reports rejections that still have no handler. The first one ends the program unless
    /// JavaScript decides otherwise.
    pub fn settle_rejections<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let mut unhandled = self.rejections.take();
        unhandled.retain(|rejection| rejection.is_handled(scope) != Some(true));
        let state = RuntimeState::current();
        if !state.lifecycle.is_set() {
            if let Some(unhandled) = unhandled.first() {
                self.fail(scope, FailureKind::Rejection, unhandled.reason(scope).into());
            }
            return Ok(());
        }
        let list: Vec<_> = unhandled
            .iter()
            .flat_map(|unhandled| [unhandled.promise(scope), unhandled.reason(scope)])
            .collect();
        let verdict = state.lifecycle.rejections(scope, &list)?;
        let mut reported = self.reported.borrow_mut();
        reported.extend(unhandled);
        let excess = reported.len().saturating_sub(REPORTED_MAX);
        reported.drain(..excess);
        drop(reported);
        if let Verdict::Fatal { error, code } = verdict {
            self.end(scope, FailureKind::Rejection, error, code);
        }
        Ok(())
    }

    /// Runs what listeners of 'exit' have left: microtasks and unhandled rejections, but no ticks.
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

    /// Reports those that have got a handler since.
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
