//! Errors of a resolution.

use rusk_base::Problem;
use rusk_npm::graph::{Graph, PackageId};
use rusk_npm::name::PackageName;
use rusk_npm::problem::with_unset_variable;
use rusk_npm::release_age::duration_text;
use rusk_npm::semver::Version;

use crate::YoungVersion;

/// `first`, `second`: paths of the two workspaces.
pub(crate) fn member_name_twice(name: &str, first: &str, second: &str) -> Problem {
    Problem::new("workspace-name", format!("two workspaces are named `{name}`"))
        .note(format!("in `{first}/package.json`"))
        .note(format!("in `{second}/package.json`"))
        .hint(format!("rename one of them, or leave one out with `!{second}` in `workspaces`"))
}

pub(crate) fn member_name(path: &str, name: &str) -> Problem {
    Problem::new(
        "workspace-name",
        format!("`{path}/package.json` is named `{name}`, expected a package name"),
    )
}

pub(crate) fn dependency_name(file: &str, name: &str) -> Problem {
    Problem::new("dependency-name", format!("`{file}` depends on `{name}`, expected a package name"))
}

/// `unset`: the environment variable that the credentials for it need.
pub(crate) fn no_package(name: &PackageName, unset: Option<String>) -> Problem {
    let problem = Problem::new("no-package", format!("the registry has no package `{name}`"));
    with_unset_variable(problem, unset)
}

pub(crate) fn no_version(name: &PackageName, wanted: &str, newest: Option<&Version>) -> Problem {
    let problem = Problem::new("no-version", format!("no version of `{name}` matches `{wanted}`"));
    match newest {
        Some(newest) => problem.note(format!("newest published version: {newest}")),
        None => problem,
    }
}

pub(crate) fn too_young(name: &PackageName, wanted: &str, young: &YoungVersion) -> Problem {
    let minimum = duration_text(young.minimum_s);
    Problem::new("release-age", format!("no version of `{name}` that matches `{wanted}` is {minimum} old"))
        .note(format!("{} {}", young.version, young.age_text()))
        .hint(format!(
            "wait, allow an older version, or accept it by `--minimum-release-age-excludes={name}@{}`",
            young.version
        ))
}

pub fn no_member(name: &str) -> Problem {
    Problem::new("no-workspace", format!("the project has no workspace `{name}`"))
}

pub(crate) fn member_version(name: &str, wanted: &str, found: &Version) -> Problem {
    Problem::new("workspace-version", format!("workspace `{name}` is {found}, expected `{wanted}`"))
}

pub(crate) fn no_catalog(name: &PackageName, literal: &str) -> Problem {
    Problem::new("no-catalog", format!("`{literal}` has no entry for `{name}`"))
        .hint("add it to `catalog` or `catalogs` in the root package.json")
}

pub(crate) fn damaged_packument(name: &PackageName) -> Problem {
    Problem::new("packument", format!("the cached packument of `{name}` is damaged"))
        .hint("run `rusk cache verify`, which removes it")
}

pub fn nothing_arrives(name: &PackageName) -> Problem {
    Problem::new("packument", format!("the packument of `{name}` was requested but not received"))
}

pub(crate) fn path_of_published(label: &str, path: &str) -> Problem {
    Problem::new(
        "path-dependency",
        format!("`{label}` depends on the path `{path}`, which only local packages may"),
    )
}

pub(crate) fn foreign_source(label: &str, name: &PackageName, literal: &str) -> Problem {
    let message = format!("`{label}` depends on `{name}` at `{literal}`, which is outside of the registry");
    Problem::new("foreign-source", message)
        .note("nothing checks such a package, and it may change")
        .hint("name it in `overrides` of package.json, or accept all with `--allow-foreign-sources`")
}

pub(crate) fn dependency_loop(graph: &Graph, package: PackageId, existing: PackageId) -> Problem {
    let (wanted, found) = (graph.label(package), graph.label(existing));
    Problem::new(
        "dependency-loop",
        format!("`{wanted}` and `{found}` need the same location in one node_modules directory"),
    )
}

pub(crate) fn nested_too_deep(label: &str, bytes_max: usize) -> Problem {
    Problem::new(
        "tree-depth",
        format!("the path of `{label}` in node_modules would be longer than {bytes_max} bytes"),
    )
    .note("its dependencies nest without end")
}

pub(crate) fn tree_too_large(label: &str, bytes_max: usize) -> Problem {
    Problem::new(
        "tree-size",
        format!("node_modules would have more than {bytes_max} bytes of paths, `{label}` among them"),
    )
    .note("conflicting packages would have to be repeated at too many locations")
}

pub(crate) fn too_many_packages(label: &str, packages_max: usize, dependencies_max: usize) -> Problem {
    Problem::new(
        "graph-size",
        format!(
            "there are more than {packages_max} packages or {dependencies_max} dependencies with `{label}`"
        ),
    )
}

pub(crate) fn too_many_versions(name: &PackageName, versions_max: usize) -> Problem {
    Problem::new(
        "version-count",
        format!("more than {versions_max} versions of `{name}` are required at once"),
    )
}

pub(crate) fn isolated_too_large(label: &str, max: usize) -> Problem {
    Problem::new(
        "tree-size",
        format!("the isolated layout would need more than {max} links, `{label}` among them"),
    )
    .note("its packages have too many different combinations of peers")
    .hint("pass `--linker=hoisted`")
}
