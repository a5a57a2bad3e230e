//! The packument as the registry sends it, for `rusk info`: one of its versions, and fields by
//! their paths. In: JSON. Out: JSON. Absent: how fields are printed.

use rusk_npm::json::text::{compact, string};
use rusk_npm::json::{self, Dialect, Member, Node, SyntaxError};
use rusk_npm::semver::{Range, Version};

/// Members of the packument that hide those of a version.
const WHOLE_PACKAGE_FIELDS: &[&str] = &["versions", "dist-tags", "time", "maintainers", "readme", "_rev"];

pub struct RegistryDocument<'a> {
    text: &'a str,
    root: Node<'a>,
}

impl<'a> RegistryDocument<'a> {
    pub fn parse(text: &'a str) -> Result<RegistryDocument<'a>, SyntaxError> {
        json::parse(text, Dialect::Strict).map(|root| RegistryDocument { text, root })
    }

    pub fn root(&self) -> &Node<'a> {
        &self.root
    }

    /// All versions, ascending.
    pub fn versions(&self) -> Vec<&str> {
        let mut versions: Vec<(Option<Version>, &str)> =
            self.releases().iter().map(|member| (Version::parse(&member.key), &*member.key)).collect();
        versions.sort();
        versions.into_iter().map(|(_, text)| text).collect()
    }

    /// Tags and versions.
    pub fn dist_tags(&self) -> Vec<(&str, &str)> {
        let tags = self.root.find("dist-tags").map(Node::members).unwrap_or_default();
        tags.iter().filter_map(|tag| Some((&*tag.key, tag.node.as_str()?))).collect()
    }

    /// The version that an install would choose for a range or dist-tag.
    pub fn find_version(&self, wanted: &str) -> Option<&Node<'a>> {
        if let Some((_, version)) = self.dist_tags().into_iter().find(|(tag, _)| *tag == wanted) {
            return self.release(version);
        }
        let range = Range::parse(wanted)?;
        let latest = self.dist_tags().into_iter().find(|(tag, _)| *tag == "latest");
        let latest = latest.and_then(|(_, text)| Some((Version::parse(text)?, text)));
        if let Some((version, text)) = &latest
            && range.contains(version)
            && let Some(release) = self.release(text)
        {
            return Some(release);
        }
        let fitting = self.releases().iter().filter_map(|member| {
            let version = Version::parse(&member.key).filter(|version| range.contains(version))?;
            Some((!version.is_prerelease(), version, &member.node))
        });
        fitting.max_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1))).map(|(_, _, node)| node)
    }

    /// The JSON of a field of a version, such as `dist.tarball` or `maintainers[0].name`. Fields of
    /// the whole package, such as `versions`, are found too.
    pub fn field(&self, release: &Node<'a>, path: &str) -> Option<String> {
        if path == "versions" {
            return Some(self.versions_json());
        }
        let is_whole = WHOLE_PACKAGE_FIELDS.iter().any(|field| {
            path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        });
        let nodes = if is_whole { [&self.root, release] } else { [release, &self.root] };
        nodes.into_iter().find_map(|node| find_path(node, path)).map(|node| self.json_of(node))
    }

    /// A version with the fields of the whole package, as npm shows it.
    pub fn merged(&self, release: &Node<'a>) -> String {
        let mut members: Vec<(&str, String)> = Vec::new();
        for field in ["dist-tags", "versions", "time"] {
            members.extend(self.field(release, field).map(|text| (field, text)));
        }
        let own = release.members().iter().filter(|member| !WHOLE_PACKAGE_FIELDS.contains(&&*member.key));
        let own: Vec<(&str, String)> = own.map(|member| (&*member.key, self.json_of(&member.node))).collect();
        let maintainers = self.field(release, "maintainers").map(|text| ("maintainers", text));
        let all = own.into_iter().chain(members).chain(maintainers);
        let all: Vec<String> = all.map(|(key, value)| format!("{}:{value}", string(key))).collect();
        format!("{{{}}}", all.join(","))
    }

    fn versions_json(&self) -> String {
        let versions: Vec<String> = self.versions().into_iter().map(string).collect();
        format!("[{}]", versions.join(","))
    }

    fn releases(&self) -> &[Member<'a>] {
        self.root.find("versions").map(Node::members).unwrap_or_default()
    }

    fn release(&self, version: &str) -> Option<&Node<'a>> {
        self.root.find("versions")?.find(version)
    }

    /// A part of the document, on one line.
    fn json_of(&self, node: &Node<'a>) -> String {
        compact(&self.text[node.start..node.end])
    }
}

/// A key may itself have dots: the longest that is there counts, or the one in brackets.
fn find_path<'n, 'a>(node: &'n Node<'a>, path: &str) -> Option<&'n Node<'a>> {
    if path.is_empty() {
        return Some(node);
    }
    if let Some(rest) = path.strip_prefix('[') {
        let (key, rest) = rest.split_once(']')?;
        let index = key.parse::<usize>().ok();
        let element = index.and_then(|index| node.elements().get(index)).or_else(|| node.find(key))?;
        return find_path(element, rest.strip_prefix('.').unwrap_or(rest));
    }
    let ends = path.match_indices(['.', '[']).map(|(at, _)| at).chain([path.len()]);
    ends.collect::<Vec<_>>().into_iter().rev().find_map(|end| {
        let rest = &path[end..];
        find_path(node.find(&path[..end])?, rest.strip_prefix('.').unwrap_or(rest))
    })
}

#[cfg(test)]
mod tests;
