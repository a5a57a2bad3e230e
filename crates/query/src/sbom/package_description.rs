//! What a package.json says about its package. In: the text. Out: the values that `npm sbom` takes
//! from it, as they are written: npm completes neither short forms of repositories nor addresses
//! that follow from them. Absent: everything an install needs.

use rusk_npm::json::{self, Dialect, Node};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageDescription {
    pub name: Option<String>,
    pub version: Option<String>,
    /// An SPDX expression, or what the package says instead.
    pub license: Option<String>,
    /// A name, or all of `Name <mail> (url)` where it is one string.
    pub author: Option<String>,
    pub description: Option<String>,
    pub homepage: Option<String>,
    /// The URL of its repository.
    pub repository: Option<String>,
    /// The URL of its issue tracker.
    pub bugs: Option<String>,
    pub is_private: bool,
}

impl PackageDescription {
    /// A text that is no package.json describes nothing.
    pub fn parse(text: &str) -> PackageDescription {
        let Ok(root) = json::parse(text, Dialect::Relaxed) else { return PackageDescription::default() };
        let given = |node: Option<&Node<'_>>| {
            node.and_then(Node::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let member = |key: &str| given(root.find(key));
        let inner = |key: &str, inner: &str| given(root.find(key).and_then(|node| node.find(inner)));
        PackageDescription {
            name: member("name"),
            version: member("version"),
            license: license(&root),
            author: inner("author", "name").or_else(|| member("author")),
            description: member("description"),
            homepage: member("homepage"),
            repository: inner("repository", "url"),
            bugs: inner("bugs", "url"),
            is_private: root.find("private").and_then(Node::as_bool) == Some(true),
        }
    }
}

/// `license`, or the older forms: an object with `type`, and a list in `licenses`.
fn license(root: &Node<'_>) -> Option<String> {
    let one = |node: &Node<'_>| {
        let text = node.as_str().or_else(|| node.find("type")?.as_str())?;
        (!text.is_empty()).then(|| text.to_owned())
    };
    root.find("license").and_then(one).or_else(|| {
        let all: Vec<String> = root.find("licenses")?.elements().iter().filter_map(one).collect();
        (!all.is_empty()).then(|| all.join(" OR "))
    })
}

#[cfg(test)]
mod tests;
