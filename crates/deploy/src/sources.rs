//! Files of the members that are deployed: those that `rusk pack` would take. In: the project, the
//! members. Out: lists of files, and their copies. Absent: node_modules, which the install makes.

use std::fs;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_install::project::Project;
use rusk_pack::file_list::{self, Surroundings};
use rusk_pack::published_manifest::PackageFields;

use crate::manifests::{DeployedMember, used_patches};
use crate::problem;

/// Files of one directory.
#[derive(Clone, Debug)]
pub struct SourceFiles {
    dir: PathBuf,
    /// Relative to the target.
    target: String,
    /// Relative to the directory, without package.json.
    pub files: Vec<String>,
}

/// `target`: what is not copied into itself.
pub fn find(project: &Project, members: &[DeployedMember], target: &Path) -> Result<Vec<SourceFiles>> {
    let mut sources = Vec::with_capacity(members.len() + 1);
    for member in members {
        let dir =
            if member.source.is_empty() { project.dir.clone() } else { project.dir.join(&member.source) };
        let fields = PackageFields::read(&dir)?;
        let list = file_list::list(&dir, &fields, &surroundings(project, &member.source)?)?;
        let is_wanted = |path: &String| {
            path != "package.json"
                && !path.starts_with("node_modules/")
                && !dir.join(path).starts_with(target)
        };
        let files: Vec<String> = list.files.into_iter().map(|file| file.path).filter(is_wanted).collect();
        let is_taken = |path: &&String| {
            let below = |other: &DeployedMember| {
                !other.path.is_empty() && path.starts_with(&format!("{}/", other.path))
            };
            member.path.is_empty() && !member.source.is_empty() && members.iter().any(below)
        };
        if let Some(path) = files.iter().find(is_taken) {
            return Err(problem::taken(path));
        }
        sources.push(SourceFiles { dir, target: member.path.clone(), files });
    }
    let locked = project.lockfile.as_ref().map(|locked| &locked.lockfile.graph);
    let patches =
        locked.map(|graph| used_patches(graph, &project.members.project.manifest)).unwrap_or_default();
    let files = patches.into_iter().map(|(_, path)| path).collect();
    sources.push(SourceFiles { dir: project.dir.clone(), target: String::new(), files });
    Ok(sources)
}

/// Members below the project are packages of their own; ignore files above a member hold in it.
fn surroundings(project: &Project, member: &str) -> Result<Surroundings> {
    if member.is_empty() {
        let paths = project.members.workspaces.iter().map(|member| member.path.clone());
        return Ok(Surroundings { member_dirs: paths.collect(), ..Surroundings::default() });
    }
    let outer: Vec<&Path> = Path::new(member).ancestors().skip(1).collect();
    let found = outer.iter().rev().map(|dir| file_list::read_ignore_file(&project.dir.join(dir)));
    let outer_ignore_files = found.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    Ok(Surroundings { outer_ignore_files, ..Surroundings::default() })
}

impl SourceFiles {
    /// Copies the files with their permissions.
    pub fn copy(&self, staging: &Path) -> Result<()> {
        let target = staging.join(&self.target);
        for path in &self.files {
            let (from, to) = (self.dir.join(path), target.join(path));
            if let Some(dir) = to.parent() {
                files::create_directories(dir)?;
            }
            fs::copy(&from, &to).map_err(|error| problem::copy(&from, error))?;
        }
        Ok(())
    }
}
