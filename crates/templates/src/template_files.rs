//! Files of a template. In: a directory, or the tarball that GitHub makes of a repository. Out: all
//! files with their bytes, so that nothing is written before all is known. Absent: node_modules and
//! `.git`, which are no part of a template.

use std::borrow::Cow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_configuration::request::HostEnvironment;
use rusk_configuration::settings;
use rusk_configuration::{Configuration, Flags};
use rusk_install::InstallRequest;
use rusk_npm::credential::{Address, Credential};
use rusk_npm::specifier::Forge;
use rusk_registry::{ApiRequest, Client};
use rusk_store::tarball::{inflate, read_files};

use crate::problem;
use crate::template::GithubTemplate;

/// Bytes of all files of a template; no project begins with more.
const BYTES_MAX: u64 = 1 << 30;
const FILES_MAX: usize = 100_000;
/// Directories within each other.
const DEPTH_MAX: usize = 64;
const LEFT_OUT: [&str; 2] = ["node_modules", ".git"];
/// The execute permission of a file's owner.
const EXECUTABLE: u32 = 0o100;

#[derive(Clone, Debug)]
pub struct TemplateFile {
    /// Relative, below the template.
    pub path: PathBuf,
    pub content: FileContent,
}

#[derive(Clone, Debug)]
pub enum FileContent {
    Bytes {
        bytes: Vec<u8>,
        is_executable: bool,
    },
    /// A symbolic link, and what it leads to.
    Link(PathBuf),
}

pub fn of_directory(directory: &Path) -> Result<Vec<TemplateFile>> {
    let mut found = Vec::new();
    let mut bytes = 0;
    let mut waiting = vec![(PathBuf::new(), 0)];
    while let Some((relative, depth)) = waiting.pop() {
        let entries = std::fs::read_dir(directory.join(&relative));
        for entry in entries
            .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
            .map_err(|error| unreadable(directory, &error))?
        {
            let (path, name) = (relative.join(entry.file_name()), entry.file_name());
            if LEFT_OUT.iter().any(|left_out| name == *left_out) {
                continue;
            }
            let metadata = entry.metadata().map_err(|error| unreadable(&entry.path(), &error))?;
            if metadata.is_dir() {
                if depth == DEPTH_MAX {
                    return Err(problem::template_too_large(directory));
                }
                waiting.push((path, depth + 1));
                continue;
            }
            let content = if metadata.is_symlink() {
                FileContent::Link(
                    std::fs::read_link(entry.path()).map_err(|error| unreadable(&entry.path(), &error))?,
                )
            } else if metadata.is_file() {
                bytes += metadata.len();
                if bytes > BYTES_MAX || found.len() == FILES_MAX {
                    return Err(problem::template_too_large(directory));
                }
                let is_executable = metadata.permissions().mode() & EXECUTABLE != 0;
                FileContent::Bytes { bytes: files::read_bytes(&entry.path(), BYTES_MAX)?, is_executable }
            } else {
                // A socket or a device.
                continue;
            };
            found.push(TemplateFile { path, content });
        }
    }
    found.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(found)
}

fn unreadable(path: &Path, error: &std::io::Error) -> rusk_base::Problem {
    problem::template_unreadable(path, error)
}

/// Downloads the repository with the configuration of the current directory.
pub fn of_github(
    template: &GithubTemplate,
    request: &InstallRequest,
    host: &HostEnvironment,
) -> Result<Vec<TemplateFile>> {
    let mut configuration = Configuration::load(&host.current_dir, host, &Flags::default())?;
    let variable = |name: &str| host.environment.get(name).filter(|value| !value.is_empty()).cloned();
    let api = match variable("GITHUB_API_DOMAIN") {
        Some(domain) if domain.contains("://") => domain.trim_end_matches('/').to_owned(),
        Some(domain) => format!("https://{domain}"),
        None => format!("https://api.{}", Forge::Github.host()),
    };
    if let Some(token) = variable("GITHUB_TOKEN").or_else(|| variable("GITHUB_ACCESS_TOKEN"))
        && let Some(address) = Address::parse(&api)
        && configuration.check_secret_channel(&address.url).is_ok()
    {
        configuration.credentials.retain(|(known, _)| *known != address.prefix);
        configuration.credentials.push((address.prefix, Credential::Bearer(token)));
    }
    let GithubTemplate { owner, repo, committish } = template;
    let committish = committish.as_ref().map_or_else(String::new, |committish| format!("/{committish}"));
    let client = Client::start(settings::of(&configuration, request, host))?;
    let url = format!("{api}/repos/{owner}/{repo}/tarball{committish}");
    let response = client.call(ApiRequest::get(url, format!("the template {owner}/{repo}")))?;
    match response.status {
        404 => Err(problem::no_repository_there(owner, repo)),
        _ if response.is_success() => of_tarball(&response.body),
        status => Err(problem::template_refused(owner, repo, status)),
    }
}

fn of_tarball(bytes: &[u8]) -> Result<Vec<TemplateFile>> {
    inflate::with_tar(bytes, |tar| {
        let all = read_files(tar)?.into_iter().map(|file| TemplateFile {
            path: PathBuf::from(Cow::into_owned(file.path)),
            content: FileContent::Bytes {
                bytes: file.body.into_owned(),
                is_executable: u32::from(file.mode) & EXECUTABLE != 0,
            },
        });
        let is_part = |file: &TemplateFile| {
            !file.path.iter().any(|part| LEFT_OUT.iter().any(|left_out| part == *left_out))
        };
        Ok(all.filter(is_part).collect())
    })
}
