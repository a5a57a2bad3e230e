//! The project of the current directory with the graph of its lockfile, in any format.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_install::project::{FoundLockfile, Project, find_root, read_members};
use rusk_install::selection::{graph_of, select, select_paths};
use rusk_npm::graph::{Graph, Package, PackageId, Role, Source};
use rusk_query::members::{OmittedGroups, find_member, path_of_member, version_text};
use rusk_query::package_filter::PackageFilter;
use rusk_resolver::members::{Members, ProjectMember};
use rusk_resolver::{find_mismatch, rules, violated_peers};

use super::problem;
use crate::commands::{members, request};
use crate::{host, problem as rusk_problem};
use rusk_command_line::flags::{Flag, Invocation};
use rusk_screen::Screen;

pub struct InstalledProject {
    pub project: Project,
    pub graph: Graph,
    /// The package of the current directory.
    pub member: PackageId,
    /// Whether the lockfile matches package.json.
    pub matches: bool,
}

/// A project of which only the manifests are read.
pub struct ProjectManifests {
    /// Directory of the package that the command is about.
    dir: PathBuf,
    root: PathBuf,
    pub members: Members,
}

/// As [`ProjectManifests`], and which lockfile there is.
pub struct ProjectFiles {
    pub manifests: ProjectManifests,
    pub lockfile: FoundLockfile,
}

impl ProjectFiles {
    pub fn read(invocation: &Invocation) -> Result<ProjectFiles> {
        ProjectFiles::with_lockfile(ProjectManifests::read(invocation)?)
    }

    pub fn with_lockfile(manifests: ProjectManifests) -> Result<ProjectFiles> {
        let lockfile = FoundLockfile::find(&manifests.root, &manifests.members)?;
        Ok(ProjectFiles { manifests, lockfile })
    }

    /// Directory of the root package.json.
    pub fn root(&self) -> &Path {
        &self.manifests.root
    }

    /// Directory of the package that the command is about.
    pub fn dir(&self) -> &Path {
        &self.manifests.dir
    }
}

impl ProjectManifests {
    pub fn read(invocation: &Invocation) -> Result<ProjectManifests> {
        let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
        let dir = host::find_project(&current_dir);
        let dir = dir.ok_or_else(|| rusk_problem::no_package(&current_dir))?;
        let root = find_root(dir)?;
        Ok(ProjectManifests { dir: dir.to_owned(), members: read_members(&root)?, root })
    }

    pub fn is_at_root(&self) -> bool {
        self.dir == self.root
    }

    /// Whether the filters match no member; warns then, as bun does where nothing is changed.
    pub fn selects_none(&self, invocation: &Invocation, screen: &mut Screen) -> Result<bool> {
        let selection = members::selection(invocation)?;
        if selection.filters.is_empty() {
            return Ok(false);
        }
        let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, host::environment());
        let selected = select(&selection, &graph_of(&self.members), &self.root, &host)?;
        let is_none = selected.members.is_empty();
        for filter in selected.unmatched.iter().filter(|_| is_none) {
            screen.warn(&format!("no member matches the filter `{filter}`"));
        }
        Ok(is_none)
    }
}

impl InstalledProject {
    /// Warns if the lockfile does not match package.json.
    pub fn open(invocation: &Invocation, screen: &mut Screen) -> Result<InstalledProject> {
        InstalledProject::parse(ProjectFiles::read(invocation)?, screen)
    }

    /// As `open`, with the files that were found.
    pub fn parse(files: ProjectFiles, screen: &mut Screen) -> Result<InstalledProject> {
        let ProjectManifests { dir, root, members } = files.manifests;
        let project = Project::with_found(&root, members, files.lockfile)?;
        let file = project.format.file_name();
        let mut matches = true;
        let graph = match &project.lockfile {
            None if project.members.are_empty() => empty_graph(),
            None => return Err(problem::no_lockfile(file)),
            Some(loaded) => {
                if let Some(reason) = find_mismatch(&project.members, &loaded.lockfile)? {
                    matches = false;
                    screen.warning(&format!("{file} does not match package.json: {reason}"));
                }
                loaded.lockfile.graph.clone()
            }
        };
        let path = dir.strip_prefix(&project.dir).unwrap_or(&dir).to_string_lossy();
        let member = find_member(&graph, &path).unwrap_or(PackageId(0));
        Ok(InstalledProject { project, graph, member, matches })
    }

