//! Filters that select members of a project (`--filter`), in pnpm's grammar. In: the text of the
//! filters, the graph of members, changed files. Out: the selected members. Absent: git, the disk.
//!
//! | filter | selects |
//! |---|---|
//! | `name`, `@scope/*` | members by name |
//! | `./path`, `{path}`, `./{a,b}/*` | members by directory |
//! | `[ref]` | members with changes since a Git commit |
//! | `foo...`, `foo^...` | with the members that they depend on; `^`: only those |
//! | `...foo`, `...^foo` | with the members that depend on them; `^`: only those |
//! | `!foo` | all but these |

use rusk_base::Result;

use crate::glob::{WorkspacePatterns, expand_braces};
use crate::problem;
use crate::wildcard;
use crate::workspace_graph::{WorkspaceGraph, WorkspaceMember, joined};

/// One filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceFilter {
    /// As written.
    pub text: String,
    is_exclusion: bool,
    dependencies: Reach,
    dependents: Reach,
    name: Option<String>,
    /// Relative to the current directory.
    path: Option<String>,
    git_ref: Option<String>,
    /// Whether a pattern such as `*` leaves out the project itself, which its name selects.
    pub patterns_skip_root: bool,
}

/// Whether the neighbours of a matching member are selected, and the member itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    None,
    WithMember,
    WithoutMember,
}

/// Result of a selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// Indexes in the graph, in its order.
    pub members: Vec<usize>,
    /// Filters that match no member, as written.
    pub unmatched: Vec<String>,
}

/// Paths of changed files since a Git commit, relative to the project.
pub struct ChangedFiles {
    pub git_ref: String,
    pub paths: Vec<String>,
}

impl WorkspaceFilter {
    pub fn parse(text: &str) -> Result<WorkspaceFilter> {
        let refused = || problem::filter(text);
        let (is_exclusion, rest) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (rest, dependencies) = match rest.strip_suffix("...") {
            Some(rest) => match rest.strip_suffix('^') {
                Some(rest) => (rest, Reach::WithoutMember),
                None => (rest, Reach::WithMember),
            },
            None => (rest, Reach::None),
        };
        let (rest, dependents) = match rest.strip_prefix("...") {
            Some(rest) => match rest.strip_prefix('^') {
                Some(rest) => (rest, Reach::WithoutMember),
                None => (rest, Reach::WithMember),
            },
            None => (rest, Reach::None),
        };
        let (rest, git_ref) = bracketed(rest, '[', ']').ok_or_else(refused)?;
        // In a path, braces are alternatives.
        let (name, braced) = match is_path(rest) {
            true => (rest, None),
            false => bracketed(rest, '{', '}').ok_or_else(refused)?,
        };
        let (name, path) = match (is_path(name), braced) {
            (true, _) => ("", Some(name.to_owned())),
            (false, path) => (name, path),
        };
        if name.is_empty() && path.is_none() && git_ref.is_none() {
            return Err(refused());
        }
        Ok(WorkspaceFilter {
            text: text.to_owned(),
            is_exclusion,
            dependencies,
            dependents,
            name: (!name.is_empty()).then(|| name.to_owned()),
            path,
            git_ref,
            patterns_skip_root: false,
        })
    }

    /// The Git commit of `[ref]`.
    pub fn git_ref(&self) -> Option<&str> {
        self.git_ref.as_deref()
    }

    /// The members that the filter names; their neighbours are not included.
    fn matching(
        &self,
        graph: &WorkspaceGraph,
        current_dir: &str,
        changes: &[ChangedFiles],
    ) -> Result<Vec<usize>> {
        let mut found: Vec<usize> = (0..graph.members.len()).collect();
        if let Some(name) = &self.name {
            let named = by_name(graph, name);
            let skips_root = self.patterns_skip_root && wildcard::is_pattern(name);
            found.retain(|index| {
                named.contains(index) && !(skips_root && graph.members[*index].path.is_empty())
            });
        }
        if let Some(path) = &self.path {
            let inside = by_path(graph, current_dir, path)?;
            found.retain(|index| inside.contains(index));
        }
        if let Some(git_ref) = &self.git_ref {
            let paths = changes.iter().find(|files| files.git_ref == *git_ref).map(|files| &files.paths);
            let changed = changed_members(graph, paths.map_or(&[], Vec::as_slice));
            found.retain(|index| changed.contains(index));
        }
        Ok(found)
    }

    /// Adds the neighbours of matching members.
    fn reached(&self, graph: &WorkspaceGraph, matching: &[usize]) -> Vec<usize> {
        let mut found = Vec::new();
        let drops_members = [self.dependencies, self.dependents].contains(&Reach::WithoutMember);
        if !drops_members {
            found.extend(matching);
        }
        if self.dependencies != Reach::None {
            found.extend(closure(matching, |member| graph.dependencies(member)));
        }
        if self.dependents != Reach::None {
            let dependents = closure(matching, |member| graph.dependents(member));
            // `...foo...`: also what the dependents depend on.
            if self.dependencies != Reach::None {
                found.extend(closure(&dependents, |member| graph.dependencies(member)));
            }
            found.extend(dependents);
        }
        if drops_members {
            found.retain(|member| !matching.contains(member));
        }
        found
    }
}

