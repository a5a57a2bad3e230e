//! `.npmrc` and `npm_config_*`. In: strings. Out: keys and values, parsed as npm's `ini` does. The
//! crate npmrc-config-rs is not used for this: it reads the process's environment itself, has no
//! lists (`key[]=`), and does not expose single layers. Absent: the meaning of keys, except
//! credentials.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use crate::credential::Credential;
use crate::host;

pub type Variables = BTreeMap<String, String>;

/// One source of configuration. Never shown in full: values may be secrets.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Layer {
    values: BTreeMap<String, Values>,
    /// By key: the variables that its value, or the key itself, was made of.
    variables: BTreeMap<String, Vec<String>>,
}

#[derive(Clone, PartialEq, Eq)]
enum Values {
    One(String),
    /// From `key[]=value`; later plain values join the list.
    List(Vec<String>),
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values.keys()).finish()
    }
}

impl Layer {
    /// Parses an `.npmrc`. Ignores sections; expands `${NAME}` in keys and values.
    pub fn parse(text: &str, variables: &Variables) -> Layer {
        let mut layer = Layer::default();
        let mut in_section = false;
        for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
            if line.trim().is_empty() || line.trim().starts_with([';', '#']) {
                continue;
            }
            let title = line.strip_prefix('[').and_then(|rest| rest.trim_end().strip_suffix(']'));
            in_section |= title.is_some_and(|title| !title.contains(']'));
            if in_section || line.starts_with('=') {
                continue;
            }
            let (key, value) = line.split_once('=').map_or((line, None), |(key, value)| (key, Some(value)));
            let key = unquoted(key);
            let (key, place) = match key.strip_suffix("[]") {
                Some(name) if !name.is_empty() => (name, KeySyntax::InList),
                _ => (key.as_str(), KeySyntax::Alone),
            };
            let raw = value.map_or_else(|| "true".to_owned(), unquoted);
            let used = [key, &raw].into_iter().flat_map(|text| variables_used(text, variables));
            let (used, name) = (used.collect::<Vec<String>>(), expanded(key, variables));
            layer.add_variables(&name, used);
            layer.put(name, expanded(&raw, variables), place);
        }
        layer
    }

    /// `npm_config_save_exact=true` is `save-exact`, in upper or lower case; empty values do not
    /// count.
    pub fn of_environment(variables: &Variables) -> Layer {
        const PREFIX: &str = "npm_config_";
        let mut layer = Layer::default();
        for (name, value) in variables {
            let named = name.get(..PREFIX.len()).is_some_and(|head| head.eq_ignore_ascii_case(PREFIX));
            if !named || value.is_empty() {
                continue;
            }
            let key = &name[PREFIX.len()..];
            // Keys of credentials are case-sensitive; a leading `_` belongs to the name.
            let key = match key.starts_with("//") {
                true => key.to_owned(),
                false => {
                    let kept = usize::from(key.starts_with('_'));
                    format!("{}{}", &key[..kept], key[kept..].replace('_', "-").to_lowercase())
                }
            };
            layer.put(key, expanded(value.trim(), variables), KeySyntax::Alone);
        }
        layer
    }

    /// Sets a key as a line of a file does.
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.values.insert(key.into(), Values::One(value.into()));
    }

    /// Sets a list, which may be empty.
    pub fn set_all(&mut self, key: impl Into<String>, values: Vec<String>) {
        self.values.insert(key.into(), Values::List(values));
    }

    /// Records that the value of a key was made of variables.
    pub fn add_variables(&mut self, key: &str, names: Vec<String>) {
        if !names.is_empty() {
            self.variables.entry(key.to_owned()).or_default().extend(names);
        }
    }

    /// Keys with the variables that their values were made of.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.variables.iter().map(|(key, names)| (key.as_str(), names.as_slice()))
    }

    /// The keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// The value of a key; of a list the last. `null` counts as absent.
    pub fn one(&self, key: &str) -> Option<&str> {
        let value = match self.values.get(key)? {
            Values::One(value) => value,
            Values::List(list) => list.last()?,
        };
        (value != "null").then_some(value)
    }

    /// The values of a key. In one value, blank lines separate several, as npm hands lists down in
    /// variables.
    pub fn all(&self, key: &str) -> Option<Vec<String>> {
        match self.values.get(key)? {
            Values::One(value) => Some(value.split("\n\n").map(str::to_owned).collect()),
            Values::List(list) => Some(list.clone()),
        }
    }

    /// A boolean as npm reads it (nopt's `validateBoolean`): a number is true unless it is 0, and
    /// any other text but `false` is true, even `no`. `undefined` counts as absent, like `null`.
    pub fn truth(&self, key: &str) -> Option<bool> {
        match self.one(key)?.trim() {
            "undefined" => None,
            "false" => Some(false),
            value => Some(value.parse() != Ok(0.0)),
        }
    }

    /// A boolean of a key that allows what is refused without it: only `true`, and a key without a
    /// value, allow. `no` must not.
    pub fn permission(&self, key: &str) -> Option<bool> {
        self.truth(key).map(|_| matches!(self.one(key), Some("true" | "")))
    }

    pub fn number(&self, key: &str) -> Option<u64> {
        self.one(key)?.parse().ok()
    }

    /// `@scope` and its registry.
    pub fn scopes(&self) -> impl Iterator<Item = (&str, &str)> {
        let scope = |key: &'_ str| key.starts_with('@') && key.ends_with(":registry");
        self.values.keys().filter(move |key| scope(key)).filter_map(|key| {
            let (name, _) = key.rsplit_once(':')?;
            Some((name, self.one(key)?))
        })
    }

    /// Whether there is a key that would be a secret if it named a registry.
    pub fn bare_secrets(&self) -> impl Iterator<Item = &str> {
        let bare = ["_auth", "_authToken", "_password", "_authtoken"];
        self.values.keys().map(String::as_str).filter(move |key| bare.contains(key))
    }

    fn put(&mut self, key: String, value: String, syntax: KeySyntax) {
        match (self.values.get_mut(&key), syntax) {
            (Some(Values::List(list)), _) => list.push(value),
            (Some(Values::One(first)), KeySyntax::InList) => {
                let first = std::mem::take(first);
                self.values.insert(key, Values::List(vec![first, value]));
            }
            (None, KeySyntax::InList) => {
                self.values.insert(key, Values::List(vec![value]));
            }
            (_, KeySyntax::Alone) => {
                self.values.insert(key, Values::One(value));
            }
        }
    }
}

