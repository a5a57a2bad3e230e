//! Progress events of an install and their receiver. The receiver is the terminal, a test, or
//! nothing.

use std::time::Duration;

/// Receives events in order, on the thread that runs the install.
pub trait Reporter {
    fn on_event(&mut self, event: InstallEvent<'_>);
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InstallEvent<'a> {
    /// A phase began; the one before it has ended.
    Phase(Phase),
    /// Packuments: received and requested so far.
    Resolving { done: usize, total: usize },
    /// Tarballs and their bytes; totals grow during resolution.
    Downloading { done: usize, total: usize, bytes: u64 },
    /// Packages linked into node_modules.
    Linking { done: usize, total: usize },
    /// Something the user should read and that does not stop the install. One line, no final
    /// period.
    Warning(&'a str),
    /// For `--verbose`: a request, a retry, a decision.
    Detail(&'a str),
    /// A wait exceeded its first limit: what is waited for.
    Waiting { subject: &'a str, waited: Duration },
    /// Install scripts run: of which packages, and for how long.
    Running { packages: &'a [&'a str], for_time: Duration },
    /// A script of the project starts: its name and its command. Its output goes to the terminal.
    Script { name: &'a str, command: &'a str },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Resolve,
    Fetch,
    Link,
    Scripts,
}

/// Ignores all events.
pub struct NullReporter;

impl Reporter for NullReporter {
    fn on_event(&mut self, _: InstallEvent<'_>) {}
}