/// Selects members. `current_dir`: relative to the project. Filters that only exclude select from
/// all members but the project itself.
pub fn select(
    graph: &WorkspaceGraph,
    filters: &[WorkspaceFilter],
    current_dir: &str,
    changes: &[ChangedFiles],
) -> Result<Selected> {
    let only_excludes = filters.iter().all(|filter| filter.is_exclusion);
    let mut is_selected: Vec<bool> =
        graph.members.iter().map(|member| only_excludes && !member.path.is_empty()).collect();
    let mut unmatched = Vec::new();
    let (excluding, including): (Vec<&WorkspaceFilter>, Vec<&WorkspaceFilter>) =
        filters.iter().partition(|filter| filter.is_exclusion);
    for filter in including.into_iter().chain(excluding) {
        let matching = filter.matching(graph, current_dir, changes)?;
        if matching.is_empty() && filter.git_ref.is_none() {
            unmatched.push(filter.text.clone());
        }
        for member in filter.reached(graph, &matching) {
            is_selected[member] = !filter.is_exclusion;
        }
    }
    let members = (0..graph.members.len()).filter(|&member| is_selected[member]).collect();
    Ok(Selected { members, unmatched })
}

/// Members by name or pattern; in a project of pnpm, several may have one name. As in pnpm, one
/// without a scope also means the only member of that name in a scope.
fn by_name(graph: &WorkspaceGraph, pattern: &str) -> Vec<usize> {
    let named = |test: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let members = graph.members.iter().enumerate();
        let is_named = |(_, member): &(usize, &WorkspaceMember)| {
            [&member.name, &member.declared_name].into_iter().flatten().any(|name| test(name))
        };
        members.filter(is_named).map(|(at, _)| at).collect()
    };
    let found = named(&|name| wildcard::matches(pattern, name));
    if !found.is_empty() || wildcard::is_pattern(pattern) || pattern.starts_with('@') {
        return found;
    }
    let scoped =
        named(&|name| name.starts_with('@') && name.split_once('/').is_some_and(|(_, base)| base == pattern));
    if scoped.len() == 1 { scoped } else { Vec::new() }
}

/// Members in a directory; if no member is there, those below it.
fn by_path(graph: &WorkspaceGraph, current_dir: &str, path: &str) -> Result<Vec<usize>> {
    let Some(path) = joined(current_dir, path) else { return Ok(Vec::new()) };
    let paths = expand_braces(&path).ok_or_else(|| problem::glob(&path, "fewer alternatives"))?;
    let mut found = Vec::new();
    for path in paths {
        found.extend(by_alternative(graph, path)?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// `path`: without braces.
fn by_alternative(graph: &WorkspaceGraph, path: String) -> Result<Vec<usize>> {
    let all = || graph.members.iter().enumerate();
    if path.contains(['*', '?', '[']) {
        let pattern = WorkspacePatterns::parse(&[path])?;
        return Ok(all().filter(|(_, member)| pattern.matches(&member.path)).map(|(at, _)| at).collect());
    }
    if let Some((at, _)) = all().find(|(_, member)| member.path == path) {
        return Ok(vec![at]);
    }
    let is_below = |member: &str| member.strip_prefix(&*path).is_some_and(|rest| rest.starts_with('/'));
    Ok(all().filter(|(_, member)| is_below(&member.path)).map(|(at, _)| at).collect())
}

/// Each changed file belongs to the innermost member around it.
fn changed_members(graph: &WorkspaceGraph, paths: &[String]) -> Vec<usize> {
    let owner = |path: &String| {
        let contains = |member: &str| {
            member.is_empty() || path.strip_prefix(member).is_some_and(|rest| rest.starts_with('/'))
        };
        let around = graph.members.iter().enumerate().filter(|(_, member)| contains(&member.path));
        around.max_by_key(|(_, member)| member.path.len()).map(|(at, _)| at)
    };
    let mut found: Vec<usize> = paths.iter().filter_map(owner).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Everything that is reached from some members by at least one step.
fn closure<'g>(from: &[usize], neighbours: impl Fn(usize) -> &'g [usize]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    let mut open: Vec<usize> = from.to_vec();
    while let Some(member) = open.pop() {
        for &next in neighbours(member) {
            if !found.contains(&next) {
                found.push(next);
                open.push(next);
            }
        }
    }
    found
}

/// `rest` and what is in the brackets at the end of `text`; `None` if they do not match.
fn bracketed(text: &str, open: char, close: char) -> Option<(&str, Option<String>)> {
    match (text.find(open), text.strip_suffix(close)) {
        (None, None) => Some((text, None)),
        (Some(at), Some(body)) if body.len() > at + 1 => Some((&text[..at], Some(body[at + 1..].to_owned()))),
        _ => None,
    }
}

fn is_path(text: &str) -> bool {
    matches!(text, "." | "..") || text.starts_with("./") || text.starts_with("../")
}

#[cfg(test)]
mod tests;
