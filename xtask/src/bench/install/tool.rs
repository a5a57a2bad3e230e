//! Package managers under measurement, and their variants: the arguments and settings that make
//! each do the same work.

use super::scenario::{Change, Scenario};
use super::{floor, registry};
use crate::files;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One row of the tables.
#[derive(Clone)]
pub struct Tool {
    pub name: &'static str,
    pub program: PathBuf,
    rusk: PathBuf,
    pub kind: &'static ToolKind,
    /// Appended to the arguments of every install.
    variant: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
}

/// Shared by all variants of a program.
#[derive(Debug, PartialEq, Eq)]
pub struct ToolKind {
    program: &'static str,
    pub lockfile: &'static str,
    /// With the lockfile, which must not change.
    frozen: &'static [&'static str],
    /// With or without a lockfile.
    fresh: &'static [&'static str],
    /// Takes many seconds where others take one: fewer rounds, fewer traced runs.
    pub is_slow: bool,
    /// Does not support `workspace:*`; its manifests have `*` instead.
    pub lacks_workspace_protocol: bool,
}

const RUSK: ToolKind = ToolKind {
    program: "rusk",
    lockfile: "bun.lock",
    frozen: &["install", "--frozen-lockfile", "--ignore-scripts"],
    fresh: &["install", "--ignore-scripts"],
    is_slow: false,
    lacks_workspace_protocol: false,
};
const BUN: ToolKind = ToolKind { program: "bun", ..RUSK };
const PNPM: ToolKind = ToolKind {
    program: "pnpm",
    lockfile: "pnpm-lock.yaml",
    frozen: &["install", "--frozen-lockfile", "--ignore-scripts"],
    fresh: &["install", "--no-frozen-lockfile", "--ignore-scripts"],
    ..RUSK
};
const DENO: ToolKind = ToolKind {
    program: "deno",
    lockfile: "deno.lock",
    frozen: &["install", "--frozen", "--node-modules-dir=auto"],
    fresh: &["install", "--node-modules-dir=auto"],
    ..RUSK
};
const NPM: ToolKind = ToolKind {
    program: "npm",
    lockfile: "package-lock.json",
    frozen: &["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    fresh: &["install", "--ignore-scripts", "--no-audit", "--no-fund"],
    is_slow: true,
    lacks_workspace_protocol: true,
};
/// See [`floor`](super::floor).
const FLOOR: ToolKind = ToolKind {
    program: "xtask",
    frozen: &["bench", "floor", floor::REPLAY_STEP],
    fresh: &["bench", "floor", floor::RECORD_STEP],
    ..RUSK
};
const YARN: ToolKind = ToolKind {
    program: "yarn",
    lockfile: "yarn.lock",
    frozen: &["install", "--immutable"],
    fresh: &["install", "--no-immutable"],
    is_slow: true,
    lacks_workspace_protocol: false,
};

/// The tools among which a scenario's best peer is chosen.
pub const PEERS: &[&str] = &["bun", "pnpm", "deno", "npm", "yarn"];

const ISOLATED: &[&str] = &["--linker=isolated"];
const NO_SHARED_STORE: &[(&str, &str)] = &[("BUN_INSTALL_GLOBAL_STORE", "0")];
const SHARED_STORE: &[(&str, &str)] = &[("BUN_INSTALL_GLOBAL_STORE", "1")];
const PNPM_SHARED: &[&str] = &["--config.enable-global-virtual-store=true"];
/// `node-modules` is the layout of the others; without the rest yarn would send telemetry, refuse a
/// registry without TLS, or run scripts.
const YARN_SETTINGS: &[(&str, &str)] = &[
    ("YARN_NODE_LINKER", "node-modules"),
    ("YARN_UNSAFE_HTTP_WHITELIST", "127.0.0.1"),
    ("YARN_ENABLE_TELEMETRY", "0"),
    ("YARN_ENABLE_SCRIPTS", "0"),
    ("YARN_ENABLE_IMMUTABLE_INSTALLS", "0"),
];

/// A row without its program's path.
type InstallRow =
    (&'static str, &'static ToolKind, &'static [&'static str], &'static [(&'static str, &'static str)]);

pub const RUSK_NAME: &str = "rusk";
/// The build of rusk that `--baseline` names.
pub const BASELINE: &str = "baseline";

/// Rusk first: the others are compared with it. Variants last.
const ROWS: &[InstallRow] = &[
    (RUSK_NAME, &RUSK, &[], &[]),
    ("bun", &BUN, &["--linker=hoisted"], &[]),
    ("pnpm", &PNPM, &[], &[]),
    ("deno", &DENO, &[], &[("DENO_NO_UPDATE_CHECK", "1")]),
    ("npm", &NPM, &[], &[("NPM_CONFIG_UPDATE_NOTIFIER", "false")]),
    ("yarn", &YARN, &[], YARN_SETTINGS),
    ("rusk-isolated", &RUSK, ISOLATED, &[]),
    ("bun-isolated", &BUN, ISOLATED, NO_SHARED_STORE),
    ("rusk-global", &RUSK, &["--linker=global"], &[]),
    ("bun-global", &BUN, ISOLATED, SHARED_STORE),
    ("pnpm-global", &PNPM, PNPM_SHARED, &[]),
    (BASELINE, &RUSK, &[], &[]),
    ("floor", &FLOOR, &[], &[]),
    ("floor-isolated", &FLOOR, ISOLATED, &[]),
];

/// The names of all rows, in order.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.0)
}

