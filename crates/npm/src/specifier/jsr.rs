//! `jsr:` specifiers: packages of JSR, which an npm registry of its own serves as
//! `@jsr/scope__name`. In: the name on the left, the text after `jsr:`. Out: the package there, and
//! a range or a dist-tag. Absent: that registry's address, which the configuration has.

use super::{Naming, Specifier, range_or_tag, split_name};
use crate::name::PackageName;
use crate::problem;
use rusk_base::Result;

/// The scope of JSR's packages in their npm registry.
pub const SCOPE: &str = "@jsr";

/// `jsr:^1`, `jsr:@scope/name`, `jsr:@scope/name@^1`.
pub(super) fn parse(name: &PackageName, text: &str) -> Result<Specifier> {
    let (own, wanted) = match text.starts_with('@') {
        true => split_name(text),
        false => (name.as_str(), Some(text)),
    };
    let target = npm_name(own)
        .ok_or_else(|| problem::specifier(&format!("jsr:{text}"), "`jsr:@scope/name`, or a range of one"))?;
    range_or_tag(target, Naming::Jsr, wanted.unwrap_or(""))
}

/// `@std/path` is `@jsr/std__path`. `None` for a name without a scope.
pub fn npm_name(name: &str) -> Option<PackageName> {
    let (scope, base) = name.strip_prefix('@')?.split_once('/')?;
    PackageName::parse(&format!("{SCOPE}/{scope}__{base}")).ok()
}

/// `@jsr/std__path` is `@std/path`.
pub fn jsr_name(name: &PackageName) -> Option<String> {
    let (scope, base) = name.as_str().strip_prefix(SCOPE)?.strip_prefix('/')?.split_once("__")?;
    Some(format!("@{scope}/{base}"))
}
