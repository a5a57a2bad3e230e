//! The `[install]` table of bunfig.toml, as bun 1.4 reads it. In: source text. Out: the settings in
//! it. Ignores unknown keys and keys without effect here (`saveTextLockfile`, `concurrentScripts`,
//! `auto` …).

mod program;
mod tests_table;

pub use program::{JsxTable, Program};
pub use tests_table::{CoverageThreshold, TestTable};

use rusk_base::Result;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::credential::{Address, Credential};
use crate::npmrc::Variables;
use crate::release_trust::{TrustPolicy, TrustSettings};
use crate::{problem, release_age};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bunfig {
    pub registry: Option<Registry>,
    /// By `@scope`.
    pub scopes: Vec<(String, Registry)>,
    pub production: Option<bool>,
    pub dev: Option<bool>,
    pub optional: Option<bool>,
    pub peer: Option<bool>,
    pub exact: Option<bool>,
    pub frozen_lockfile: Option<bool>,
    pub dry_run: Option<bool>,
    pub ignore_scripts: Option<bool>,
    pub link_workspace_packages: Option<bool>,
    pub offline: Option<bool>,
    /// `prefer = "offline"`.
    pub prefer_offline: Option<bool>,
    pub linker: Option<Linker>,
    pub hoist: Option<bool>,
    pub hoist_pattern: Option<Vec<String>>,
    pub public_hoist_pattern: Option<Vec<String>>,
    pub global_store: Option<bool>,
    /// Whether the global store is disabled in projects with tools that are known to fail with it.
    pub global_store_fallback: Option<bool>,
    pub cache: Option<Cache>,
    /// Directory of global packages, and that of links to their programs.
    pub global_dir: Option<String>,
    pub global_bin_dir: Option<String>,
    /// PEM strings.
    pub ca: Option<Vec<String>>,
    pub cafile: Option<String>,
    /// Versions that are younger are not resolved to, except for the packages excluded by name.
    pub minimum_release_age_s: Option<u64>,
    pub minimum_release_age_excludes: Option<Vec<String>>,
    /// Versions whose publisher's trust fell are refused.
    pub release_trust: TrustSettings,
    pub allow_foreign_sources: Option<bool>,
    pub allow_unverified_tarballs: Option<bool>,
    pub verify_signatures: Option<bool>,
    /// pnpm's `verifyStoreIntegrity`.
    pub verify_store_integrity: Option<bool>,
    /// `install.security.scanner`: a module.
    pub scanner: Option<String>,
}

/// A registry as written; without an address it is the default one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    pub url: Option<String>,
    /// `//host/path/`: the URLs to which the credential may be sent.
    pub prefix: Option<String>,
    pub credential: Option<Credential>,
    /// The environment variables that the credential was made of.
    pub variables: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linker {
    Hoisted,
    Isolated,
    /// Isolated, with `globalStore`.
    Global,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    pub dir: Option<String>,
    pub disable: bool,
}

impl Bunfig {
    pub fn parse(text: &str, variables: &Variables) -> Result<Bunfig> {
        let root = root(text)?;
        match find(root.get_ref(), "install").map(Spanned::get_ref) {
            Some(DeValue::Table(table)) => SettingsReader { text, table, variables }.bunfig(),
            _ => Ok(Bunfig::default()),
        }
    }

    /// Ties credentials without a URL to the registry that is the default for this file. Otherwise
    /// a less trusted file could send them elsewhere by changing the default registry.
    #[must_use]
    pub fn tied_to(mut self, default: &Address) -> Bunfig {
        let own = self.registry.as_ref().and_then(|registry| registry.prefix.clone());
        let prefix = own.unwrap_or_else(|| default.prefix.clone());
        let scopes = self.scopes.iter_mut().map(|(_, registry)| registry);
        for registry in self.registry.iter_mut().chain(scopes).filter(|registry| registry.url.is_none()) {
            registry.prefix = Some(prefix.clone());
        }
        self
    }

