//! Security advisories, as a registry's bulk advisory API has them. In: names and versions, and the
//! response. Out: the body of a request, and advisories. Absent: the network, which packages are
//! installed.

use crate::json::text::compact;
use crate::json::{self, Dialect, Node, SyntaxError, Value};
use crate::semver::{Prereleases, Range, Rules, Syntax, Version};

/// Advisories of one response that are read; the largest known projects have some hundred.
const ADVISORIES_MAX: usize = 100_000;

/// How bad a vulnerability is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Info,
    Low,
    Moderate,
    High,
    Critical,
}

impl Severity {
    pub const ALL: [Severity; 5] =
        [Severity::Info, Severity::Low, Severity::Moderate, Severity::High, Severity::Critical];

    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Low => "low",
            Severity::Moderate => "moderate",
            Severity::High => "high",
            Severity::Critical => "critical",
        }
    }

    pub fn of_name(name: &str) -> Option<Severity> {
        Severity::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

/// What a registry says about some versions of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advisory {
    pub package: String,
    /// The registry's number.
    pub id: String,
    pub title: String,
    pub url: String,
    pub severity: Severity,
    /// The range as written.
    pub vulnerable_versions: String,
    range: Range,
    /// The members of the response, as JSON.
    pub text: String,
    cves: Vec<String>,
}

impl Advisory {
    /// Whether a version is vulnerable.
    pub fn is_about(&self, version: &Version) -> bool {
        self.range.contains(version)
    }

    /// Whether an identifier of the user's means this advisory: its number, GHSA or CVE.
    pub fn is_named(&self, identifier: &str) -> bool {
        let ghsa = self.url.rsplit('/').next().unwrap_or_default();
        let known = [self.id.as_str(), ghsa].into_iter().chain(self.cves.iter().map(String::as_str));
        !identifier.is_empty() && known.into_iter().any(|known| known.eq_ignore_ascii_case(identifier))
    }
}

/// The body of a request: `{"left":["1.0.0"]}`.
pub fn request_body<'a>(packages: impl Iterator<Item = (&'a str, &'a [String])>) -> String {
    let mut body = String::from("{");
    for (index, (name, versions)) in packages.enumerate() {
        body.push_str(if index == 0 { "" } else { "," });
        json::quote_into(&mut body, name);
        body.push_str(":[");
        for (index, version) in versions.iter().enumerate() {
            body.push_str(if index == 0 { "" } else { "," });
            json::quote_into(&mut body, version);
        }
        body.push(']');
    }
    body + "}"
}

/// Parses a response: an object of arrays of advisories, by package. `None` for JSON of another
/// shape.
pub fn parse_response(text: &str) -> Result<Option<Vec<Advisory>>, SyntaxError> {
    let root = json::parse(text, Dialect::Strict)?;
    if !root.is_object() {
        return Ok(None);
    }
    let all = root.members().iter().flat_map(|member| {
        member.node.elements().iter().map(move |node| parse_advisory(text, &member.key, node))
    });
    Ok(all.take(ADVISORIES_MAX).collect())
}

fn parse_advisory(text: &str, package: &str, node: &Node<'_>) -> Option<Advisory> {
    let string = |key| node.find(key).and_then(Node::as_str).unwrap_or_default().to_owned();
    let id = match node.find("id").map(|id| &id.value) {
        Some(Value::Number(digits)) => (*digits).to_owned(),
        Some(Value::String(id)) => id.to_string(),
        _ => String::new(),
    };
    let vulnerable_versions = node.find("vulnerable_versions")?.as_str()?.to_owned();
    let rules = Rules { syntax: Syntax::Loose, prereleases: Prereleases::Included };
    let range = Range::parse_with(&vulnerable_versions, rules)?;
    let cves = node.find("cves").map(Node::elements).unwrap_or_default();
    Some(Advisory {
        package: package.to_owned(),
        id,
        title: string("title"),
        url: string("url"),
        // An unknown word is taken seriously.
        severity: Severity::of_name(&string("severity")).unwrap_or(Severity::High),
        vulnerable_versions,
        range,
        text: compact(&text[node.start..node.end]),
        cves: cves.iter().filter_map(|cve| cve.as_str().map(str::to_owned)).collect(),
    })
}

#[cfg(test)]
mod tests;