    /// The members that flags select; `None` without such a flag.
    pub fn selected(&self, invocation: &Invocation, screen: &mut Screen) -> Result<Option<Vec<PackageId>>> {
        let selection = members::selection(invocation)?;
        if selection.is_default() {
            return Ok(None);
        }
        let host = host::host(host::current_dir(invocation.path(Flag::Cwd))?, host::environment());
        let paths = select_paths(&selection, &self.project, &host, screen)?;
        Ok(Some(paths.iter().filter_map(|path| find_member(&self.graph, path)).collect()))
    }

    /// By package: who requires another version of it as a peer, and which.
    pub fn violated_peers(&self) -> HashMap<PackageId, Vec<String>> {
        let rules = rules::of_manifest(&self.project.members.project.manifest);
        let mut found: HashMap<PackageId, Vec<String>> = HashMap::new();
        for peer in violated_peers(&self.graph, &rules) {
            found.entry(peer.bound).or_default().push(peer.short);
        }
        found
    }

    /// The package.json of a member of the graph.
    pub fn manifest(&self, member: PackageId) -> Option<&ProjectMember> {
        let path = path_of_member(&self.graph, member)?;
        self.project.members.all().find(|member| member.path == path)
    }

    /// Absolute path of a member's directory.
    pub fn dir_of(&self, member: PackageId) -> PathBuf {
        match path_of_member(&self.graph, member) {
            Some(path) if !path.is_empty() => self.project.dir.join(path),
            _ => self.project.dir.clone(),
        }
    }

    /// The name in a member's package.json, else that of its directory.
    pub fn member_name(&self, member: PackageId) -> String {
        let name = self.manifest(member).and_then(|member| member.manifest.name.clone());
        let dir = || self.dir_of(member).file_name().map(|name| name.to_string_lossy().into_owned());
        name.or_else(dir).unwrap_or_default()
    }

    /// The version in a member's package.json.
    pub fn member_version(&self, member: PackageId) -> Option<&str> {
        self.manifest(member)?.manifest.version.as_deref()
    }

    /// `app@1.0.0`, or `app` without a version.
    pub fn member_label(&self, member: PackageId) -> String {
        let name = self.member_name(member);
        match self.member_version(member) {
            Some(version) => format!("{name}@{version}"),
            None => name,
        }
    }

    /// `left@1.0.0`; `app@workspace:packages/app` for a workspace.
    pub fn label(&self, id: PackageId) -> String {
        match self.graph.package(id).source {
            Source::Root => self.member_label(id),
            _ => format!("{}@{}", self.graph.package_name(id), version_text(&self.graph, id)),
        }
    }

    /// Whether node_modules has a dependency of a member.
    pub fn is_installed(&self, member: PackageId, name: &str) -> bool {
        [self.dir_of(member), self.project.dir.clone()]
            .iter()
            .any(|dir| files::exists(&dir.join("node_modules").join(name)))
    }
}

/// The graph of a project without dependencies, which has no lockfile.
fn empty_graph() -> Graph {
    let mut graph = Graph::default();
    let name = graph.intern("project").expect("it is a package name");
    graph.add(Package::new(name, Source::Root), Vec::new());
    graph
}

/// The groups that `--production` and `--omit` leave out.
pub fn omitted(invocation: &Invocation) -> OmittedGroups {
    let omit = request::omit(invocation);
    OmittedGroups { development: omit.development, optional: omit.optional, peer: omit.peer }
}

/// The operands as a filter.
pub fn filter(invocation: &Invocation) -> Result<PackageFilter> {
    PackageFilter::parse(&invocation.operands).map_err(|argument| problem::bad_range(&argument))
}

/// What npm calls a role.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Workspace => "workspace",
        Role::Development => "dev",
        Role::Optional => "optional",
        Role::Production => "prod",
        Role::Peer => "peer",
        Role::OptionalPeer => "peerOptional",
    }
}
