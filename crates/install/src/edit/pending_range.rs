//! Ranges that wait for the version that is chosen. In: what was asked for, or what package.json
//! has. Out: the range that is saved. Absent: which dependencies change.

use rusk_configuration::request::SavedRange;
use rusk_npm::graph::Source;
use rusk_npm::manifest;
use rusk_npm::name::PackageName;
use rusk_npm::specifier::{Naming, Specifier, jsr};
use rusk_resolver::members::Members;

/// A dependency whose saved range depends on the version that is chosen.
#[derive(Debug)]
pub struct PendingRange {
    pub name: String,
    pub group: Option<manifest::Group>,
    /// `npm:other@` before an alias.
    pub prefix: String,
    /// `^`, `~` or nothing.
    pub operator: &'static str,
}

impl PendingRange {
    /// What is saved for the package that was found; `None`: what was asked for.
    pub fn literal_for(&self, source: &Source, members: &Members) -> Option<String> {
        let version = match source {
            // pnpm may look for any other range in the registry.
            Source::Workspace { .. } if members.project.pnpm_workspace.is_some() => {
                return Some(format!(
                    "workspace:{}",
                    if self.operator.is_empty() { "*" } else { self.operator }
                ));
            }
            Source::Workspace { version: Some(version), .. } => version,
            Source::Workspace { version: None, .. } => return Some("*".to_owned()),
            _ => source.npm_version()?,
        };
        Some(format!("{}{}{version}", self.prefix, self.operator))
    }
}

/// A dist-tag is saved as a range of the version it points to; where exact versions are saved, a
/// range is too.
pub fn pending_range(
    name: &PackageName,
    group: Option<manifest::Group>,
    specifier: &Specifier,
    range: SavedRange,
) -> Option<PendingRange> {
    let (target, naming) = match specifier {
        Specifier::DistTag { name: target, naming, .. } => (target, naming),
        Specifier::Npm { name: target, naming, .. } if range == SavedRange::Exact => (target, naming),
        _ => return None,
    };
    let prefix = prefix(name.as_str(), target, *naming);
    let operator = match range {
        SavedRange::Caret => "^",
        SavedRange::Tilde => "~",
        SavedRange::Version | SavedRange::Exact => "",
    };
    Some(PendingRange { name: name.to_string(), group, prefix, operator })
}

/// What comes before the range: `npm:other@` of an alias, `jsr:` of JSR's package of this name.
pub fn prefix(name: &str, target: &PackageName, naming: Naming) -> String {
    match naming {
        Naming::Own => String::new(),
        Naming::Alias => format!("npm:{target}@"),
        Naming::Jsr => match jsr::jsr_name(target) {
            Some(own) if own != name => format!("jsr:{own}@"),
            _ => "jsr:".to_owned(),
        },
    }
}

/// Moves a registry range to the latest version; its operator stays.
pub fn latest_range(name: &str, group: manifest::Group, literal: &str) -> Option<PendingRange> {
    let Ok(Specifier::Npm { name: target, naming, range, .. }) = Specifier::parse(name, literal) else {
        return None;
    };
    let prefix = prefix(name, &target, naming);
    let operator = match literal.strip_prefix(&prefix).unwrap_or(literal).trim_start() {
        text if text.starts_with('~') => "~",
        _ if range.is_exact().is_some() => "",
        _ => "^",
    };
    Some(PendingRange { name: name.to_owned(), group: Some(group), prefix, operator })
}
