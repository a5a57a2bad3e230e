//! `rusk sbom`: a software bill of materials of the installed packages.

use std::collections::{BTreeMap, BTreeSet};

use rusk_base::{Result, files};
use rusk_configuration::{Configuration, Flags};
use rusk_install::store_keys::conventional_url;
use rusk_lockfiles::Format;
use rusk_npm::graph::PackageId;
use rusk_npm::manifest::MANIFEST_BYTES_MAX;
use rusk_npm::packument::utc_text;
use rusk_query::members::{OmittedGroups, is_member, members, reachable};
use rusk_query::sbom::{self, FactSource, Materials, PackageDescription, SbomFormat};
use rusk_reports::installed_manifests::InstalledManifests;
use rusk_resolver::hoist::{AllDependencies, hoist};
use rusk_scripts::Exit;

use super::installed_project::{InstalledProject, omitted};
use super::licenses::{find, installed_manifests};
use super::problem;
use crate::host;
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

/// <https://reproducible-builds.org/specs/source-date-epoch/>: seconds since 1970.
const TIME_VARIABLE: &str = "SOURCE_DATE_EPOCH";

pub fn run(
    invocation: &Invocation,
    environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let format = match invocation.value(Flag::SbomFormat) {
        Some("cyclonedx") => SbomFormat::CycloneDx,
        Some(_) => SbomFormat::Spdx,
        None => return Err(problem::no_sbom_format()),
    };
    let source = match invocation.is_on(Flag::LockfileOnly) {
        true => FactSource::Lockfile,
        false => FactSource::NodeModules,
    };
    let project = InstalledProject::open(invocation, screen)?;
    let mut graph = project.graph.clone();
    let locked_tree = project.project.lockfile.as_ref().and_then(|loaded| loaded.lockfile.tree.clone());
    let tree = match locked_tree {
        Some(tree) => tree,
        None => hoist(&mut graph, &AllDependencies)?,
    };
    let host = host::host(project.project.dir.clone(), environment);
    let configuration = Configuration::load(&project.project.dir, &host, &Flags::default())?;
    let facts = Facts::of(&project, source);
    let omit = omitted(invocation);
    let from = project.selected(invocation, screen)?.unwrap_or_else(|| members(&graph));
    facts.check_installed(&project, &from, omit)?;
    let given_s = host.environment.get(TIME_VARIABLE).and_then(|seconds| seconds.parse().ok());
    let project_name = project.member_name(PackageId(0));
    let materials = Materials {
        graph: &graph,
        tree: &tree,
        from: &from,
        omit,
        describe: &|id| facts.describe(&project, id),
        tarball_url: &|id| {
            let version = graph.package(id).source.text();
            conventional_url(&configuration, graph.package_name(id), &version)
        },
        project_name: &project_name,
        project_type: invocation.value(Flag::SbomType).unwrap_or("library"),
        facts: source,
        tool_version: env!("CARGO_PKG_VERSION"),
        timestamp: &utc_text(given_s.unwrap_or(host.now_s)),
    };
    screen.page(&sbom::render(&materials, format)).map(|()| Exit::DONE)
}

/// Where descriptions of packages come from.
enum Facts {
    NodeModules(InstalledManifests),
    /// Licenses by name and version; other formats than npm's have none.
    Lockfile(BTreeMap<(String, String), String>),
}

impl Facts {
    fn of(project: &InstalledProject, source: FactSource) -> Facts {
        if source == FactSource::NodeModules {
            return Facts::NodeModules(installed_manifests(project));
        }
        let loaded = project.project.lockfile.as_ref();
        let is_npm = matches!(project.project.format, Format::NpmLock | Format::NpmShrinkwrap);
        let text = loaded.filter(|_| is_npm).map(|loaded| loaded.text.as_str());
        Facts::Lockfile(text.map(sbom::licenses_in_lockfile).unwrap_or_default())
    }

    /// `None`: it is not installed, for example because it is for another platform.
    fn describe(&self, project: &InstalledProject, id: PackageId) -> Option<PackageDescription> {
        if is_member(&project.graph, id) {
            return project.manifest(id).map(|member| PackageDescription::parse(&member.text));
        }
        match self {
            Facts::NodeModules(manifests) => {
                let (_, facts) = find(project, manifests, id)?;
                let path = facts.path.join("package.json");
                let text = files::find_string(&path, MANIFEST_BYTES_MAX as u64).ok().flatten()?;
                Some(PackageDescription::parse(&text))
            }
            Facts::Lockfile(licenses) => {
                let version = project.graph.package(id).source.npm_version();
                let key = (project.graph.package_name(id).to_string(), version.map(ToString::to_string)?);
                let license = licenses.get(&key).cloned();
                Some(PackageDescription { license, ..PackageDescription::default() })
            }
        }
    }

    /// As in npm, what is missing is an error unless it is optional.
    fn check_installed(
        &self,
        project: &InstalledProject,
        from: &[PackageId],
        omit: OmittedGroups,
    ) -> Result<()> {
        let Facts::NodeModules(manifests) = self else { return Ok(()) };
        let graph = &project.graph;
        let required = reachable(graph, from, OmittedGroups { optional: true, ..omit });
        let missing = required
            .into_iter()
            .filter(|&id| !is_member(graph, id) && find(project, manifests, id).is_none());
        let labels: BTreeSet<String> = missing.map(|id| graph.label(id)).collect();
        match labels.first() {
            Some(label) => Err(problem::not_in_node_modules(label)),
            None => Ok(()),
        }
    }
}
