//! A project from a template's files. In: a template. Out: the new directory with the files, its
//! package.json under its own name; and what the template wants to run, to be shown before it does.
//! Files that exist are replaced with `--force` alone; without it, one of them means that nothing
//! is written.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rusk_base::problem::printable;
use rusk_base::{Result, files};
use rusk_configuration::request::HostEnvironment;
use rusk_install::InstallRequest;
use rusk_install::project_code::ProjectCode;
use rusk_npm::edit;
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::name::PackageName;

use crate::arguments::CreateArguments;
use crate::problem;
use crate::template::Template;
use crate::template_files::{self, FileContent, TemplateFile};

const MANIFEST: &str = "package.json";
/// The member of package.json with bun's settings of a template.
const SETTINGS: &str = "bun-create";

/// What was made of a template.
#[derive(Clone, Debug)]
pub struct CreatedProject {
    pub directory: PathBuf,
    /// As the user wrote it.
    pub name: String,
    pub files: usize,
    pub tasks: Tasks,
    /// The template was downloaded.
    pub is_remote: bool,
}

/// The commands of a template around the install of the new project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tasks {
    /// Each as a shell gets it: of a name of a script, the script.
    pub preinstall: Vec<String>,
    pub postinstall: Vec<String>,
    pub start: Option<String>,
    pub has_dependencies: bool,
}

impl CreatedProject {
    /// All that `rusk install` and the template's commands around it would run, a line or more for
    /// each, safe for a terminal. Empty: nothing of the template. Reads the files of the project.
    pub fn code(&self, host: &HostEnvironment) -> Result<Vec<String>> {
        let installed = match self.tasks.has_dependencies {
            true => ProjectCode::read(&self.directory, host)?,
            false => ProjectCode::default(),
        };
        let mut lines = self.tasks.preinstall.clone();
        lines.extend(installed.lines());
        lines.extend(self.tasks.postinstall.iter().cloned());
        Ok(lines.iter().map(|line| printable(line).into_owned()).collect())
    }
}

/// Copies a template. `word`: its name, as the user wrote it.
pub fn create(
    template: &Template,
    word: &str,
    arguments: &CreateArguments,
    request: &InstallRequest,
    host: &HostEnvironment,
) -> Result<CreatedProject> {
    let name = arguments.directory.clone().unwrap_or_else(|| template.directory_name());
    let directory = files::normalized(&host.current_dir.join(&name));
    let mut found = match template {
        Template::Directory(source) if directory.starts_with(source) => {
            return Err(problem::template_in_itself(&directory));
        }
        Template::Directory(source) => template_files::of_directory(source)?,
        Template::Github(repository) => template_files::of_github(repository, request, host)?,
    };
    if found.is_empty() {
        return Err(problem::template_empty(word));
    }
    rename_ignore_file(&mut found);
    let tasks = settle_manifest(&mut found, &directory)?;
    if !arguments.force {
        check_new(&found, &directory)?;
    }
    write(&found, &directory)?;
    let is_remote = matches!(template, Template::Github(_));
    Ok(CreatedProject { directory, name, files: found.len(), tasks, is_remote })
}

/// npm leaves `.gitignore` out of what it publishes, so that templates have it without the dot.
fn rename_ignore_file(found: &mut [TemplateFile]) {
    let has_own = found.iter().any(|file| file.path == Path::new(".gitignore"));
    if let Some(file) = found.iter_mut().find(|file| !has_own && file.path == Path::new("gitignore")) {
        file.path = PathBuf::from(".gitignore");
    }
}

/// Gives package.json the name of the directory, and takes the template's settings from it.
fn settle_manifest(found: &mut [TemplateFile], directory: &Path) -> Result<Tasks> {
    let Some(file) = found.iter_mut().find(|file| file.path == Path::new(MANIFEST)) else {
        return Ok(Tasks::default());
    };
    let FileContent::Bytes { bytes, .. } = &mut file.content else { return Ok(Tasks::default()) };
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    let tasks = {
        let root =
            json::parse(&text, Dialect::Relaxed).map_err(|error| problem::template_manifest(&error))?;
        tasks(&root)
    };
    let name = directory.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    if PackageName::parse(&name).is_ok() {
        let mut quoted = String::new();
        json::quote_into(&mut quoted, &name);
        text = edit::set_field(&text, "name", &quoted)?;
    }
    text = edit::remove_field(&text, SETTINGS)?;
    *bytes = text.into_bytes();
    Ok(tasks)
}

fn tasks(root: &Node<'_>) -> Tasks {
    let script = |name: &str| root.find("scripts")?.find(name)?.as_str();
    let commands = |key: &str| {
        let node = root.find(SETTINGS).and_then(|settings| settings.find(key));
        let one = node.and_then(Node::as_str).map(str::to_owned);
        let many = node.map(Node::elements).unwrap_or_default().iter().filter_map(Node::as_str);
        let all = one.into_iter().chain(many.map(str::to_owned));
        all.map(|command| script(&command).map_or(command, str::to_owned)).collect::<Vec<String>>()
    };
    let groups = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
    let has_members = |key: &&str| root.find(key).is_some_and(|group| !group.members().is_empty());
    Tasks {
        preinstall: commands("preinstall"),
        postinstall: commands("postinstall"),
        start: commands("start").into_iter().next(),
        has_dependencies: groups.iter().any(has_members),
    }
}

/// An error that names the files which exist.
fn check_new(found: &[TemplateFile], directory: &Path) -> Result<()> {
    let existing: Vec<&Path> = found.iter().filter_map(|file| existing(&file.path, directory)).collect();
    if existing.is_empty() { Ok(()) } else { Err(problem::template_files(directory, &existing)) }
}

/// What is in the way of a file: the file itself, or a file or a link in place of a directory.
fn existing<'p>(path: &'p Path, directory: &Path) -> Option<&'p Path> {
    let mut parents: Vec<&Path> =
        path.ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty()).collect();
    parents.reverse();
    let is_in_the_way = |parent: &&&Path| {
        std::fs::symlink_metadata(directory.join(parent)).is_ok_and(|metadata| !metadata.is_dir())
    };
    let parent = parents.iter().find(is_in_the_way).copied();
    parent.or_else(|| std::fs::symlink_metadata(directory.join(path)).is_ok().then_some(path))
}

fn write(found: &[TemplateFile], directory: &Path) -> Result<()> {
    files::create_directories(directory)?;
    for file in found {
        // Only with --force is there something in the way.
        while let Some(existing) = existing(&file.path, directory) {
            let path = directory.join(existing);
            if files::is_directory(&path) && !path.is_symlink() {
                return Err(problem::template_files(directory, &[existing]));
            }
            files::remove_file(&path)?;
        }
        let path = directory.join(&file.path);
        if let Some(parent) = path.parent() {
            files::create_directories(parent)?;
        }
        match &file.content {
            FileContent::Bytes { bytes, is_executable } => {
                files::write_atomically(&path, bytes)?;
                if *is_executable {
                    let mut permissions = std::fs::metadata(&path).map(|it| it.permissions());
                    if let Ok(permissions) = &mut permissions {
                        // Those who may read it may run it.
                        permissions.set_mode(permissions.mode() | (permissions.mode() & 0o444) >> 2);
                        std::fs::set_permissions(&path, permissions.clone())
                            .map_err(|error| problem::template_unwritable(&path, &error))?;
                    }
                }
            }
            FileContent::Link(target) => {
                symlink(target, &path).map_err(|error| problem::template_unwritable(&path, &error))?;
            }
        }
    }
    Ok(())
}
