//! What `rusk approve --record` says of a package: what its scripts were denied, and the smallest
//! grant. In: denied accesses and hosts. Out: text. Files of the system that a script looks for are
//! named, and not proposed beside other grants: most scripts go on without them.

use std::collections::BTreeSet;
use std::path::Path;

use rusk_base::problem::printable;
use rusk_npm::json::text::{array, line as line_of, string};
use rusk_npm::script_approvals::{GrantBase, NetworkAccess};
use rusk_observe::denied_calls::DeniedAccess;
use rusk_scripts::quoted;

const TERMINAL: &str = "/dev/tty";
/// Denials that are shown of one package.
const SHOWN_MAX: usize = 12;
/// What a grant of one of these would open is far more than a script looks for.
const SYSTEM: [&str; 8] = ["/", "/dev", "/etc", "/proc", "/run", "/sys", "/usr", "/var"];
/// Directories of all programs.
const SHARED: [&str; 3] = ["/tmp", "/var/tmp", "/home"];

/// What the scripts of a package were denied.
#[derive(Default)]
pub struct Denials {
    hosts: BTreeSet<String>,
    calls: BTreeSet<DeniedAccess>,
}

impl Denials {
    /// Without denied sockets and addresses where hosts explain them, or where the jail knows the
    /// refused hosts, because others are granted: resolvers try sockets that they do not need.
    /// Without the terminal, for which shells look: no grant of a path reaches it.
    pub fn new(calls: BTreeSet<DeniedAccess>, hosts: BTreeSet<String>, granted: &NetworkAccess) -> Denials {
        let is_kept = |access: &DeniedAccess| match access {
            DeniedAccess::Network(_) => hosts.is_empty() && *granted == NetworkAccess::None,
            DeniedAccess::Read(path) | DeniedAccess::Write(path) | DeniedAccess::Create(path) => {
                path != Path::new(TERMINAL)
            }
        };
        Denials { calls: calls.into_iter().filter(is_kept).collect(), hosts }
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let hosts = self.hosts.iter().map(|host| format!("connecting to {host}"));
        hosts.chain(self.calls.iter().map(line))
    }
}

/// The lines about a package.
pub fn text(name: &str, succeeded: bool, denied: &Denials, base: &GrantBase<'_>) -> String {
    let count = denied.lines().count();
    let ended = match (succeeded, count == 0) {
        (true, true) => "succeeds, and was denied nothing",
        (true, false) => "succeeds without more grants, but may have left out what it was denied",
        (false, true) => "fails, but was denied nothing: no grant helps",
        (false, false) => "fails; it was denied",
    };
    let mut text = format!("{}: {ended}\n", printable(name));
    for line in denied.lines().take(SHOWN_MAX) {
        text += &format!("  {}\n", printable(&line));
    }
    if let Some(hidden) = count.checked_sub(SHOWN_MAX).filter(|hidden| *hidden > 0) {
        text += &format!("  and {hidden} more\n");
    }
    for path in missing_files(denied, base) {
        text +=
            &format!("make `{}` first: the grant of what is missing makes a directory\n", printable(&path));
    }
    let flags = flags(denied, base);
    if !flags.is_empty() {
        let grant = if succeeded { "should it need that, grant it" } else { "grant it" };
        text += &format!("{grant} by `rusk approve {}{flags}`\n", printable(name));
    }
    text
}

fn is_read_of_system(access: &DeniedAccess) -> bool {
    let below = |path: &Path| SYSTEM[1..].iter().any(|dir| path.starts_with(dir));
    matches!(access, DeniedAccess::Read(path) if path == Path::new("/") || below(path))
}

fn line(access: &DeniedAccess) -> String {
    match access {
        DeniedAccess::Network(None) => "the network".to_owned(),
        DeniedAccess::Network(Some(address)) => format!("the network: {address}"),
        DeniedAccess::Read(path) => format!("reading {}", path.display()),
        DeniedAccess::Write(path) => format!("writing {}", path.display()),
        DeniedAccess::Create(path) => format!("creating {}", path.display()),
    }
}

