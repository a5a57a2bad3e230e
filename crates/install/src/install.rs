//! The job: a project's folder and a request in, node_modules and a lockfile out.

use std::mem::ManuallyDrop;
use std::os::fd::AsFd;
use std::path::Path;
use std::time::Instant;

use rusk_base::timeline::phase;
use rusk_base::{Result, files};
use rusk_registry::Client;
use rusk_store::Package;

use crate::configuration::Configuration;
use crate::decide::{self, Decided, LockfileChange};
use crate::event::{Event, Events, Phase};
use crate::link::ahead::Ahead;
use crate::plan::Plan;
use crate::project::MANIFEST_NAME;
use crate::request::{Goal, Host, Request, Save, Scripts};
use crate::scripts::{self, Setting, Stage};
use crate::site::{Ground, Site};
use crate::still::{self, Heard, Outcome};
use crate::summary::{LockfileOutcome, Summary, Times};
use crate::{apply, effective, fetch, settings, source, state};

/// Installs the project in `folder`, or the one that it is a workspace of.
pub fn install(folder: &Path, request: &Request, host: &Host, events: &mut dyn Events) -> Result<Summary> {
    let clock = Clock::start();
    let mut witness = still::find_witness(folder, request);
    let stands = || still::ask_unread(witness.as_ref(), request, host);
    if let Some(summary) = phase("see whether all stands", stands) {
        return Ok(clock.stop(summary));
    }
    let ground = phase("read configuration", || Ground::find(folder, request, host))?;
    let effective = effective::request(request, &ground.configuration.defaults);
    if ground.root != folder {
        witness = still::find_witness(&ground.root, request);
    }
    let stands = || still::ask(witness.as_ref(), &ground.root, &ground.configuration, &effective);
    if let Some(summary) = phase("look again, configured", stands) {
        return Ok(clock.stop(summary));
    }
    let mut events = Heard { events, warned: false };
    let site = phase("read project", || ground.open(request, host, &mut events))?;
    install_at(&site, clock, request, host, &mut events)
}

/// Installs a project in whose folder and above it no configuration is looked for.
pub fn install_configured(
    folder: &Path,
    configuration: Configuration,
    request: &Request,
    host: &Host,
    events: &mut dyn Events,
) -> Result<Summary> {
    let clock = Clock::start();
    let mut events = Heard { events, warned: false };
    let site = Site::open_configured(folder, configuration, request, host, &mut events)?;
    install_at(&site, clock, request, host, &mut events)
}

fn install_at(
    site: &Site,
    mut clock: Clock,
    given: &Request,
    host: &Host,
    events: &mut Heard<'_>,
) -> Result<Summary> {
    // So far of the configuration and of package.json, whose warnings are not to be missed.
    let is_warned = events.warned;
    let request = &effective::request(given, &site.configuration.defaults);
    let client = Client::start(settings::of(&site.configuration, request, host))?;
    let project = apply::open(&site.project.folder)?;
    let ahead = Ahead::new(site, request, project.as_fd());
    let offer = |package: &Package| ahead.offer(package);
    let mut shop = site.shop(&client, request, host, events, &offer);

    shop.events.event(Event::Phase(Phase::Resolve));
    // What is known of thousands of packages is not taken apart: the process ends soon.
    let decided = ManuallyDrop::new(phase("resolve", || decide::decide(site, request, &mut shop))?);
    let keys = source::Keys::of(&decided.graph, &site.configuration, request.verify);
    if ahead.knows_places() {
        phase("look ahead", || fetch::begin(site, request, &decided.graph, &keys, &mut shop))?;
    }
    let plan = ManuallyDrop::new(phase("plan", || apply::plan(site, request, &decided, &keys))?);
    let mut summary = decide::summarize(site, &decided, &plan);
    clock.lap(|times| &mut times.resolve);
    if request.goal == Goal::DryRun {
        summary.lockfile = LockfileOutcome::withheld(decided.lockfile.is_some());
        return Ok(clock.stop(summary));
    }
    if let Some(note) = plan.note.as_ref().filter(|_| !plan.is_empty()) {
        shop.events.event(Event::Warning(note));
    }
    let packages = ManuallyDrop::new(phase("fetch", || {
        fetch::fetch(site, request, &decided, &plan, &keys, shop, &mut summary)
    })?);
    clock.lap(|times| &mut times.fetch);

    let save = || write_files(site, request, &decided);
    summary.lockfile = match request.goal {
        Goal::LockfileOnly => save()?,
        _ => phase("link", || apply::apply(site, &decided, &plan, &packages, events, &ahead, &save))?,
    };
    clock.lap(|times| &mut times.link);
    phase("scripts", || run_scripts(site, request, host, &plan, events))?;
    clock.lap(|times| &mut times.scripts);
    // Of versions is warned when they are decided; those that are written down are not decided
    // again.
    let warns_again = is_warned || (events.warned && summary.lockfile != LockfileOutcome::Written);
    let outcome = Outcome { site, given, request, decided: &decided, plan: &plan, warns_again };
    phase("record", || still::note(&outcome, host))?;
    Ok(clock.stop(summary))
}

