//! `.yarnrc.yml`, the settings of Yarn 2 and newer. In: the text. Out: registries, credentials,
//! linker and network under npm's keys. A credential is for the registry that its own map names,
//! else for the file's, else for the default one.

use rusk_base::Result;
use rusk_npm::credential::{Address, Credential};
use rusk_npm::json::{Node, quote_into};
use rusk_npm::npmrc::{Layer, Variables};
use rusk_npm::package_extensions::PackageExtensions;
use rusk_npm::release_age::ReleaseAgeSettings;

use super::{ToolSettings, find, note_of, read_map, set_platforms};
use crate::pnpm_workspace::extended;
use crate::problem;

pub const FILE_NAME: &str = ".yarnrc.yml";

/// Settings with one value, and npm's keys for them.
const KEYS: [(&str, &str); 13] = [
    ("npmRegistryServer", "registry"),
    ("httpProxy", "proxy"),
    ("httpsProxy", "https-proxy"),
    ("httpsCaFilePath", "cafile"),
    ("caFilePath", "cafile"),
    ("enableStrictSsl", "strict-ssl"),
    ("enableOfflineMode", "offline"),
    ("httpRetry", "fetch-retries"),
    ("httpTimeout", "fetch-timeout"),
    ("networkConcurrency", "maxsockets"),
    ("defaultSemverRangePrefix", "save-prefix"),
    ("nmHoistingLimits", HOISTING_LIMITS),
    ("npmPublishProvenance", "provenance"),
];

/// npm has no such key.
pub const HOISTING_LIMITS: &str = "nm-hoisting-limits";

/// Settings that change what is installed, and are not followed.
const UNSUPPORTED: [&str; 1] = ["pnpMode"];

/// Settings that package.json has in other projects, under the same names.
const MEMBERS: [&str; 2] = ["catalog", "catalogs"];

/// The text of the project's package.json with the catalogs of the file, unless it has some.
pub fn extend(text: &str, manifest: &str) -> Result<String> {
    read_map(text, &problem::yarnrc_syntax, |root| {
        let found = MEMBERS.into_iter().filter_map(|key| Some((key, root.find(key)?)));
        let members: Vec<(&'static str, String)> =
            found.filter(|(_, node)| node.is_object()).map(|(key, node)| (key, catalog_text(node))).collect();
        Ok(extended(manifest, &members))
    })
    .map(|extended| if extended.is_empty() { manifest.to_owned() } else { extended })
}

/// Settings that are no keys of `.npmrc`.
#[derive(Clone, Debug, Default)]
pub struct ProjectSettings {
    pub package_extensions: PackageExtensions,
    /// `npmMinimalAgeGate` and `npmPreapprovedPackages`.
    pub release_age: ReleaseAgeSettings,
}

pub fn project_settings(text: &str) -> Result<ProjectSettings> {
    read_map(text, &problem::yarnrc_syntax, |root| {
        let extensions = root.find("packageExtensions").map(PackageExtensions::parse).transpose();
        let none = Variables::new();
        let gate = find(root, "npmMinimalAgeGate", &none).and_then(|setting| setting.text());
        let minimum_s = match &gate {
            None => None,
            Some(gate) => Some(
                duration_s(gate)
                    .ok_or_else(|| problem::yarnrc_entry("a duration as `npmMinimalAgeGate`", gate))?,
            ),
        };
        Ok(ProjectSettings {
            package_extensions: extensions
                .map_err(|expected| problem::yarnrc_entry(&expected, "another value"))?
                .unwrap_or_default(),
            release_age: ReleaseAgeSettings {
                minimum_s,
                excludes: find(root, "npmPreapprovedPackages", &none).and_then(|setting| setting.strings()),
            },
        })
    })
}

/// Yarn's durations: a number of minutes, or with one of the units `ms`, `s`, `m`, `h`, `d`, `w`.
fn duration_s(text: &str) -> Option<u64> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().ok()?;
    let seconds = match &text[digits..] {
        "ms" => return Some(number / 1000),
        "s" => 1,
        "" | "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        "w" => 604_800,
        _ => return None,
    };
    number.checked_mul(seconds)
}

