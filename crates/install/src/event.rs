//! What an install tells its watcher while it works. The watcher is the screen, a test, or nobody.

use std::time::Duration;

/// Receives events in order; called from the thread that runs the install.
pub trait Reporter {
    fn on_event(&mut self, event: Event<'_>);
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// A phase began; the one before it has ended.
    Phase(Phase),
    /// Manifests: known so far, wanted so far.
    Resolving { done: usize, total: usize },
    /// Tarballs and their bytes; totals grow while resolving.
    Downloading { done: usize, total: usize, bytes: u64 },
    /// Packages linked into node_modules.
    Linking { done: usize, total: usize },
    /// Something the user should read and that does not stop the install. One line, no final
    /// period.
    Warning(&'a str),
    /// For `--verbose`: a request, a retry, a decision.
    Detail(&'a str),
    /// A wait went past its first limit: what is waited for.
    Waiting { subject: &'a str, waited: Duration },
    /// The project's own script starts: its name and its command. Its output goes to the terminal.
    Script { name: &'a str, command: &'a str },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Resolve,
    Fetch,
    Link,
    Scripts,
}

/// Hears nothing.
pub struct NullReporter;

impl Reporter for NullReporter {
    fn on_event(&mut self, _: Event<'_>) {}
}
