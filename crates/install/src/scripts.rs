//! The project's own lifecycle scripts, and its workspaces'. In: whose scripts, and when. On the
//! way: an [`Event::Script`] before each. Out: nothing, or the first script that went wrong.
//! Absent: the scripts of dependencies.

use std::os::fd::BorrowedFd;
use std::path::Path;

use rusk_base::timeline::{self, Kind};
use rusk_base::{Result, files};
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_scripts::{Caller, Child, Environment, Exit, Identity, Job, Script, Streams, problem};

use crate::event::{Event, Events, Phase};
use crate::request::Host;

/// Before or after linking node_modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Before,
    After,
}

/// Whose scripts run, and what they may know. Folders are absolute.
pub struct Setting<'a> {
    pub project_dir: &'a Path,
    /// The project's folder again, or a workspace's.
    pub member_dir: &'a Path,
    /// The package.json in `member_dir`.
    pub manifest: &'a Manifest,
    pub host: &'a Host,
    /// Takes the place of a script's standard output: our standard error, so that ours holds only
    /// our answer.
    pub output: BorrowedFd<'a>,
}

/// Runs the scripts of a stage, one after the other. The first that does not end with 0 ends it
/// all.
pub fn run(stage: Stage, setting: &Setting<'_>, events: &mut dyn Events) -> Result<()> {
    let scripts = planned(stage, setting)?;
    if scripts.is_empty() {
        return Ok(());
    }
    events.event(Event::Phase(Phase::Scripts));
    let caller = caller(setting.host);
    let mut environment = Environment::of(&rusk_scripts::Setting {
        project_dir: setting.project_dir,
        package_dir: setting.member_dir,
        identity: Some(Identity {
            name: setting.manifest.name.as_deref(),
            version: setting.manifest.version.as_deref(),
            config: &[],
        }),
        caller: &caller,
    });
    for (name, command) in scripts {
        events.event(Event::Script { name, command });
        let script = Script { name, command, arguments: &[] };
        // The process group stays ours: Ctrl-C reaches the script.
        let job = Job::script(script, &mut environment, setting.member_dir, Streams::Into(setting.output));
        let label = || format!("{name} of {}", setting.manifest.name.as_deref().unwrap_or("the project"));
        let exit = timeline::during(Kind::Script, label, || job.child().and_then(Child::wait));
        let exit = exit.map_err(|error| problem::script_start(name, setting.member_dir, error))?;
        if exit != Exit::DONE {
            return Err(problem::script_failed(name, command, setting.member_dir, exit));
        }
    }
    Ok(())
}

fn caller(host: &Host) -> Caller {
    let variables = host.environment.iter().map(|(name, value)| (name.into(), value.into())).collect();
    Caller {
        current_dir: host.current_dir.clone(),
        variables,
        user_agent: host.user_agent.clone(),
        program: None,
        command: None,
    }
}

/// Whether package.json has a script of this stage. A `binding.gyp` that stands for one is only
/// seen by [`run`].
pub fn needs(stage: Stage, manifest: &Manifest) -> bool {
    of_project(stage).iter().any(|name| script(manifest, name).is_some())
}

fn of_project(stage: Stage) -> &'static [&'static str] {
    match stage {
        Stage::Before => &["preinstall"],
        Stage::After => &["install", "postinstall", "preprepare", "prepare", "postprepare"],
    }
}

/// Neither npm nor bun runs what surrounds a workspace's `prepare`.
fn of_workspace(stage: Stage) -> &'static [&'static str] {
    match stage {
        Stage::Before => &["preinstall"],
        Stage::After => &["install", "postinstall", "prepare"],
    }
}

/// The command of a script; an empty one is none.
fn script<'a>(manifest: &'a Manifest, name: &str) -> Option<&'a str> {
    let found = manifest.scripts.iter().find(|(key, _)| key == name);
    found.map(|(_, command)| command.as_str()).filter(|command| !command.is_empty())
}

/// Names and commands, in their order.
fn planned<'a>(stage: Stage, setting: &Setting<'a>) -> Result<Vec<(&'static str, &'a str)>> {
    let is_project = setting.member_dir == setting.project_dir;
    let names = if is_project { of_project(stage) } else { of_workspace(stage) };
    let written = names.iter().filter_map(|&name| Some((name, script(setting.manifest, name)?)));
    let mut scripts: Vec<_> = written.collect();
    if stage == Stage::After && is_project && builds_addon(setting)? {
        scripts.insert(0, ("install", "node-gyp rebuild"));
    }
    Ok(scripts)
}

/// npm's rule for native addons: a `binding.gyp` stands for an install script where there is none,
/// unless package.json says `gypfile: false`.
fn builds_addon(setting: &Setting<'_>) -> Result<bool> {
    let has_own = ["preinstall", "install"].iter().any(|name| script(setting.manifest, name).is_some());
    if has_own || !files::is_file(&setting.member_dir.join("binding.gyp")) {
        return Ok(false);
    }
    let text = files::find_string(&setting.member_dir.join("package.json"), MANIFEST_BYTES_MAX as u64)?;
    let root = text.as_deref().and_then(|text| json::parse(text, Dialect::Relaxed).ok());
    let gypfile = root.as_ref().and_then(|root| root.find("gypfile")).and_then(Node::as_bool);
    Ok(gypfile != Some(false))
}

#[cfg(test)]
mod tests;
