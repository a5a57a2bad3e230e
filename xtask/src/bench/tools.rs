//! The package managers under measurement: how each is told to do the same thing.

use std::path::{Path, PathBuf};
use std::process::Command;

/// One tool; its home holds all it keeps outside the project.
pub struct Tool {
    pub name: &'static str,
    pub program: PathBuf,
    pub lockfile: &'static str,
    /// With the lockfile, which may not change.
    frozen: &'static [&'static str],
    /// With or without one.
    fresh: &'static [&'static str],
}

impl Tool {
    /// Rusk first: the others are compared with it.
    pub fn all(rusk: PathBuf, peers: &Path) -> Vec<Tool> {
        vec![
            Tool {
                name: "rusk",
                program: rusk,
                lockfile: "bun.lock",
                frozen: &["install", "--frozen-lockfile", "--ignore-scripts"],
                fresh: &["install", "--ignore-scripts"],
            },
            Tool {
                name: "bun",
                program: peers.join("bun"),
                lockfile: "bun.lock",
                frozen: &["install", "--frozen-lockfile", "--ignore-scripts", "--linker=hoisted"],
                fresh: &["install", "--ignore-scripts", "--linker=hoisted"],
            },
            Tool {
                name: "pnpm",
                program: peers.join("pnpm"),
                lockfile: "pnpm-lock.yaml",
                frozen: &["install", "--frozen-lockfile", "--ignore-scripts"],
                fresh: &["install", "--no-frozen-lockfile", "--ignore-scripts"],
            },
            Tool {
                name: "npm",
                program: peers.join("npm"),
                lockfile: "package-lock.json",
                frozen: &["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                fresh: &["install", "--ignore-scripts", "--no-audit", "--no-fund"],
            },
            Tool {
                name: "deno",
                program: peers.join("deno"),
                lockfile: "deno.lock",
                frozen: &["install", "--frozen", "--node-modules-dir=auto"],
                fresh: &["install", "--node-modules-dir=auto"],
            },
        ]
    }

    /// The command for a scenario. `npm ci` removes node_modules first, so an idle npm is asked to install.
    pub fn command(&self, scenario: Scenario, project: &Path, home: &Path) -> Command {
        let fresh = scenario == Scenario::Nothing || (scenario == Scenario::Idle && self.name == "npm");
        let mut command = Command::new(&self.program);
        command.args(if fresh { self.fresh } else { self.frozen });
        self.settle(command, project, home)
    }

    /// Fills the cache and writes the lockfile.
    pub fn prepare(&self, project: &Path, home: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.fresh);
        self.settle(command, project, home)
    }

    /// The same few variables for every tool; everything it keeps stands in `home`.
    fn settle(&self, mut command: Command, project: &Path, home: &Path) -> Command {
        const KEPT: &[&str] =
            &["PATH", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "http_proxy", "https_proxy", "no_proxy"];
        command.current_dir(project).env_clear().env("HOME", home).env("CI", "1");
        command.envs(KEPT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?))));
        command.env("DENO_TLS_CA_STORE", "system");
        // pnpm would otherwise put its store beside the project, on the project's file system.
        command.env("XDG_DATA_HOME", home.join("data")).env("XDG_CACHE_HOME", home.join("cache"));
        if self.name == "pnpm" {
            command.arg("--store-dir").arg(home.join("store"));
        }
        command
    }
}

/// What is there when the clock starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// Lockfile, cache and node_modules: nothing to do.
    Idle,
    /// Lockfile and cache.
    Warm,
    /// The lockfile alone.
    Cold,
    /// package.json alone.
    Nothing,
}

impl Scenario {
    pub const ALL: &[Scenario] = &[Scenario::Idle, Scenario::Warm, Scenario::Cold, Scenario::Nothing];

    pub fn name(self) -> &'static str {
        match self {
            Scenario::Idle => "idle",
            Scenario::Warm => "warm",
            Scenario::Cold => "cold",
            Scenario::Nothing => "nothing",
        }
    }

    pub fn find(name: &str) -> Option<Scenario> {
        Scenario::ALL.iter().copied().find(|scenario| scenario.name() == name)
    }

    /// Whether the registry has a part in the time.
    pub fn uses_network(self) -> bool {
        matches!(self, Scenario::Cold | Scenario::Nothing)
    }
}