/// The directory to grant for a file that is missing, unless that opens far more.
fn directory_of<'a>(path: &'a Path, base: &GrantBase<'_>) -> Option<&'a Path> {
    let is_shared = |dir: &Path| SYSTEM.iter().chain(&SHARED).any(|shared| dir == Path::new(shared));
    let dir = path.parent().filter(|dir| !is_shared(dir))?;
    (!base.project.starts_with(dir) && base.home.is_none_or(|home| !home.starts_with(dir))).then_some(dir)
}

/// Missing files that are granted by their own paths.
fn missing_files(denied: &Denials, base: &GrantBase<'_>) -> Vec<String> {
    let own = denied.calls.iter().filter_map(|access| match access {
        DeniedAccess::Create(path) if directory_of(path, base).is_none() => Some(base.written(path)),
        _ => None,
    });
    own.collect()
}

/// As one line of JSON: what was denied, as the text has it, and the arguments that grant it.
pub fn json(name: &str, succeeded: bool, denied: &Denials, base: &GrantBase<'_>) -> String {
    line_of(&[
        ("name", string(name)),
        ("succeeded", succeeded.to_string()),
        ("denied", array(denied.lines().map(|line| string(&line)))),
        ("missing", array(missing_files(denied, base).iter().map(|path| string(path)))),
        ("grants", array(grants(denied, base).iter().map(|grant| string(&grant.argument())))),
    ])
}

/// An argument of `rusk approve`.
struct GrantArgument {
    flag: &'static str,
    value: Option<String>,
}

impl GrantArgument {
    fn argument(&self) -> String {
        self.value.as_ref().map_or_else(|| self.flag.to_owned(), |value| format!("{}={value}", self.flag))
    }

    /// For the shell.
    fn shown(&self) -> String {
        match &self.value {
            Some(value) => format!(" {}={}", self.flag, quoted(&printable(value))),
            None => format!(" {}", self.flag),
        }
    }
}

fn flags(denied: &Denials, base: &GrantBase<'_>) -> String {
    grants(denied, base).iter().map(GrantArgument::shown).collect()
}

/// One for each grant; a path that is written is also read.
fn grants(denied: &Denials, base: &GrantBase<'_>) -> Vec<GrantArgument> {
    let hosts =
        denied.hosts.iter().map(|host| GrantArgument { flag: "--connect", value: Some(host.clone()) });
    let mut grants: Vec<GrantArgument> = hosts.collect();
    if denied.calls.iter().any(|access| matches!(access, DeniedAccess::Network(_))) {
        grants.push(GrantArgument { flag: "--network", value: None });
    }
    let written = denied.calls.iter().filter_map(|access| match access {
        DeniedAccess::Write(path) => Some(path.as_path()),
        DeniedAccess::Create(path) => Some(directory_of(path, base).unwrap_or(path)),
        DeniedAccess::Network(_) | DeniedAccess::Read(_) => None,
    });
    let written: BTreeSet<&Path> = written.collect();
    let is_written = |path: &Path| path.ancestors().any(|dir| written.contains(dir));
    let needs_more = denied.calls.iter().any(|access| !is_read_of_system(access));
    let leaves_system_out = needs_more || !denied.hosts.is_empty();
    let reads = denied.calls.iter().filter_map(|access| match access {
        DeniedAccess::Read(path) if is_written(path) || SYSTEM.iter().any(|dir| path == Path::new(dir)) => {
            None
        }
        DeniedAccess::Read(_) if leaves_system_out && is_read_of_system(access) => None,
        DeniedAccess::Read(path) => Some(path.as_path()),
        _ => None,
    });
    let path = |flag, path: &Path| GrantArgument { flag, value: Some(base.written(path)) };
    grants.extend(reads.map(|read| path("--read", read)));
    let outermost = written.iter().filter(|path| !path.parent().is_some_and(is_written));
    grants.extend(outermost.map(|write| path("--write", write)));
    grants
}

#[cfg(test)]
mod tests;
