//! Events of a build for the event loop: requests to plugins, and its end. In: events, from any
//! thread. Out: the same in order, on the loop's thread, some at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusk_bundler::PluginRequest;
use rusk_runtime::Completer;

use crate::output::BuildResult;

pub(crate) enum BuildEvent {
    Request(PluginRequest),
    Done(BuildResult),
}

/// The sending half, for all threads of a build.
#[derive(Clone, Default)]
pub(crate) struct EventQueue(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<QueuedEvents>,
    /// Events that JavaScript has not got yet.
    undelivered: AtomicUsize,
}

#[derive(Default)]
struct QueuedEvents {
    events: Vec<BuildEvent>,
    /// `Some`: the loop waits for events.
    waiting: Option<Completer>,
}

impl EventQueue {
    /// Does not block.
    pub(crate) fn push(&self, event: BuildEvent) {
        self.0.undelivered.fetch_add(1, Ordering::SeqCst);
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.events.push(event);
        let waiting = state.waiting.take();
        drop(state);
        if let Some(completer) = waiting {
            completer.send(Box::new(()));
        }
    }

    /// Has the completer called when there are events.
    pub(crate) fn wait(&self, completer: Completer) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.events.is_empty() {
            state.waiting = Some(completer);
            return;
        }
        drop(state);
        completer.send(Box::new(()));
    }

    /// One event that was taken is delivered.
    pub(crate) fn deliver(&self) {
        self.0.undelivered.fetch_sub(1, Ordering::SeqCst);
    }

    /// Whether JavaScript knows all events.
    pub(crate) fn is_delivered(&self) -> bool {
        self.0.undelivered.load(Ordering::SeqCst) == 0
    }

    pub(crate) fn take(&self) -> Vec<BuildEvent> {
        std::mem::take(&mut self.0.state.lock().unwrap_or_else(PoisonError::into_inner).events)
    }
}
