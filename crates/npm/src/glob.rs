//! Globs of `workspaces`: whether a directory is a workspace, and whether there may be workspaces
//! below it. In: patterns, and paths relative to the project, with `/`. As in bun, `*` and `**`
//! skip dot directories and node_modules, `!` excludes regardless of its position, and a path
//! without wildcards must exist. Absent: walking the directories.

use rusk_base::Result;

use crate::problem;

/// More alternatives of `{a,b}` are refused: each is matched against each directory.
const ALTERNATIVES_MAX: usize = 256;
/// A longer pattern is refused; real ones have three or four segments.
const SEGMENTS_MAX: usize = 64;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspacePatterns {
    /// Paths without wildcards, in the order written.
    paths: Vec<String>,
    included: Vec<Pattern>,
    excluded: Vec<Pattern>,
}

/// Segments between slashes, `**` among them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern(Vec<String>);

impl WorkspacePatterns {
    pub fn parse(globs: &[String]) -> Result<WorkspacePatterns> {
        let mut patterns = WorkspacePatterns::default();
        for glob in globs {
            let (list, body) = match glob.strip_prefix('!') {
                Some(body) => (&mut patterns.excluded, body),
                None => (&mut patterns.included, glob.as_str()),
            };
            if body.contains('(') {
                return Err(problem::glob(glob, "a glob of `*`, `**`, `?`, `[ab]` and `{a,b}`"));
            }
            for alternative in expand_braces(body).ok_or_else(|| problem::glob(glob, "fewer alternatives"))? {
                let pattern = Pattern::parse(&alternative)
                    .ok_or_else(|| problem::glob(glob, "a path inside the project"))?;
                if !pattern.0.is_empty() {
                    list.push(pattern);
                }
            }
        }
        let paths = patterns.included.extract_if(.., |pattern| pattern.is_path());
        patterns.paths = paths.map(|path| path.0.join("/")).collect();
        Ok(patterns)
    }

    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.included.is_empty()
    }

    /// The directories that are named without wildcards; each must be a workspace.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Whether a directory is a workspace, if it contains a package.json.
    pub fn matches(&self, relative: &str) -> bool {
        self.names(relative)
            || (self.included.iter().any(|pattern| pattern.matches(relative)) && !self.excludes(relative))
    }

    /// As [`WorkspacePatterns::matches`], for a link to a directory: `**` does not follow those.
    pub fn matches_link(&self, relative: &str) -> bool {
        let mut by_name =
            self.included.iter().filter(|pattern| pattern.0.last().is_some_and(|last| last != "**"));
        self.names(relative) || (by_name.any(|pattern| pattern.matches(relative)) && !self.excludes(relative))
    }

    /// Whether a wildcard may match below a directory; the project itself is the empty path.
    pub fn may_contain(&self, relative: &str) -> bool {
        let open = |pattern: &Pattern| pattern.walk(relative).iter().any(|&at| at < pattern.0.len());
        self.included.iter().any(open)
    }

    fn names(&self, relative: &str) -> bool {
        self.paths.iter().any(|path| path == relative)
    }

    fn excludes(&self, relative: &str) -> bool {
        self.excluded.iter().any(|pattern| pattern.matches(relative))
    }
}

impl Pattern {
    /// `None` for a path that leaves the project, or is longer than any real one.
    fn parse(text: &str) -> Option<Pattern> {
        if text.starts_with('/') || text.contains(['\\', '\0']) {
            return None;
        }
        let segments = text.split('/').filter(|segment| !matches!(*segment, "" | "."));
        let segments: Vec<String> = segments.map(str::to_owned).collect();
        let leaves = segments.iter().any(|segment| segment == "..");
        (!leaves && segments.len() <= SEGMENTS_MAX).then_some(Pattern(segments))
    }

    fn is_path(&self) -> bool {
        !self.0.iter().any(|segment| segment.contains(['*', '?', '[']))
    }

    fn matches(&self, relative: &str) -> bool {
        self.walk(relative).contains(&self.0.len())
    }

    /// The segments that may match next, after the directories of a path; the pattern's length
    /// means it is used up.
    fn walk(&self, relative: &str) -> Vec<usize> {
        let mut open = Vec::new();
        self.open(0, &mut open);
        for name in relative.split('/').filter(|name| !name.is_empty()) {
            let mut next = Vec::new();
            for &at in &open {
                match self.0.get(at).map(String::as_str) {
                    Some("**") if !is_passed_over(name) => self.open(at, &mut next),
                    Some(segment) if segment != "**" && segment_matches(segment, name) => {
                        self.open(at + 1, &mut next)
                    }
                    _ => {}
                }
            }
            open = next;
        }
        open
    }

    /// Adds a position, and the later ones that `**` reaches by an empty match.
    fn open(&self, mut at: usize, open: &mut Vec<usize>) {
        while !open.contains(&at) {
            open.push(at);
            match self.0.get(at).is_some_and(|segment| segment == "**") {
                true => at += 1,
                false => return,
            }
        }
    }
}

fn segment_matches(segment: &str, name: &str) -> bool {
    let dot_is_wanted = segment.starts_with('.') || !name.starts_with('.');
    dot_is_wanted && name != "node_modules" && fast_glob::glob_match(segment, name)
}

fn is_passed_over(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}

/// Expands `a/{b,c}` to `a/b` and `a/c`; `None` for more than [`ALTERNATIVES_MAX`].
pub fn expand_braces(glob: &str) -> Option<Vec<String>> {
    let mut open = vec![glob.to_owned()];
    let mut done = Vec::new();
    while let Some(text) = open.pop() {
        match first_group(&text) {
            Some((start, end)) => {
                let (head, tail) = (&text[..start], &text[end + 1..]);
                let choices = choices(&text[start + 1..end]);
                open.extend(choices.iter().rev().map(|choice| format!("{head}{choice}{tail}")));
            }
            None => done.push(text),
        }
        if open.len() + done.len() > ALTERNATIVES_MAX {
            return None;
        }
    }
    Some(done)
}

/// Offsets of the first `{` and of the `}` that closes it.
fn first_group(text: &str) -> Option<(usize, usize)> {
    let start = text.find('{')?;
    let mut depth = 0;
    for (at, one) in text.char_indices().skip_while(|&(at, _)| at < start) {
        depth += i32::from(one == '{') - i32::from(one == '}');
        if depth == 0 {
            return Some((start, at));
        }
    }
    None
}

/// Splits at the commas that are in no inner group.
fn choices(group: &str) -> Vec<&str> {
    let mut choices = Vec::new();
    let (mut depth, mut from) = (0, 0);
    for (at, one) in group.char_indices() {
        depth += i32::from(one == '{') - i32::from(one == '}');
        if one == ',' && depth == 0 {
            choices.push(&group[from..at]);
            from = at + 1;
        }
    }
    choices.push(&group[from..]);
    choices
}

#[cfg(test)]
mod tests;
