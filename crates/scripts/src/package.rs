//! The package whose scripts run: that of the nearest package.json. In: a directory. Out: the
//! package and its scripts. Absent: the project to which it belongs.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_npm::manifest::{MANIFEST_BYTES_MAX, Scripts};

use crate::environment::Identity;

const MANIFEST_NAME: &str = "package.json";

#[derive(Clone, Debug)]
pub struct Package {
    /// Absolute if `start` was.
    pub dir: PathBuf,
    pub scripts: Scripts,
}

impl Package {
    pub fn identity(&self) -> Identity<'_> {
        let Scripts { package_name, package_version, config, .. } = &self.scripts;
        Identity { name: package_name.as_deref(), version: package_version.as_deref(), config }
    }

    /// The package of a directory: the first one with a package.json, from `start` upwards.
    pub fn find(start: &Path) -> Result<Option<Package>> {
        for directory in start.ancestors() {
            let file = directory.join(MANIFEST_NAME);
            match files::find_string(&file, MANIFEST_BYTES_MAX as u64) {
                Ok(Some(text)) => {
                    let scripts = Scripts::parse(&text)
                        .map_err(|problem| problem.note(format!("file: `{}`", file.display())))?;
                    return Ok(Some(Package { dir: directory.to_owned(), scripts }));
                }
                Ok(None) => {}
                // A directory named package.json is not a manifest.
                Err(_) if files::is_directory(&file) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(None)
    }
}
