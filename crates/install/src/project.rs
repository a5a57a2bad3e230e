//! The project on disk: package.json, its workspaces, the lockfile. Each is read once.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::{Result, files};
use rusk_lockfiles::bun::binary;
use rusk_lockfiles::pnpm_workspace::{self, PnpmWorkspace};
use rusk_lockfiles::{BYTES_MAX, Format, Lockfile, MemberText, choose};
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Manifest};
use rusk_npm::release_age::ReleaseAgeSettings;
use rusk_npm::{WorkspacePatterns, edit};

use crate::{binary_lockfile, problem, workspaces};

/// The file every project has.
pub const MANIFEST_NAME: &str = "package.json";

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

/// The project's own packages: the root and the workspaces.
#[derive(Clone, Debug)]
pub struct Members {
    pub project: ProjectMember,
    /// Sorted by path.
    pub workspaces: Vec<ProjectMember>,
    /// Packages that the patterns match and that have no name: nothing can depend on them, and
    /// they are left out as bun leaves them out.
    pub unnamed: Vec<ProjectMember>,
    /// Where workspaces were searched; see [`workspaces::WorkspaceScan`].
    pub searched: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct ProjectMember {
    /// Relative to the project, with `/`; empty for the project.
    pub path: String,
    /// Contents of package.json.
    pub text: String,
    pub manifest: Manifest,
    /// Of the project: pnpm-workspace.yaml, whose settings the manifest has too.
    pnpm_workspace: Option<String>,
    /// Of the project: the minimum age of releases in pnpm-workspace.yaml.
    pub release_age: ReleaseAgeSettings,
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

impl Project {
    /// Reads the project in a directory with the root package.json.
    pub fn read(dir: &Path) -> Result<Project> {
        Project::with_lockfile(dir, Members::read(dir)?)
    }

    /// Finds and reads the lockfile.
    fn with_lockfile(dir: &Path, members: Members) -> Result<Project> {
        let is_present = |name: &str| files::exists(&dir.join(name));
        let mut present: Vec<Format> =
            Format::ALL.into_iter().filter(|format| is_present(format.file_name())).collect();
        let has_text = present.contains(&Format::Bun);
        if !has_text && is_present(binary::FILE_NAME) {
            present.push(Format::Bun);
        }
        let format = choose(&present, members.project.manifest.package_manager.as_deref())?;
        let lockfile = match format {
            Some(Format::Bun) if !has_text => binary_lockfile::read(dir, &members)?,
            Some(format) => read_lockfile(dir, format, &members)?,
            None => None,
        };
        let format = format.unwrap_or_default();
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

impl Members {
    /// Reads the package.json files of a project and its workspaces.
    pub fn read(dir: &Path) -> Result<Members> {
        let project = ProjectMember::read_project(dir)?;
        let found = workspaces_of(&project, dir)?;
        let parsed = found.workspaces.into_iter().map(|found| ProjectMember::parse(found.path, found.text));
        let mut parsed: Vec<ProjectMember> = parsed.collect::<Result<_>>()?;
        if project.pnpm_workspace.is_some() {
            name_by_path(&mut parsed);
        }
        let (workspaces, unnamed) = parsed.into_iter().partition(|member| member.manifest.name.is_some());
        let members = Members { project, workspaces, unnamed, searched: found.searched };
        members.check_names()?;
        Ok(members)
    }

    /// A project without workspaces.
    pub fn single(project: ProjectMember) -> Members {
        Members { project, workspaces: Vec::new(), unnamed: Vec::new(), searched: Vec::new() }
    }

    /// Two workspaces of one name would need one place in node_modules.
    fn check_names(&self) -> Result<()> {
        let mut paths: HashMap<&str, &str> = HashMap::new();
        for ProjectMember { path, manifest, .. } in &self.workspaces {
            let name = manifest.name.as_deref().unwrap_or_default();
            if let Some(first) = paths.insert(name, path) {
                return Err(problem::member_name_twice(name, first, path));
            }
        }
        Ok(())
    }

    /// Whether the files on disk are still the same.
    pub fn match_disk(&self, dir: &Path) -> bool {
        let Members { project, workspaces, unnamed, searched } = self;
        let is_same = |found: workspaces::WorkspaceScan| {
            let found_all = found.workspaces.iter().map(|found| (&found.path, &found.text));
            let sorted = |paths: &[String]| paths.iter().cloned().collect::<BTreeSet<_>>();
            let members = workspaces.iter().chain(unnamed).map(|member| (&member.path, &member.text));
            found_all.collect::<BTreeSet<_>>() == members.collect::<BTreeSet<_>>()
                && sorted(&found.searched) == sorted(searched)
        };
        read_manifest(dir).is_ok_and(|text| text == project.text)
            && read_pnpm_workspace(dir).is_ok_and(|text| text == project.pnpm_workspace)
            && workspaces_of(project, dir).is_ok_and(is_same)
    }

    /// Whether there are no dependencies, so that a lockfile would be empty.
    pub fn are_empty(&self) -> bool {
        self.workspaces.is_empty()
            && self.project.manifest.groups().iter().all(|(_, dependencies)| dependencies.is_empty())
    }

    /// The project and its workspaces.
    pub fn all(&self) -> impl Iterator<Item = &ProjectMember> {
        std::iter::once(&self.project).chain(&self.workspaces)
    }

    /// The package.json files, as the readers of lockfiles take them.
    pub fn manifest_strings(&self) -> Vec<MemberText<'_>> {
        self.all()
            .map(|member| MemberText {
                path: &member.path,
                text: &member.text,
                manifest: Some(&member.manifest),
            })
            .collect()
    }

    /// The member whose directory is `path`, relative to the project.
    pub fn find_mut(&mut self, path: &str) -> Option<&mut ProjectMember> {
        match path {
            "" => Some(&mut self.project),
            path => self.workspaces.iter_mut().find(|member| member.path == path),
        }
    }
}

impl ProjectMember {
    /// Parses the contents of a member's package.json.
    pub fn parse(path: String, text: String) -> Result<ProjectMember> {
        let manifest = Manifest::parse(&text).map_err(|error| match path.as_str() {
            "" => error,
            path => error.note(format!("in `{path}/{MANIFEST_NAME}`")),
        })?;
        let release_age = ReleaseAgeSettings::default();
        Ok(ProjectMember { path, text, manifest, pnpm_workspace: None, release_age })
    }

    /// Reads the project's package.json, and pnpm-workspace.yaml beside it.
    fn read_project(dir: &Path) -> Result<ProjectMember> {
        ProjectMember::parse_project(read_manifest(dir)?, read_pnpm_workspace(dir)?)
    }

    fn parse_project(text: String, pnpm_workspace: Option<String>) -> Result<ProjectMember> {
        let Some(yaml) = pnpm_workspace else { return ProjectMember::parse(String::new(), text) };
        let workspace = PnpmWorkspace::parse(&yaml)?;
        let mut manifest = Manifest::parse(&workspace.extend(&text))?;
        manifest.warnings.extend(workspace.warnings);
        if let Some(extensions) = workspace.package_extensions {
            manifest.package_extensions = Arc::new(extensions);
        }
        let release_age = workspace.release_age;
        Ok(ProjectMember { path: String::new(), text, manifest, pnpm_workspace: Some(yaml), release_age })
    }

    /// The project with an entry of a catalog, in pnpm-workspace.yaml where there is one.
    pub fn with_catalog_entry(&self, catalog: &str, name: &str, literal: &str) -> Result<ProjectMember> {
        match &self.pnpm_workspace {
            Some(yaml) => {
                let yaml = pnpm_workspace::set_catalog_entry(yaml, catalog, name, literal)?;
                ProjectMember::parse_project(self.text.clone(), Some(yaml))
            }
            None => self.with_text(edit::set_catalog_entry(&self.text, catalog, name, literal)?),
        }
    }

    /// The files of the project that differ from those of `before`: path and contents.
    pub fn changed_files(&self, before: &ProjectMember) -> Vec<(String, String)> {
        let yaml = self.pnpm_workspace.as_ref().filter(|yaml| before.pnpm_workspace.as_ref() != Some(yaml));
        let text = Some(&self.text).filter(|text| before.text != **text);
        let named = [(MANIFEST_NAME, text), (pnpm_workspace::FILE_NAME, yaml)];
        named.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.clone()))).collect()
    }

