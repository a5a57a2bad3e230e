//! `packageManager` and `devEngines` of the project: whether it is to be installed with rusk, this
//! node, and here. In: the project's package.json, the host. Out: warnings, or an error. Absent:
//! `engines`, which packages have; downloading what is wanted.

use std::fs;

use rusk_base::Result;
use rusk_configuration::OtherToolRule;
use rusk_configuration::request::{InstallRequest, Reuse};
use rusk_npm::dev_engines::{CurrentEngine, Engine, OnFail};

use crate::context::InstallContext;
use crate::event::InstallEvent;
use crate::package_provider::PackageProvider;
use crate::{platform, problem};

const OWN_NAME: &str = "rusk";
const OWN_VERSION: &str = env!("CARGO_PKG_VERSION");

/// With `--force`, errors are warnings, as in npm.
pub fn check(
    context: &InstallContext,
    request: &InstallRequest,
    provider: &mut PackageProvider<'_>,
) -> Result<()> {
    let manifest = &context.project.members.project.manifest;
    let is_forced = request.reuse == Reuse::Nothing;
    if let Some(wanted) = manifest.package_manager.as_deref().filter(|wanted| !is_own(wanted)) {
        let shown = without_hash(wanted);
        let text =
            format!("package.json names {shown} as `packageManager`, this is {OWN_NAME} {OWN_VERSION}");
        match context.configuration.defaults.other_tool {
            OtherToolRule::Refuse if !is_forced => return Err(problem::other_tool(text)),
            _ => provider.reporter.on_event(InstallEvent::Warning(&text)),
        }
    }
    let Some(engines) = &manifest.dev_engines else { return Ok(()) };
    let engines = engines.as_ref().map_err(|expected| problem::invalid_dev_engines(expected))?;
    let unmet = engines.unmet(|engine| current(engine, provider));
    for unmet in &unmet {
        let (key, wanted, found) = (unmet.engine.key(), &unmet.wanted, &unmet.found);
        let text = format!("`devEngines.{key}` of package.json asks for {wanted}, found {found}");
        match unmet.on_fail {
            OnFail::Ignore => {}
            OnFail::Error if !is_forced => return Err(problem::dev_engines(text)),
            _ => provider.reporter.on_event(InstallEvent::Warning(&text)),
        }
    }
    Ok(())
}

/// `rusk`, `rusk@0.1.0`, `rusk@0.1.0+sha512.…`
fn is_own(wanted: &str) -> bool {
    let (name, version) = wanted.split_once('@').unwrap_or((wanted, OWN_VERSION));
    name == OWN_NAME && without_hash(version) == OWN_VERSION
}

/// Corepack writes the digest of the manager's program behind its version.
fn without_hash(wanted: &str) -> &str {
    wanted.split_once('+').map_or(wanted, |(version, _)| version)
}

fn current(engine: Engine, provider: &mut PackageProvider<'_>) -> CurrentEngine {
    let own = |name: &str, version: Option<String>| CurrentEngine { name: name.to_owned(), version };
    match engine {
        Engine::PackageManager => own(OWN_NAME, Some(OWN_VERSION.to_owned())),
        Engine::Runtime => match provider.node.version() {
            Some(version) => own("node", Some(version)),
            None => own("no node on PATH", None),
        },
        Engine::Cpu => own(platform::cpu(), None),
        Engine::Libc => own(platform::libc(), None),
        Engine::Os => {
            let release = fs::read_to_string("/proc/sys/kernel/osrelease").ok();
            own("linux", release.map(|text| text.trim().to_owned()))
        }
    }
}