/// Whether it is a tool with other than its default settings.
pub fn is_variant(name: &str) -> bool {
    name != RUSK_NAME && !PEERS.contains(&name)
}

/// Whether it is the lower-bound program, which can only create the same tree again.
pub fn is_floor(name: &str) -> bool {
    ROWS.iter().any(|row| row.0 == name && *row.1 == FLOOR)
}

/// Whether it takes many seconds where others take one.
pub fn is_slow(name: &str) -> bool {
    ROWS.iter().any(|row| row.0 == name && row.1.is_slow)
}

impl Tool {
    pub fn all(rusk: &Path, peers: &Path) -> Vec<Tool> {
        let tool = |&(name, kind, variant, variables): &InstallRow| {
            let program = match *kind {
                RUSK => rusk.to_owned(),
                // A release build; this process may be a debug build.
                FLOOR => files::target().join("release").join(kind.program),
                _ => peers.join(kind.program),
            };
            Tool { name, program, rusk: rusk.to_owned(), kind, variant, variables }
        };
        ROWS.iter().map(tool).collect()
    }

    /// The command for a scenario. `npm ci` removes node_modules first, so `npm install` is used
    /// where node_modules exists.
    pub fn command(&self, scenario: Scenario, project: &Path, home: &Path) -> Command {
        let is_frozen = scenario.lockfile && scenario.change != Change::Manifest;
        let is_frozen = is_frozen && !(*self.kind == NPM && scenario.modules);
        self.install(if is_frozen { self.kind.frozen } else { self.kind.fresh }, project, home)
    }

    /// Fills the cache and writes the lockfile.
    pub fn prepare(&self, project: &Path, home: &Path) -> Command {
        self.install(self.kind.fresh, project, home)
    }

    /// The same small environment for every tool; all its caches are below `home`.
    fn install(&self, arguments: &[&str], project: &Path, home: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).args(self.variant).current_dir(project).env_clear();
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.env("HOME", home).env("CI", "1").env("NO_COLOR", "1").envs(self.variables.iter().copied());
        command.env("NPM_CONFIG_REGISTRY", registry::url()).env("YARN_NPM_REGISTRY_SERVER", registry::url());
        // Otherwise pnpm would put its store next to the project, on the project's file system.
        command.env("XDG_DATA_HOME", home.join("data")).env("XDG_CACHE_HOME", home.join("cache"));
        if *self.kind == FLOOR {
            command.env(floor::RUSK, &self.rusk);
        }
        if *self.kind == PNPM {
            command.arg("--store-dir").arg(home.join("store"));
        }
        command
    }

    /// The bunfig.toml of a new home. `application` depends on storybook, for which rusk would not
    /// use the shared store; the peers do.
    pub const BUNFIG: &str = "[install]\nglobalStoreFallback = false\n";

    /// The .npmrc of a new home: the registry's URL.
    pub fn npmrc() -> String {
        format!("registry={}\n", registry::url())
    }
}

#[cfg(test)]
mod tests;
