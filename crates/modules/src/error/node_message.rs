//! Node's messages for resolution errors, which programs read. In: an error. Out: the message for
//! the program's error object. Absent: messages for people; see `problem`.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::{Reason, ResolveError};
use crate::file_system::normal_names;
use crate::file_url::UrlError;
use crate::resolver::Kind;

impl ResolveError {
    /// Node's message, one line.
    pub fn node_message(&self) -> String {
        let specifier = self.specifier();
        let is_import = self.parts.kind == Kind::Import;
        let importer = format!(" imported from {}", self.importer.display());
        let by = if is_import { importer.as_str() } else { "" };
        match &self.parts.reason {
            Reason::NoFile { path } | Reason::NoFileWithExtension { path } if is_import => {
                format!("Cannot find module '{}'{importer}", path.display())
            }
            Reason::NoFile { .. } | Reason::NoFileWithExtension { .. } => {
                format!("Cannot find module '{specifier}'")
            }
            Reason::NoPackage { name } if is_import => format!("Cannot find package '{name}'{importer}"),
            Reason::NoPackage { .. } => format!("Cannot find module '{specifier}'"),
            Reason::NoMain { directory, main } => {
                let file = directory.join(if main.is_empty() { "index.js" } else { main });
                match is_import {
                    // `import` makes a URL of it, which has no `./` and `../`.
                    true => {
                        let names = normal_names(file.as_os_str().as_bytes()).join(&b'/');
                        format!("Cannot find package '/{}'{importer}", String::from_utf8_lossy(&names))
                    }
                    false => format!(
                        "Cannot find module '{}'. Please verify that the package.json has a valid \"main\" entry",
                        file.display()
                    ),
                }
            }
            Reason::NotExported { directory, subpath } if subpath == "." => {
                format!("No \"exports\" main defined in {}{by}", manifest(directory))
            }
            Reason::NotExported { directory, subpath } => {
                format!(
                    "Package subpath '{subpath}' is not defined by \"exports\" in {}{by}",
                    manifest(directory)
                )
            }
            Reason::NotImported { directory } => {
                let of = directory.as_deref().map(|directory| format!(" in package {}", manifest(directory)));
                let of = of.unwrap_or_default();
                format!("Package import specifier \"{specifier}\" is not defined{of}{importer}")
            }
            Reason::InvalidTarget { directory, key, target } => {
                self.invalid_target(directory, key, target, by)
            }
            Reason::InvalidManifest { directory, reason } => {
                let while_what = format!(" while importing \"{specifier}\" from {}", self.importer.display());
                let while_what = if is_import { while_what.as_str() } else { "" };
                format!("Invalid package config {}{while_what}. {reason}", manifest(directory))
            }
            Reason::InvalidSubpath { directory, key, subpath } => {
                invalid_subpath(directory, key, subpath, by)
            }
            Reason::InvalidName { .. } if specifier.starts_with('#') => {
                format!(
                    "Invalid module \"{specifier}\" is not a valid internal imports specifier name{importer}"
                )
            }
            Reason::InvalidName { .. } => {
                format!("Invalid module \"{specifier}\" is not a valid package name{importer}")
            }
            Reason::InvalidUrl(error) => invalid_url(specifier, *error, &importer),
            Reason::IsDirectory { path } => format!(
                "Directory import '{}' is not supported resolving ES modules{importer}",
                path.display()
            ),
            Reason::UnknownBuiltin => format!("No such built-in module: {specifier}"),
            Reason::InvalidConfig { file, reason } => format!("{} cannot be used: {reason}", file.display()),
        }
    }

    fn invalid_target(&self, directory: &Path, key: &str, target: &str, by: &str) -> String {
        let kind = if key.starts_with('#') { "imports" } else { "exports" };
        let is_outside = kind == "exports" && !target.starts_with("./");
        let hint = if is_outside { "; targets must start with \"./\"" } else { "" };
        match key {
            "." => format!(
                "Invalid \"{kind}\" main target \"{target}\" defined in the package config {}{by}{hint}",
                manifest(directory)
            ),
            _ => format!(
                "Invalid \"{kind}\" target \"{target}\" defined for '{key}' in the package config {}{by}{hint}",
                manifest(directory)
            ),
        }
    }
}

fn invalid_url(specifier: &str, error: UrlError, importer: &str) -> String {
    match error {
        UrlError::EncodedSlash => {
            format!(
                "Invalid module \"{specifier}\" must not include encoded \"/\" or \"\\\" characters{importer}"
            )
        }
        UrlError::Malformed => format!("Invalid module \"{specifier}\" cannot be decoded{importer}"),
        UrlError::Host => "File URL host must be \"localhost\" or empty on linux".to_owned(),
    }
}

fn invalid_subpath(directory: &Path, key: &str, subpath: &str, by: &str) -> String {
    let member = if key.starts_with('#') { "imports" } else { "exports" };
    format!(
        "Invalid module \"{subpath}\" request is not a valid match in pattern \"{key}\" for the \"{member}\" resolution of {}{by}",
        manifest(directory)
    )
}

fn manifest(directory: &Path) -> String {
    directory.join("package.json").display().to_string()
}
