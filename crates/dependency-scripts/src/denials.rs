//! What the jail denied, found in a script's output. In: the text that programs print for the
//! errors EACCES, EPERM and of name resolution. Out: paths and hosts, each with the grant that
//! allows it. The kernel does not say what it denied; a path that the script may read or write is
//! not reported.

use std::path::{Path, PathBuf};

/// Something that the jail most likely denied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denial {
    /// A host, or empty where the output does not name one.
    Network(String),
    Read(PathBuf),
    Write(PathBuf),
}

/// Denials that are reported of one script.
const DENIALS_MAX: usize = 5;
/// Text of errors that the jail's errnos have in libc and Node.
const PATH_ERRORS: [&str; 4] =
    ["Permission denied", "permission denied", "EACCES", "Operation not permitted"];
/// Node's names of calls that write, and words of shells.
const WRITING: [&str; 16] = [
    ", mkdir",
    ", unlink",
    ", rename",
    ", rmdir",
    ", symlink",
    ", link",
    ", copyfile",
    ", mkdtemp",
    ", chmod",
    "cannot create",
    "cannot touch",
    "cannot remove",
    "cannot move",
    "cannot stat",
    "for writing",
    "write",
];
/// What precedes a host's name in the errors of resolvers.
const HOST_ERRORS: [&str; 7] = [
    "getaddrinfo EAI_AGAIN ",
    "getaddrinfo ENOTFOUND ",
    "getaddrinfo EACCES ",
    "Could not resolve host: ",
    "unable to resolve host address ",
    "Temporary failure in name resolution: ",
    "lookup ",
];
/// Errors of connections without a name.
const CONNECTION_ERRORS: [&str; 4] = ["connect EACCES", "socket EACCES", "listen EACCES", "EAI_AGAIN"];

/// `is_network_known`: what the script was denied of the network, if anything, is known otherwise.
pub fn find(output: &str, is_allowed: &dyn Fn(&Path) -> bool, is_network_known: bool) -> Vec<Denial> {
    let mut found: Vec<Denial> = Vec::new();
    for line in output.lines() {
        let denial = match is_network_known {
            false => network(line).or_else(|| path(line, is_allowed)),
            true => path(line, is_allowed),
        };
        // One network denial is enough, and a host says more than none.
        match denial {
            Some(Denial::Network(host)) if host.is_empty() && found.iter().any(is_network) => {}
            Some(denial) if !found.contains(&denial) && found.len() < DENIALS_MAX => found.push(denial),
            _ => {}
        }
    }
    if found.iter().any(|denial| matches!(denial, Denial::Network(host) if !host.is_empty())) {
        found.retain(|denial| *denial != Denial::Network(String::new()));
    }
    found
}

fn is_network(denial: &Denial) -> bool {
    matches!(denial, Denial::Network(_))
}

fn network(line: &str) -> Option<Denial> {
    let host = HOST_ERRORS.iter().find_map(|error| Some(&line[line.find(error)? + error.len()..]));
    let host = host.map(|rest| {
        let is_host = |character: char| character.is_ascii_alphanumeric() || ".-_".contains(character);
        let end = rest.find(|character| !is_host(character)).unwrap_or(rest.len());
        rest[..end].to_owned()
    });
    let is_connection = || CONNECTION_ERRORS.iter().any(|error| line.contains(error));
    match host.filter(|host| host.contains('.')) {
        Some(host) => Some(Denial::Network(host)),
        None if is_connection() => Some(Denial::Network(String::new())),
        None => None,
    }
}

fn path(line: &str, is_allowed: &dyn Fn(&Path) -> bool) -> Option<Denial> {
    if !PATH_ERRORS.iter().any(|error| line.contains(error)) {
        return None;
    }
    let is_end = |character: char| character.is_whitespace() || "'\"`:,()[]".contains(character);
    // The last one: a line may begin with the program that prints it.
    let starts = line.match_indices('/').rev().map(|(at, _)| at);
    let path = starts
        .filter(|&at| at == 0 || line[..at].ends_with(is_end))
        .map(|at| {
            let rest = &line[at..];
            Path::new(&rest[..rest.find(is_end).unwrap_or(rest.len())])
        })
        .find(|path| path.components().count() > 1 && !is_allowed(path))?;
    let writes = WRITING.iter().any(|word| line.contains(word));
    Some(if writes { Denial::Write(path.to_owned()) } else { Denial::Read(path.to_owned()) })
}

#[cfg(test)]
mod tests;
