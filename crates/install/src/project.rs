//! The project on disk: package.json, its workspaces, the lockfile. Each is read once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_lockfiles::begin::{ProjectSettings, begin};
use rusk_lockfiles::bun::binary;
use rusk_lockfiles::settings::yarnrc;
use rusk_lockfiles::{BYTES_MAX, Format, Lockfile, choose, pnpm_workspace, unfinished_migration};
use rusk_npm::WorkspacePatterns;
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_resolver::members::{MANIFEST_NAME, Members, ProjectMember};

use crate::link::staging;
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
    /// Without a lockfile: what the first one is rendered over; `None`: nothing.
    pub blank: Option<BlankLockfile>,
}

/// A lockfile without entries, as the package manager of its format begins it.
#[derive(Clone, Debug)]
pub struct BlankLockfile {
    text: String,
    lockfile: Lockfile,
}

impl BlankLockfile {
    pub fn has_format_of(&self, lockfile: &Lockfile) -> bool {
        std::mem::discriminant(&self.lockfile.details) == std::mem::discriminant(&lockfile.details)
    }
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
        let chosen = match choose(&present, members.project.manifest.package_manager.as_deref()) {
            Err(_) if unfinished_migration::finish(dir, staging::NAME) => {
                return FoundLockfile::find(dir, members);
            }
            chosen => chosen?,
        };
        Ok(match chosen {
            Some(Format::Bun) if !has_text => FoundLockfile::Binary,
            Some(format) => FoundLockfile::Text(format),
            None => FoundLockfile::Absent(new_format(members)),
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
        let blank = match found {
            FoundLockfile::Absent(format) => blank_lockfile(dir, format, &members)?,
            FoundLockfile::Binary | FoundLockfile::Text(_) => None,
        };
        let (format, lockfile) = match found {
            FoundLockfile::Absent(format) => (format, None),
            FoundLockfile::Binary => (Format::Bun, binary_lockfile::read(dir, &members)?),
            FoundLockfile::Text(format) => (format, read_lockfile(dir, format, &members)?),
        };
        Ok(Project { dir: dir.to_owned(), members, format, lockfile, blank })
    }

    /// Whether the files of another read have the same bytes.
    pub fn is_same(&self, other: &Project) -> bool {
        let [own, others] = [self, other].map(|project| {
            let lockfile = project.lockfile.as_ref().map(|locked| &locked.text);
            (lockfile, project.members.all().map(|member| &member.text).collect::<Vec<_>>())
        });
        own == others
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

    /// What the next lockfile is rendered over, and its text.
    pub fn previous(&self) -> Option<(&str, &Lockfile)> {
        let blank = || self.blank.as_ref().map(|blank| (blank.text.as_str(), &blank.lockfile));
        self.lockfile.as_ref().map(|locked| (locked.text.as_str(), &locked.lockfile)).or_else(blank)
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
    let project = match read_yarnrc(dir, &text, pnpm_workspace.as_deref())? {
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
        && read_yarnrc(dir, &project.text, project.pnpm_workspace.as_deref())
            .is_ok_and(|text| text == project.yarnrc)
        && workspaces_of(project, dir).is_ok_and(is_same)
}

fn read_manifest(dir: &Path) -> Result<String> {
    let text = files::find_string(&dir.join(MANIFEST_NAME), MANIFEST_BYTES_MAX as u64)?;
    text.ok_or_else(|| problem::no_manifest(dir))
}

/// A project of pnpm may have no settings there, but may in the `pnpm` of its
/// package.json, whose text is `manifest`.
fn read_pnpm_workspace(dir: &Path, manifest: &str) -> Result<Option<String>> {
    let text = files::find_string(&dir.join(pnpm_workspace::FILE_NAME), pnpm_workspace::BYTES_MAX)?;
    // Other projects are spared the calls.
    let is_pnpm = || manifest.contains("\"pnpm\"") && is_only_format(dir, manifest, Format::Pnpm);
    Ok(text.or_else(|| is_pnpm().then(String::new)))
}

/// Yarn's settings are those of a project with its lockfile, or that will have it.
fn read_yarnrc(dir: &Path, manifest: &str, pnpm_workspace: Option<&str>) -> Result<Option<String>> {
    if pnpm_workspace.is_some() {
        return Ok(None);
    }
    let text = files::find_string(&dir.join(yarnrc::FILE_NAME), pnpm_workspace::BYTES_MAX)?;
    let is_yarn = |_: &String| {
        files::exists(&dir.join(Format::Yarn.file_name())) || is_only_format(dir, manifest, Format::Yarn)
    };
    Ok(text.filter(is_yarn))
}

/// Whether a project has no lockfile of another format, and has one of this format or will have
/// one: its package.json, whose text is `manifest`, names the package manager.
fn is_only_format(dir: &Path, manifest: &str, format: Format) -> bool {
    let is_present = |format: &Format| files::exists(&dir.join(format.file_name()));
    let present: Vec<Format> = Format::ALL.into_iter().filter(is_present).collect();
    let named = || Manifest::parse(manifest).ok().and_then(|manifest| named_format(&manifest));
    present == [format] || (present.is_empty() && named() == Some(format))
}

fn named_format(manifest: &Manifest) -> Option<Format> {
    Format::of_named_tool(manifest.package_manager.as_deref()?)
}

/// The format of the first lockfile of a project: that of `packageManager`, of pnpm's settings, or
/// our own.
fn new_format(members: &Members) -> Format {
    let by_settings = || members.project.pnpm_workspace.is_some().then_some(Format::Pnpm);
    named_format(&members.project.manifest).or_else(by_settings).unwrap_or_default()
}

fn blank_lockfile(dir: &Path, format: Format, members: &Members) -> Result<Option<BlankLockfile>> {
    let settings = lockfile_settings(dir, &members.project);
    let text = begin(format, &members.project.manifest, settings);
    let read = |text: String| {
        let lockfile = rusk_lockfiles::read(format, &text, &members.manifest_strings())?;
        Ok(BlankLockfile { text, lockfile })
    };
    text.map(read).transpose()
}

/// What the first lockfile of a project says of its settings.
pub fn lockfile_settings(dir: &Path, project: &ProjectMember) -> ProjectSettings {
    ProjectSettings {
        has_yarnrc: files::exists(&dir.join(yarnrc::FILE_NAME)),
        installs_peers: project.pnpm_workspace.as_deref().is_none_or(pnpm_workspace::installs_peers),
    }
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
