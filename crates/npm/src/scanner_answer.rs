//! The answer of a security scanner. In: JSON. Out: advisories, or why there are none.

use crate::json::{self, Dialect, Node, Value};

/// More than a scanner has to say about the largest projects.
const ADVISORIES_MAX: usize = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Fatal,
    Warn,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advisory {
    pub level: Level,
    pub package: String,
    pub description: Option<String>,
    pub url: Option<String>,
}

impl Advisory {
    pub fn line(&self) -> String {
        let level = match self.level {
            Level::Fatal => "fatal",
            Level::Warn => "warning",
        };
        let description = self.description.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        let url = self.url.as_ref().map(|url| format!(" ({url})")).unwrap_or_default();
        let text = format!("{}, {level}{description}{url}", self.package);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// `{"advisories":[…]}` or `{"error":"…"}`.
pub fn parse(text: &str) -> Result<Vec<Advisory>, String> {
    let root = json::parse(text, Dialect::Strict).map_err(|_| "it ended without an answer".to_owned())?;
    if let Some(error) = root.find("error").and_then(Node::as_str) {
        return Err(error.to_owned());
    }
    let list = root.find("advisories").filter(|list| list.is_array());
    let list = list.ok_or_else(|| "it returned no list of advisories".to_owned())?;
    if list.elements().len() > ADVISORIES_MAX {
        return Err(format!("it returned more than {ADVISORIES_MAX} advisories"));
    }
    list.elements().iter().map(advisory).collect()
}

fn advisory(node: &Node<'_>) -> Result<Advisory, String> {
    let level = match node.find("level").and_then(Node::as_str) {
        Some("fatal") => Level::Fatal,
        Some("warn") => Level::Warn,
        _ => return Err("the `level` of an advisory is neither `fatal` nor `warn`".to_owned()),
    };
    let package = node.find("package").and_then(Node::as_str).filter(|name| !name.is_empty());
    let package = package.ok_or_else(|| "an advisory has no `package`".to_owned())?.to_owned();
    let optional = |key: &str| match node.find(key).map(|found| &found.value) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.to_string())),
        Some(_) => Err(format!("the `{key}` of an advisory is no string")),
    };
    Ok(Advisory { level, package, description: optional("description")?, url: optional("url")? })
}

#[cfg(test)]
mod tests;
