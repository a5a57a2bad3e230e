//! The project on disk: package.json, its workspaces, the lockfile. Each is read once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_lockfiles::bun::binary;
use rusk_lockfiles::settings::yarnrc;
use rusk_lockfiles::{BYTES_MAX, Format, Lockfile, choose, pnpm_workspace};
use rusk_npm::WorkspacePatterns;
use rusk_npm::manifest::MANIFEST_BYTES_MAX;
use rusk_resolver::members::{MANIFEST_NAME, Members, ProjectMember};

use crate::workspaces::NamedDirectory;
use crate::{binary_lockfile, problem, workspaces};

/// A project's directory, and the contents of its files.
#[derive(Clone, Debug)]
pub struct Project {
    /// Absolute: the directory of the root package.json.
    pub dir: PathBuf,
    pub members: Members,
    /// The format of its lockfile, or of the one that will be written.
    pub format: Format,
    /// `None` when there is no lockfile.
    pub lockfile: Option<LoadedLockfile>,
}

/// The lockfile, parsed, and the bytes it was parsed from.
#[derive(Clone, Debug)]
pub struct LoadedLockfile {
    pub text: String,
    pub lockfile: Lockfile,
    pub origin: LockfileOrigin,
}

/// Where a lockfile was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockfileOrigin {
    Project,
    /// The project has only bun.lockb, which this one replaces; with the bytes of that file.
    Binary(Vec<u8>),
    /// The project has none: this one is stored in node_modules, which was made from it.
    NodeModules,
}

impl LoadedLockfile {
    pub fn parse(
        format: Format,
        text: String,
        members: &Members,
        origin: LockfileOrigin,
    ) -> Result<LoadedLockfile> {
        let lockfile = rusk_lockfiles::read(format, &text, &members.manifest_strings())?;
        Ok(LoadedLockfile { text, lockfile, origin })
    }

    pub fn is_binary(&self) -> bool {
        matches!(self.origin, LockfileOrigin::Binary(_))
    }
}

/// The lockfile of a project, not read yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundLockfile {
    /// There is none; one of this format would be written.
    Absent(Format),
    /// Only bun.lockb.
    Binary,
    Text(Format),
}

impl FoundLockfile {
    pub fn format(self) -> Format {
        match self {
            FoundLockfile::Absent(format) | FoundLockfile::Text(format) => format,
            FoundLockfile::Binary => Format::Bun,
        }
    }

    /// Chooses among the lockfiles that are there.
    pub fn find(dir: &Path, members: &Members) -> Result<FoundLockfile> {
        let is_present = |name: &str| files::exists(&dir.join(name));
        let mut present: Vec<Format> =
            Format::ALL.into_iter().filter(|format| is_present(format.file_name())).collect();
        let has_text = present.contains(&Format::Bun);
        if !has_text && is_present(binary::FILE_NAME) {
            present.push(Format::Bun);
        }
        Ok(match choose(&present, members.project.manifest.package_manager.as_deref())? {
            Some(Format::Bun) if !has_text => FoundLockfile::Binary,
            Some(format) => FoundLockfile::Text(format),
            None => FoundLockfile::Absent(Format::default()),
        })
    }
}

impl Project {
    /// Reads the project in a directory with the root package.json.
    pub fn read(dir: &Path) -> Result<Project> {
        Project::with_lockfile(dir, read_members(dir)?)
    }

    /// Finds and reads the lockfile of these members.
    pub fn with_lockfile(dir: &Path, members: Members) -> Result<Project> {
        let found = FoundLockfile::find(dir, &members)?;
        Project::with_found(dir, members, found)
    }

    /// Reads the lockfile that was found for these members.
    pub fn with_found(dir: &Path, members: Members, found: FoundLockfile) -> Result<Project> {
        let (format, lockfile) = match found {
            FoundLockfile::Absent(format) => (format, None),
            FoundLockfile::Binary => (Format::Bun, binary_lockfile::read(dir, &members)?),
            FoundLockfile::Text(format) => (format, read_lockfile(dir, format, &members)?),
        };
        Ok(Project { dir: dir.to_owned(), members, format, lockfile })
    }

    /// As `read`; a directory without a package.json becomes a new project.
    pub fn read_or_begin(dir: &Path) -> Result<Project> {
        match files::exists(&dir.join(MANIFEST_NAME)) {
            true => Project::read(dir),
            false => {
                let project = ProjectMember::parse(String::new(), "{}\n".to_owned())?;
                Project::with_lockfile(dir, Members::single(project))
            }
        }
    }

    /// Absolute path of a member's directory.
    pub fn dir_of(&self, member: &ProjectMember) -> PathBuf {
        match member.path.as_str() {
            // `join` would add a slash.
            "" => self.dir.clone(),
            path => self.dir.join(path),
        }
    }

    pub fn lockfile_path(&self) -> PathBuf {
        self.dir.join(self.format.file_name())
    }

    /// The name of the file that the lockfile was read from.
    pub fn lockfile_name(&self) -> &'static str {
        match &self.lockfile {
            Some(locked) if locked.is_binary() => binary::FILE_NAME,
            _ => self.format.file_name(),
        }
    }
}

