//! `bun.lock` as one of the formats. The format itself is `rusk_npm::bun_lock`. In: the text, or a
//! graph and a hoisted tree. Out: the graph, or the text. Absent: the tree, which follows from the
//! graph.

pub mod binary;

use rusk_base::Result;
use rusk_npm::bun_lock::{self, ConfigVersion};
use rusk_npm::bunfig::Linker;
use rusk_npm::credential;
use rusk_npm::tree::Tree;

use crate::{Lockfile, NewLockfile, Previous};

/// What bun.lock says beside the graph.
#[derive(Clone, Copy, Debug, Default)]
pub struct BunDetails {
    /// `lockfileVersion`; `None` for a file that is new.
    pub version: Option<bun_lock::Format>,
    pub config_version: ConfigVersion,
}

pub fn read(text: &str) -> Result<Lockfile> {
    let parsed = bun_lock::parse(text)?;
    let details = BunDetails { version: parsed.format, config_version: parsed.config_version };
    Ok(Lockfile {
        graph: parsed.graph,
        rules: Some(parsed.rules),
        tree: None,
        instances: None,
        details: crate::FormatDetails::Bun(details),
    })
}

pub fn render(previous: Option<&Previous<'_>>, new: &NewLockfile<'_>) -> String {
    let mut graph = new.graph.clone();
    let details = match previous.map(|previous| previous.lockfile) {
        Some(Lockfile { details: crate::FormatDetails::Bun(details), graph: old, .. }) => {
            // bun never changes it, even if package.json has another one.
            graph.project_name.clone_from(&old.project_name);
            *details
        }
        _ => BunDetails::default(),
    };
    let lockfile = bun_lock::Lockfile {
        format: details.version,
        config_version: details.config_version,
        graph,
        rules: new.rules.clone(),
    };
    let text = bun_lock::render(&lockfile, new.tree, credential::default_registry());
    debug_assert!(bun_lock::parse(&text).is_ok(), "the rendered lockfile parses:\n{text}");
    text
}

/// The text form of a binary lockfile; `tree` is its hoisted graph.
pub fn render_binary(lockfile: &bun_lock::Lockfile, tree: &Tree) -> String {
    bun_lock::render(lockfile, tree, credential::default_registry())
}

impl BunDetails {
    /// Since configuration version 1, members of a workspace do not see each other's packages.
    pub fn default_linker(self, has_workspaces: bool) -> Linker {
        match self.config_version == ConfigVersion::V1 && has_workspaces {
            true => Linker::Isolated,
            false => Linker::Hoisted,
        }
    }
}
