//! Install scripts of dependencies: which are approved, and which are held back. In: the plan, the
//! packages, the project's approvals. Out: both, for `execution` and the summary. Nothing is read
//! or written for a project that approves no scripts.

mod execution;
mod order;
pub(crate) mod own_scripts;
mod record;
mod review;

use std::collections::BTreeSet;

use rusk_base::Result;
use rusk_configuration::request::{BlockedScripts, InstallRequest, Reruns, Scripts};
use rusk_dependency_scripts::PackageForm;
use rusk_npm::credential::without_credentials;
use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_npm::name::PackageName;
use rusk_npm::script_approvals::{ApprovalState, DirectKeys, ScriptGrants, SubjectKind};
use rusk_store::Package;

use crate::context::InstallContext;
use crate::decide::Decision;
use crate::event::{InstallEvent, Reporter};
use crate::fetch::Packages;
use crate::plan::{Origin, PackageLocation, Plan};
use crate::problem;

pub use execution::{REFUSED_HOSTS, run};
pub use record::ScriptRecord;
pub use review::{ReviewedPackage, ScriptReview, approve};

/// Packages with install scripts, sorted by their approval.
#[derive(Default)]
pub struct ScriptedPackages {
    /// By location, in the order of locations.
    approved: Vec<ApprovedPackage>,
    /// Whether this install runs the approved scripts.
    run: bool,
    held_back: Vec<HeldBackPackage>,
    /// Of all approved packages, the indices of those that they depend on.
    waits_for: Vec<Vec<usize>>,
    /// Whether packages of the project are in the directory that projects share.
    are_shared: bool,
}

/// A location whose package's scripts may run.
pub struct ApprovedPackage {
    /// Relative to the project.
    pub path: String,
    pub package: PackageId,
    pub name: String,
    /// Of dependencies of the project, unless the package is in a registry.
    keys: Vec<String>,
    pub version: String,
    pub integrity: String,
    pub grants: ScriptGrants,
    form: PackageForm,
    is_optional: bool,
}

impl ApprovedPackage {
    /// `name@version`, without the credentials of a URL.
    fn label(&self) -> String {
        format!("{}@{}", self.name, without_credentials(&self.version))
    }

    fn is_among(&self, names: &[String]) -> bool {
        names.iter().any(|name| self.is_called(name))
    }

    /// By its name, a key of the project, or `name@version`.
    fn is_called(&self, name: &str) -> bool {
        let is_release = || {
            let version = name.strip_prefix(&*self.name).and_then(|rest| rest.strip_prefix('@'));
            version == Some(&*self.version)
        };
        name == self.name || self.keys.iter().any(|key| key == name) || is_release() || name == self.label()
    }
}

/// A package whose scripts are not run.
struct HeldBackPackage {
    /// `name@version`; of a package in no registry, its source instead of a version.
    label: String,
    verdict: ApprovalState,
    /// The URL of its tarball, if this is why an approval of its name does not count.
    other_tarball: Option<String>,
}

/// Finds the packages with scripts among those that are installed.
pub fn find(
    context: &InstallContext,
    request: &InstallRequest,
    decision: &Decision,
    plan: &Plan,
    packages: &Packages,
) -> Result<ScriptedPackages> {
    let mut found = ScriptedPackages {
        are_shared: plan.shared.is_some(),
        run: request.scripts != Scripts::Ignore,
        ..ScriptedPackages::default()
    };
    let approvals = &context.project.members.project.manifest.script_approvals;
    let graph = &decision.graph;
    let registry_of = |name: &PackageName| context.configuration.registry_of(name);
    let keys = DirectKeys::of(graph, &registry_of);
    let shared = plan.shared.iter().flat_map(|shared| shared.missing_packages());
    let own = plan.locations.iter().filter(|location| !location.is_link());
    let mut known = BTreeSet::new();
    for location in own.chain(shared) {
        known.insert(location.package);
        let Some(integrity) = scripted_integrity(context, graph, location, packages)? else { continue };
        let entry = graph.package(location.package);
        // The name and version of the lockfile: those in a tarball may be anything.
        let subject = keys.subject(location.package);
        let state = approvals.state(&subject, &integrity);
        let subject_keys = subject.keys();
        let has_other_tarball = subject.kind == SubjectKind::OtherTarball;
        let (name, version) = (subject.name.to_owned(), subject.version);
        let path = location.path.clone();
        match state {
            ApprovalState::Approved(grants) => {
                let (package, form) = (location.package, own_scripts::form(graph, location.package));
                found.approved.push(ApprovedPackage {
                    path,
                    package,
                    keys: subject_keys,
                    name,
                    version,
                    integrity,
                    grants,
                    form,
                    is_optional: false,
                });
            }
            verdict => {
                let label = format!("{name}@{}", entry.source.shown());
                let other_tarball = match &entry.source {
                    Source::Npm { tarball, .. } if has_other_tarball && approvals.mentions(&name) => {
                        Some(without_credentials(tarball))
                    }
                    _ => None,
                };
                found.held_back.push(HeldBackPackage { label, verdict, other_tarball });
            }
        }
    }
    if let Some(shared) = plan.shared.as_ref().filter(|_| names_held_back(request, plan)) {
        for id in shared.existing_scripted(graph)?.into_iter().filter(|id| !known.contains(id)) {
            let subject = keys.subject(id);
            let label = format!("{}@{}", subject.name, graph.package(id).source.shown());
            // The integrity does not matter: a package that an approval names is not shared.
            let verdict = approvals.state(&subject, "");
            found.held_back.push(HeldBackPackage { label, verdict, other_tarball: None });
        }
    }
    found.held_back.sort_by(|a, b| a.label.cmp(&b.label));
    found.held_back.dedup_by(|a, b| a.label == b.label);
    if !found.approved.is_empty() {
        found.waits_for = order::waits_for(graph, &found.approved);
        let required = order::required(graph);
        for package in &mut found.approved {
            package.is_optional = !required[package.package.0 as usize];
        }
    }
    Ok(found)
}

