//! Run of the approved install scripts that did not run yet. In: the packages with scripts, the
//! record of those that ran. Out: which ran; the record, written before and after. Absent: the
//! processes, the jail.

use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use rusk_base::{Problem, Result};
use rusk_configuration::request::{Goal, HostEnvironment, InstallRequest, JailFlag, Reruns};
use rusk_dependency_scripts::{
    Confinement, DependencyScripts, ScriptEvent, ScriptedPackage, granted_paths_record, scripts_of,
    version_of,
};
use rusk_jail::{SharedRoots, kernel_abi, system};
use rusk_npm::script_approvals::ScriptGrants;
use rusk_npm::semver::Version;

use super::order::encloses;
use super::{ApprovedPackage, ScriptRecord, ScriptedPackages};
use crate::context::InstallContext;
use crate::event::{InstallEvent, Phase, Reporter};
use crate::shared::entries::links_dir;
use crate::virtual_store::entry_of;
use crate::{apply, problem, scripts, up_to_date};

/// Set by `rusk approve --record`: a file to which hosts are written that scripts were refused.
pub const REFUSED_HOSTS: &str = "RUSK_REFUSED_HOSTS";

/// In the cache: the paths that scripts were ever allowed to write to.
const GRANTED_PATHS: &str = "granted-paths";

/// Directory of private directories if TMPDIR is not set.
const TEMPORARY: &str = "/tmp";

/// Runs the approved scripts of packages that are new or changed since they ran. Returns
/// `name@version` of these packages.
pub fn run(
    context: &InstallContext,
    request: &InstallRequest,
    host: &HostEnvironment,
    scripted: &ScriptedPackages,
    record: &mut ScriptRecord,
    reporter: &mut dyn Reporter,
) -> Result<Vec<String>> {
    let runs_here = matches!(request.goal, Goal::Install | Goal::Frozen | Goal::Clean);
    if (scripted.approved.is_empty() && record.is_empty()) || !runs_here {
        return Ok(Vec::new());
    }
    let project = apply::open(&context.project.dir)?;
    if !scripted.run || scripted.approved.is_empty() {
        record.keep_current(project.as_fd(), &scripted.approved);
        return if record.is_empty() { Ok(()) } else { record.write(project.as_fd(), reporter) }
            .map(|()| Vec::new());
    }
    if let Reruns::Packages(names) = &request.dependency_scripts.reruns {
        let wanted = |package: &ApprovedPackage| names.is_empty() || package.is_among(names);
        scripted.approved.iter().filter(|package| wanted(package)).for_each(|package| record.forget(package));
    }
    record.keep_current(project.as_fd(), &scripted.approved);
    let wanted = scripted.wanted(&request.dependency_scripts.reruns);
    let is_due = |&index: &usize| wanted[index] && !record.has(&scripted.approved[index]);
    let due: Vec<usize> = (0..scripted.approved.len()).filter(is_due).collect();
    if due.is_empty() {
        return record.write(project.as_fd(), reporter).map(|()| Vec::new());
    }
    // What a script that fails or is killed leaves is not what the stamp is of.
    up_to_date::remove_stamp(project.as_fd());
    // Written before an error, too: the record on disk was removed when packages were linked.
    record.write(project.as_fd(), reporter)?;
    check_enclosed(scripted, &due, record)?;
    due.iter().for_each(|&index| record.begin(project.as_fd(), &scripted.approved[index]));
    record.write(project.as_fd(), reporter)?;
    reporter.on_event(InstallEvent::Phase(Phase::Scripts));
    let packages = packages_to_run(context, host, scripted, &due)?;
    let written = written_paths(context, host, scripted, record)?;
    let are_shared = scripted.are_shared;
    let failures = run_packages(context, request, host, &packages, are_shared, &written, reporter)?;
    for (index, problem) in &failures {
        warn(&packages[*index], problem, reporter);
    }
    let mut labels = Vec::new();
    for (at, (&index, package)) in due.iter().zip(&packages).enumerate() {
        if failures.iter().all(|(failed, _)| *failed != at) {
            record.add(project.as_fd(), &scripted.approved[index]);
            labels.extend((!package.scripts.is_empty()).then(|| package.label.clone()));
        }
    }
    record.write(project.as_fd(), reporter)?;
    labels.sort();
    labels.dedup();
    Ok(labels)
}

