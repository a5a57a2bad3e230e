//! Checks the `engines` of packages against the `node` on PATH. Done when versions are resolved,
//! not on every install, because `node --version` takes longer than most installs.

use std::path::Path;
use std::thread::JoinHandle;

use rusk_base::Result;
use rusk_configuration::request::{Engines, HostEnvironment};
use rusk_npm::engines::unmet;
use rusk_npm::manifest::Pairs;

use crate::event::{InstallEvent, Reporter};
use crate::problem;
use rusk_base::folded;
use rusk_resolver::members::Members;

/// The only engine that is checked.
pub const NODE: &str = "node";

/// The version of `node`, queried by a thread as soon as it is known to be needed.
pub struct NodeVersion<'h> {
    host: &'h HostEnvironment,
    cache_dir: &'h Path,
    query: Option<JoinHandle<Option<String>>>,
}

impl<'h> NodeVersion<'h> {
    pub fn new(host: &'h HostEnvironment, cache_dir: &'h Path) -> NodeVersion<'h> {
        NodeVersion { host, cache_dir, query: None }
    }

    /// Starts the query, unless it is running or these engines do not name `node`.
    pub fn start_query(&mut self, engines: &[(&str, &str)]) {
        if self.query.is_some() || !engines.iter().any(|(name, _)| *name == NODE) {
            return;
        }
        let (read_version, environment) = (self.host.node_version, self.host.environment.clone());
        let cache_dir = self.cache_dir.to_owned();
        // If the thread cannot be started, the query runs at the end.
        self.query = std::thread::Builder::new().spawn(move || read_version(&environment, &cache_dir)).ok();
    }

    pub fn version(&mut self) -> Option<String> {
        match self.query.take() {
            None => (self.host.node_version)(&self.host.environment, self.cache_dir),
            Some(thread) => thread.join().ok().flatten(),
        }
    }
}

/// The query must not outlive the install: until exec, a child has its parent's descriptors, locks
/// included.
impl Drop for NodeVersion<'_> {
    fn drop(&mut self) {
        if let Some(thread) = self.query.take() {
            let _ = thread.join();
        }
    }
}

/// Warns about the packages whose engines are not met, or refuses the first one.
pub fn check(
    members: &Members,
    chosen: &[(String, Pairs)],
    node: &mut NodeVersion<'_>,
    rule: Engines,
    reporter: &mut dyn Reporter,
) -> Result<()> {
    let own = members.all().map(|member| {
        let name = member.manifest.name.as_deref().unwrap_or("the project");
        (name, &member.manifest.engines)
    });
    let chosen = chosen.iter().map(|(label, engines)| (label.as_str(), engines));
    let constrained: Vec<(&str, &Pairs)> =
        own.chain(chosen).filter(|(_, engines)| constrains_node(engines)).collect();
    if constrained.is_empty() {
        return Ok(());
    }
    let Some(node) = node.version() else { return Ok(()) };
    let mut misses = Vec::new();
    for (label, engines) in constrained {
        for miss in unmet(engines, &[(NODE, &node)]) {
            let text = format!("`{label}` requires {} `{}`, found {}", miss.engine, miss.wanted, miss.found);
            if rule == Engines::Refuse {
                return Err(problem::engine(text));
            }
            misses.push((label, text));
        }
    }
    warn(&misses, &node, reporter);
    Ok(())
}

/// One line for all packages; which version each of them requires is a detail.
fn warn(misses: &[(&str, String)], node: &str, reporter: &mut dyn Reporter) {
    if let [(_, text)] = misses {
        return reporter.on_event(InstallEvent::Warning(text));
    }
    if misses.is_empty() {
        return;
    }
    misses.iter().for_each(|(_, text)| reporter.on_event(InstallEvent::Detail(text)));
    let list = folded::listed(misses.iter().map(|(label, _)| *label));
    let text = format!(
        "{} packages require another version of node than {node}: {list} (`--verbose` says which)",
        misses.len()
    );
    reporter.on_event(InstallEvent::Warning(&text));
}

fn constrains_node(engines: &Pairs) -> bool {
    engines.iter().any(|(name, _)| name == NODE)
}
