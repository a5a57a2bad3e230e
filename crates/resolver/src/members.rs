//! The project's own packages as values: contents of package.json files, and of the
//! pnpm-workspace.yaml beside the first. Absent: reading them from disk.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rusk_base::Result;
use rusk_lockfiles::MemberText;
use rusk_lockfiles::pnpm_workspace::{self, PnpmWorkspace};
use rusk_lockfiles::settings::yarnrc;
use rusk_npm::edit;
use rusk_npm::manifest::Manifest;
use rusk_npm::release_age::ReleaseAgeSettings;
use rusk_npm::yarn_patch::PatchPath;

use crate::problem;

/// The file every package has.
pub const MANIFEST_NAME: &str = "package.json";

/// The project's own packages: the root and the workspaces.
#[derive(Clone, Debug)]
pub struct Members {
    pub project: ProjectMember,
    /// Sorted by path.
    pub workspaces: Vec<ProjectMember>,
    /// Packages that the patterns match and that have no name: nothing can depend on them, and
    /// they are left out as bun leaves them out.
    pub unnamed: Vec<ProjectMember>,
    /// Where workspaces were searched: directories that were listed, and the package.json of each
    /// matching directory without one.
    pub searched: Vec<String>,
    /// Whether one satisfies a range that it fits.
    pub link_rule: MemberLinkRule,
    /// What happens with peers that nothing provides.
    pub peer_rule: PeerRule,
}

/// npm's `legacy-peer-deps`, pnpm's `autoInstallPeers`: what a required peer is bound to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PeerRule {
    /// To a package that is there, else to one that is added.
    #[default]
    Added,
    /// To a package that is there, or to none.
    Existing,
}

/// `linkWorkspacePackages`: what satisfies the range of a dependency that has a member's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemberLinkRule {
    /// The member, if its version fits.
    #[default]
    Linked,
    /// The registry's package. `workspace:` still names the member.
    FromRegistry,
}

#[derive(Clone, Debug)]
pub struct ProjectMember {
    /// Relative to the project, with `/`; empty for the project.
    pub path: String,
    /// Contents of package.json.
    pub text: String,
    pub manifest: Manifest,
    /// The name in package.json.
    pub declared_name: Option<String>,
    /// Whether the manifest's name stands for the path: package.json has none, or that of another
    /// member.
    pub named_by_path: bool,
    /// Of a project of pnpm: pnpm-workspace.yaml, whose settings the manifest has too; empty if
    /// there is none.
    pub pnpm_workspace: Option<String>,
    /// Of a project of Yarn: .yarnrc.yml, whose catalogs the manifest has too.
    pub yarnrc: Option<String>,
    /// Of the project: the minimum age of releases in pnpm-workspace.yaml or .yarnrc.yml.
    pub release_age: ReleaseAgeSettings,
}

impl Members {
    /// A project without workspaces.
    pub fn single(project: ProjectMember) -> Members {
        let (workspaces, unnamed, searched) = (Vec::new(), Vec::new(), Vec::new());
        let (link_rule, peer_rule) = (MemberLinkRule::Linked, PeerRule::Added);
        Members { project, workspaces, unnamed, searched, link_rule, peer_rule }
    }

    /// `found`: the packages that the patterns of `project` match, sorted by path. `searched`: see
    /// the field.
    pub fn of_found(
        project: ProjectMember,
        mut found: Vec<ProjectMember>,
        searched: Vec<String>,
    ) -> Result<Members> {
        if project.pnpm_workspace.is_some() {
            name_by_path(&mut found);
        }
        let (workspaces, unnamed) = found.into_iter().partition(|member| member.manifest.name.is_some());
        let (link_rule, peer_rule) = (MemberLinkRule::Linked, PeerRule::Added);
        let mut members = Members { project, workspaces, unnamed, searched, link_rule, peer_rule };
        members.check_names()?;
        members.gather_patches();
        Ok(members)
    }

    /// Patches of Yarn's `patch:` protocol become those of the project.
    fn gather_patches(&mut self) {
        let mut found: Vec<(String, String)> = Vec::new();
        let mut warnings = Vec::new();
        for member in self.all() {
            for patch in &member.manifest.yarn_patches {
                let (key, Some(file)) = (patch.key(), patch.files.last()) else { continue };
                if patch.files.len() > 1 {
                    warnings.push(format!("of several patches of `{key}`, the last one is applied"));
                }
                let path = match file {
                    PatchPath::OfMember(path) if !member.path.is_empty() => format!("{}/{path}", member.path),
                    PatchPath::OfMember(path) | PatchPath::OfProject(path) => path.clone(),
                };
                if !found.iter().any(|(known, _)| *known == key) {
                    found.push((key, path));
                }
            }
        }
        self.project.manifest.patched_dependencies.extend(found);
        self.project.manifest.warnings.extend(warnings);
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
        let mut manifest = Manifest::parse(&text).map_err(|error| match path.as_str() {
            "" => error,
            path => error.note(format!("in `{path}/{MANIFEST_NAME}`")),
        })?;
        manifest.separate_patches();
        let release_age = ReleaseAgeSettings::default();
        let (named_by_path, pnpm_workspace, yarnrc) = (false, None, None);
        let declared_name = manifest.name.clone();
        Ok(ProjectMember {
            path,
            text,
            manifest,
            declared_name,
            named_by_path,
            pnpm_workspace,
            yarnrc,
            release_age,
        })
    }

