//! Global packages: a project in a directory of the user, and links to the programs of its direct
//! dependencies in a directory on PATH. In: the environment, bunfig.toml of the user. Out: both
//! directories, as bun has them, so that each finds the packages of the other. Absent: installing.

mod problem;
pub mod programs;
mod registered;

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_configuration::{from_home, user_bunfig};
use rusk_install::HostEnvironment;

pub use registered::RegisteredLinks;

const MANIFEST_NAME: &str = "package.json";

/// Where global packages and links to their programs are. Both paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalDirectories {
    /// The project of the global packages.
    pub packages: PathBuf,
    /// Links to their programs.
    pub programs: PathBuf,
}

impl GlobalDirectories {
    /// Each from its own variable, else from the user's bunfig.toml, else below `BUN_INSTALL`, else
    /// below `~/.bun`. The bunfig.toml of a project does not count: a repository must not choose
    /// which of the user's files are replaced.
    pub fn find(host: &HostEnvironment) -> Result<GlobalDirectories> {
        let bunfig = user_bunfig(host)?;
        let base = variable(host, "BUN_INSTALL").or_else(|| Some(host.home_dir.as_ref()?.join(".bun")));
        let find = |name: &str, key: &Option<String>, inner: &str| {
            let configured =
                || key.as_ref().map(|path| from_home(path, host)).filter(|path| path.is_absolute());
            variable(host, name)
                .or_else(configured)
                .or_else(|| Some(base.as_ref()?.join(inner)))
                .ok_or_else(problem::no_global_dir)
        };
        Ok(GlobalDirectories {
            packages: find("BUN_INSTALL_GLOBAL_DIR", &bunfig.global_dir, "install/global")?,
            programs: find("BUN_INSTALL_BIN", &bunfig.global_bin_dir, "bin")?,
        })
    }

    /// Makes the project, where it is missing.
    pub fn create(&self) -> Result<()> {
        let manifest = self.packages.join(MANIFEST_NAME);
        if files::exists(&manifest) {
            return Ok(());
        }
        files::create_directories(&self.packages)?;
        files::write_atomically(&manifest, b"{}\n")
    }

    pub fn node_modules(&self) -> PathBuf {
        self.packages.join("node_modules")
    }

    /// Whether a shell finds the programs.
    pub fn is_on_path(&self, host: &HostEnvironment) -> bool {
        let path = host.environment.get("PATH").map_or("", String::as_str);
        path.split(':').any(|dir| files::normalized(Path::new(dir)) == files::normalized(&self.programs))
    }
}

fn variable(host: &HostEnvironment, name: &str) -> Option<PathBuf> {
    host.environment.get(name).filter(|dir| dir.starts_with('/')).map(PathBuf::from)
}

/// A specifier for `add`, with its path made absolute: the global project is another directory than
/// the one the user is in.
pub fn absolute_specifier(text: &str, current_dir: &Path) -> String {
    let at = text.char_indices().skip(1).find(|&(_, letter)| letter == '@').map(|(at, _)| at + 1);
    // `./a@b` is one path.
    let (name, rest) = if is_path(text) { ("", text) } else { text.split_at(at.unwrap_or(0)) };
    let scheme = ["file:", "link:"].into_iter().find(|scheme| rest.starts_with(scheme)).unwrap_or("");
    let path = &rest[scheme.len()..];
    let is_relative = is_path(path) && !path.starts_with('/') || !scheme.is_empty() && !path.starts_with('/');
    match is_relative {
        true => format!("{name}{scheme}{}", files::normalized(&current_dir.join(path)).display()),
        false => text.to_owned(),
    }
}

fn is_path(text: &str) -> bool {
    text == "." || text == ".." || ["/", "./", "../"].iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests;
