//! Runs the lifecycle scripts of the project and its workspaces. In: a package and a stage. Events:
//! an [`InstallEvent::Script`] before each. Out: nothing, or the first script that failed. Absent:
//! the scripts of dependencies.

use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;

use rusk_base::sys::signal_relay::SignalRelay;
use rusk_base::sys::worker_process;
use rusk_base::timeline::{self, SpanKind};
use rusk_base::{Result, files};
use rusk_configuration::request::HostEnvironment;
use rusk_configuration::{Flags, usual_cache_dir};
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_scripts::{Caller, Environment, Exit, Identity, Job, OwnNode, Script, Streams, problem};

use crate::event::{InstallEvent, Phase, Reporter};

/// Before or after linking node_modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Before,
    After,
}

/// Package whose scripts run, and their environment. Directories are absolute.
pub struct ScriptContext<'a> {
    pub project_dir: &'a Path,
    /// The directory of the project or of a workspace.
    pub member_dir: &'a Path,
    /// The package.json in `member_dir`.
    pub manifest: &'a Manifest,
    pub host: &'a HostEnvironment,
    /// Replaces a script's standard output: it is our standard error, so that our standard output
    /// contains only our result.
    pub output: BorrowedFd<'a>,
}

/// Runs the scripts of a stage, one after the other, until one does not exit with 0.
pub fn run(stage: Stage, context: &ScriptContext<'_>, reporter: &mut dyn Reporter) -> Result<()> {
    let ScriptContext { project_dir, member_dir, manifest, .. } = context;
    let scripts = scripts_to_run(stage, project_dir, member_dir, manifest)?;
    if scripts.is_empty() {
        return Ok(());
    }
    reporter.on_event(InstallEvent::Phase(Phase::Scripts));
    let caller = caller(context.host);
    let mut environment = Environment::of(&rusk_scripts::Setting {
        project_dir: context.project_dir,
        package_dir: context.member_dir,
        identity: Some(Identity {
            name: context.manifest.name.as_deref(),
            version: context.manifest.version.as_deref(),
            config: &[],
        }),
        caller: &caller,
    });
    for (name, command) in scripts {
        reporter.on_event(InstallEvent::Script { name, command });
        let script = Script { name, command, arguments: &[] };
        // Scripts stay in our process group, so that Ctrl-C reaches them.
        let job = Job::script(script, &mut environment, context.member_dir, Streams::Into(context.output));
        let label = || format!("{name} of {}", context.manifest.name.as_deref().unwrap_or("the project"));
        let ended = timeline::span(SpanKind::Script, label, || run_child(&job));
        let (exit, signal) = ended.map_err(|error| problem::script_start(name, context.member_dir, error))?;
        if let Some(signal) = signal {
            return Err(problem::script_interrupted(name, signal));
        }
        if exit != Exit::DONE {
            return Err(problem::script_failed(name, command, context.member_dir, exit));
        }
    }
    Ok(())
}

const SIGINT: i32 = 2;

/// Signals that end a program, and with it the script that it runs: HUP, INT, QUIT and TERM.
const ENDING: [i32; 4] = [1, SIGINT, 3, 15];

/// Runs a script and forwards signals to it. The second value is a signal that ended the script and
/// is to end this process, too; then none of the script's processes is left.
fn run_child(job: &Job<'_>) -> io::Result<(Exit, Option<i32>)> {
    // Where the kernel refuses, processes that the script leaves behind are not found.
    let _ = worker_process::adopt_orphans();
    let relay = SignalRelay::install();
    let child = job.child()?;
    relay.forward_to(child.id());
    relay.wait_for_end();
    let exit = child.wait()?;
    let sent = relay.last_sent().filter(|signal| ENDING.contains(signal));
    // Ctrl-C reaches the script by itself.
    let signal = sent.or_else(|| (exit == Exit::Signal(SIGINT)).then_some(SIGINT));
    if signal.is_some() {
        worker_process::kill_descendants();
    }
    Ok((exit, signal))
}

/// Rusk as a `node` for scripts, where PATH has none.
pub fn own_node(host: &HostEnvironment) -> Option<OwnNode> {
    let cache_dir = usual_cache_dir(host, &Flags::default())?;
    Some(OwnNode { cache_dir, program: host.program, is_preferred: false })
}

pub(crate) fn caller(host: &HostEnvironment) -> Caller {
    let variables = host.environment.iter().map(|(name, value)| (name.into(), value.into())).collect();
    Caller {
        current_dir: host.current_dir.clone(),
        variables,
        user_agent: host.user_agent.clone(),
        program: None,
        command: None,
        own_node: own_node(host),
    }
}

/// Whether package.json has a script of this stage. Only [`run`] checks for a `binding.gyp`.
pub fn has_scripts(stage: Stage, manifest: &Manifest) -> bool {
    project_scripts(stage).iter().any(|name| script(manifest, name).is_some())
}

fn project_scripts(stage: Stage) -> &'static [&'static str] {
    match stage {
        Stage::Before => &["preinstall"],
        Stage::After => &["install", "postinstall", "preprepare", "prepare", "postprepare"],
    }
}

/// Neither npm nor bun runs `preprepare` and `postprepare` of a workspace.
fn workspace_scripts(stage: Stage) -> &'static [&'static str] {
    match stage {
        Stage::Before => &["preinstall"],
        Stage::After => &["install", "postinstall", "prepare"],
    }
}

/// The command of a script; an empty one is ignored.
fn script<'a>(manifest: &'a Manifest, name: &str) -> Option<&'a str> {
    let found = manifest.scripts.iter().find(|(key, _)| key == name);
    found.map(|(_, command)| command.as_str()).filter(|command| !command.is_empty())
}

/// Names and commands, in order.
pub(crate) fn scripts_to_run<'a>(
    stage: Stage,
    project_dir: &Path,
    member_dir: &Path,
    manifest: &'a Manifest,
) -> Result<Vec<(&'static str, &'a str)>> {
    let is_project = member_dir == project_dir;
    let names = if is_project { project_scripts(stage) } else { workspace_scripts(stage) };
    let written = names.iter().filter_map(|&name| Some((name, script(manifest, name)?)));
    let mut scripts: Vec<_> = written.collect();
    if stage == Stage::After && is_project && builds_addon(member_dir, manifest)? {
        scripts.insert(0, ("install", "node-gyp rebuild"));
    }
    Ok(scripts)
}

/// npm's rule for native addons: a `binding.gyp` implies an install script if there is none, unless
/// package.json has `gypfile: false`.
fn builds_addon(member_dir: &Path, manifest: &Manifest) -> Result<bool> {
    let has_own = ["preinstall", "install"].iter().any(|name| script(manifest, name).is_some());
    if has_own || !files::is_file(&member_dir.join("binding.gyp")) {
        return Ok(false);
    }
    let text = files::find_string(&member_dir.join("package.json"), MANIFEST_BYTES_MAX as u64)?;
    let root = text.as_deref().and_then(|text| json::parse(text, Dialect::Relaxed).ok());
    let gypfile = root.as_ref().and_then(|root| root.find("gypfile")).and_then(Node::as_bool);
    Ok(gypfile != Some(false))
}

#[cfg(test)]
mod tests;
