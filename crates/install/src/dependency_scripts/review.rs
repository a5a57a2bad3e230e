//! Review of the install scripts in a lockfile: what each package would run, and whether it may.
//! In: the graph and its packages in the store. Out: packages with their commands. Scripts are read
//! from the store, where they are what the integrity says, or from a directory of the project's.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_dependency_scripts::{HostPattern, LifecycleScript};
use rusk_npm::credential::without_credentials;
use rusk_npm::edit::set_nested;
use rusk_npm::graph::{Graph, PackageId};
use rusk_npm::manifest::MANIFEST_BYTES_MAX;
use rusk_npm::name::PackageName;
use rusk_npm::script_approvals::{
    APPROVED, ApprovalState, DirectKeys, NetworkAccess, RUSK, ScriptGrants, SubjectKind, rendered_value,
};
use rusk_resolver::members::MANIFEST_NAME;
use rusk_store::Package;

use super::{integrity_of, own_scripts};
use crate::context::InstallContext;

/// The packages of a project that have install scripts.
#[derive(Clone, Debug)]
pub struct ScriptReview {
    /// The project's directory.
    pub dir: PathBuf,
    /// By name and version.
    pub packages: Vec<ReviewedPackage>,
}

#[derive(Clone, Debug)]
pub struct ReviewedPackage {
    pub name: String,
    /// Of dependencies of the project, unless the package is in a registry.
    keys: Vec<String>,
    is_release: bool,
    /// Of a package in no registry, its source.
    pub version: String,
    pub integrity: String,
    pub scripts: Vec<LifecycleScript>,
    pub verdict: ApprovalState,
}

impl ReviewedPackage {
    /// The label without the credentials of a URL.
    pub fn shown(&self) -> String {
        format!("{}@{}", self.name, without_credentials(&self.version))
    }

    /// `name@version`
    pub fn label(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }

    pub fn is_approved(&self) -> bool {
        matches!(self.verdict, ApprovalState::Approved(_))
    }

    /// Those of its approval, if it has one, and these.
    pub fn grants_with(&self, added: &ScriptGrants) -> ScriptGrants {
        let mut grants = match &self.verdict {
            ApprovalState::Approved(grants) => grants.clone(),
            _ => ScriptGrants::default(),
        };
        grants.network = grants.network.and(added.network.clone());
        for (all, more) in [(&mut grants.read, &added.read), (&mut grants.write, &added.write)] {
            all.extend(more.iter().cloned());
            all.sort();
            all.dedup();
        }
        grants
    }
}

impl ScriptReview {
    /// The packages that a user means by a name, a key of the project, or `name@version`. What is
    /// in no registry has the name that it says of itself only if no release has it.
    pub fn named(&self, name: &str) -> Vec<&ReviewedPackage> {
        let find = |is_meant: &dyn Fn(&ReviewedPackage) -> bool| {
            self.packages.iter().filter(|package| is_meant(package)).collect::<Vec<_>>()
        };
        let found = find(&|package| {
            package.is_release && package.name == name
                || package.keys.iter().any(|key| key == name)
                || package.label() == name
                || package.shown() == name
        });
        if found.is_empty() { find(&|package| package.name == name) } else { found }
    }

    pub fn of(
        context: &InstallContext,
        graph: &Graph,
        packages: &[(PackageId, Package)],
    ) -> Result<ScriptReview> {
        let approvals = &context.project.members.project.manifest.script_approvals;
        let registry_of = |name: &PackageName| context.configuration.registry_of(name);
        let direct = DirectKeys::of(graph, &registry_of);
        let mut reviewed = Vec::new();
        let mut add = |id: PackageId, integrity: String, scripts| {
            let subject = direct.subject(id);
            let verdict = approvals.state(&subject, &integrity);
            let (name, keys) = (subject.name.to_owned(), subject.keys());
            let is_release = subject.kind == SubjectKind::Release;
            let version = subject.version;
            reviewed.push(ReviewedPackage { name, keys, is_release, version, integrity, scripts, verdict });
        };
        for (id, package) in packages {
            if own_scripts::has_scripts(context, graph, *id, package)? {
                let scripts = own_scripts::of_stored(context, graph, *id, package)?;
                add(*id, integrity_of(context, graph, *id, package), scripts);
            }
        }
        for id in graph.package_ids() {
            if let Some(own) = own_scripts::of_directory(context, graph, id)? {
                add(id, own.integrity, own.scripts);
            }
        }
        reviewed.sort_by_key(ReviewedPackage::label);
        reviewed.dedup_by_key(|package| package.label());
        Ok(ScriptReview { dir: context.project.dir.clone(), packages: reviewed })
    }
}

/// Records approvals in the package.json of a project, with what they had granted before.
pub fn approve(dir: &Path, packages: &[&ReviewedPackage], added: &ScriptGrants) -> Result<()> {
    if let NetworkAccess::Hosts(hosts) = &added.network
        && let Some(wrong) = hosts.iter().find(|host| HostPattern::parse(host).is_none())
    {
        return Err(rusk_dependency_scripts::problem::no_host(wrong));
    }
    let path = dir.join(MANIFEST_NAME);
    let before = files::read_to_string(&path, MANIFEST_BYTES_MAX as u64)?;
    let mut text = before.clone();
    for package in packages {
        let value = rendered_value(&package.integrity, &package.grants_with(added));
        text = set_nested(&text, &[RUSK, APPROVED], &package.label(), &value)?;
    }
    if text == before { Ok(()) } else { files::write_atomically(&path, text.as_bytes()) }
}
