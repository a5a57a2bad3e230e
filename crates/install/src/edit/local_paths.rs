//! Paths in requests such as `add ./vendor/log --filter web`: relative to the directory of the
//! command, and to be saved relative to the member. In: both directories, relative to the project.
//! Out: the request for the member. Absent: requests with a name before the path.

use std::path::Path;

use rusk_base::files;
use rusk_lockfiles::Tool;

/// The request as the member at `member` has to write it.
pub fn rebased(request: &str, command_dir: &str, member: &str) -> String {
    let split = |prefix| Some((prefix, request.strip_prefix(prefix)?));
    let (prefix, path) = ["file:", "link:"].into_iter().find_map(split).unwrap_or(("", request));
    if !(path.starts_with("./") || path.starts_with("../")) || command_dir == member {
        return request.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in command_dir.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let up = match member.split('/').filter(|part| !part.is_empty()).count() {
        0 => "./".to_owned(),
        depth => "../".repeat(depth),
    };
    format!("{prefix}{up}{}", parts.join("/"))
}

/// Where paths of requests lead from, and who reads package.json.
pub struct RequestDirs<'a> {
    /// An absolute directory.
    pub project: &'a Path,
    /// Of the command, relative to the project.
    pub command: &'a str,
    pub tool: Tool,
}

impl RequestDirs<'_> {
    /// A path as the other package manager saves it: npm and Yarn with `file:`, pnpm a directory
    /// with `link:`. A path from the root becomes relative, so that it is the same on another
    /// computer.
    pub fn saved(&self, request: &str) -> String {
        let (protocol, path) = match request.strip_prefix("file:") {
            Some(path) => ("file:", path),
            None => (self.protocol(request), request),
        };
        if self.tool == Tool::Bun {
            return request.to_owned();
        }
        if path.starts_with("./") || path.starts_with("../") {
            return format!("{protocol}{path}");
        }
        if !path.starts_with('/') {
            return request.to_owned();
        }
        let found = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
        match files::relative(&self.project.join(self.command), &found).to_str() {
            Some(relative) if relative.starts_with("..") => format!("{protocol}{relative}"),
            Some(relative) => format!("{protocol}./{relative}"),
            None => request.to_owned(),
        }
    }

    fn protocol(&self, path: &str) -> &'static str {
        let is_tarball = [".tgz", ".tar.gz", ".tar"].iter().any(|ending| path.ends_with(ending));
        if self.tool == Tool::Pnpm && !is_tarball { "link:" } else { "file:" }
    }
}

#[cfg(test)]
mod tests;
