//! `overrides` of a pnpm project: those of pnpm-workspace.yaml, else those of `pnpm` in
//! package.json, which pnpm reads up to version 10. In: the values. Out: the member `overrides`
//! for package.json, with the literals of catalogs. pnpm does not read the member itself.

use std::collections::HashMap;

use rusk_npm::json::{self, Dialect, Node, quote_into};

use super::{PATCHES, PnpmWorkspace, replaced};

pub(super) const KEY: &str = "overrides";

/// The first version that does not read `pnpm` in package.json.
const MAJOR_WITHOUT_FIELD: u32 = 11;

/// The catalog that `catalog:` names.
const DEFAULT: &str = "default";

/// By catalog and package.
pub(super) fn catalogs(root: &Node<'_>) -> HashMap<(String, String), String> {
    let named = root.find("catalogs").map(Node::members).unwrap_or_default();
    let named = named.iter().map(|member| (member.key.to_string(), &member.node));
    let all = named.chain(root.find("catalog").map(|node| (DEFAULT.to_owned(), node)));
    let mut literals = HashMap::new();
    for (catalog, node) in all {
        for member in node.members() {
            if let Some(literal) = member.node.as_str() {
                literals.insert((catalog.clone(), member.key.to_string()), literal.to_owned());
            }
        }
    }
    literals
}

impl PnpmWorkspace {
    /// Adds what `pnpm` in package.json has and the file does not.
    pub fn add_manifest(&mut self, manifest: &str) {
        let Ok(root) = json::parse(manifest, Dialect::Relaxed) else { return };
        let Some(pnpm) = root.find("pnpm").filter(|_| reads_field(&root)) else { return };
        let of_kind = |key: &str| pnpm.find(key).filter(|node| node.is_object());
        if let Some(node) = of_kind(KEY).filter(|_| self.member(KEY).is_none()) {
            self.add_overrides(node);
        }
        if let Some(node) = of_kind(PATCHES).filter(|_| self.member(PATCHES).is_none()) {
            self.members.push((PATCHES, manifest[node.start..node.end].to_owned()));
        }
    }

    pub(super) fn add_overrides(&mut self, node: &Node<'_>) {
        let mut out = String::from("{");
        for member in node.members() {
            let Some(literal) = member.node.as_str() else { continue };
            out.push_str(if out.len() > 1 { "," } else { "" });
            quote_into(&mut out, &member.key);
            out.push(':');
            quote_into(&mut out, self.literal(&member.key, literal));
        }
        self.members.push((KEY, out + "}"));
    }

    /// pnpm writes the literal of the catalog into the lockfile.
    fn literal<'a>(&'a self, selector: &str, literal: &'a str) -> &'a str {
        let Some(catalog) = literal.strip_prefix("catalog:").map(str::trim) else { return literal };
        let catalog = if catalog.is_empty() { DEFAULT } else { catalog };
        let found = self.catalogs.get(&(catalog.to_owned(), target_name(selector).to_owned()));
        found.map_or(literal, String::as_str)
    }

    /// The text of a package.json whose own `overrides` are replaced.
    pub(super) fn with_overrides(&self, manifest: &str) -> Option<String> {
        let overrides = self.member(KEY)?;
        let root = json::parse(manifest, Dialect::Relaxed).ok()?;
        Some(replaced(manifest, root.find(KEY)?, overrides))
    }
}

/// `parent@1>@scope/name@2`: `@scope/name`
fn target_name(selector: &str) -> &str {
    let target = selector.rsplit('>').next().unwrap_or(selector);
    let end = target.get(1..).and_then(|rest| rest.find('@')).map_or(target.len(), |at| at + 1);
    &target[..end]
}

fn reads_field(root: &Node<'_>) -> bool {
    let version = root.find("packageManager").and_then(Node::as_str).and_then(|it| it.strip_prefix("pnpm@"));
    let major = version.and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    major.is_none_or(|major| major < MAJOR_WITHOUT_FIELD)
}