/// package.json and then the lockfile: stopped between the two, the next install decides what is
/// new again. `--no-save` and frozen installs leave both as they are.
fn write_files(site: &Site, request: &Request, decided: &Decided) -> Result<LockfileOutcome> {
    let withheld = request.save == Save::No || matches!(request.goal, Goal::Frozen | Goal::Clean);
    if withheld {
        return Ok(LockfileOutcome::withheld(decided.lockfile.is_some()));
    }
    if let Some((member, text)) = &decided.manifest {
        let path = site.project.folder.join(member).join(MANIFEST_NAME);
        files::write_atomically(&path, text.as_bytes())?;
    }
    let path = site.project.lockfile_path();
    match &decided.lockfile {
        None => Ok(LockfileOutcome::Unchanged),
        Some(LockfileChange::Write(text)) => {
            files::write_atomically(&path, text.as_bytes()).map(|()| LockfileOutcome::Written)
        }
        Some(LockfileChange::Remove) => files::remove_file(&path).map(|()| LockfileOutcome::Removed),
    }
}

/// The project's own scripts, and those of members that were linked anew; members first, as they
/// may build what the project needs.
fn run_scripts(
    site: &Site,
    request: &Request,
    host: &Host,
    plan: &Plan,
    events: &mut dyn Events,
) -> Result<()> {
    let runs_here = matches!(request.goal, Goal::Install | Goal::Frozen | Goal::Clean);
    if request.scripts == Scripts::Ignore || !runs_here {
        return Ok(());
    }
    let members = &site.project.members;
    let fresh = members.workspaces.iter().filter(|member| plan.links_anew(&member.path));
    for member in fresh.chain([&members.project]) {
        let setting = Setting {
            project_dir: &site.project.folder,
            member_dir: &site.project.folder_of(member),
            manifest: &member.manifest,
            host,
            output: host.script_output,
        };
        let before = scripts::run(Stage::Before, &setting, events);
        let ran = before.and_then(|()| scripts::run(Stage::After, &setting, events));
        if ran.is_err() && setting.member_dir != setting.project_dir {
            // A member's scripts run when it is linked anew: so that the next install tries them
            // again.
            state::forget(apply::open(&site.project.folder)?.as_fd())?;
        }
        ran?;
    }
    Ok(())
}

/// Times the phases.
struct Clock {
    start: Instant,
    last: Instant,
    times: Times,
}

impl Clock {
    fn start() -> Clock {
        let now = Instant::now();
        Clock { start: now, last: now, times: Times::default() }
    }

    fn lap(&mut self, phase: impl Fn(&mut Times) -> &mut std::time::Duration) {
        let now = Instant::now();
        *phase(&mut self.times) += now - self.last;
        self.last = now;
    }

    fn stop(mut self, mut summary: Summary) -> Summary {
        self.times.total = self.start.elapsed();
        summary.times = self.times;
        summary
    }
}
