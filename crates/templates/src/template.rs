//! What the name of a template means. In: the word, the environment. Out: a directory or a
//! repository; nothing if it is the name of a package. Directories of templates are bun's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_npm::specifier::Forge;

use crate::problem;

/// The directory of templates in a project, and in the home directory.
const TEMPLATES: &str = ".bun-create";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Template {
    Directory(PathBuf),
    Github(GithubTemplate),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GithubTemplate {
    pub owner: String,
    pub repo: String,
    /// A branch, tag or commit; `None`: the default branch.
    pub committish: Option<String>,
}

impl Template {
    /// The name of the new directory, if none is given.
    pub fn directory_name(&self) -> String {
        match self {
            Template::Directory(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Template::Github(template) => template.repo.clone(),
        }
    }
}

/// What a word means. `project`: the directory of the project around the current one.
pub fn find(
    word: &str,
    current_dir: &Path,
    project: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<Option<Template>> {
    if word.starts_with(['/', '.']) {
        let directory = files::normalized(&current_dir.join(word));
        return match files::is_directory(&directory) {
            true => Ok(Some(Template::Directory(directory))),
            false => Err(problem::no_template_directory(word)),
        };
    }
    let is_name = !word.contains(['/', ':', '@']) && !word.is_empty();
    if is_name && let Some(directory) = local(word, [current_dir, project], environment) {
        return Ok(Some(Template::Directory(directory)));
    }
    Ok(github(word).map(Template::Github))
}

/// A template of the project, or else of the user.
fn local(
    name: &str,
    [current_dir, project]: [&Path; 2],
    environment: &BTreeMap<String, String>,
) -> Option<PathBuf> {
    let own = environment.get("BUN_CREATE_DIR").filter(|directory| !directory.is_empty());
    let home = environment.get("HOME").filter(|home| !home.is_empty());
    let global = match (own, home) {
        (Some(own), _) => Some(current_dir.join(own)),
        (None, Some(home)) => Some(Path::new(home).join(TEMPLATES)),
        (None, None) => None,
    };
    let places = [Some(current_dir.join(TEMPLATES)), Some(project.join(TEMPLATES)), global];
    places.into_iter().flatten().map(|place| place.join(name)).find(|place| files::is_directory(place))
}

/// `user/repo`, `github:user/repo`, `github.com/user/repo`, each with `#branch`; or a URL of it.
fn github(word: &str) -> Option<GithubTemplate> {
    let host = Forge::Github.host();
    let (place, committish) = match word.split_once('#') {
        Some((place, committish)) => (place, Some(committish)),
        None => (word, None),
    };
    let bare = ["https://", "http://"].iter().find_map(|scheme| place.strip_prefix(scheme)).unwrap_or(place);
    let path = bare.strip_prefix(host).and_then(|rest| rest.strip_prefix('/'));
    let path = match path.or_else(|| place.strip_prefix("github:")) {
        Some(path) => path,
        None if bare != place => return None,
        None => place,
    };
    let (owner, repo) = path.trim_end_matches('/').split_once('/')?;
    let repo = repo.strip_suffix(".git").unwrap_or(repo);
    let is_part = |text: &str| {
        let has_letters = text.contains(|letter: char| letter.is_ascii_alphanumeric());
        has_letters && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
    };
    let is_committish = |text: &&str| {
        !text.is_empty()
            && !text.contains("..")
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter))
    };
    let committish = match committish {
        None => None,
        Some(text) => Some(Some(text).filter(is_committish)?.to_owned()),
    };
    let is_repository = is_part(owner) && is_part(repo);
    is_repository.then(|| GithubTemplate { owner: owner.to_owned(), repo: repo.to_owned(), committish })
}

#[cfg(test)]
mod tests;
