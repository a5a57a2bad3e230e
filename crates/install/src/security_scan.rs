//! Security scanner: bun's `install.security.scanner`, a module of the project that sees every
//! package before it is installed, and may refuse the install. In: a decision. Out: nothing, or
//! why it is refused. Absent: running JavaScript; [`Interaction`] does so, in a process of its own.

mod packages;

use std::path::{Path, PathBuf};

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_base::timeline::phase;
use rusk_configuration::request::{HostEnvironment, InstallRequest, Interaction, ScannerRun};
use rusk_npm::graph::{Graph, Source};
use rusk_npm::json::quote_into;
use rusk_npm::scanner_answer::{self, Advisory, Level};

use crate::context::InstallContext;
use crate::decide::Decision;
use crate::event::{InstallEvent, Reporter};
use crate::exec_cache::{self, ExecRequest};
use crate::plan::Plan;
use crate::problem;

/// Runs the configured scanner, unless nothing changes.
pub fn check(
    context: &InstallContext,
    request: &InstallRequest,
    host: &HostEnvironment,
    decision: &Decision,
    plan: &Plan,
    reporter: &mut dyn Reporter,
) -> Result<()> {
    let Some(module) = &context.configuration.defaults.scanner else { return Ok(()) };
    let Some(scanner) = host.interaction.filter(|_| !plan.is_empty() || decision.lockfile.is_some()) else {
        return Ok(());
    };
    let dir = find_or_install(context, module, &decision.graph, request, host, reporter)?;
    let packages = packages::json(&decision.graph, &context.configuration);
    let mut input = String::from("{\"module\":");
    quote_into(&mut input, module);
    input += &format!(",\"packages\":{packages}}}");
    reporter.on_event(InstallEvent::Detail(&format!("`{module}` scans the packages")));
    let run = ScannerRun { dir: &dir, input: &input };
    let subject = format!("the security scanner `{module}`");
    let mut on_wait = |waited| reporter.on_event(InstallEvent::Waiting { subject: &subject, waited });
    let text = phase("security scan", || (scanner.run_scanner)(&run, &mut on_wait))?;
    let advisories =
        scanner_answer::parse(&text).map_err(|reason| problem::scanner_failed(module, &reason))?;
    judge(module, &advisories, scanner, reporter)
}

/// The directory to import the scanner from: the project, or if it is not installed there, a
/// project in the cache with the version of the lockfile.
fn find_or_install(
    context: &InstallContext,
    module: &str,
    graph: &Graph,
    request: &InstallRequest,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<PathBuf> {
    let project = &context.project.dir;
    let is_path = module.starts_with(['.', '/']);
    if is_path || project.join("node_modules").join(module).join("package.json").is_file() {
        return Ok(project.clone());
    }
    let found = graph.find_name(module).and_then(|name| {
        let mut packages = graph.packages_named(name).iter();
        packages.find_map(|&id| match &graph.package(id).source {
            Source::Npm { version, .. } => Some(version.to_string()),
            _ => None,
        })
    });
    let version = found.ok_or_else(|| problem::no_scanner(module))?;
    let specifiers = [format!("{module}@{version}")];
    let request_of_cache =
        ExecRequest { specifiers: &specifiers, settings_dir: project, allowed_builds: &[] };
    let cached = exec_cache::find_or_install(&request_of_cache, request, host, reporter)?;
    let modules = cached.bin_dir.parent().and_then(Path::parent);
    modules.map(Path::to_owned).ok_or_else(|| problem::no_scanner(module))
}

/// Shows all advisories. A fatal one refuses the install; after others, the user decides.
fn judge(
    module: &str,
    advisories: &[Advisory],
    scanner: Interaction,
    reporter: &mut dyn Reporter,
) -> Result<()> {
    for advisory in advisories {
        reporter.on_event(InstallEvent::Warning(&printable(&advisory.line())));
    }
    let fatal = advisories.iter().filter(|advisory| advisory.level == Level::Fatal).count();
    if fatal > 0 {
        return Err(problem::scan_refused(module, fatal));
    }
    if advisories.is_empty() || (scanner.confirm)("install these packages anyway? [y/N] ") == Some(true) {
        return Ok(());
    }
    Err(problem::scan_warned(module, advisories.len()))
}

#[cfg(test)]
mod tests;
