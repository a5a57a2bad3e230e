//! Settings that package managers keep in different places: workspaces, catalogs, overrides,
//! patches. In: the project, the package manager that it is to be used with. Out: the files that
//! this one reads, with what it would miss, and notes of what it does not know. Absent: settings
//! that are there already, which stay.

use rusk_base::Result;
use rusk_lockfiles::{Tool, pnpm_workspace};
use rusk_npm::edit;
use rusk_npm::json::quote_into;
use rusk_npm::manifest::Manifest;
use rusk_npm::overrides::Rule;

use crate::members::{Members, ProjectMember};

/// Of the project, with what its new package manager reads.
pub struct MovedSettings {
    pub project: ProjectMember,
    /// One line each.
    pub notes: Vec<String>,
}

pub fn moved(members: &Members, to: Tool) -> Result<MovedSettings> {
    let project = &members.project;
    let manifest = &project.manifest;
    let moved = match (to, &project.pnpm_workspace) {
        (Tool::Pnpm, Some(_)) => project.clone(),
        (Tool::Pnpm, None) => match pnpm_workspace::begin(manifest) {
            Some(yaml) => ProjectMember::parse_project(project.text.clone(), Some(yaml))?,
            None => project.clone(),
        },
        (to, _) => project.with_text(with_members(&project.text, manifest, to)?)?,
    };
    Ok(MovedSettings { project: moved, notes: notes(members, to) })
}

/// The text of package.json with what it lacks.
fn with_members(text: &str, manifest: &Manifest, to: Tool) -> Result<String> {
    let mut text = text.to_owned();
    let own = Manifest::parse(&text)?;
    if own.workspaces.is_empty() && !manifest.workspaces.is_empty() {
        let globs: Vec<String> = manifest.workspaces.iter().map(|glob| quoted(glob)).collect();
        text = edit::set_field(&text, "workspaces", &format!("[{}]", globs.join(", ")))?;
    }
    if to == Tool::Bun && own.catalog.is_empty() && own.catalogs.is_empty() {
        for (name, literal) in &manifest.catalog {
            text = edit::set_nested(&text, &["catalog"], name, &quoted(literal))?;
        }
        for (catalog, entries) in &manifest.catalogs {
            for (name, literal) in entries {
                text = edit::set_nested(&text, &["catalogs", catalog], name, &quoted(literal))?;
            }
        }
    }
    if to == Tool::Bun && own.patched_dependencies.is_empty() {
        for (label, path) in &manifest.patched_dependencies {
            text = edit::set_nested(&text, &["patchedDependencies"], label, &quoted(path))?;
        }
    }
    let key = if to == Tool::Yarn { "resolutions" } else { "overrides" };
    match has_field(&text, key) || to == Tool::Bun && has_field(&text, "resolutions") {
        true => Ok(text),
        false => manifest.overrides.rules.iter().try_fold(text, |text, rule| set_override(&text, rule, to)),
    }
}

fn set_override(text: &str, rule: &Rule, to: Tool) -> Result<String> {
    let (target, literal) = (rule.target.to_string(), quoted(&rule.literal));
    match (&rule.parent, to) {
        (None, Tool::Yarn) => edit::set_nested(text, &["resolutions"], &target, &literal),
        (Some(parent), Tool::Yarn) => {
            edit::set_nested(text, &["resolutions"], &format!("{parent}/{target}"), &literal)
        }
        (None, _) => edit::set_nested(text, &["overrides"], &target, &literal),
        (Some(parent), _) => edit::set_nested(text, &["overrides", &parent.to_string()], &target, &literal),
    }
}

fn has_field(text: &str, key: &str) -> bool {
    let root = rusk_npm::json::parse(text, rusk_npm::json::Dialect::Relaxed);
    root.is_ok_and(|root| root.find(key).is_some())
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote_into(&mut out, text);
    out
}

/// Protocols of dependencies that a package manager does not know.
fn notes(members: &Members, to: Tool) -> Vec<String> {
    let unknown: &[&str] = match to {
        Tool::Npm => &["workspace:", "catalog:", "jsr:"],
        Tool::Yarn | Tool::Bun | Tool::Pnpm => &[],
    };
    let mut notes = Vec::new();
    for scheme in unknown {
        let uses = |member: &&ProjectMember| {
            let groups = member.manifest.groups();
            groups.iter().any(|(_, pairs)| pairs.iter().any(|(_, literal)| literal.starts_with(scheme)))
        };
        if let Some(member) = members.all().find(uses) {
            notes.push(format!("npm does not know `{scheme}`, which {} has", member.manifest_path()));
        }
    }
    if to == Tool::Npm && !members.project.manifest.patched_dependencies.is_empty() {
        notes.push("npm does not know `patchedDependencies`".to_owned());
    }
    if to != Tool::Pnpm && members.project.manifest.overrides.remove_some() {
        notes.push("only pnpm and rusk know `-` in `overrides`, which takes a dependency away".to_owned());
    }
    notes
}
