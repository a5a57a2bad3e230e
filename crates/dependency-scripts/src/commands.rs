//! Lifecycle scripts of an installed package. In: its directory. Out: names and commands, in the
//! order in which npm runs them.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::manifest::MANIFEST_BYTES_MAX;

const LIFECYCLE: [&str; 3] = ["preinstall", "install", "postinstall"];
/// What builds a package before it is published.
const BUILD: [&str; 3] = ["preprepare", "prepare", "postprepare"];
const NATIVE_ADDON: &str = "binding.gyp";
const BUILD_ADDON: &str = "node-gyp rebuild";

/// A script and its command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifecycleScript {
    pub name: &'static str,
    pub command: String,
}

/// Whether a package was built: one of a repository was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageForm {
    Published,
    Repository,
}

/// None, if package.json is not there or cannot be read.
pub fn scripts_of(package_dir: &Path, form: PackageForm) -> Result<Vec<LifecycleScript>> {
    let text = find_manifest(&package_dir.join("package.json"))?;
    let has_binding = files::is_file(&package_dir.join(NATIVE_ADDON));
    Ok(text.map(|text| scripts_in(&text, has_binding, form)).unwrap_or_default())
}

/// The package.json of a package. Bytes that are not UTF-8 are replaced, as npm does and as
/// unpacking did: a command is the same where it is shown and where it runs.
pub fn find_manifest(file: &Path) -> Result<Option<String>> {
    let bytes = files::find_bytes(file, MANIFEST_BYTES_MAX as u64)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// The version in the package.json of a package.
pub fn version_of(package_dir: &Path) -> Result<Option<String>> {
    let text = find_manifest(&package_dir.join("package.json"))?;
    let version = |text: String| {
        let root = json::parse(&text, Dialect::Relaxed).ok()?;
        root.find("version").and_then(Node::as_str).map(str::to_owned)
    };
    Ok(text.and_then(version))
}

/// The scripts of a package.json. `has_binding`: whether a `binding.gyp` is beside it.
pub fn scripts_in(manifest: &str, has_binding: bool, form: PackageForm) -> Vec<LifecycleScript> {
    let Ok(root) = json::parse(manifest, Dialect::Relaxed) else { return Vec::new() };
    let command =
        |name: &str| root.find("scripts")?.find(name)?.as_str().filter(|command| !command.is_empty());
    let written = LIFECYCLE.iter().filter_map(|name| Some((*name, command(name)?)));
    let mut scripts: Vec<LifecycleScript> =
        written.map(|(name, command)| LifecycleScript { name, command: command.to_owned() }).collect();
    let has_build = scripts.iter().any(|script| script.name != "postinstall");
    let build: &[&str] = if form == PackageForm::Repository { &BUILD } else { &[] };
    let build = build.iter().filter_map(|name| Some((*name, command(name)?)));
    let is_refused = root.find("gypfile").and_then(Node::as_bool) == Some(false);
    if !has_build && !is_refused && has_binding {
        scripts.insert(0, LifecycleScript { name: "install", command: BUILD_ADDON.to_owned() });
    }
    let build = build.map(|(name, command)| LifecycleScript { name, command: command.to_owned() });
    build.chain(scripts).collect()
}

#[cfg(test)]
mod tests;
