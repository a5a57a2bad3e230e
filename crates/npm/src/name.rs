//! Package names that are safe as a path below `node_modules`: `name` or `@scope/name`. Less strict
//! than npm's rules for new packages (old packages have capitals), but always one or two plain path
//! components.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// npm's limit, in bytes.
pub const NAME_BYTES_MAX: usize = 214;

/// A validated name. Clones share the string.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageName(Arc<str>);

/// Why a name is invalid; displays the expected form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameError {
    Empty,
    TooLong,
    /// Neither `name` nor `@scope/name`.
    Shape,
    LeadingDot,
    /// It would be a flag on a command line.
    LeadingHyphen,
    /// A character that would have to be escaped in a URL.
    Character(char),
    Reserved,
}

impl PackageName {
    pub fn parse(text: &str) -> Result<PackageName, NameError> {
        if text.is_empty() {
            return Err(NameError::Empty);
        }
        if text.len() > NAME_BYTES_MAX {
            return Err(NameError::TooLong);
        }
        match text.strip_prefix('@') {
            // The registry has a package `-`, which many lockfiles name by mistake. It is no flag.
            None if text.starts_with('-') && text != "-" => return Err(NameError::LeadingHyphen),
            None => check_component(text)?,
            Some(scoped) => {
                let (scope, base) = scoped.split_once('/').ok_or(NameError::Shape)?;
                check_component(scope)?;
                check_component(base)?;
            }
        }
        Ok(PackageName(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `@scope` of `@scope/name`.
    pub fn scope(&self) -> Option<&str> {
        self.0.split_once('/').map(|(scope, _)| scope)
    }

    /// The name without its scope.
    pub fn base(&self) -> &str {
        self.0.split_once('/').map_or(&*self.0, |(_, base)| base)
    }
}

fn check_component(text: &str) -> Result<(), NameError> {
    if text.is_empty() || text.contains('/') {
        return Err(NameError::Shape);
    }
    if text.starts_with('.') {
        return Err(NameError::LeadingDot);
    }
    // What encodeURIComponent leaves alone, which is npm's own rule for old packages.
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_.!~*'()".contains(character);
    if let Some(character) = text.chars().find(|&character| !is_plain(character)) {
        return Err(NameError::Character(character));
    }
    let reserved = ["node_modules", "favicon.ico", "__proto__"];
    match reserved.iter().any(|name| text.eq_ignore_ascii_case(name)) {
        true => Err(NameError::Reserved),
        false => Ok(()),
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Empty => f.write_str("at least one character"),
            NameError::TooLong => write!(f, "at most {NAME_BYTES_MAX} bytes"),
            NameError::Shape => f.write_str("`name` or `@scope/name`"),
            NameError::LeadingDot => f.write_str("no dot in front"),
            NameError::LeadingHyphen => f.write_str("no hyphen in front"),
            NameError::Character(character) => write!(f, "no `{}`", character.escape_debug()),
            NameError::Reserved => f.write_str("a name that is not reserved"),
        }
    }
}

impl std::error::Error for NameError {}

impl fmt::Display for PackageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for PackageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl Borrow<str> for PackageName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests;