/// A map of maps or strings as JSON.
fn catalog_text(node: &Node<'_>) -> String {
    let mut out = String::from("{");
    for member in node.members() {
        let value = match member.node.as_str() {
            Some(range) => {
                let mut quoted = String::new();
                quote_into(&mut quoted, range);
                quoted
            }
            None if member.node.is_object() => catalog_text(&member.node),
            None => continue,
        };
        out.push_str(if out.len() > 1 { "," } else { "" });
        quote_into(&mut out, &member.key);
        out.push(':');
        out.push_str(&value);
    }
    out + "}"
}

/// `default`: the registry of a credential whose file names none.
pub fn parse(text: &str, variables: &Variables, default: &Address) -> Result<ToolSettings> {
    read_map(text, &problem::yarnrc_syntax, |root| {
        let mut settings = ToolSettings::default();
        for (key, name) in KEYS {
            if let Some(value) = find(root, key, variables).and_then(|setting| setting.text()) {
                settings.layer.set(name, value);
            }
        }
        set_linker(&mut settings, root, variables);
        set_platforms(&mut settings.layer, root, variables);
        let own = registry_of(root, variables);
        let default = own.as_ref().unwrap_or(default);
        set_credential(&mut settings.layer, root, variables, &default.prefix);
        set_scopes(&mut settings.layer, root, variables, default);
        set_registries(&mut settings.layer, root, variables);
        let unsupported: Vec<&str> = UNSUPPORTED.into_iter().filter(|key| root.find(key).is_some()).collect();
        settings.notes.extend(note_of(FILE_NAME, &unsupported));
        Ok(settings)
    })
}

/// Yarn's own default is Plug'n'Play.
fn set_linker(settings: &mut ToolSettings, root: &Node<'_>, variables: &Variables) {
    let linker = find(root, "nodeLinker", variables).and_then(|setting| setting.text());
    match linker.as_deref() {
        Some("node-modules") => settings.layer.set("node-linker", "hoisted"),
        Some("pnpm") => settings.layer.set("node-linker", "isolated"),
        named => {
            let which = if named.is_some() { "its `nodeLinker`" } else { "Yarn's default linker" };
            settings.notes.push(format!(
                "{FILE_NAME}: {which} is Plug'n'Play, which is not supported: node_modules is written"
            ));
        }
    }
}

fn registry_of(map: &Node<'_>, variables: &Variables) -> Option<Address> {
    Address::parse(&find(map, "npmRegistryServer", variables)?.text()?)
}

/// `prefix`: `//host/path/`, where the credential is sent to.
fn set_credential(layer: &mut Layer, map: &Node<'_>, variables: &Variables, prefix: &str) {
    let text = |key: &str| find(map, key, variables).and_then(|setting| setting.text());
    if let Some(token) = text("npmAuthToken") {
        layer.set(format!("{prefix}:_authToken"), token);
    } else if let Some(ident) = text("npmAuthIdent") {
        // `user:password`, or that in base64.
        let ident = match ident.split_once(':').map(|(user, word)| Credential::of_password(user, word)) {
            Some(Credential::Basic(encoded)) => encoded,
            _ => ident,
        };
        layer.set(format!("{prefix}:_auth"), ident);
    }
}

fn set_scopes(layer: &mut Layer, root: &Node<'_>, variables: &Variables, default: &Address) {
    for member in root.find("npmScopes").map_or(&[][..], Node::members) {
        let own = registry_of(&member.node, variables);
        if let Some(address) = &own {
            let scope = member.key.trim_start_matches('@');
            layer.set(format!("@{scope}:registry"), address.url.clone());
        }
        set_credential(layer, &member.node, variables, &own.as_ref().unwrap_or(default).prefix);
    }
}

/// By URL, or by `//host/path`.
fn set_registries(layer: &mut Layer, root: &Node<'_>, variables: &Variables) {
    for member in root.find("npmRegistries").map_or(&[][..], Node::members) {
        let url = match member.key.strip_prefix("//") {
            Some(rest) => format!("https://{rest}"),
            None => member.key.to_string(),
        };
        if let Some(address) = Address::parse(&url) {
            set_credential(layer, &member.node, variables, &address.prefix);
        }
    }
}

#[cfg(test)]
mod tests;
