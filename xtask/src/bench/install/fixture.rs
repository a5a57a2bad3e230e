//! What is installed: the projects of `fixtures/bench`, and generated ones of any size.

use super::generated;
use crate::place;
use std::path::{Path, PathBuf};

/// A project to install.
#[derive(Clone, Debug)]
pub struct Fixture {
    pub name: String,
    /// Copied whole.
    pub project: PathBuf,
    /// Copied over it for the scenario `update`; not every fixture has one.
    pub update: Option<PathBuf>,
}

/// In the order in which tables show them.
pub const COMMITTED: &[&str] = &["server", "application", "workspace", "large"];

impl Fixture {
    /// One of `fixtures/bench`, or `generated-<packages>`, which is made when it is not there yet.
    pub fn find(name: &str) -> Result<Fixture, String> {
        if let Some(packages) = name.strip_prefix("generated-").and_then(|digits| digits.parse().ok()) {
            let project = generated::make(packages)?;
            return Ok(Fixture { name: name.to_owned(), project, update: None });
        }
        if !COMMITTED.contains(&name) {
            let known = COMMITTED.join(", ");
            return Err(format!("expected one of {known} or generated-<packages>, found `{name}`"));
        }
        let folder = place::root().join("fixtures/bench").join(name);
        Ok(Fixture {
            name: name.to_owned(),
            project: folder.join("project"),
            update: Some(folder.join("update")),
        })
    }

    /// Whether its packages come from the real registry, once.
    pub fn is_recorded(&self) -> bool {
        self.update.is_some()
    }

    /// Makes `folder` the project as a tool takes it, before any install.
    pub fn copy_to(&self, folder: &Path, dialect: WorkspaceDialect) -> Result<(), String> {
        place::empty(folder)?;
        copy(&self.project, folder, dialect)
    }

    /// Copies the changed manifests over the project.
    pub fn update_in(&self, folder: &Path, dialect: WorkspaceDialect) -> Result<(), String> {
        let update = self.update.as_deref().ok_or_else(|| format!("`{}` has no update", self.name))?;
        copy(update, folder, dialect)
    }
}

/// How a member of a workspace is named as a dependency.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WorkspaceDialect {
    Protocol,
    /// `*` for `workspace:*`.
    Star,
}

fn copy(from: &Path, to: &Path, dialect: WorkspaceDialect) -> Result<(), String> {
    place::copy(from, to)?;
    if dialect == WorkspaceDialect::Star {
        for manifest in manifests(to) {
            let text = place::find(&manifest).unwrap_or_default();
            place::write(&manifest, &text.replace("\"workspace:*\"", "\"*\""))?;
        }
    }
    Ok(())
}

/// Every package.json of a project, its root's first; node_modules left out.
pub fn manifests(project: &Path) -> Vec<PathBuf> {
    let mut found = vec![project.join("package.json")];
    let entries =
        |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = entries(project).collect();
    folders.sort();
    while let Some(folder) = folders.pop() {
        if folder.file_name().is_some_and(|name| name == "node_modules") || !folder.is_dir() {
            continue;
        }
        found.extend(Some(folder.join("package.json")).filter(|manifest| manifest.is_file()));
        folders.extend(entries(&folder));
    }
    found
}