/// A script with grants does not run from a directory that the script of another package could have
/// changed, unless that one has the same grants: the other one would get them.
fn check_enclosed(scripted: &ScriptedPackages, due: &[usize], record: &ScriptRecord) -> Result<()> {
    let no_grants = ScriptGrants::default();
    for inner in due.iter().map(|&index| &scripted.approved[index]) {
        for outer in record.begun_paths().filter(|outer| encloses(outer, &inner.path)) {
            let approved = scripted.approved.iter().find(|package| package.path == outer);
            let grants = approved.map_or(&no_grants, |package| &package.grants);
            if !grants.cover(&inner.grants) {
                return Err(problem::enclosed_script(&inner.name, outer));
            }
        }
    }
    Ok(())
}

/// Beginnings of the notes of a failed script that a warning leaves out.
const DETAILS: [&str; 3] = ["| ", "command: ", "package.json, "];

/// An optional package that failed: the project works without it. The command and the output are
/// details; what the jail denied, and the grant, are not.
fn warn(package: &ScriptedPackage, problem: &Problem, reporter: &mut dyn Reporter) {
    let is_detail = |note: &&String| DETAILS.iter().any(|start| note.starts_with(start));
    let (details, reasons): (Vec<&String>, Vec<&String>) = problem.notes().iter().partition(is_detail);
    let reasons = reasons.into_iter().map(String::as_str).chain(problem.hint_line());
    let mut text = format!("the optional package `{}` is not built: {}", package.label, problem.message());
    reasons.for_each(|reason| text.extend(["; ", reason]));
    reporter.on_event(InstallEvent::Warning(&text));
    details.into_iter().for_each(|note| reporter.on_event(InstallEvent::Detail(note)));
}

fn packages_to_run(
    context: &InstallContext,
    host: &HostEnvironment,
    scripted: &ScriptedPackages,
    due: &[usize],
) -> Result<Vec<ScriptedPackage>> {
    let project_dir = &context.project.dir;
    let resolve = |paths: &[String]| {
        let resolved = paths.iter().map(|path| resolve(path, project_dir, host));
        resolved.collect::<Result<Vec<PathBuf>>>()
    };
    let mut packages = Vec::new();
    for &index in due {
        let approved = &scripted.approved[index];
        let dir = project_dir.join(&approved.path);
        let waits = scripted.waits_for[index].iter().filter_map(|wanted| due.binary_search(wanted).ok());
        packages.push(ScriptedPackage {
            label: approved.label(),
            name: approved.name.clone(),
            version: match Version::parse(&approved.version) {
                Some(_) => Some(approved.version.clone()),
                None => version_of(&dir)?,
            },
            integrity: approved.integrity.clone(),
            scripts: scripts_of(&dir, approved.form)?,
            dir,
            entry: entry_of(&approved.path).map(|entry| project_dir.join(entry)),
            network: approved.grants.network.clone(),
            read: resolve(&approved.grants.read)?,
            write: resolve(&approved.grants.write)?,
            waits_for: waits.collect(),
            is_optional: approved.is_optional,
        });
    }
    Ok(packages)
}

/// A path of a grant: absolute, in the user's home, or relative to the project.
fn resolve(path: &str, project_dir: &Path, host: &HostEnvironment) -> Result<PathBuf> {
    match (path.strip_prefix("~/"), &host.home_dir) {
        (Some(rest), Some(home)) => Ok(home.join(rest)),
        (Some(_), None) => Err(problem::grant_without_home(path)),
        (None, _) => Ok(project_dir.join(path)),
    }
}

