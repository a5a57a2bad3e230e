//! Lockfiles without entries, as package managers begin them. In: the format, the package.json of
//! the project, what its settings say. Out: a text to be rendered over; `None` for a format that
//! needs none. Absent: formats that say nothing about their package manager.

use rusk_npm::manifest::Manifest;

use crate::yarn::berry;
use crate::{Format, Tool};

/// What the settings of the project say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProjectSettings {
    /// There is a `.yarnrc.yml`: the project is of Yarn 2 or newer.
    pub has_yarnrc: bool,
    /// pnpm's `autoInstallPeers`.
    pub installs_peers: bool,
}

pub fn begin(format: Format, manifest: &Manifest, settings: ProjectSettings) -> Option<String> {
    match format.tool() {
        Tool::Bun | Tool::Npm => None,
        Tool::Pnpm => Some(format!(
            "lockfileVersion: '9.0'\n\nsettings:\n  autoInstallPeers: {}\n  excludeLinksFromLockfile: false\n",
            settings.installs_peers
        )),
        Tool::Yarn => {
            let named = berry::ToolVersion::of(manifest.package_manager.as_deref());
            let tool = named.or(settings.has_yarnrc.then_some(berry::ToolVersion::NEWEST));
            tool.and_then(berry::begin)
        }
    }
}
