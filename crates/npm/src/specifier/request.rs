//! A specifier from the command line, where the name is in the same argument: `left@^1`,
//! `alias@npm:left@1`, `./dir`.

use super::{Naming, Specifier, checked, parse_nameless, path, split_name, split_scheme};
use crate::name::PackageName;
use crate::problem;
use rusk_base::Result;

/// The request of an argument of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The name to install it under; a directory, a tarball or a repository that came without one
    /// has its own.
    pub name: Option<PackageName>,
    pub specifier: Specifier,
}

impl Specifier {
    pub fn parse_request(text: &str) -> Result<Request> {
        let text = checked(text)?;
        if let Some(target) = text.strip_prefix("npm:") {
            return named(target);
        }
        if let Some(target) = text.strip_prefix("jsr:") {
            if !target.starts_with('@') {
                return Err(problem::specifier(text, "`jsr:@scope/name`"));
            }
            let (name, wanted) = split_name(target);
            let wanted = wanted.filter(|wanted| !wanted.trim().is_empty()).unwrap_or("latest");
            let specifier = Specifier::parse(name, &format!("jsr:{wanted}"))?;
            let name = PackageName::parse(name).map_err(|error| problem::package_name(name, error))?;
            return Ok(Request { name: Some(name), specifier });
        }
        let (name, wanted) = split_name(text);
        let is_place = split_scheme(text).is_some()
            || path::is_path(name)
            || (name.contains('/') && !name.starts_with('@'))
            || wanted.is_some_and(is_host_and_path);
        match is_place {
            true => nameless(text),
            false => named(text),
        }
    }
}

/// `example.test:user/repo`, the half of `git@example.test:user/repo` that no range or tag looks
/// like.
fn is_host_and_path(text: &str) -> bool {
    let Some((host, path)) = text.split_once(':') else { return false };
    host.contains('.') && !host.contains(['@', '/', '#']) && !path.is_empty()
}

fn nameless(text: &str) -> Result<Request> {
    match parse_nameless(text)? {
        Some(specifier) => Ok(Request { name: None, specifier }),
        None => Err(problem::specifier(text, "a name, a path, a URL or `user/repo`")),
    }
}

fn named(text: &str) -> Result<Request> {
    let (name, wanted) = split_name(text);
    let specifier = match wanted {
        Some(wanted) if !wanted.trim().is_empty() => Specifier::parse(name, wanted)?,
        _ => Specifier::DistTag {
            name: PackageName::parse(name).map_err(|error| problem::package_name(name, error))?,
            naming: Naming::Own,
            tag: "latest".into(),
        },
    };
    let name = PackageName::parse(name).map_err(|error| problem::package_name(name, error))?;
    Ok(Request { name: Some(name), specifier })
}
