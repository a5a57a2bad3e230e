//! The package.json that is published: the text of the package's own, where `workspace:` and
//! `catalog:` specifiers are replaced by ranges that others can install, and `jsr:` by `npm:`. In:
//! the text, and the workspace's versions and catalogs. Out: the new text. The rest of the text
//! stays as it is.

use std::path::Path;

use rusk_base::{Result, files};
use rusk_npm::edit::{self, Setting};
use rusk_npm::json::{self, Dialect, Node, Value, quote_into};
use rusk_npm::manifest::{Bin, Bundled, Group, MANIFEST_BYTES_MAX, Manifest};
use rusk_npm::name::PackageName;
use rusk_npm::semver::Version;
use rusk_npm::specifier::Specifier;

use crate::problem;

/// The fields of package.json that decide what is packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageFields {
    pub manifest: Manifest,
    /// `None`: package.json has no list `files`.
    pub files: Option<Vec<String>>,
    pub main: Option<String>,
    pub browser: Option<String>,
}

/// Versions and catalogs of the workspace.
pub trait WorkspaceVersions {
    /// The version of the member that `workspace:` names.
    fn version(&self, name: &str) -> Option<String>;

    /// The range that a catalog has for a name; the default catalog is the empty string.
    fn catalog(&self, catalog: &str, name: &str) -> Option<String>;
}

impl PackageFields {
    /// Reads the package.json of a directory.
    pub fn read(dir: &Path) -> Result<PackageFields> {
        PackageFields::parse(&files::read_to_string(&dir.join("package.json"), MANIFEST_BYTES_MAX as u64)?)
    }

    pub fn parse(text: &str) -> Result<PackageFields> {
        let manifest = Manifest::parse(text)?;
        let root = parse_root(text)?;
        let string =
            |key| root.find(key).and_then(Node::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
        let files = root
            .find("files")
            .filter(|node| node.is_array())
            .map(|node| node.elements().iter().filter_map(Node::as_str).map(str::to_owned).collect());
        Ok(PackageFields { manifest, files, main: string("main"), browser: string("browser") })
    }

    /// Name and version, checked as the registry does.
    pub fn identity(&self) -> Result<(&str, &str)> {
        let name = self.manifest.name.as_deref().ok_or_else(|| problem::no_name("name"))?;
        let version = self.manifest.version.as_deref().ok_or_else(|| problem::no_name("version"))?;
        if PackageName::parse(name).is_err() {
            return Err(problem::invalid_field("name", name, "a package name"));
        }
        if Version::parse(version).is_none() {
            return Err(problem::invalid_field("version", version, "a version such as 1.0.0"));
        }
        Ok((name, version))
    }

    /// `main`, `browser` and the programs: published whatever `files` says.
    pub(crate) fn required_paths(&self) -> impl Iterator<Item = &str> {
        let fields = self.browser.as_deref().into_iter().chain(self.main.as_deref());
        fields.chain(self.program_paths()).map(|path| path.trim_start_matches("./").trim_start_matches('/'))
    }

    /// The files of programs, relative to the package.
    pub fn program_paths(&self) -> Vec<&str> {
        let paths: Vec<&str> = match &self.manifest.bin {
            Bin::File(path) => vec![path],
            Bin::Map(programs) => programs.iter().map(|(_, path)| path.as_str()).collect(),
            Bin::None | Bin::Directory(_) => Vec::new(),
        };
        paths.into_iter().map(|path| path.trim_start_matches("./").trim_start_matches('/')).collect()
    }

    pub(crate) fn bundled_names(&self) -> impl Iterator<Item = &str> {
        let all = matches!(self.manifest.bundled, Bundled::All);
        let named: &[String] = match &self.manifest.bundled {
            Bundled::Names(names) => names,
            Bundled::None | Bundled::All => &[],
        };
        let all = self.manifest.dependencies.iter().filter(move |_| all).map(|(name, _)| name.as_str());
        named.iter().map(String::as_str).filter(|name| self.is_installed(name)).chain(all)
    }

    fn is_installed(&self, name: &str) -> bool {
        self.installed_dependencies().any(|dependency| dependency == name)
    }

    /// Dependencies that an installed package needs.
    pub(crate) fn installed_dependencies(&self) -> impl Iterator<Item = &str> {
        let groups = self.manifest.dependencies.iter().chain(&self.manifest.optional_dependencies);
        groups.map(|(name, _)| name.as_str())
    }
}

/// The text to publish.
pub fn render(text: &str, versions: &dyn WorkspaceVersions) -> Result<String> {
    let manifest = Manifest::parse(text)?;
    let mut settings = Vec::new();
    for group in Group::ALL {
        for (name, literal) in manifest.group(group) {
            if let Some(literal) = published_range(name, literal, versions)? {
                settings.push(Setting { group: Some(group), name: name.clone(), literal });
            }
        }
    }
    without_comments(edit::set_literals(text, &settings)?)
}

/// npm reads strict JSON: a text with comments or trailing commas is written anew without them.
fn without_comments(text: String) -> Result<String> {
    if json::parse(&text, Dialect::Strict).is_ok() {
        return Ok(text);
    }
    let mut strict = String::new();
    write_value(&mut strict, &parse_root(&text)?, 0);
    strict.push('\n');
    Ok(strict)
}

fn parse_root(text: &str) -> Result<Node<'_>> {
    json::parse(text, Dialect::Relaxed)
        .map_err(|error| problem::invalid_field("package.json", &error.to_string(), "an object"))
}

