//! Stack frames of an error. In: a stack as in Node (`    at name (file:line:column)`). Out: the
//! frames of the user's code, with positions. Absent: reading sources.

/// A frame of the user's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// `<anonymous>` for a function without a name.
    pub function: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// Frames shown; a recursion may have thousands.
const FRAMES_MAX: usize = 10;

/// The frames of the user's code: not the runtime's own.
pub fn user_frames(stack: &str) -> Vec<Frame> {
    stack.lines().filter_map(parse).filter(|frame| frame.file.starts_with('/')).take(FRAMES_MAX).collect()
}

fn parse(line: &str) -> Option<Frame> {
    let rest = line.trim_start().strip_prefix("at ")?;
    let (function, place) = match rest.strip_suffix(')').and_then(|rest| rest.split_once(" (")) {
        Some((function, place)) => (function, place),
        None => ("<anonymous>", rest.strip_prefix("async ").unwrap_or(rest)),
    };
    let (place, column) = place.rsplit_once(':')?;
    let (file, line) = place.rsplit_once(':')?;
    let file = file.strip_prefix("file://").unwrap_or(file);
    Some(Frame {
        function: function.to_owned(),
        file: file.to_owned(),
        line: line.parse().ok()?,
        column: column.parse().ok()?,
    })
}

#[cfg(test)]
mod tests;