    /// Merges two files: the keys of this one have precedence over those of `lower`.
    #[must_use]
    pub fn over(mut self, lower: Bunfig) -> Bunfig {
        for (scope, registry) in lower.scopes {
            if !self.scopes.iter().any(|(name, _)| *name == scope) {
                self.scopes.push((scope, registry));
            }
        }
        Bunfig {
            registry: self.registry.or(lower.registry),
            scopes: self.scopes,
            production: self.production.or(lower.production),
            dev: self.dev.or(lower.dev),
            optional: self.optional.or(lower.optional),
            peer: self.peer.or(lower.peer),
            exact: self.exact.or(lower.exact),
            frozen_lockfile: self.frozen_lockfile.or(lower.frozen_lockfile),
            dry_run: self.dry_run.or(lower.dry_run),
            ignore_scripts: self.ignore_scripts.or(lower.ignore_scripts),
            link_workspace_packages: self.link_workspace_packages.or(lower.link_workspace_packages),
            offline: self.offline.or(lower.offline),
            prefer_offline: self.prefer_offline.or(lower.prefer_offline),
            linker: self.linker.or(lower.linker),
            hoist: self.hoist.or(lower.hoist),
            hoist_pattern: self.hoist_pattern.or(lower.hoist_pattern),
            public_hoist_pattern: self.public_hoist_pattern.or(lower.public_hoist_pattern),
            global_store: self.global_store.or(lower.global_store),
            global_store_fallback: self.global_store_fallback.or(lower.global_store_fallback),
            cache: self.cache.or(lower.cache),
            global_dir: self.global_dir.or(lower.global_dir),
            global_bin_dir: self.global_bin_dir.or(lower.global_bin_dir),
            ca: self.ca.or(lower.ca),
            cafile: self.cafile.or(lower.cafile),
            minimum_release_age_s: self.minimum_release_age_s.or(lower.minimum_release_age_s),
            minimum_release_age_excludes: self
                .minimum_release_age_excludes
                .or(lower.minimum_release_age_excludes),
            release_trust: self.release_trust.over(&lower.release_trust),
            allow_foreign_sources: self.allow_foreign_sources.or(lower.allow_foreign_sources),
            allow_unverified_tarballs: self.allow_unverified_tarballs.or(lower.allow_unverified_tarballs),
            verify_signatures: self.verify_signatures.or(lower.verify_signatures),
            verify_store_integrity: self.verify_store_integrity.or(lower.verify_store_integrity),
            scanner: self.scanner.or(lower.scanner),
        }
    }
}

struct SettingsReader<'a> {
    text: &'a str,
    table: &'a DeTable<'a>,
    variables: &'a Variables,
}

impl<'a> SettingsReader<'a> {
    fn bunfig(&self) -> Result<Bunfig> {
        Ok(Bunfig {
            registry: self.find("registry").map(|value| self.registry("registry", value)).transpose()?,
            scopes: self.scopes()?,
            production: self.truth("production")?,
            dev: self.truth("dev")?,
            optional: self.truth("optional")?,
            peer: self.truth("peer")?,
            exact: self.truth("exact")?,
            frozen_lockfile: self.truth("frozenLockfile")?,
            dry_run: self.truth("dryRun")?,
            ignore_scripts: self.truth("ignoreScripts")?,
            link_workspace_packages: self.truth("linkWorkspacePackages")?,
            offline: self.truth("offline")?,
            prefer_offline: self.string("prefer").map(|prefer| prefer == "offline"),
            linker: self.linker()?,
            hoist: self.truth("hoist")?,
            hoist_pattern: self.strings("hoistPattern")?,
            public_hoist_pattern: self.strings("publicHoistPattern")?,
            global_store: self.truth("globalStore")?,
            global_store_fallback: self.truth("globalStoreFallback")?,
            cache: self.cache(),
            global_dir: self.string("globalDir").map(str::to_owned),
            global_bin_dir: self.string("globalBinDir").map(str::to_owned),
            ca: self.strings("ca")?,
            cafile: self.string("cafile").map(str::to_owned),
            minimum_release_age_s: self.seconds("minimumReleaseAge", self.find("minimumReleaseAge"))?,
            minimum_release_age_excludes: self.strings("minimumReleaseAgeExcludes")?,
            release_trust: TrustSettings {
                policy: self.trust_policy()?,
                excludes: self.strings("trustPolicyExcludes")?,
                ignored_after_s: self
                    .seconds("trustPolicyIgnoreAfter", self.find("trustPolicyIgnoreAfter"))?,
            },
            allow_foreign_sources: self.truth("allowForeignSources")?,
            allow_unverified_tarballs: self.truth("allowUnverifiedTarballs")?,
            verify_signatures: self.truth("verifySignatures")?,
            verify_store_integrity: self.truth("verifyStoreIntegrity")?,
            scanner: self.scanner()?,
        })
    }