    /// Path of its package.json, relative to the project.
    pub fn manifest_path(&self) -> String {
        match self.path.as_str() {
            "" => MANIFEST_NAME.to_owned(),
            path => format!("{path}/{MANIFEST_NAME}"),
        }
    }

    /// The member with another package.json.
    pub fn with_text(&self, text: String) -> Result<ProjectMember> {
        match &self.pnpm_workspace {
            Some(yaml) => ProjectMember::parse_project(text, Some(yaml.clone())),
            None => {
                let mut member = ProjectMember::parse(self.path.clone(), text)?;
                // A name that stands for its path stays.
                member.manifest.name = member.manifest.name.or_else(|| self.manifest.name.clone());
                Ok(member)
            }
        }
    }
}

/// pnpm knows members by their paths, so one without a name is one, too.
fn name_by_path(members: &mut [ProjectMember]) {
    for member in members.iter_mut().filter(|member| member.manifest.name.is_none()) {
        member.manifest.name = Some(member.path.replace('/', "-"));
    }
}

fn read_manifest(dir: &Path) -> Result<String> {
    let text = files::find_string(&dir.join(MANIFEST_NAME), MANIFEST_BYTES_MAX as u64)?;
    text.ok_or_else(|| problem::no_manifest(dir))
}

fn read_pnpm_workspace(dir: &Path) -> Result<Option<String>> {
    files::find_string(&dir.join(pnpm_workspace::FILE_NAME), pnpm_workspace::BYTES_MAX)
}

fn workspaces_of(project: &ProjectMember, dir: &Path) -> Result<workspaces::WorkspaceScan> {
    let patterns = WorkspacePatterns::parse(&project.manifest.workspaces)?;
    if patterns.is_empty() {
        Ok(workspaces::WorkspaceScan::default())
    } else {
        workspaces::scan(dir, &patterns)
    }
}

/// The directory itself, or the nearest ancestor whose `workspaces` match it.
pub fn find_root(dir: &Path) -> Result<PathBuf> {
    for above in dir.ancestors().skip(1) {
        // A file that cannot be read or is not a manifest is skipped.
        let text = files::find_string(&above.join(MANIFEST_NAME), MANIFEST_BYTES_MAX as u64).ok().flatten();
        let project = text.and_then(|text| {
            ProjectMember::parse_project(text, read_pnpm_workspace(above).ok().flatten()).ok()
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