/// Where scripts may write, or could in an earlier install: the paths of all grants, and the
/// directories of packages whose scripts ever began.
fn written_paths(
    context: &InstallContext,
    host: &HostEnvironment,
    scripted: &ScriptedPackages,
    record: &ScriptRecord,
) -> Result<Vec<PathBuf>> {
    let project_dir = &context.project.dir;
    let granted = scripted.approved.iter().flat_map(|package| &package.grants.write);
    let granted = granted.map(|path| resolve(path, project_dir, host)).collect::<Result<Vec<PathBuf>>>()?;
    let file = context.configuration.cache_dir.join(GRANTED_PATHS);
    let mut written = granted_paths_record::add(&file, granted.iter().map(PathBuf::as_path))?;
    let approved = scripted.approved.iter().map(|package| &*package.path);
    for path in approved.chain(record.begun_paths()) {
        written.extend([Some(path), entry_of(path)].into_iter().flatten().map(|path| project_dir.join(path)));
    }
    Ok(written)
}

fn run_packages(
    context: &InstallContext,
    request: &InstallRequest,
    host: &HostEnvironment,
    packages: &[ScriptedPackage],
    are_shared: bool,
    written: &[PathBuf],
    reporter: &mut dyn Reporter,
) -> Result<Vec<(usize, Problem)>> {
    let project_dir = &context.project.dir;
    let confinement = match request.dependency_scripts.jail {
        JailFlag::Off => Confinement::None,
        JailFlag::Enforced if kernel_abi().is_none() => return Err(rusk_jail::problem::no_landlock()),
        JailFlag::Enforced => Confinement::Jail(shared_roots(project_dir, host)?),
    };
    let caller = scripts::caller(host);
    let temporary = host.environment.get("TMPDIR").map(Path::new).filter(|dir| dir.is_absolute());
    let concurrency = request.dependency_scripts.concurrency.map(|count| count as usize);
    let cache_dir = &context.configuration.cache_dir;
    let headers = (host.node_headers)(cache_dir);
    let shared = are_shared.then(|| links_dir(cache_dir));
    let mut readable: Vec<PathBuf> = shared.into_iter().chain(headers.clone()).collect();
    let own_programs = caller.own_program_dirs(project_dir);
    if !own_programs.is_empty() {
        readable.extend(own_programs.into_iter().chain((host.program)()));
    }
    let scripts = DependencyScripts {
        project_dir,
        headers: headers.as_deref(),
        caller: &caller,
        temporary: temporary.unwrap_or(Path::new(TEMPORARY)),
        confinement: &confinement,
        readable: &readable,
        written,
        concurrency: concurrency.unwrap_or(context.threads),
        refused_hosts: host.environment.get(REFUSED_HOSTS).map(Path::new),
    };
    rusk_dependency_scripts::run(packages, &scripts, &mut |event| match event {
        ScriptEvent::Started { package, script } => {
            let text = format!("{}: {} ({})", package.label, script.command, script.name);
            reporter.on_event(InstallEvent::Detail(&text));
        }
        ScriptEvent::Running { packages, for_time } => {
            reporter.on_event(InstallEvent::Running { packages: &packages, for_time });
        }
        ScriptEvent::DeniedNetwork { package, hosts, flags } => {
            let text = format!(
                "the scripts of `{}` went on without `{}`, which the jail denied; `rusk approve {} {flags}` \
                 grants it",
                package.label,
                hosts.join("`, `"),
                package.name
            );
            reporter.on_event(InstallEvent::Warning(&text));
        }
        ScriptEvent::DeniedFiles { package, what, flags } => {
            let text = format!(
                "the scripts of `{}` say that they were denied {}; if they need this, `rusk approve {} \
                 {flags}` grants it",
                package.label,
                what.join(" and "),
                package.name
            );
            reporter.on_event(InstallEvent::Warning(&text));
        }
    })
}

fn shared_roots(project_dir: &Path, host: &HostEnvironment) -> Result<SharedRoots> {
    let path = host.environment.get("PATH").map(String::as_str).unwrap_or_default();
    let path: Vec<PathBuf> = std::env::split_paths(path).collect();
    let private = rusk_configuration::files_with_tokens(host)?;
    let home = host.home_dir.as_deref();
    let surroundings = system::Surroundings { path: &path, home, project: project_dir, private: &private };
    Ok(SharedRoots::open(&system::readable_roots(&surroundings)))
}