fn write_value(out: &mut String, node: &Node<'_>, depth: usize) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(digits) => out.push_str(digits),
        Value::String(text) => quote_into(out, text),
        Value::Array(elements) => write_list(out, ['[', ']'], elements, depth, |out, element| {
            write_value(out, element, depth + 1);
        }),
        Value::Object(members) => write_list(out, ['{', '}'], members, depth, |out, member| {
            quote_into(out, &member.key);
            out.push_str(": ");
            write_value(out, &member.node, depth + 1);
        }),
    }
}

fn write_list<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: &[T],
    depth: usize,
    write: impl Fn(&mut String, &T),
) {
    out.push(open);
    for (index, item) in items.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        write(out, item);
    }
    if !items.is_empty() {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    }
    out.push(close);
}

/// The range that replaces a specifier; `None`: it is published as it is.
fn published_range(name: &str, literal: &str, versions: &dyn WorkspaceVersions) -> Result<Option<String>> {
    if let Some(catalog) = literal.strip_prefix("catalog:") {
        let catalog = catalog.trim();
        let range = versions
            .catalog(if catalog == "default" { "" } else { catalog }, name)
            .ok_or_else(|| problem::unresolved(name, literal, "the catalog has no entry for it"))?;
        return match range.starts_with("catalog:") {
            true => Err(problem::unresolved(name, literal, "its entry names a catalog again")),
            false => Ok(Some(published_range(name, &range, versions)?.unwrap_or(range))),
        };
    }
    if literal.starts_with("jsr:") {
        // As pnpm publishes it: other package managers know no `jsr:`.
        let specifier = Specifier::parse(name, literal)?;
        let alias = specifier.registry_name().zip(specifier.wanted());
        return Ok(alias.map(|(target, wanted)| format!("npm:{target}@{wanted}")));
    }
    let Some(rest) = literal.strip_prefix("workspace:") else { return Ok(None) };
    // `workspace:other@^` is a member under another name.
    let (target, range) = match rest.rfind('@').filter(|&at| at > 0) {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (name, rest),
    };
    let is_path = range.starts_with('.') || range.starts_with('/');
    let version = || {
        let found = versions.version(target);
        found.ok_or_else(|| {
            problem::unresolved(name, literal, "the workspace has no member with that name and a version")
        })
    };
    let range = match range {
        "*" | "" => version()?,
        "^" | "~" => format!("{range}{}", version()?),
        _ if is_path => version()?,
        range => range.to_owned(),
    };
    Ok(Some(if target == name { range } else { format!("npm:{target}@{range}") }))
}

#[cfg(test)]
mod tests;
