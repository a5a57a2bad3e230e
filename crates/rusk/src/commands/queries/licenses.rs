//! `rusk licenses`: the licenses of the installed packages.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_npm::graph::PackageId;
use rusk_query::members::{is_member, members, reachable};
use rusk_reports::installed_manifests::{InstalledManifests, PackageFacts, scan};
use rusk_scripts::Exit;

use super::installed_project::{InstalledProject, omitted};
use super::{problem, table};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;
use rusk_screen::json::{array, line, object, optional, string};
use rusk_screen::style::OutputStyle;

/// What is shown for a package that names no license.
const UNKNOWN: &str = "Unknown";

/// License, then name, then the versions with their facts.
type ByLicense<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Vec<(&'a str, &'a PackageFacts)>>>;

pub fn run(invocation: &Invocation, screen: &mut Screen) -> Result<Exit> {
    match invocation.operands.as_slice() {
        [] => {}
        [operand] if operand == "list" || operand == "ls" => {}
        _ => return Err(problem::licenses_usage()),
    }
    let project = InstalledProject::open(invocation, screen)?;
    let graph = &project.graph;
    let manifests = installed_manifests(&project);
    let from = project.selected(invocation, screen)?.unwrap_or_else(|| members(graph));
    let reached = reachable(graph, &from, omitted(invocation));
    let mut packages: Vec<PackageId> = reached.into_iter().filter(|&id| !is_member(graph, id)).collect();
    packages.sort_by_key(|&id| (graph.package_name(id).clone(), graph.label(id)));
    let found: Vec<_> = packages.iter().filter_map(|&id| find(&project, &manifests, id)).collect();
    if found.is_empty() && !packages.is_empty() {
        return Err(problem::nothing_installed());
    }
    let mut by_license = ByLicense::new();
    for ((name, version), facts) in found {
        let license = facts.license.as_deref().unwrap_or(UNKNOWN);
        by_license.entry(license).or_default().entry(name).or_default().push((version, facts));
    }
    let text = match invocation.is_on(Flag::Json) {
        true => json(&by_license),
        false => text(&by_license, screen.style(), screen.page_columns()),
    };
    screen.page(&text).map(|()| Exit::DONE)
}

/// The facts of all packages in node_modules.
pub fn installed_manifests(project: &InstalledProject) -> InstalledManifests {
    let members = project.project.members.all();
    scan(&members.map(|member| project.project.dir_of(member)).collect::<Vec<_>>())
}

/// `None`: it is not installed here, for example because it is for another platform.
pub fn find<'a>(
    project: &InstalledProject,
    manifests: &'a InstalledManifests,
    id: PackageId,
) -> Option<(&'a (String, String), &'a PackageFacts)> {
    let name = project.graph.package_name(id).to_string();
    match project.graph.package(id).source.npm_version() {
        Some(version) => manifests.get_key_value(&(name, version.to_string())),
        // The lockfile does not say the version of what is in no registry.
        None => {
            manifests.range((name.clone(), String::new())..).next().filter(|((found, _), _)| *found == name)
        }
    }
}

fn text(by_license: &ByLicense<'_>, style: &OutputStyle, columns_max: Option<usize>) -> String {
    let rows = by_license.iter().flat_map(|(license, packages)| {
        packages.iter().map(move |(name, versions)| {
            let versions: Vec<&str> = versions.iter().map(|(version, _)| *version).collect();
            vec![(*name).to_owned(), versions.join(", "), (*license).to_owned()]
        })
    });
    let rows: Vec<Vec<String>> = rows.collect();
    match rows.is_empty() {
        true => "no dependencies\n".to_owned(),
        false => table::render(&["Package", "Version", "License"], &rows, style, columns_max),
    }
}

/// pnpm's object: packages by license.
fn json(by_license: &ByLicense<'_>) -> String {
    let members = by_license.iter().map(|(license, packages)| {
        let packages = packages.iter().map(|(name, versions)| {
            let newest = versions.last().expect("a package has a version").1;
            object(&[
                ("name", string(name)),
                ("versions", array(versions.iter().map(|(version, _)| string(version)))),
                ("paths", array(versions.iter().map(|(_, facts)| string(&facts.path.display().to_string())))),
                ("license", string(license)),
                ("author", optional(newest.author.as_deref())),
                ("homepage", optional(newest.homepage.as_deref())),
                ("description", optional(newest.description.as_deref())),
            ])
        });
        (*license, array(packages))
    });
    line(&members.collect::<Vec<_>>())
}