#[derive(Clone, Copy)]
enum KeySyntax {
    Alone,
    /// The key was written `key[]`.
    InList,
}

/// The credentials of several layers, the first of which counts most, by `//host/path/`.
/// As in npm a key of a lower layer still counts where no higher one has the same key.
pub fn credentials(layers: &[&Layer]) -> Vec<(String, Credential)> {
    let mut parts: BTreeMap<String, BTreeMap<&str, &str>> = BTreeMap::new();
    for (key, value) in
        layers.iter().flat_map(|layer| layer.values.keys().filter_map(|key| Some((key, layer.one(key)?))))
    {
        let named = credential_key(key).filter(|_| !value.is_empty());
        if let Some((prefix, field)) =
            named.and_then(|(prefix, field)| Some((host::normal_prefix(prefix)?, field)))
        {
            parts.entry(prefix).or_default().entry(field).or_insert(value);
        }
    }
    parts.into_iter().filter_map(|(prefix, fields)| Some((prefix, credential(&fields)?))).collect()
}

/// The prefix `//host/path/` of a key, and what follows its last colon, such as `_authToken`.
pub fn credential_key(key: &str) -> Option<(&str, &str)> {
    key.rsplit_once(':').filter(|_| key.starts_with("//"))
}

/// Whether the value of a key is a credential.
pub fn is_secret(key: &str) -> bool {
    let name = key.rsplit(':').next().unwrap_or(key).to_ascii_lowercase();
    name.starts_with('_') || ["key", "otp", "token", "password", "passphrase"].contains(&name.as_str())
}

