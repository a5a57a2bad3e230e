//! tsconfig.json as written. In: JSON with comments and trailing commas. Out: the members that are
//! used here, unresolved; members of an unexpected type are ignored, and so are other compiler
//! options. Absent: file access.

use rusk_npm::json::{self, Dialect, Node};

use super::CompilerOptions;

/// Larger ones are refused: the longest written by hand have some 20 kB.
pub const BYTES_MAX: usize = 1 << 20;
/// Limit of entries in a list, and of patterns in `paths`.
pub const ENTRIES_MAX: usize = 10_000;

/// Patterns, each with its targets.
pub type Patterns = Vec<(String, Vec<String>)>;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct RawConfig {
    pub extends: Vec<String>,
    pub base_url: Option<String>,
    pub paths: Option<Patterns>,
    pub files: Option<Vec<String>>,
    pub include: Option<Vec<String>>,
    pub exclude: Option<Vec<String>>,
    pub references: Vec<String>,
    pub compiler_options: CompilerOptions,
}

/// The error has no file name.
pub fn parse(text: &str) -> Result<RawConfig, String> {
    if text.len() > BYTES_MAX {
        return Err(format!("it has {} bytes, expected at most {BYTES_MAX}", text.len()));
    }
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Ok(RawConfig::default());
    }
    let root = json::parse(text, Dialect::Relaxed).map_err(|error| format!("it is not JSON: {error}"))?;
    let options = root.find("compilerOptions");
    let option = |key: &str| options.and_then(|options| options.find(key));
    let list = |key: &str| root.find(key).filter(|node| node.is_array()).map(strings);
    let references = root.find("references").map(Node::elements).unwrap_or_default();
    let reference = |node: &Node<'_>| Some(node.find("path")?.as_str()?.to_owned());
    let extends = root.find("extends").map(one_or_more).unwrap_or_default();
    let parsed = RawConfig {
        extends,
        base_url: option("baseUrl").and_then(Node::as_str).map(str::to_owned),
        paths: option("paths").filter(|node| node.is_object()).map(patterns),
        files: list("files"),
        include: list("include"),
        exclude: list("exclude"),
        references: references.iter().filter_map(reference).collect(),
        compiler_options: CompilerOptions::new(options),
    };
    match parsed.longest_list() {
        0..=ENTRIES_MAX => Ok(parsed),
        count => Err(format!("it has a list of {count} names, expected at most {ENTRIES_MAX}")),
    }
}

impl RawConfig {
    fn longest_list(&self) -> usize {
        let lists = [&self.files, &self.include, &self.exclude].into_iter().flatten().map(Vec::len);
        let targets = self.paths.iter().flatten().map(|(_, targets)| targets.len() + 1).sum();
        lists.chain([self.extends.len(), self.references.len(), targets]).max().unwrap_or_default()
    }
}

fn one_or_more(node: &Node<'_>) -> Vec<String> {
    node.as_str().map_or_else(|| strings(node), |one| vec![one.to_owned()])
}

fn strings(node: &Node<'_>) -> Vec<String> {
    node.elements().iter().filter_map(Node::as_str).map(str::to_owned).collect()
}

/// Of a duplicate pattern the last one counts; a pattern with two stars matches nothing.
fn patterns(node: &Node<'_>) -> Patterns {
    let is_pattern = |key: &str| key.matches('*').count() < 2;
    let members = node.members().iter().rev().filter(|member| is_pattern(&member.key));
    members.map(|member| (member.key.to_string(), strings(&member.node))).collect()
}