    fn find(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        find(self.table, key)
    }

    /// Any other value is an error: `ignoreScripts = "yes"` must not turn out to be off.
    fn truth(&self, key: &str) -> Result<Option<bool>> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let truth = value.get_ref().as_bool();
        truth.map(Some).ok_or_else(|| self.wrong(key, value, "`true` or `false`"))
    }

    fn string(&self, key: &str) -> Option<&'a str> {
        self.find(key)?.get_ref().as_str()
    }

    /// One string or a list of strings.
    fn strings(&self, key: &str) -> Result<Option<Vec<String>>> {
        let Some(value) = self.find(key) else { return Ok(None) };
        let wrong = |value: &Spanned<DeValue<'_>>| self.wrong(key, value, "a string or a list of strings");
        match value.get_ref() {
            DeValue::String(one) => Ok(Some(vec![one.to_string()])),
            DeValue::Array(list) => {
                let string = |one: &Spanned<DeValue<'_>>| match one.get_ref() {
                    DeValue::String(text) => Ok(text.to_string()),
                    _ => Err(wrong(one)),
                };
                list.iter().map(string).collect::<Result<_>>().map(Some)
            }
            _ => Err(wrong(value)),
        }
    }

    fn linker(&self) -> Result<Option<Linker>> {
        let Some(value) = self.find("linker") else { return Ok(None) };
        match value.get_ref().as_str() {
            Some("hoisted") => Ok(Some(Linker::Hoisted)),
            Some("isolated") => Ok(Some(Linker::Isolated)),
            _ => Err(self.wrong("linker", value, "`hoisted` or `isolated`")),
        }
    }

    /// `cache = "dir"`, `cache = false`, or a table of `dir` and `disable`.
    fn cache(&self) -> Option<Cache> {
        match self.find("cache")?.get_ref() {
            DeValue::String(dir) => Some(Cache { dir: Some(dir.to_string()), disable: false }),
            DeValue::Boolean(on) => Some(Cache { dir: None, disable: !on }),
            DeValue::Table(table) => Some(Cache {
                dir: find(table, "dir").and_then(|dir| dir.get_ref().as_str()).map(str::to_owned),
                disable: find(table, "disable").and_then(|off| off.get_ref().as_bool()).unwrap_or(false),
            }),
            _ => None,
        }
    }

    fn trust_policy(&self) -> Result<Option<TrustPolicy>> {
        let Some(value) = self.find("trustPolicy") else { return Ok(None) };
        let policy = value.get_ref().as_str().and_then(TrustPolicy::of_name);
        policy.map(Some).ok_or_else(|| self.wrong("trustPolicy", value, "`no-downgrade` or `off`"))
    }

    /// The member `scanner` of the table `security`.
    fn scanner(&self) -> Result<Option<String>> {
        let Some(DeValue::Table(table)) = self.find("security").map(Spanned::get_ref) else {
            return Ok(None);
        };
        let Some(value) = find(table, "scanner") else { return Ok(None) };
        let module = value.get_ref().as_str().filter(|module| !module.is_empty());
        let module = module.map(|module| Some(module.to_owned()));
        module.ok_or_else(|| self.wrong("security.scanner", value, "the name of a package"))
    }

    /// A time span of the key.
    fn seconds(&self, key: &str, value: Option<&Spanned<DeValue<'_>>>) -> Result<Option<u64>> {
        let Some(value) = value else { return Ok(None) };
        let seconds = match value.get_ref() {
            DeValue::String(text) => release_age::parse_seconds(text),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
            DeValue::Float(float) => float.as_str().split('.').next().and_then(|whole| whole.parse().ok()),
            _ => None,
        };
        let expected = "a number of seconds, or a string such as `3d`";
        seconds.map(Some).ok_or_else(|| self.wrong(key, value, expected))
    }

    fn scopes(&self) -> Result<Vec<(String, Registry)>> {
        let Some(DeValue::Table(table)) = self.find("scopes").map(Spanned::get_ref) else {
            return Ok(Vec::new());
        };
        let scope = |(name, value): (&Spanned<_>, _)| -> Result<(String, Registry)> {
            let name: &std::borrow::Cow<'_, str> = name.get_ref();
            let scope = format!("@{}", name.strip_prefix('@').unwrap_or(name));
            let registry = self.registry(&format!("scopes.{name}"), value)?;
            Ok((scope, registry))
        };
        table.iter().map(scope).collect()
    }

    /// An address, or a table of `url`, `token`, `username` and `password`.
    fn registry(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Registry> {
        match value.get_ref() {
            DeValue::String(url) => self.at(key, value, url),
            DeValue::Table(table) => {
                let string = |key: &str| find(table, key).and_then(|value| value.get_ref().as_str());
                let mut registry = match string("url").filter(|url| !url.is_empty()) {
                    Some(url) => self.at(key, value, url)?,
                    None => Registry::default(),
                };
                let secret = |key: &str| string(key).and_then(|secret| self.secret(secret));
                for key in ["token", "username", "password"] {
                    registry.variables.extend(string(key).and_then(|text| self.variable(text)));
                }
                if let Some(token) = secret("token") {
                    registry.credential = Some(Credential::Bearer(token));
                } else if let (Some(user), Some(password)) = (secret("username"), secret("password")) {
                    registry.credential = Some(Credential::of_password(&user, &password));
                }
                Ok(registry)
            }
            _ => Err(self.wrong(key, value, "an address, or a table with `url`")),
        }
    }

    fn at(&self, key: &str, value: &Spanned<DeValue<'_>>, url: &str) -> Result<Registry> {
        let address = Address::parse(url)
            .ok_or_else(|| self.wrong(key, value, "an address such as `https://host/`"))?;
        let mut variables = Vec::new();
        let credential = address.credential.and_then(|credential| match credential {
            Credential::Bearer(token) => {
                variables.extend(self.variable(&token));
                self.secret(&token).map(Credential::Bearer)
            }
            basic @ Credential::Basic(_) => Some(basic),
        });
        Ok(Registry { url: Some(address.url), prefix: Some(address.prefix), credential, variables })
    }

    /// The variable that a secret is the value of.
    fn variable(&self, text: &str) -> Option<String> {
        let name = text.strip_prefix('$')?;
        self.variables.get(name).filter(|value| !value.is_empty()).map(|_| name.to_owned())
    }

    /// `$NAME` is the variable's value, or `None` if it is not set; other strings are unchanged.
    fn secret(&self, text: &str) -> Option<String> {
        let secret = match text.strip_prefix('$') {
            Some(name) => self.variables.get(name)?.clone(),
            None => text.to_owned(),
        };
        (!secret.is_empty()).then_some(secret)
    }

    fn wrong(&self, key: &str, value: &Spanned<DeValue<'_>>, expected: &str) -> rusk_base::Problem {
        let key = format!("install.{key}");
        problem::bunfig_kind(self.text, value.span().start, &key, value.get_ref().type_str(), expected)
    }
}

/// Parses the file. An error reports the position of the invalid TOML.
fn root(text: &str) -> Result<Spanned<DeTable<'_>>> {
    DeTable::parse(text).map_err(|error| {
        problem::bunfig_syntax(text, error.span().map_or(0, |span| span.start), error.message())
    })
}

fn find<'t, 'a>(table: &'t DeTable<'a>, key: &str) -> Option<&'t Spanned<DeValue<'a>>> {
    table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
}

#[cfg(test)]
mod tests;
