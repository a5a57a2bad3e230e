//! Fixtures: the projects of `fixtures/bench`, and generated projects of any size.

use super::generator;
use crate::files;
use std::path::{Path, PathBuf};

/// A project to install.
#[derive(Clone, Debug)]
pub struct Fixture {
    pub name: String,
    /// Copied completely.
    pub project: PathBuf,
    /// Copied over the project for the scenario `update`; not every fixture has one.
    pub update: Option<PathBuf>,
}

/// In the order of the tables.
pub const COMMITTED: &[&str] = &["server", "application", "workspace", "large"];

impl Fixture {
    /// One of `fixtures/bench`, or `generated-<packages>`, which is generated if it does not exist.
    pub fn find(name: &str) -> Result<Fixture, String> {
        if let Some(packages) = name.strip_prefix("generated-").and_then(|digits| digits.parse().ok()) {
            let project = generator::make(packages)?;
            return Ok(Fixture { name: name.to_owned(), project, update: None });
        }
        if !COMMITTED.contains(&name) {
            let known = COMMITTED.join(", ");
            return Err(format!("expected one of {known} or generated-<packages>, found `{name}`"));
        }
        let directory = files::root().join("fixtures/bench").join(name);
        Ok(Fixture {
            name: name.to_owned(),
            project: directory.join("project"),
            update: Some(directory.join("update")),
        })
    }

    /// Whether its packages were recorded from the real registry.
    pub fn is_recorded(&self) -> bool {
        self.update.is_some()
    }

    /// Makes `directory` a copy of the project as a tool expects it, before any install.
    pub fn copy_to(&self, directory: &Path, dialect: WorkspaceDialect) -> Result<(), String> {
        files::empty(directory)?;
        copy(&self.project, directory, dialect)
    }

    /// Copies the changed manifests over the project.
    pub fn update_in(&self, directory: &Path, dialect: WorkspaceDialect) -> Result<(), String> {
        let update = self.update.as_deref().ok_or_else(|| format!("`{}` has no update", self.name))?;
        copy(update, directory, dialect)
    }
}

/// How a dependency on a workspace member is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WorkspaceDialect {
    Protocol,
    /// `*` instead of `workspace:*`.
    Star,
}

fn copy(from: &Path, to: &Path, dialect: WorkspaceDialect) -> Result<(), String> {
    files::copy(from, to)?;
    if dialect == WorkspaceDialect::Star {
        for manifest in manifests(to) {
            let text = files::find(&manifest).unwrap_or_default();
            files::write(&manifest, &text.replace("\"workspace:*\"", "\"*\""))?;
        }
    }
    Ok(())
}

/// Every package.json of a project, that of its root first; node_modules is skipped.
pub fn manifests(project: &Path) -> Vec<PathBuf> {
    let mut found = vec![project.join("package.json")];
    let entries = |directory: &Path| {
        std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path())
    };
    let mut directories: Vec<PathBuf> = entries(project).collect();
    directories.sort();
    while let Some(directory) = directories.pop() {
        if directory.file_name().is_some_and(|name| name == "node_modules") || !directory.is_dir() {
            continue;
        }
        found.extend(Some(directory.join("package.json")).filter(|manifest| manifest.is_file()));
        directories.extend(entries(&directory));
    }
    found
}
