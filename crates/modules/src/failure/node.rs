//! The words that Node has for a specifier that stands for nothing; programs read them. In: a
//! failure. Out: the message of the error that a program gets. Absent: what people read of a build;
//! that is `problem`.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::{Failure, Reason};
use crate::address::Wrong;
use crate::files::normal_names;
use crate::resolver::Kind;

impl Failure {
    /// As Node says it, one line.
    pub fn node_message(&self) -> String {
        let specifier = self.specifier();
        let is_import = self.parts.kind == Kind::Import;
        let importer = format!(" imported from {}", self.importer.display());
        let by = if is_import { importer.as_str() } else { "" };
        match &self.parts.reason {
            Reason::NoFile { path } | Reason::NoneOf { path } if is_import => {
                format!("Cannot find module '{}'{importer}", path.display())
            }
            Reason::NoFile { .. } | Reason::NoneOf { .. } => format!("Cannot find module '{specifier}'"),
            Reason::NoPackage { name } if is_import => format!("Cannot find package '{name}'{importer}"),
            Reason::NoPackage { .. } => format!("Cannot find module '{specifier}'"),
            Reason::NoMain { folder, main } => {
                let file = folder.join(if main.is_empty() { "index.js" } else { main });
                match is_import {
                    // `import` makes an address of it, which has no `./` and `../`.
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
            Reason::NotExported { folder, subpath } if subpath == "." => {
                format!("No \"exports\" main defined in {}{by}", manifest(folder))
            }
            Reason::NotExported { folder, subpath } => {
                format!(
                    "Package subpath '{subpath}' is not defined by \"exports\" in {}{by}",
                    manifest(folder)
                )
            }
            Reason::NotImported { folder } => {
                let of = folder.as_deref().map(|folder| format!(" in package {}", manifest(folder)));
                let of = of.unwrap_or_default();
                format!("Package import specifier \"{specifier}\" is not defined{of}{importer}")
            }
            Reason::InvalidTarget { folder, key, target } => self.invalid_target(folder, key, target, by),
            Reason::BrokenManifest { folder, reason } => {
                let while_what = format!(" while importing \"{specifier}\" from {}", self.importer.display());
                let while_what = if is_import { while_what.as_str() } else { "" };
                format!("Invalid package config {}{while_what}. {reason}", manifest(folder))
            }
            Reason::InvalidSubpath { folder, key, asked } => invalid_subpath(folder, key, asked, by),
            Reason::InvalidName { .. } if specifier.starts_with('#') => {
                format!(
                    "Invalid module \"{specifier}\" is not a valid internal imports specifier name{importer}"
                )
            }
            Reason::InvalidName { .. } => {
                format!("Invalid module \"{specifier}\" is not a valid package name{importer}")
            }
            Reason::InvalidAddress(wrong) => invalid_address(specifier, *wrong, &importer),
            Reason::IsFolder { path } => format!(
                "Directory import '{}' is not supported resolving ES modules{importer}",
                path.display()
            ),
            Reason::UnknownBuiltin => format!("No such built-in module: {specifier}"),
            Reason::BrokenConfig { file, reason } => format!("{} cannot be used: {reason}", file.display()),
        }
    }

    fn invalid_target(&self, folder: &Path, key: &str, target: &str, by: &str) -> String {
        let kind = if key.starts_with('#') { "imports" } else { "exports" };
        let is_outside = kind == "exports" && !target.starts_with("./");
        let hint = if is_outside { "; targets must start with \"./\"" } else { "" };
        match key {
            "." => format!(
                "Invalid \"{kind}\" main target \"{target}\" defined in the package config {}{by}{hint}",
                manifest(folder)
            ),
            _ => format!(
                "Invalid \"{kind}\" target \"{target}\" defined for '{key}' in the package config {}{by}{hint}",
                manifest(folder)
            ),
        }
    }
}

fn invalid_address(specifier: &str, wrong: Wrong, importer: &str) -> String {
    match wrong {
        Wrong::EncodedSlash => {
            format!(
                "Invalid module \"{specifier}\" must not include encoded \"/\" or \"\\\" characters{importer}"
            )
        }
        Wrong::Malformed => format!("Invalid module \"{specifier}\" cannot be decoded{importer}"),
        Wrong::Host => "File URL host must be \"localhost\" or empty on linux".to_owned(),
    }
}

fn invalid_subpath(folder: &Path, key: &str, asked: &str, by: &str) -> String {
    let member = if key.starts_with('#') { "imports" } else { "exports" };
    format!(
        "Invalid module \"{asked}\" request is not a valid match in pattern \"{key}\" for the \"{member}\" resolution of {}{by}",
        manifest(folder)
    )
}

fn manifest(folder: &Path) -> String {
    folder.join("package.json").display().to_string()
}
