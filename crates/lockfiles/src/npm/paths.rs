//! Paths of package-lock.json: `node_modules/a/node_modules/@s/b`, `packages/ui/node_modules/a`,
//! and directories, `packages/ui`. In: a key of `packages`. Out: its parts, checked.

/// Longer paths do not exist: the kernel's limit.
const PATH_BYTES_MAX: usize = 4096;

const NODE_MODULES: &str = "node_modules/";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryPath<'a> {
    Project,
    /// The directory above its node_modules, empty for the project; and the name.
    Package {
        above: &'a str,
        name: &'a str,
    },
    /// A directory of the project, or beside it.
    Directory,
}

/// `None` for a path that npm would not write.
pub fn parse(path: &str) -> Option<EntryPath<'_>> {
    if path.is_empty() {
        return Some(EntryPath::Project);
    }
    let is_plain = |part: &str| !part.is_empty() && part != ".";
    if path.len() > PATH_BYTES_MAX || path.contains(['\\', '\0']) {
        return None;
    }
    let Some(at) = last_node_modules(path) else {
        let relative = path.trim_start_matches("../");
        let is_directory = relative.split('/').all(|part| is_plain(part) && part != "..");
        return is_directory
            .then_some(EntryPath::Directory)
            .or((path == "..").then_some(EntryPath::Directory));
    };
    let name = &path[at + NODE_MODULES.len()..];
    let above = match at {
        0 => "",
        _ => Some(&path[..at - 1]).filter(|above| !above.is_empty())?,
    };
    Some(EntryPath::Package { above, name })
}

/// Where the last `node_modules/` begins.
fn last_node_modules(path: &str) -> Option<usize> {
    let at = path.rfind(NODE_MODULES)?;
    (at == 0 || path.as_bytes()[at - 1] == b'/').then_some(at)
}

/// `a/./b/../c` as `a/c`; leading `..` stay. A path that begins with `/` is not relative.
pub fn normal(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
