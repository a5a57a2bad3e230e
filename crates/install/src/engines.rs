//! `engines`: what packages ask of the `node` that will run them. Looked at when versions are decided, not on
//! every install, because asking `node` its version takes longer than most installs.

use std::thread::JoinHandle;

use rusk_base::Result;
use rusk_npm::engines::unmet;
use rusk_npm::manifest::Pairs;

use crate::event::{Event, Events};
use crate::problem;
use crate::project::Members;
use crate::request::{Engines, Host};

/// The version of `node`, asked for when it is needed, or meanwhile by a thread where it is sure to be.
pub enum Node<'h> {
    Unasked(&'h Host),
    Asked(JoinHandle<Option<String>>),
}

impl<'h> Node<'h> {
    pub fn ask(host: &'h Host) -> Node<'h> {
        let (ask, environment) = (host.node_version, host.environment.clone());
        let thread = std::thread::Builder::new().spawn(move || ask(&environment));
        thread.map_or(Node::Unasked(host), Node::Asked)
    }

    fn version(self) -> Option<String> {
        match self {
            Node::Unasked(host) => (host.node_version)(&host.environment),
            Node::Asked(thread) => thread.join().ok().flatten(),
        }
    }
}

/// Warns of each package whose engines are not met, or refuses the first one.
pub fn check(
    members: &Members,
    chosen: &[(String, Pairs)],
    node: Node<'_>,
    rule: Engines,
    events: &mut dyn Events,
) -> Result<()> {
    let own = members.all().map(|member| {
        let name = member.manifest.name.as_deref().unwrap_or("the project");
        (name, &member.manifest.engines)
    });
    let chosen = chosen.iter().map(|(label, engines)| (label.as_str(), engines));
    let asking: Vec<(&str, &Pairs)> = own.chain(chosen).filter(|(_, engines)| !engines.is_empty()).collect();
    if asking.is_empty() {
        return Ok(());
    }
    let Some(node) = node.version() else { return Ok(()) };
    for (label, engines) in asking {
        for miss in unmet(engines, &[("node", &node)]) {
            let text = format!("`{label}` wants {} `{}`, found {}", miss.engine, miss.wanted, miss.found);
            match rule {
                Engines::Warn => events.event(Event::Warning(&text)),
                Engines::Refuse => return Err(problem::engine(text)),
            }
        }
    }
    Ok(())
}
