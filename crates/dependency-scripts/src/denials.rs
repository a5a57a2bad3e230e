//! What the jail denied, found in a script's output. In: the text that programs print for the
//! errors EACCES, EPERM and of name resolution. Out: paths, sockets and hosts, each with the grant
//! that allows it, if one does. The kernel does not say what it denied; a path that the script may
//! read or write is not reported.

use std::net::{IpAddr, SocketAddr};
use std::path::{Component, Path, PathBuf};

/// Something that the jail most likely denied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denial {
    /// A host, with its port if it is an address; empty where the output does not name one.
    Network(String),
    /// A Unix socket, which no grant allows.
    Socket(PathBuf),
    Read(PathBuf),
    Write(PathBuf),
    /// Writing to a file, which may be missing.
    Create(PathBuf),
}

/// What the output of a script is compared with.
pub struct Surroundings<'a> {
    /// The script's working directory, from which relative paths lead.
    pub directory: &'a Path,
    /// What the script may read and write.
    pub is_allowed: &'a dyn Fn(&Path) -> bool,
    /// What the script was denied of the network, if anything, is known otherwise.
    pub is_network_known: bool,
}

/// Denials that are reported of one script.
const DENIALS_MAX: usize = 5;
/// Text of errors that the jail's errnos have in libc and Node.
const PATH_ERRORS: [&str; 4] =
    ["Permission denied", "permission denied", "EACCES", "Operation not permitted"];
/// Node's names of calls that write, and words of shells.
const WRITING: [&str; 14] = [
    ", mkdir",
    ", unlink",
    ", rename",
    ", rmdir",
    ", symlink",
    ", link",
    ", copyfile",
    ", mkdtemp",
    ", chmod",
    "cannot remove",
    "cannot move",
    "cannot stat",
    "for writing",
    "write",
];
/// Words of shells and tools that make files.
const CREATING: [&str; 2] = ["cannot create ", "cannot touch "];
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
const CONNECTION_ERRORS: [&str; 6] = [
    "connect EACCES",
    "socket EACCES",
    "listen EACCES",
    "bind EACCES",
    "EAI_AGAIN",
    "Temporary failure in name resolution",
];

pub fn find(output: &str, surroundings: &Surroundings<'_>) -> Vec<Denial> {
    let mut found: Vec<Denial> = Vec::new();
    for line in output.lines() {
        // One network denial is enough, and a host says more than none.
        match denial(line, surroundings) {
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

fn denial(line: &str, surroundings: &Surroundings<'_>) -> Option<Denial> {
    let network = || socket(line).or_else(|| network(line));
    let network = || network().filter(|_| !surroundings.is_network_known);
    match is_of_network(line) {
        // Its paths are names of sockets.
        true => network(),
        false => network().or_else(|| path(line, surroundings)),
    }
}

fn is_network(denial: &Denial) -> bool {
    matches!(denial, Denial::Network(_))
}

/// Paths of bash that mean connections.
const BASH_NETWORK: [&str; 2] = ["/dev/tcp/", "/dev/udp/"];

fn is_of_network(line: &str) -> bool {
    let texts = ["connect EACCES", "bind EACCES", "listen EACCES"];
    texts.iter().chain(&BASH_NETWORK).any(|text| line.contains(text))
}

/// Node's error of a Unix socket.
fn socket(line: &str) -> Option<Denial> {
    let texts = ["connect EACCES ", "listen EACCES: permission denied ", "bind EACCES "];
    let rest = texts.iter().find_map(|text| Some(&line[line.find(text)? + text.len()..]))?;
    let path = rest.split(char::is_whitespace).next().filter(|path| path.starts_with('/'))?;
    Some(Denial::Socket(path.into()))
}

fn network(line: &str) -> Option<Denial> {
    let is_quote = |character: char| "'\"`\u{2018}\u{201c}".contains(character);
    let host = HOST_ERRORS.iter().find_map(|error| Some(&line[line.find(error)? + error.len()..]));
    let host = host.map(|rest| {
        let rest = rest.trim_start_matches(is_quote);
        let is_host = |character: char| character.is_ascii_alphanumeric() || ".-_".contains(character);
        let end = rest.find(|character| !is_host(character)).unwrap_or(rest.len());
        rest[..end].to_owned()
    });
    let is_connection = || CONNECTION_ERRORS.iter().any(|error| line.contains(error));
    match host.filter(|host| host.contains('.')).or_else(|| address(line)) {
        Some(host) => Some(Denial::Network(host)),
        None if is_connection() || line.contains(BASH_NETWORK[1]) => Some(Denial::Network(String::new())),
        None => None,
    }
}

/// The address and port that a connection failed to.
fn address(line: &str) -> Option<String> {
    let after = |text: &str| Some(&line[line.find(text)? + text.len()..]);
    let word = |rest: &str| rest.split(char::is_whitespace).next().unwrap_or_default().to_owned();
    // Node, curl, wget, bash.
    let text = after("connect EACCES ").map(word);
    let text = text.or_else(|| {
        let (host, rest) = after("Failed to connect to ")?.split_once(" port ")?;
        let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
        Some(format!("{host}:{}", &rest[..digits]))
    });
    let text = text.or_else(|| {
        let rest = after("Connecting to ").filter(|_| line.contains("ermission denied"))?;
        Some(rest.split_once("...")?.0.to_owned())
    });
    let text = text.or_else(|| {
        let rest = after(BASH_NETWORK[0]).filter(|_| line.contains("ermission denied"))?;
        let (host, rest) = rest.split_once('/')?;
        Some(format!("{host}:{}", rest.split(':').next().unwrap_or_default()))
    });
    let text = text?;
    let (host, port) = text.rsplit_once(':')?;
    let ip: IpAddr = host.trim_matches(['[', ']']).parse().ok()?;
    let port: u16 = port.parse().ok().filter(|port| *port > 0)?;
    (!ip.is_unspecified()).then(|| SocketAddr::new(ip, port).to_string())
}

fn path(line: &str, surroundings: &Surroundings<'_>) -> Option<Denial> {
    if !PATH_ERRORS.iter().any(|error| line.contains(error)) {
        return None;
    }
    let is_end = |character: char| {
        character.is_whitespace() || "'\"`:,()[]\u{2018}\u{2019}\u{201c}\u{201d}".contains(character)
    };
    let is_start = |at: usize| at == 0 || line[..at].ends_with(is_end);
    // The last one: a line may begin with the program that prints it. A relative path that does
    // not lead upwards is in the package's own directory.
    let starts = line.char_indices().rev().map(|(at, _)| at);
    let starts =
        starts.filter(|&at| (line[at..].starts_with('/') || line[at..].starts_with("../")) && is_start(at));
    let path = starts
        .map(|at| {
            let rest = &line[at..];
            let written = Path::new(&rest[..rest.find(is_end).unwrap_or(rest.len())]);
            match written.is_absolute() {
                true => written.to_owned(),
                false => without_parents(&surroundings.directory.join(written)),
            }
        })
        .find(|path| path.components().count() > 1 && !(surroundings.is_allowed)(path))?;
    let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
    let is_directory = line.contains("cannot create directory");
    Some(match (has(&CREATING) && !is_directory, has(&WRITING) || is_directory) {
        (true, _) => Denial::Create(path),
        (false, true) => Denial::Write(path),
        (false, false) => Denial::Read(path),
    })
}

/// The path without `..`. Symbolic links are not followed: the directory has none.
fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests;