/// Whether packages that were installed before are named, too: not by an install that only finds
/// everything in its place.
fn names_held_back(request: &InstallRequest, plan: &Plan) -> bool {
    !plan.is_empty() || request.dependency_scripts.blocked == BlockedScripts::Refused
}

/// What an approval of the package's scripts pins; `None`: it has no scripts.
fn scripted_integrity(
    context: &InstallContext,
    graph: &Graph,
    location: &PackageLocation,
    packages: &Packages,
) -> Result<Option<String>> {
    if let Origin::Directory(_) = location.origin {
        let own = own_scripts::of_directory(context, graph, location.package)?;
        return Ok(own.map(|own| own.integrity));
    }
    let Some(package) = packages.get(&location.stamp) else { return Ok(None) };
    let has_scripts = own_scripts::has_scripts(context, graph, location.package, package)?;
    Ok(has_scripts.then(|| integrity_of(context, graph, location.package, package)))
}

/// The integrity that an approval pins: that of the lockfile, or of the tarball where the lockfile
/// has none or a weaker one. Of a patched package that of its files, so that another patch asks
/// again.
fn integrity_of(context: &InstallContext, graph: &Graph, id: PackageId, package: &Package) -> String {
    if context.patches.of(graph, id).is_some() {
        return package.integrity();
    }
    let locked = graph.package(id).integrity.map(|integrity| integrity.to_string());
    locked.filter(|text| text.starts_with("sha512-")).unwrap_or_else(|| package.integrity())
}

impl ScriptedPackages {
    /// `name@version` of those whose scripts were not run, but for those that the project refuses.
    pub fn held_back_labels(&self, record: &ScriptRecord) -> Vec<String> {
        let forgone = self.approved.iter().filter(|package| !self.run && !record.has(package));
        let mut labels: Vec<String> = self.undecided().chain(forgone.map(ApprovedPackage::label)).collect();
        labels.sort();
        labels.dedup();
        labels
    }

    /// Of the names whose scripts were to run again, those of which no package is among `ran`.
    pub fn not_rerun(&self, reruns: &Reruns, ran: &[String]) -> Vec<String> {
        let Reruns::Packages(names) = reruns else { return Vec::new() };
        let has_run = |name: &String| {
            self.approved.iter().any(|package| package.is_called(name) && ran.contains(&package.label()))
        };
        names.iter().filter(|name| !has_run(name)).cloned().collect()
    }

    /// Those that the project neither approves nor refuses.
    fn undecided(&self) -> impl Iterator<Item = String> {
        let undecided = self.held_back.iter().filter(|package| package.verdict != ApprovalState::Refused);
        undecided.map(|package| package.label.clone())
    }

    /// Which approved packages' scripts may run: all, unless packages are named. Then these, and
    /// those that they depend on.
    fn wanted(&self, reruns: &Reruns) -> Vec<bool> {
        let names = match reruns {
            Reruns::Packages(names) if !names.is_empty() => names,
            _ => return vec![true; self.approved.len()],
        };
        let mut wanted = vec![false; self.approved.len()];
        let is_named = |&index: &usize| self.approved[index].is_among(names);
        let mut pending: Vec<usize> = (0..self.approved.len()).filter(is_named).collect();
        while let Some(index) = pending.pop() {
            if !std::mem::replace(&mut wanted[index], true) {
                pending.extend(&self.waits_for[index]);
            }
        }
        wanted
    }

    /// Says of which packages the name is approved, and the tarball not.
    pub fn warn(&self, reporter: &mut dyn Reporter) {
        for HeldBackPackage { label, other_tarball, .. } in &self.held_back {
            let Some(url) = other_tarball else { continue };
            let text = format!(
                "the scripts of `{label}` are not approved by its name: its tarball is not the registry's, but {url}"
            );
            reporter.on_event(InstallEvent::Warning(&text));
        }
    }

    /// With `--fail-on-blocked`, an error before anything is linked.
    pub fn check_blocked(&self, request: &InstallRequest) -> Result<()> {
        let labels: Vec<String> = self.undecided().collect();
        match request.dependency_scripts.blocked {
            BlockedScripts::Refused if !labels.is_empty() => Err(problem::blocked_scripts(&labels)),
            _ => Ok(()),
        }
    }
}