    /// Parses the package.json of the project, and the pnpm-workspace.yaml beside it.
    pub fn parse_project(text: String, pnpm_workspace: Option<String>) -> Result<ProjectMember> {
        let Some(yaml) = pnpm_workspace else { return ProjectMember::parse(String::new(), text) };
        let mut workspace = PnpmWorkspace::parse(&yaml)?;
        workspace.add_manifest(&text);
        let mut manifest = Manifest::parse(&workspace.extend(&text))?;
        manifest.warnings.extend(workspace.warnings);
        if let Some(extensions) = workspace.package_extensions {
            manifest.package_extensions = Arc::new(extensions);
        }
        let release_age = workspace.release_age;
        let member = ProjectMember::parse(String::new(), text)?;
        Ok(ProjectMember { manifest, pnpm_workspace: Some(yaml), release_age, ..member })
    }

    /// Parses the package.json of a project of Yarn, and the .yarnrc.yml beside it.
    pub fn parse_yarn_project(text: String, yarnrc: String) -> Result<ProjectMember> {
        let mut manifest = Manifest::parse(&yarnrc::extend(&yarnrc, &text)?)?;
        manifest.separate_patches();
        let yarnrc::ProjectSettings { package_extensions, release_age } = yarnrc::project_settings(&yarnrc)?;
        manifest.package_extensions = Arc::new(package_extensions);
        let member = ProjectMember::parse(String::new(), text)?;
        Ok(ProjectMember { manifest, yarnrc: Some(yarnrc), release_age, ..member })
    }

    /// The project with an entry of a catalog, in pnpm-workspace.yaml or .yarnrc.yml where there is
    /// one.
    pub fn with_catalog_entry(&self, catalog: &str, name: &str, literal: &str) -> Result<ProjectMember> {
        let edited = |yaml: &str| pnpm_workspace::set_catalog_entry(yaml, catalog, name, literal);
        match (&self.pnpm_workspace, &self.yarnrc) {
            (Some(yaml), _) => ProjectMember::parse_project(self.text.clone(), Some(edited(yaml)?)),
            (_, Some(yaml)) => ProjectMember::parse_yarn_project(self.text.clone(), edited(yaml)?),
            (None, None) => self.with_text(edit::set_catalog_entry(&self.text, catalog, name, literal)?),
        }
    }

    /// The project with the patch of a package. `is_pnpm`: pnpm reads it in pnpm-workspace.yaml,
    /// unless package.json has patches for pnpm.
    pub fn with_patch(&self, package: &str, path: &str, is_pnpm: bool) -> Result<ProjectMember> {
        let has_own = self.text.contains("\"patchedDependencies\"");
        match &self.pnpm_workspace {
            _ if has_own || !is_pnpm => self.with_text(edit::set_patch(&self.text, package, path)?),
            yaml => {
                let edited = pnpm_workspace::set_patch(yaml.as_deref().unwrap_or_default(), package, path)?;
                ProjectMember::parse_project(self.text.clone(), Some(edited))
            }
        }
    }

    /// The files of the project that differ from those of `before`: path and contents.
    pub fn changed_files(&self, before: &ProjectMember) -> Vec<(String, String)> {
        let yaml = self.pnpm_workspace.as_ref().filter(|yaml| before.pnpm_workspace.as_ref() != Some(yaml));
        let text = Some(&self.text).filter(|text| before.text != **text);
        let yarnrc = self.yarnrc.as_ref().filter(|yaml| before.yarnrc.as_ref() != Some(yaml));
        let named = [(MANIFEST_NAME, text), (pnpm_workspace::FILE_NAME, yaml), (yarnrc::FILE_NAME, yarnrc)];
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
        match (&self.pnpm_workspace, &self.yarnrc) {
            (Some(yaml), _) => ProjectMember::parse_project(text, Some(yaml.clone())),
            (_, Some(yaml)) => ProjectMember::parse_yarn_project(text, yaml.clone()),
            (None, None) => {
                let mut member = ProjectMember::parse(self.path.clone(), text)?;
                // A name that stands for its path stays.
                if member.manifest.name.is_none() || self.named_by_path {
                    member.manifest.name.clone_from(&self.manifest.name);
                }
                Ok(ProjectMember { named_by_path: self.named_by_path, ..member })
            }
        }
    }
}

/// pnpm knows members by their paths: one without a name is one, too, and several may have one
/// name. The first of these keeps it.
fn name_by_path(members: &mut [ProjectMember]) {
    let mut taken: HashSet<String> = HashSet::new();
    for member in members.iter_mut() {
        member.named_by_path = match &member.manifest.name {
            Some(name) => !taken.insert(name.clone()),
            None => true,
        };
    }
    for member in members.iter_mut().filter(|member| member.named_by_path) {
        let mut name = member.path.replace('/', "-");
        while !taken.insert(name.clone()) {
            name.push('-');
        }
        member.manifest.name = Some(name);
    }
}