/// Reads the package.json files of a project and its workspaces.
pub fn read_members(dir: &Path) -> Result<Members> {
    let text = read_manifest(dir)?;
    let pnpm_workspace = read_pnpm_workspace(dir, &text)?;
    let project = match read_yarnrc(dir, pnpm_workspace.as_deref())? {
        Some(yarnrc) => ProjectMember::parse_yarn_project(text, yarnrc)?,
        None => ProjectMember::parse_project(text, pnpm_workspace)?,
    };
    let found = workspaces_of(&project, dir)?;
    let parsed = found.workspaces.into_iter().map(|found| ProjectMember::parse(found.path, found.text));
    Members::of_found(project, parsed.collect::<Result<_>>()?, found.searched)
}

/// Whether the members' files on disk are still the same.
pub fn match_disk(members: &Members, dir: &Path) -> bool {
    let Members { project, workspaces, unnamed, searched, link_rule: _, peer_rule: _ } = members;
    let is_same = |found: workspaces::WorkspaceScan| {
        let found_all = found.workspaces.iter().map(|found| (&found.path, &found.text));
        let sorted = |paths: &[String]| paths.iter().cloned().collect::<BTreeSet<_>>();
        let members = workspaces.iter().chain(unnamed).map(|member| (&member.path, &member.text));
        found_all.collect::<BTreeSet<_>>() == members.collect::<BTreeSet<_>>()
            && sorted(&found.searched) == sorted(searched)
    };
    read_manifest(dir).is_ok_and(|text| text == project.text)
        && read_pnpm_workspace(dir, &project.text).is_ok_and(|text| text == project.pnpm_workspace)
        && read_yarnrc(dir, project.pnpm_workspace.as_deref()).is_ok_and(|text| text == project.yarnrc)
        && workspaces_of(project, dir).is_ok_and(is_same)
}

fn read_manifest(dir: &Path) -> Result<String> {
    let text = files::find_string(&dir.join(MANIFEST_NAME), MANIFEST_BYTES_MAX as u64)?;
    text.ok_or_else(|| problem::no_manifest(dir))
}

/// A project that has pnpm's lockfile alone has no settings there, but may in the `pnpm` of its
/// package.json, whose text is `manifest`.
fn read_pnpm_workspace(dir: &Path, manifest: &str) -> Result<Option<String>> {
    let text = files::find_string(&dir.join(pnpm_workspace::FILE_NAME), pnpm_workspace::BYTES_MAX)?;
    let is_pnpm = || {
        let is_present = |format: &Format| files::exists(&dir.join(format.file_name()));
        // Other projects are spared the calls.
        manifest.contains("\"pnpm\"")
            && Format::ALL.iter().filter(|format| is_present(format)).eq([&Format::Pnpm])
    };
    Ok(text.or_else(|| is_pnpm().then(String::new)))
}

/// Yarn's settings are those of a project with its lockfile.
fn read_yarnrc(dir: &Path, pnpm_workspace: Option<&str>) -> Result<Option<String>> {
    if pnpm_workspace.is_some() {
        return Ok(None);
    }
    let text = files::find_string(&dir.join(yarnrc::FILE_NAME), pnpm_workspace::BYTES_MAX)?;
    Ok(text.filter(|_| files::exists(&dir.join(Format::Yarn.file_name()))))
}

fn workspaces_of(project: &ProjectMember, dir: &Path) -> Result<workspaces::WorkspaceScan> {
    let patterns = WorkspacePatterns::parse(&project.manifest.workspaces)?;
    if patterns.is_empty() {
        Ok(workspaces::WorkspaceScan::default())
    } else {
        let is_pnpm = project.pnpm_workspace.is_some();
        let named = if is_pnpm { NamedDirectory::Optional } else { NamedDirectory::Required };
        workspaces::scan(dir, &patterns, named)
    }
}

/// The directory itself, or the nearest ancestor whose `workspaces` match it.
pub fn find_root(dir: &Path) -> Result<PathBuf> {
    for above in dir.ancestors().skip(1) {
        // A file that cannot be read or is not a manifest is skipped.
        let text = files::find_string(&above.join(MANIFEST_NAME), MANIFEST_BYTES_MAX as u64).ok().flatten();
        let project = text.and_then(|text| {
            let pnpm_workspace = read_pnpm_workspace(above, &text).ok().flatten();
            ProjectMember::parse_project(text, pnpm_workspace).ok()
        });
        let Some(project) = project else { continue };
        let patterns = WorkspacePatterns::parse(&project.manifest.workspaces)?;
        let inner = dir.strip_prefix(above).ok().and_then(Path::to_str);
        if inner
            .is_some_and(|inner| patterns.matches(inner) || patterns.paths().iter().any(|path| path == inner))
        {
            return Ok(above.to_owned());
        }
    }
    Ok(dir.to_owned())
}

fn read_lockfile(dir: &Path, format: Format, members: &Members) -> Result<Option<LoadedLockfile>> {
    let text = files::find_string(&dir.join(format.file_name()), BYTES_MAX)?;
    text.map(|text| LoadedLockfile::parse(format, text, members, LockfileOrigin::Project)).transpose()
}
