//! The real package managers, each at the version that a repository uses, from the npm registry.
//! In: `name@version`. Out: the program, and its frozen install.

use crate::{peers, process};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Tool {
    kind: Kind,
    /// The directory of the programs.
    programs: PathBuf,
    cache: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Npm,
    Pnpm,
    YarnClassic,
    YarnBerry,
    Bun,
}

impl Kind {
    fn parse(tool: &str) -> Result<Kind, String> {
        match tool.split_once('@') {
            Some(("npm", _)) => Ok(Kind::Npm),
            Some(("pnpm", _)) => Ok(Kind::Pnpm),
            Some(("yarn", version)) if version.starts_with("1.") => Ok(Kind::YarnClassic),
            Some(("yarn", _)) => Ok(Kind::YarnBerry),
            Some(("bun", _)) => Ok(Kind::Bun),
            _ => Err(format!("expected npm, pnpm, yarn or bun with a version, found `{tool}`")),
        }
    }

    fn program(self) -> &'static str {
        match self {
            Kind::Npm => "npm",
            Kind::Pnpm => "pnpm",
            Kind::YarnClassic | Kind::YarnBerry => "yarn",
            Kind::Bun => "bun",
        }
    }

    /// Writes the lockfile that the tool would write; only Yarn 1 has to install, too.
    fn update(self) -> &'static [&'static str] {
        match self {
            Kind::Npm => &["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"],
            Kind::Pnpm => &["install", "--lockfile-only", "--no-frozen-lockfile", "--ignore-scripts"],
            Kind::YarnClassic => &["install", "--ignore-scripts", "--ignore-engines", "--non-interactive"],
            Kind::YarnBerry => &["install", "--no-immutable", "--mode=update-lockfile"],
            Kind::Bun => &["install", "--lockfile-only", "--ignore-scripts"],
        }
    }

    /// An install that fails if it would have to change the lockfile. No scripts run.
    fn frozen(self) -> &'static [&'static str] {
        match self {
            Kind::Npm => &["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            Kind::Pnpm | Kind::Bun => &["install", "--frozen-lockfile", "--ignore-scripts"],
            Kind::YarnClassic => {
                &["install", "--frozen-lockfile", "--ignore-scripts", "--ignore-engines", "--non-interactive"]
            }
            Kind::YarnBerry => &["install", "--immutable", "--mode=skip-build"],
        }
    }
}

impl Tool {
    /// Installs the tool if this version is missing.
    pub fn install(tool: &str, work: &Path) -> Result<Tool, String> {
        let kind = Kind::parse(tool)?;
        let directory = work.join("tools").join(tool);
        let package = match kind {
            Kind::YarnBerry => tool.replace("yarn@", "@yarnpkg/cli-dist@"),
            _ => tool.to_owned(),
        };
        let manifest = "{\"private\":true}\n";
        let programs = peers::install_into(&directory, manifest, &[peers::NODE, &package], kind.program())?;
        Ok(Tool { kind, programs, cache: work.join("cache").join(kind.program()) })
    }

    /// Whether the versions of peers follow from the lockfile. With Yarn they follow from where its
    /// hoisting puts packages.
    pub fn locks_peers(&self) -> bool {
        !matches!(self.kind, Kind::YarnClassic | Kind::YarnBerry)
    }

    /// The lockfile that the tool left, without what it adds to a lockfile that it accepts: Yarn 2
    /// and newer have a checksum of their own archive of each package, which only Yarn can make.
    pub fn without_added(&self, before: &str, after: &str) -> String {
        self.kind.without_added(before, after)
    }
    /// Fails if the tool does not accept the lockfile.
    pub fn frozen_install(&self, directory: &Path) -> Result<(), String> {
        self.run(directory, self.kind.frozen())
    }

    pub fn update_lockfile(&self, directory: &Path) -> Result<(), String> {
        self.run(directory, self.kind.update())
    }

    /// PATH with the tool and its node in front.
    pub fn path(&self) -> Result<OsString, String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(self.programs.clone()).chain(std::env::split_paths(&path));
        std::env::join_paths(paths).map_err(|error| error.to_string())
    }

    fn run(&self, directory: &Path, arguments: &[&str]) -> Result<(), String> {
        let mut command = Command::new(self.programs.join(self.kind.program()));
        command.args(arguments).current_dir(directory).env("PATH", self.path()?).env("CI", "1");
        let settings: &[(&str, &str)] = match self.kind {
            Kind::Npm => &[("npm_config_omit_lockfile_registry_resolved", "false")],
            // Only this version is checked, whatever `packageManager` says.
            Kind::Pnpm => &[
                ("npm_config_manage_package_manager_versions", "false"),
                ("pnpm_config_manage_package_manager_versions", "false"),
                ("COREPACK_ENABLE_STRICT", "0"),
            ],
            Kind::YarnBerry => &[
                ("YARN_ENABLE_TELEMETRY", "0"),
                ("YARN_IGNORE_PATH", "1"),
                ("YARN_NODE_LINKER", "node-modules"),
            ],
            Kind::YarnClassic => &[("YARN_IGNORE_PATH", "1")],
            Kind::Bun => &[],
        };
        command.envs(settings.iter().copied());
        for name in self.kind.cache_variables() {
            command.env(name, &self.cache);
        }
        process::succeed(&mut command).map(drop)
    }
}

impl Kind {
    fn without_added(self, before: &str, after: &str) -> String {
        if self != Kind::YarnBerry {
            return after.to_owned();
        }
        let is_checksum = |line: &str| line.starts_with("  checksum: ");
        let known: HashSet<&str> = before.lines().filter(|line| is_checksum(line)).collect();
        let lines = after.split_inclusive('\n');
        lines
            .filter(|line| !is_checksum(line) || known.contains(line.trim_end_matches(['\r', '\n'])))
            .collect()
    }

    /// The variables that name the directory of downloads.
    fn cache_variables(self) -> &'static [&'static str] {
        match self {
            Kind::Npm => &["npm_config_cache"],
            Kind::Pnpm => &["npm_config_store_dir", "pnpm_config_store_dir"],
            Kind::YarnClassic => &["YARN_CACHE_FOLDER"],
            Kind::YarnBerry => &["YARN_GLOBAL_FOLDER"],
            Kind::Bun => &["BUN_INSTALL_CACHE_DIR"],
        }
    }
}

#[cfg(test)]
mod tests;
