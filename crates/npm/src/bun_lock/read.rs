//! Lockfile parser: one file for each section. In: untrusted source text. Out: packages and rules.
//! Names must be safe as paths, tags as directory names; every error reports its line.

mod dependencies;
mod members;
mod packages;

use rusk_base::{Problem, Result};

use super::bind::{Unbound, bind};
use super::{ConfigVersion, Format, Lockfile, Rules};
use crate::graph::{Graph, NameId, Text};
use crate::json::{self, Dialect, Member, Node, SyntaxError, Value};
use crate::problem;
use crate::semver::Version;

/// Parses and binds a lockfile.
pub fn parse(text: &str) -> Result<Lockfile> {
    let root = json::parse(text, Dialect::Relaxed).map_err(|error| syntax(text, &error))?;
    let mut reader =
        LockfileReader { text, graph: Graph::default(), format: Format::V0, groups: Vec::new(), group: 0 };
    reader.format = reader.format(&root)?;
    let rules = reader.rules(&root)?;
    let mut places = Vec::new();
    reader.workspaces(&root, &mut places)?;
    reader.packages(&root, &mut places)?;
    bind(&mut reader.graph, &places, &rules).map_err(|unbound| reader.unbound(&unbound))?;
    let config_version = reader.config_version(&root)?;
    Ok(Lockfile { format: Some(reader.format), config_version, graph: reader.graph, rules })
}

/// A problem for a syntax error. Conflict markers of git get a problem of their own.
fn syntax(text: &str, error: &SyntaxError) -> Problem {
    let marks = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "];
    match text.lines().position(|line| marks.iter().any(|mark| line.starts_with(mark))) {
        Some(index) => problem::lockfile_conflict(index + 1),
        None => problem::lockfile_syntax(error),
    }
}

struct LockfileReader<'a> {
    text: &'a str,
    graph: Graph,
    format: Format,
    /// By name, the last group of dependencies that had it; groups are counted from 1.
    groups: Vec<u32>,
    group: u32,
}

impl<'a> LockfileReader<'a> {
    fn error(&self, node: &Node<'_>, expected: &str) -> Problem {
        problem::lockfile(self.line(node.start), expected)
    }

    fn unbound(&self, unbound: &Unbound) -> Problem {
        let expected = match &unbound.found {
            None => format!("a package for `{}`", unbound.dependency),
            Some(found) => {
                format!(
                    "a package from the registry or a member for `{}`, found `{found}`",
                    unbound.dependency
                )
            }
        };
        problem::lockfile(self.line(unbound.offset), &expected)
            .note(format!("wanted by {}", unbound.dependent))
    }

    /// Counted only for errors: counting takes a walk over all that is before.
    fn line(&self, offset: usize) -> usize {
        json::line_and_column(self.text, offset).0
    }

    fn format(&self, root: &Node<'_>) -> Result<Format> {
        let node = root.find("lockfileVersion").ok_or_else(|| self.error(root, "`lockfileVersion`"))?;
        let Value::Number(digits) = node.value else {
            return Err(self.error(node, "a number as `lockfileVersion`"));
        };
        digits
            .parse()
            .ok()
            .and_then(Format::from_number)
            .ok_or_else(|| problem::lockfile_version(self.line(node.start), digits))
    }

    /// A number above the newest counts as the newest: its linker has not changed since.
    fn config_version(&self, root: &Node<'_>) -> Result<ConfigVersion> {
        match root.find("configVersion").map(|node| (node, &node.value)) {
            None | Some((_, Value::Number("0"))) => Ok(ConfigVersion::V0),
            Some((_, Value::Number(_))) => Ok(ConfigVersion::V1),
            Some((node, _)) => Err(self.error(node, "a number as `configVersion`")),
        }
    }

    fn object<'n>(&self, root: &'n Node<'a>, key: &str) -> Result<&'n [Member<'a>]> {
        match root.find(key) {
            None => Ok(&[]),
            Some(node) if node.is_object() => Ok(node.members()),
            Some(node) => Err(self.error(node, &format!("an object as `{key}`"))),
        }
    }

    fn string<'n>(&self, node: &'n Node<'a>, what: &str) -> Result<&'n str> {
        node.as_str().ok_or_else(|| self.error(node, what))
    }

    fn name(&mut self, node: &Node<'_>, name: &str) -> Result<NameId> {
        match self.graph.intern(name) {
            Ok(id) => Ok(id),
            Err(_) => Err(self.error(node, &format!("a package name, found `{name}`"))),
        }
    }

    fn rules(&mut self, root: &Node<'a>) -> Result<Rules> {
        let trusted = match root.find("trustedDependencies") {
            None => None,
            Some(node) => Some(self.strings(node)?),
        };
        self.object(root, "overrides")?;
        let overrides = crate::overrides::of_lockfile(self.text, root)?;
        let mut catalogs = Vec::new();
        for member in self.object(root, "catalogs")? {
            catalogs.push((member.key.as_ref().into(), self.pairs(&member.node)?));
        }
        let catalog = root.find("catalog").map_or(Ok(Vec::new()), |node| self.pairs(node))?;
        let patched = root.find("patchedDependencies").map_or(Ok(Vec::new()), |node| self.pairs(node))?;
        Ok(Rules { overrides, catalog, catalogs, trusted, patched, ..Rules::default() })
    }

    fn strings(&self, node: &Node<'a>) -> Result<Vec<Text>> {
        if !node.is_array() {
            return Err(self.error(node, "an array of strings"));
        }
        node.elements().iter().map(|element| Ok(self.string(element, "a string")?.into())).collect()
    }

    fn pairs(&self, node: &Node<'a>) -> Result<Vec<(Text, Text)>> {
        if !node.is_object() {
            return Err(self.error(node, "an object of strings"));
        }
        let mut pairs = Vec::new();
        for member in node.members() {
            pairs.push((member.key.as_ref().into(), self.string(&member.node, "a string")?.into()));
        }
        Ok(pairs)
    }

    fn version(&self, node: &Node<'_>, text: &str) -> Result<Version> {
        Version::parse(text).ok_or_else(|| self.error(node, &format!("a version, found `{text}`")))
    }
}

/// A relative path that does not climb out of the project.
fn is_path_within(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with('/')
        && !path.contains(['\\', '\0'])
        && path.split('/').all(|part| !part.is_empty() && part != ".." && part != ".")
}