fn credential(fields: &BTreeMap<&str, &str>) -> Option<Credential> {
    if let Some(token) = fields.get("_authToken") {
        return Some(Credential::Bearer((*token).to_owned()));
    }
    if let Some(auth) = fields.get("_auth") {
        return Some(Credential::Basic((*auth).to_owned()));
    }
    let password = LENIENT.decode(fields.get("_password")?).ok()?;
    Some(Credential::of_password(fields.get("username")?, &String::from_utf8_lossy(&password)))
}

/// Passwords are written with and without padding.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Quotes taken off (as JSON if it is), else cut at the first `;` or `#` that no backslash
/// protects.
fn unquoted(text: &str) -> String {
    let text = text.trim();
    if text == "'" {
        return String::new();
    }
    let between = |quote: char| text.len() > 1 && text.starts_with(quote) && text.ends_with(quote);
    if between('"') || between('\'') {
        let inner = if between('\'') { &text[1..text.len() - 1] } else { text };
        let json = crate::json::parse(inner, crate::json::Dialect::Strict).ok();
        let string = json.and_then(|node| node.as_str().map(str::to_owned));
        return string.unwrap_or_else(|| inner.to_owned());
    }
    let mut value = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(one) = characters.next() {
        match one {
            ';' | '#' => break,
            '\\' => match characters.next_if(|next| matches!(next, '\\' | ';' | '#')) {
                Some(protected) => value.push(protected),
                None => value.push('\\'),
            },
            _ => value.push(one),
        }
    }
    value.trim().to_owned()
}

/// Expands `${NAME}`. If it is not set, it stays unchanged, or is empty as `${NAME?}`, or is the
/// default of `${NAME-default}` (pnpm's addition). A backslash before it prevents the expansion.
pub fn expanded(text: &str, variables: &Variables) -> String {
    expand(text, variables, &mut Vec::new())
}

/// The variables whose values [`expanded`] puts into a text.
pub fn variables_used(text: &str, variables: &Variables) -> Vec<String> {
    let mut used = Vec::new();
    expand(text, variables, &mut used);
    used
}

fn expand(text: &str, variables: &Variables, used: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        let body = &rest[at + 2..];
        let end = body.find(['$', '{', '}']).filter(|&end| end > 0 && body[end..].starts_with('}'));
        let Some((end, value)) = end.and_then(|end| Some((end, variable(&body[..end], variables)?))) else {
            out.push_str(&rest[..at + 2]);
            rest = body;
            continue;
        };
        let head = &rest[..at];
        let plain = head.trim_end_matches('\\');
        let backslashes = head.len() - plain.len();
        out.push_str(plain);
        out.push_str(&"\\".repeat(backslashes / 2));
        match value {
            _ if backslashes % 2 == 1 => out.push_str(&rest[at..at + 3 + end]),
            Expansion::Variable { name, value } => {
                out.push_str(value);
                used.extend((!value.is_empty()).then(|| name.to_owned()));
            }
            Expansion::Default(text) => out.push_str(text),
            Expansion::Unset => out.push_str(&rest[at..at + 3 + end]),
        }
        rest = &body[end + 1..];
    }
    out.push_str(rest);
    out
}

/// What is between `${` and `}`.
enum Expansion<'t> {
    Variable {
        name: &'t str,
        value: &'t str,
    },
    Default(&'t str),
    /// Not set, without a default.
    Unset,
}

/// `None`: not an expression.
fn variable<'t>(body: &'t str, variables: &'t Variables) -> Option<Expansion<'t>> {
    let (name, fallback) = match body.split_once('?') {
        Some((name, "")) if !name.is_empty() => (name, Some("")),
        Some(_) => return None,
        None => (body, None),
    };
    if let Some(value) = variables.get(name) {
        return Some(Expansion::Variable { name, value });
    }
    let Some((name, default)) = name.split_once('-').filter(|_| fallback.is_none()) else {
        return Some(fallback.map_or(Expansion::Unset, Expansion::Default));
    };
    let (name, empty_counts) = name.strip_suffix(':').map_or((name, true), |name| (name, false));
    let set = variables.get(name).filter(|value| empty_counts || !value.is_empty());
    Some(set.map_or(Expansion::Default(default), |value| Expansion::Variable { name, value }))
}

#[cfg(test)]
mod tests;
