//! `pnpm-workspace.yaml`: the settings of a pnpm project that package.json has in other projects.
//! In: the text, and that of package.json, whose `pnpm` has some of them up to pnpm 10. Out: the
//! same as members of package.json, and a warning for what is not supported.
//! Absent: settings that `.npmrc` has, which are in `settings/pnpm.rs`.

mod begin;
mod edit;
mod overrides;

use std::collections::HashMap;

use rusk_base::Result;
use rusk_npm::json::{self, Dialect, Node, quote_into};
use rusk_npm::package_extensions::PackageExtensions;
use rusk_npm::release_age::ReleaseAgeSettings;

use crate::{problem, yaml};
pub use begin::begin;
pub use edit::{set_catalog_entry, set_patch};

/// The file's name in a project.
pub const FILE_NAME: &str = "pnpm-workspace.yaml";

/// A file larger than this is not one: catalogs of a thousand packages take 40 kB.
pub const BYTES_MAX: u64 = 4 << 20;

/// What package.json calls `packages`.
const WORKSPACES: &str = "workspaces";

/// Settings with the name that package.json has for them.
const MEMBERS: [&str; 3] = ["catalog", "catalogs", PATCHES];

const PATCHES: &str = "patchedDependencies";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PnpmWorkspace {
    /// Members of package.json: name and JSON text.
    members: Vec<(&'static str, String)>,
    /// Literals of catalogs, by the catalog's name and the package's.
    catalogs: HashMap<(String, String), String>,
    pub release_age: ReleaseAgeSettings,
    pub package_extensions: Option<PackageExtensions>,
    pub warnings: Vec<String>,
}

impl PnpmWorkspace {
    pub fn parse(text: &str) -> Result<PnpmWorkspace> {
        let json = rusk_data_formats::yaml(text)
            .map_err(|fault| problem::pnpm_workspace_syntax(fault.line, fault.column, &fault.message))?;
        let document = json::parse(&json, Dialect::Strict)
            .map_err(|error| problem::pnpm_workspace_syntax(1, 1, error.expected))?;
        // A document with aliases has another form.
        let root = document.find("value");
        let root = root.ok_or_else(|| problem::pnpm_workspace_entry("values without aliases", "an alias"))?;
        let mut workspace = PnpmWorkspace::default();
        // An empty file is an empty list of settings.
        if root.value == json::Value::Null {
            return Ok(workspace);
        }
        if !root.is_object() {
            return Err(problem::pnpm_workspace_entry("a map of settings", root.kind()));
        }
        if let Some(packages) = root.find("packages") {
            workspace.members.push((WORKSPACES, globs(packages)?));
        }
        for key in MEMBERS {
            if let Some(node) = map(root, key)? {
                workspace.members.push((key, json[node.start..node.end].to_owned()));
            }
        }
        workspace.catalogs = overrides::catalogs(root);
        if let Some(node) = map(root, overrides::KEY)? {
            workspace.add_overrides(node);
        }
        workspace.release_age = release_age(root)?;
        workspace.package_extensions = root
            .find("packageExtensions")
            .map(PackageExtensions::parse)
            .transpose()
            .map_err(|expected| problem::pnpm_workspace_extensions(&expected))?;
        if let Some(names) = root.find("onlyBuiltDependencies").filter(|node| node.is_array()) {
            workspace.members.push(("trustedDependencies", json[names.start..names.end].to_owned()));
        }
        workspace.members.extend(decided_builds(root, &json).map(|text| ("allowScripts", text)));
        Ok(workspace)
    }

    /// The text of a package.json with these members, each unless it is there. `packages` replaces
    /// `workspaces`, which pnpm does not read. Lines keep their numbers.
    pub fn extend(&self, manifest: &str) -> String {
        let manifest = self.with_packages(manifest).unwrap_or_else(|| manifest.to_owned());
        extended(&self.with_overrides(&manifest).unwrap_or(manifest), &self.members)
    }

    fn with_packages(&self, manifest: &str) -> Option<String> {
        let packages = self.member(WORKSPACES)?;
        let root = json::parse(manifest, Dialect::Relaxed).ok()?;
        let node = root.find(WORKSPACES)?;
        // The other form has catalogs beside the list.
        let list = if node.is_object() { node.find("packages")? } else { node };
        Some(replaced(manifest, list, packages))
    }

    fn member(&self, key: &str) -> Option<&str> {
        self.members.iter().find(|(own, _)| *own == key).map(|(_, value)| value.as_str())
    }
}

/// The text with another value in the place of one; lines keep their numbers.
fn replaced(text: &str, node: &Node<'_>, value: &str) -> String {
    let lines = "\n".repeat(text[node.start..node.end].matches('\n').count());
    format!("{}{value}{lines}{}", &text[..node.start], &text[node.end..])
}

/// `allowBuilds`, `neverBuiltDependencies` and `ignoredBuiltDependencies` as npm's `allowScripts`.
fn decided_builds(root: &Node<'_>, json: &str) -> Option<String> {
    let text = |node: &Node<'_>| &json[node.start..node.end];
    let refused = ["neverBuiltDependencies", "ignoredBuiltDependencies"].into_iter();
    let refused = refused.filter_map(|key| root.find(key)).flat_map(Node::elements);
    let names = refused.filter(|node| node.as_str().is_some());
    let mut members: Vec<String> = names.map(|node| format!("{}:false", text(node))).collect();
    if let Some(builds) = root.find("allowBuilds").filter(|node| node.is_object()) {
        let decided = builds.members().iter().filter(|member| member.node.as_bool().is_some());
        members.extend(
            decided.map(|member| format!("{}:{}", json::text::string(&member.key), text(&member.node))),
        );
    }
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")))
}

/// A setting that is a map.
fn map<'n, 't>(root: &'n Node<'t>, key: &str) -> Result<Option<&'n Node<'t>>> {
    match root.find(key).filter(|node| node.value != json::Value::Null) {
        Some(node) if !node.is_object() => {
            Err(problem::pnpm_workspace_entry(&format!("a map as `{key}`"), node.kind()))
        }
        found => Ok(found),
    }
}

/// Whether `autoInstallPeers` is on, as it is unless the file says otherwise.
pub fn installs_peers(text: &str) -> bool {
    let documents = yaml::parse(text).unwrap_or_default();
    let setting = documents.first().and_then(|root| root.find("autoInstallPeers")?.as_str());
    setting != Some("false")
}

/// The text of a package.json with these members, each unless it is there.
pub(crate) fn extended(manifest: &str, members: &[(&'static str, String)]) -> String {
    let Ok(root) = json::parse(manifest, Dialect::Relaxed) else { return manifest.to_owned() };
    if !root.is_object() {
        return manifest.to_owned();
    }
    let missing = members.iter().filter(|(key, _)| root.find(key).is_none());
    let members: Vec<String> = missing.map(|(key, value)| format!("\"{key}\":{value}")).collect();
    let (at, separator) = match root.members().last() {
        Some(last) => (last.node.end, ","),
        None => (root.start + 1, ""),
    };
    if members.is_empty() {
        return manifest.to_owned();
    }
    format!("{}{separator}{}{}", &manifest[..at], members.join(","), &manifest[at..])
}

/// `minimumReleaseAge` in minutes, and its exclusions.
fn release_age(root: &Node<'_>) -> Result<ReleaseAgeSettings> {
    let mut settings = ReleaseAgeSettings::default();
    if let Some(node) = root.find("minimumReleaseAge").filter(|node| node.value != json::Value::Null) {
        let minutes = match node.value {
            json::Value::Number(digits) => digits.parse::<u64>().ok(),
            _ => None,
        };
        let seconds = minutes.and_then(|minutes| minutes.checked_mul(60));
        let expected = "a whole number of minutes as `minimumReleaseAge`";
        settings.minimum_s =
            Some(seconds.ok_or_else(|| problem::pnpm_workspace_entry(expected, node.kind()))?);
    }
    if let Some(node) = root.find("minimumReleaseAgeExclude") {
        let names = node.elements().iter().map(Node::as_str).collect::<Option<Vec<_>>>();
        let names = names.filter(|_| node.is_array()).ok_or_else(|| {
            problem::pnpm_workspace_entry("a list of names as `minimumReleaseAgeExclude`", node.kind())
        })?;
        settings.excludes = Some(names.into_iter().map(str::to_owned).collect());
    }
    Ok(settings)
}

/// The project itself is always one of the packages.
fn globs(node: &Node<'_>) -> Result<String> {
    if !node.is_array() {
        return Err(problem::pnpm_workspace_entry("a list as `packages`", node.kind()));
    }
    let mut out = String::from("[");
    for element in node.elements() {
        let glob = element.as_str();
        let glob =
            glob.ok_or_else(|| problem::pnpm_workspace_entry("globs in `packages`", element.kind()))?;
        if matches!(glob, "." | "./") {
            continue;
        }
        out.push_str(if out.len() > 1 { "," } else { "" });
        quote_into(&mut out, glob);
    }
    Ok(out + "]")
}

#[cfg(test)]
mod tests;
