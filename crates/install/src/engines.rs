//! `engines`: what packages ask of the `node` that will run them. Looked at when versions are
//! decided, not on every install, because asking `node` its version takes longer than most
//! installs.

use std::path::Path;
use std::thread::JoinHandle;

use rusk_base::Result;
use rusk_npm::engines::unmet;
use rusk_npm::manifest::Pairs;

use crate::event::{Event, Events};
use crate::problem;
use crate::project::Members;
use crate::request::{Engines, Host};

/// The one engine whose version is looked at.
const NODE: &str = "node";

/// The version of `node`: asked by a thread as soon as it is known that it will be compared.
pub struct Node<'h> {
    host: &'h Host,
    cache_dir: &'h Path,
    asked: Option<JoinHandle<Option<String>>>,
}

impl<'h> Node<'h> {
    pub fn new(host: &'h Host, cache_dir: &'h Path) -> Node<'h> {
        Node { host, cache_dir, asked: None }
    }

    /// Asks, unless that is under way or nothing of these engines would be compared.
    pub fn ask_for(&mut self, engines: &[(&str, &str)]) {
        if self.asked.is_some() || !engines.iter().any(|(name, _)| *name == NODE) {
            return;
        }
        let (ask, environment) = (self.host.node_version, self.host.environment.clone());
        let cache_dir = self.cache_dir.to_owned();
        // Without a thread, it is asked at the end.
        self.asked = std::thread::Builder::new().spawn(move || ask(&environment, &cache_dir)).ok();
    }

    fn version(&mut self) -> Option<String> {
        match self.asked.take() {
            None => (self.host.node_version)(&self.host.environment, self.cache_dir),
            Some(thread) => thread.join().ok().flatten(),
        }
    }
}

/// Nobody outlives the install: until it has become `node`, a child holds what its parent holds,
/// locks among it.
impl Drop for Node<'_> {
    fn drop(&mut self) {
        if let Some(thread) = self.asked.take() {
            let _ = thread.join();
        }
    }
}

/// Warns of each package whose engines are not met, or refuses the first one.
pub fn check(
    members: &Members,
    chosen: &[(String, Pairs)],
    node: &mut Node<'_>,
    rule: Engines,
    events: &mut dyn Events,
) -> Result<()> {
    let own = members.all().map(|member| {
        let name = member.manifest.name.as_deref().unwrap_or("the project");
        (name, &member.manifest.engines)
    });
    let chosen = chosen.iter().map(|(label, engines)| (label.as_str(), engines));
    let asking: Vec<(&str, &Pairs)> = own.chain(chosen).filter(|(_, engines)| asks(engines)).collect();
    if asking.is_empty() {
        return Ok(());
    }
    let Some(node) = node.version() else { return Ok(()) };
    for (label, engines) in asking {
        for miss in unmet(engines, &[(NODE, &node)]) {
            let text = format!("`{label}` wants {} `{}`, found {}", miss.engine, miss.wanted, miss.found);
            match rule {
                Engines::Warn => events.event(Event::Warning(&text)),
                Engines::Refuse => return Err(problem::engine(text)),
            }
        }
    }
    Ok(())
}

fn asks(engines: &Pairs) -> bool {
    engines.iter().any(|(name, _)| name == NODE)
}
