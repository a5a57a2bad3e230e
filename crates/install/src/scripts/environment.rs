//! What a script finds in its environment. In: the setting. Out: the variables that all scripts of a package
//! share, and the programs on their PATH. Absent: the two variables that name the script itself.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Setting;

pub(super) struct Environment {
    variables: BTreeMap<OsString, OsString>,
    /// The folders of PATH, absolute.
    path: Vec<PathBuf>,
}

impl Environment {
    pub fn of(setting: &Setting<'_>) -> Environment {
        let outer = setting.host.environment.get("PATH").map_or("", String::as_str);
        let outer_path = || outer.split(':').filter(|_| !outer.is_empty()).map(PathBuf::from);
        let node = find_in(outer_path().map(|folder| setting.member_dir.join(folder)), "node");
        let path: Vec<PathBuf> = program_folders(setting).chain(outer_path()).collect();
        let joined: Vec<&OsStr> = path.iter().map(|folder| folder.as_os_str()).collect();

        let mut variables = inherited(&setting.host.environment);
        let mut set = |name: &str, value: &OsStr| variables.insert(name.into(), value.to_owned());
        set("PATH", &joined.join(OsStr::new(":")));
        set("PWD", setting.member_dir.as_os_str());
        set("INIT_CWD", setting.host.current_dir.as_os_str());
        set("npm_config_local_prefix", setting.project_dir.as_os_str());
        set("npm_config_user_agent", setting.host.user_agent.as_ref());
        set("npm_package_json", setting.member_dir.join("package.json").as_os_str());
        let identity = [
            ("npm_package_name", setting.manifest.name.as_deref().map(OsStr::new)),
            ("npm_package_version", setting.manifest.version.as_deref().map(OsStr::new)),
            ("npm_node_execpath", node.as_deref().map(Path::as_os_str)),
        ];
        for (name, value) in identity {
            if let Some(value) = value {
                set(name, value);
            }
        }
        let path = path.into_iter().map(|folder| setting.member_dir.join(folder)).collect();
        Environment { variables, path }
    }

    pub fn variables(&self) -> &BTreeMap<OsString, OsString> {
        &self.variables
    }

    /// The program that the shell would start for a word without `/`.
    pub fn find_program(&self, word: &str) -> Option<PathBuf> {
        find_in(self.path.iter().cloned(), word)
    }
}

/// The user's variables, less what an outer `npm run` said of its own package, script and manager.
fn inherited(outer: &BTreeMap<String, String>) -> BTreeMap<OsString, OsString> {
    let is_outer_run = |name: &str| {
        name.starts_with("npm_package_")
            || name.starts_with("npm_lifecycle_")
            || matches!(name, "npm_execpath" | "npm_node_execpath")
    };
    let kept = outer.iter().filter(|(name, _)| !is_outer_run(name));
    kept.map(|(name, value)| (name.into(), value.into())).collect()
}

/// `node_modules/.bin` of the member and of each folder above it up to the project. A `:` in a folder's
/// name cannot be written on PATH and would name other folders: such a one is left out.
fn program_folders<'a>(setting: &Setting<'a>) -> impl Iterator<Item = PathBuf> + use<'a> {
    let (project, member) = (setting.project_dir, setting.member_dir);
    let inside = member.ancestors().take_while(move |folder| folder.starts_with(project));
    let outside = [member, project].into_iter().filter(move |_| !member.starts_with(project));
    let writable = |folder: &&Path| !folder.as_os_str().as_encoded_bytes().contains(&b':');
    inside.chain(outside).filter(writable).map(|folder| folder.join("node_modules/.bin"))
}

fn find_in(folders: impl Iterator<Item = PathBuf>, program: &str) -> Option<PathBuf> {
    folders.map(|folder| folder.join(program)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
