//! Settings of `pnpm-workspace.yaml` that `.npmrc` has too: linker, hoisting, registries, network.
//! In: the text. Out: the same under the keys of `.npmrc`. The rest is in
//! [`crate::pnpm_workspace`].

use rusk_base::Result;
use rusk_npm::json::Node;
use rusk_npm::npmrc::Variables;

use super::{Setting, ToolSettings, find, note_of, read_map, set_platforms};
use crate::pnpm_workspace::FILE_NAME;
use crate::problem;

const KEYS: [(&str, &str); 26] = [
    ("autoInstallPeers", "auto-install-peers"),
    ("cafile", "cafile"),
    ("engineStrict", "engine-strict"),
    ("fetchRetries", "fetch-retries"),
    ("fetchTimeout", "fetch-timeout"),
    ("frozenLockfile", "frozen-lockfile"),
    ("hoist", "hoist"),
    ("httpProxy", "proxy"),
    ("httpsProxy", "https-proxy"),
    ("ignoreScripts", "ignore-scripts"),
    ("linkWorkspacePackages", "link-workspace-packages"),
    ("networkConcurrency", "maxsockets"),
    ("noProxy", "noproxy"),
    ("nodeLinker", "node-linker"),
    ("offline", "offline"),
    ("preferOffline", "prefer-offline"),
    ("provenance", "provenance"),
    ("proxy", "proxy"),
    ("registry", "registry"),
    ("saveExact", "save-exact"),
    ("savePrefix", "save-prefix"),
    ("shamefullyHoist", "shamefully-hoist"),
    ("strictSsl", "strict-ssl"),
    ("trustPolicy", "trust-policy"),
    ("trustPolicyIgnoreAfter", "trust-policy-ignore-after"),
    ("verifyStoreIntegrity", "verify-store-integrity"),
];

const LISTS: [(&str, &str); 3] = [
    ("hoistPattern", "hoist-pattern"),
    ("publicHoistPattern", "public-hoist-pattern"),
    ("trustPolicyExclude", "trust-policy-exclude"),
];

/// Settings that change what is installed, and are not followed. With a value: unless they have it.
const UNSUPPORTED: [(&str, Option<&str>); 11] = [
    ("catalogMode", Some("manual")),
    ("configDependencies", None),
    ("dedupePeerDependents", Some("true")),
    ("enableGlobalVirtualStore", Some("false")),
    ("excludeLinksFromLockfile", Some("false")),
    ("ignoredOptionalDependencies", None),
    ("injectWorkspacePackages", Some("false")),
    ("modulesDir", Some("node_modules")),
    ("resolutionMode", Some("highest")),
    ("sharedWorkspaceLockfile", Some("true")),
    ("virtualStoreDir", Some("node_modules/.pnpm")),
];

pub fn parse(text: &str, variables: &Variables) -> Result<ToolSettings> {
    read_map(text, &problem::pnpm_workspace_syntax, |root| {
        let mut settings = ToolSettings::default();
        for (key, name) in KEYS {
            if let Some(value) = find(root, key, variables).and_then(|setting| setting.text()) {
                // `deep` links the members that dependencies of dependencies name, too.
                let value = if value == "deep" { "true".to_owned() } else { value };
                settings.layer.set(name, value);
            }
        }
        for (key, name) in LISTS {
            if let Some(values) = find(root, key, variables).and_then(|setting| setting.strings()) {
                settings.layer.set_all(name, values);
            }
        }
        for member in root.find("registries").map_or(&[][..], Node::members) {
            let value = Setting { node: &member.node, variables }.text();
            match (&*member.key, value) {
                ("default", Some(url)) => settings.layer.set("registry", url),
                (scope, Some(url)) if scope.starts_with('@') => {
                    settings.layer.set(format!("{scope}:registry"), url);
                }
                _ => {}
            }
        }
        set_platforms(&mut settings.layer, root, variables);
        let is_followed = |key: &str, usual: Option<&str>| {
            let found = find(root, key, variables);
            found.is_none_or(|setting| usual.is_some() && setting.text().as_deref() == usual)
        };
        let mut unsupported: Vec<&str> = UNSUPPORTED
            .iter()
            .filter(|(key, usual)| !is_followed(key, *usual))
            .map(|(key, _)| *key)
            .collect();
        if settings.layer.one("node-linker") == Some("pnp") {
            unsupported.push("nodeLinker");
        }
        settings.notes.extend(note_of(FILE_NAME, &unsupported));
        Ok(settings)
    })
}

#[cfg(test)]
mod tests;
