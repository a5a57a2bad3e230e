//! Code that an install runs for a project: the lifecycle scripts of the project and its members,
//! its security scanner, and install scripts of dependencies that it approves. In: a directory.
//! Out: what would run, to be shown before it does. Absent: running it, and asking the user.

use std::path::Path;

use rusk_base::Result;
use rusk_configuration::request::HostEnvironment;
use rusk_configuration::{Configuration, Flags};
use rusk_npm::script_approvals::ScriptGrants;

use crate::project::{find_root, read_members};
use crate::scripts::{Stage, scripts_to_run};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectCode {
    /// Those of the packages in the directory.
    pub scripts: Vec<ProjectScript>,
    /// The module of `install.security.scanner`, also where the user's own bunfig.toml names it:
    /// the project may decide what is found under the name.
    pub scanner: Option<String>,
    /// Dependencies whose install scripts are approved, as package.json writes them.
    pub approved: Vec<(String, ScriptGrants)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectScript {
    /// The path of its package, relative to the directory.
    pub path: String,
    pub name: &'static str,
    pub command: String,
}

impl ProjectCode {
    /// What `rusk install` in a directory with a package.json would run. Reads as the install does,
    /// so that both find the same.
    pub fn read(dir: &Path, host: &HostEnvironment) -> Result<ProjectCode> {
        let root = find_root(dir)?;
        let members = read_members(&root)?;
        let mut scripts = Vec::new();
        for member in members.workspaces.iter().chain([&members.project]) {
            // `join` would add a slash.
            let member_dir = if member.path.is_empty() { root.clone() } else { root.join(&member.path) };
            let Ok(path) = member_dir.strip_prefix(dir) else { continue };
            for stage in [Stage::Before, Stage::After] {
                for (name, command) in scripts_to_run(stage, &root, &member_dir, &member.manifest)? {
                    let path = path.to_string_lossy().into_owned();
                    scripts.push(ProjectScript { path, name, command: command.to_owned() });
                }
            }
        }
        let configuration = Configuration::load(&root, host, &Flags::default())?;
        let approved = members.project.manifest.script_approvals.approved().collect();
        Ok(ProjectCode { scripts, scanner: configuration.defaults.scanner, approved })
    }

    /// A line or more for each, in the order of an install. They are as written, not printable.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.scanner.iter().map(|module| format!("security scanner: {module}")));
        for (package, grants) in &self.approved {
            lines.push(format!("install scripts of the dependency {package}"));
            lines.extend(grants.lines().into_iter().map(|grant| format!("  {grant}")));
        }
        lines.extend(self.scripts.iter().map(|ProjectScript { path, name, command }| match path.as_str() {
            "" => format!("{name}: {command}"),
            path => format!("{name} of {path}: {command}"),
        }));
        lines
    }
}

#[cfg(test)]
mod tests;
