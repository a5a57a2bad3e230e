//! Registries of packages and their credentials. In: the sources. Out: URLs without secrets, and
//! credentials by prefix. A credential is never sent to a prefix that its own source does not name.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_npm::bunfig::Registry;
use rusk_npm::credential::{Address, Credential, default_registry};
use rusk_npm::npmrc::credentials;

use super::Flags;
use super::sources::Sources;
use crate::problem;
use crate::request::HostEnvironment;

pub(super) struct Registries {
    pub(super) default: String,
    pub(super) scopes: Vec<(String, String)>,
    pub(super) credentials: Vec<(String, Credential)>,
}

impl Registries {
    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.default.as_str()).chain(self.scopes.iter().map(|(_, url)| url.as_str()))
    }
}

pub(super) fn gather(
    sources: &Sources,
    host: &HostEnvironment,
    flags: &Flags,
    warnings: &mut Vec<String>,
) -> Result<Registries> {
    let mut map = CredentialMap { credentials: BTreeMap::new() };
    let default = default_address(sources, host, flags)?;
    warnings.extend(map.token_of_environment(host, &users_default(sources, host, flags)?, &default));
    map.add_credential_of(&default);
    map.add_registry(sources.bunfig.registry.as_ref());
    let scopes = map.scopes(sources, &default)?;
    for (prefix, credential) in credentials(&sources.layers()) {
        map.add_credential(prefix, credential);
    }
    warnings.extend(bare_secrets(sources));
    let credentials = map.credentials.into_iter().collect();
    Ok(Registries { default: default.url, scopes, credentials })
}

fn default_address(sources: &Sources, host: &HostEnvironment, flags: &Flags) -> Result<Address> {
    if flags.registry.is_none()
        && let Some(text) = &flags.project_registry
    {
        return address("publishConfig.registry", text);
    }
    if let Some(address) = address_of_command(sources, host, flags)? {
        return Ok(address);
    }
    let bunfig = sources.bunfig.registry.as_ref().and_then(|registry| registry.url.as_deref());
    match bunfig.or_else(|| sources.files().into_iter().find_map(|layer| layer.one("registry"))) {
        Some(text) => address("registry", text),
        None => address("registry", default_registry()),
    }
}

/// The default registry by what no project can write.
fn users_default(sources: &Sources, host: &HostEnvironment, flags: &Flags) -> Result<Address> {
    let given = address_of_command(sources, host, flags)?;
    Ok(given.unwrap_or_else(|| sources.user_default.clone()))
}

/// From the flag or the environment.
fn address_of_command(sources: &Sources, host: &HostEnvironment, flags: &Flags) -> Result<Option<Address>> {
    if let Some(text) = &flags.registry {
        return address("--registry", text).map(Some);
    }
    let own = host.environment.get("BUN_CONFIG_REGISTRY").map(String::as_str).filter(|text| !text.is_empty());
    let text = own.or_else(|| sources.environment.one("registry"));
    text.map(|text| address("registry of the environment", text)).transpose()
}

fn address(source: &str, text: &str) -> Result<Address> {
    Address::parse(text).ok_or_else(|| problem::registry_url(source))
}

/// Credentials by prefix; the first one for a prefix wins.
struct CredentialMap {
    credentials: BTreeMap<String, Credential>,
}

impl CredentialMap {
    fn add_credential_of(&mut self, address: &Address) {
        if let Some(credential) = &address.credential {
            self.add_credential(address.prefix.clone(), credential.clone());
        }
    }

    fn add_registry(&mut self, registry: Option<&Registry>) {
        let found = registry.and_then(|registry| registry.prefix.clone().zip(registry.credential.clone()));
        if let Some((prefix, credential)) = found {
            self.add_credential(prefix, credential);
        }
    }

    fn add_credential(&mut self, prefix: String, credential: Credential) {
        self.credentials.entry(prefix).or_insert(credential);
    }

    /// bun's environment variables for a token of the user's default registry. Returns a warning
    /// where the project uses another one: that does not get it.
    fn token_of_environment(
        &mut self,
        host: &HostEnvironment,
        own: &Address,
        used: &Address,
    ) -> Option<String> {
        let names = ["BUN_CONFIG_TOKEN", "NPM_CONFIG_TOKEN", "npm_config_token"];
        let mut tokens = names.iter().filter_map(|name| Some((name, host.environment.get(*name)?)));
        let (name, token) = tokens.find(|(_, token)| !token.is_empty())?;
        self.add_credential(own.prefix.clone(), Credential::Bearer(token.clone()));
        (own.prefix != used.prefix).then(|| {
            let prefix = &used.prefix;
            format!(
                "`{name}` is not sent to the project's registry; \
                 `{prefix}:_authToken=${{{name}}}` in your own .npmrc allows it"
            )
        })
    }

    /// From the environment, then from bunfig.toml, then from the `.npmrc` files.
    fn scopes(&mut self, sources: &Sources, default: &Address) -> Result<Vec<(String, String)>> {
        let mut scopes: BTreeMap<String, String> = BTreeMap::new();
        for (scope, text) in sources.environment.scopes() {
            self.scope(&mut scopes, scope, text)?;
        }
        for (scope, registry) in &sources.bunfig.scopes {
            let url = registry.url.as_ref().unwrap_or(&default.url);
            scopes.entry(scope.clone()).or_insert_with(|| url.clone());
            self.add_registry(Some(registry));
        }
        for layer in sources.files() {
            for (scope, text) in layer.scopes() {
                self.scope(&mut scopes, scope, text)?;
            }
        }
        Ok(scopes.into_iter().collect())
    }

    fn scope(&mut self, scopes: &mut BTreeMap<String, String>, scope: &str, text: &str) -> Result<()> {
        if !scopes.contains_key(scope) {
            let address = address(&format!("{scope}:registry"), text)?;
            self.add_credential_of(&address);
            scopes.insert(scope.to_owned(), address.url);
        }
        Ok(())
    }
}

fn bare_secrets(sources: &Sources) -> impl Iterator<Item = String> {
    let names = ["the environment", "the project's .npmrc", "the user's .npmrc", "the global npmrc"];
    let layers = names.into_iter().zip(sources.layers());
    layers.flat_map(|(name, layer)| {
        layer.bare_secrets().map(move |key| {
            format!("`{key}` in {name} applies to no registry and is ignored; write `//host/path/:{key}=…`")
        })
    })
}

#[cfg(test)]
mod tests;
