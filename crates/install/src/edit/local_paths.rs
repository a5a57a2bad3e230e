//! Paths in requests such as `add ./vendor/log --filter web`: relative to the directory of the
//! command, and to be saved relative to the member. In: both directories, relative to the project.
//! Out: the request for the member. Absent: requests with a name before the path.

/// The request as the member at `member` has to write it.
pub fn rebased(request: &str, command_dir: &str, member: &str) -> String {
    let (prefix, path) = match request.strip_prefix("file:") {
        Some(path) => ("file:", path),
        None => ("", request),
    };
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

#[cfg(test)]
mod tests;
