//! What `rusk approve --record` says of a package: what its scripts were denied, and the smallest
//! grant. In: denied accesses and hosts. Out: text. Files of the system that a script looks for are
//! named, and not proposed beside other grants: most scripts go on without them.

use std::collections::BTreeSet;
use std::path::Path;

use rusk_base::problem::printable;
use rusk_npm::script_approvals::GrantBase;
use rusk_observe::denied_calls::DeniedAccess;
use rusk_scripts::quoted;

const TERMINAL: &str = "/dev/tty";
/// Denials that are shown of one package.
const SHOWN_MAX: usize = 12;
/// What a grant of one of these would open is far more than a script looks for.
const SYSTEM: [&str; 8] = ["/", "/dev", "/etc", "/proc", "/run", "/sys", "/usr", "/var"];

/// What the scripts of a package were denied.
#[derive(Default)]
pub struct Denials {
    hosts: BTreeSet<String>,
    calls: BTreeSet<DeniedAccess>,
}

impl Denials {
    /// Without denied sockets and addresses where hosts explain them, and without the terminal,
    /// for which shells look: no grant of a path reaches it.
    pub fn new(calls: BTreeSet<DeniedAccess>, hosts: BTreeSet<String>) -> Denials {
        let is_kept = |access: &DeniedAccess| match access {
            DeniedAccess::Network(_) => hosts.is_empty(),
            DeniedAccess::Read(path) | DeniedAccess::Write(path) => path != Path::new(TERMINAL),
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
    }
}

/// One flag for each grant; a path that is written is also read.
fn flags(denied: &Denials, base: &GrantBase<'_>) -> String {
    let is_network = |access: &DeniedAccess| matches!(access, DeniedAccess::Network(_));
    let mut flags: String =
        denied.hosts.iter().map(|host| format!(" --connect={}", quoted(&printable(host)))).collect();
    if denied.calls.iter().any(is_network) {
        flags += " --network";
    }
    let written = |path: &Path| denied.calls.contains(&DeniedAccess::Write(path.to_owned()));
    let needs_more = denied.calls.iter().any(|access| !is_read_of_system(access));
    let leaves_system_out = needs_more || !denied.hosts.is_empty();
    for access in &denied.calls {
        match access {
            DeniedAccess::Network(_) => {}
            DeniedAccess::Read(path) if written(path) || SYSTEM.iter().any(|dir| path == Path::new(dir)) => {}
            DeniedAccess::Read(_) if leaves_system_out && is_read_of_system(access) => {}
            DeniedAccess::Read(path) => {
                flags += &format!(" --read={}", quoted(&printable(&base.written(path))))
            }
            DeniedAccess::Write(path) => {
                flags += &format!(" --write={}", quoted(&printable(&base.written(path))))
            }
        }
    }
    flags
}

#[cfg(test)]
mod tests;
