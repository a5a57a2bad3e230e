//! The tables of `docs/compatibility`: builtin modules of Node, members of `Bun`, globals. In:
//! `docs/compatibility/*.json`, the lists of `fixtures/compatibility`, the counts of
//! `conformance/node.json`. Out: Markdown. A test of `crates/rusk` checks the data against the
//! program.

use super::markdown::{code, head, paragraph, table};
use crate::files;
use rusk_npm::json::{self, Dialect, Node, Value};
use std::collections::BTreeMap;

/// More missing names than this are counted instead.
const NAMES_SHOWN_MAX: usize = 60;

pub fn node() -> Result<String, String> {
    let (data, list) = (read("docs/compatibility/node.json")?, read("fixtures/compatibility/node.json")?);
    let counts = read("conformance/node.json")?;
    let (data, list, counts) = (parse(&data)?, parse(&list)?, parse(&counts)?);
    let mut out = head(
        "Node.js compatibility",
        "The builtin modules of Node 25. Each is loaded with or without the prefix `node:`. \"Exports\" counts the \
         exports of Node's module that exist and do not throw \"not implemented\". \"Node's tests\" counts the files \
         of Node's own test suite for that area that pass, of those that Node itself passes on the same computer; \
         [conformance](conformance.md) has the method.",
    );
    out.push_str(&format!("\n{}", states()));
    let mut rows = Vec::new();
    let mut details = String::new();
    for member in data.members() {
        let entry = ApiState::read(&member.node);
        let total = list.find(&member.key).map(Node::elements).unwrap_or_default().len();
        let exports = match entry.is_absent {
            true => String::new(),
            false => format!("{} of {total}", total - entry.missing.len() - entry.throws.len()),
        };
        let name = format!("node:{}", member.key);
        let has_names = !entry.missing.is_empty() || !entry.throws.is_empty();
        let shown = if has_names { format!("[`{name}`](#{})", anchor(&name)) } else { code(&name) };
        rows.push(vec![shown, entry.state().to_owned(), exports, tests(&entry, &counts), entry.note.clone()]);
        if has_names {
            details.push_str(&format!("\n### {name}\n"));
            push_names(&mut details, "Absent", &entry.missing);
            push_names(&mut details, "There by name, throws when called", &entry.throws);
        }
    }
    out.push_str(&format!("\n{}", table(&["module", "state", "exports", "Node's tests", "remarks"], &rows)));
    out.push_str("\n## What is missing, module by module\n");
    out.push_str(&details);
    out.push_str("\nHow behavior differs where a function exists: [coming from node](../getting-started/coming-from-node.md).\n");
    Ok(out)
}

pub fn bun() -> Result<String, String> {
    let data = read("docs/compatibility/bun.json")?;
    let data = parse(&data)?;
    let mut groups: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    let (mut present, mut total) = (0, 0);
    for member in data.members() {
        let entry = ApiState::read(&member.node);
        total += 1;
        present += usize::from(!entry.is_absent);
        let name = code(&format!("Bun.{}", member.key));
        let purpose = string(&member.node, "purpose");
        let row = vec![name, purpose, entry.state().to_owned(), entry.note.clone()];
        groups.entry(string(&member.node, "group")).or_default().push(row);
    }
    let mut out = head(
        "Bun compatibility",
        &format!(
            "The members of the global `Bun` in bun 1.4.5: {present} of {total} exist. [Bun APIs](../runtime/bun-api.md) \
             has examples. [`bun:ffi`](../runtime/ffi.md), [`bun:sqlite`](../runtime/sqlite.md) and \
             [`bun:test`](../test/writing-tests.md) exist; `bun:jsc` is absent."
        ),
    );
    out.push_str(&format!("\n{}", states()));
    for (group, rows) in groups {
        out.push_str(&format!(
            "\n## {group}\n\n{}",
            table(&["member", "purpose", "state", "remarks"], &rows)
        ));
    }
    out.push_str("\nHow behavior differs where a member exists: [coming from bun](../getting-started/coming-from-bun.md).\n");
    Ok(out)
}

pub fn web() -> Result<String, String> {
    let data = read("docs/compatibility/web.json")?;
    let data = parse(&data)?;
    let mut out = head(
        "Web APIs and other globals",
        "The globals of Node 25 and of bun 1.4.5 that are not part of the language itself. The language is what the \
         installed JavaScriptCore implements.",
    );
    out.push_str(&format!("\n{}", states()));
    let row = |member: &json::Member<'_>| {
        let entry = ApiState::read(&member.node);
        let missing = entry.missing.iter().map(|name| code(&name.replace("prototype.", "")));
        let missing: Vec<String> = missing.collect();
        vec![code(&member.key), entry.state().to_owned(), missing.join(", "), entry.note.clone()]
    };
    let rows: Vec<Vec<String>> = data.members().iter().map(row).collect();
    out.push_str(&format!("\n{}", table(&["global", "state", "absent members", "remarks"], &rows)));
    Ok(out)
}

/// What the data file says of a name.
struct ApiState {
    is_absent: bool,
    /// It exists, and the note says what does not work.
    is_limited: bool,
    missing: Vec<String>,
    throws: Vec<String>,
    note: String,
    tests: Vec<String>,
}

impl ApiState {
    fn read(node: &Node<'_>) -> ApiState {
        let is_set = |key: &str| node.find(key).and_then(Node::as_bool) == Some(true);
        let list = |key: &str| -> Vec<String> {
            let elements = node.find(key).map(Node::elements).unwrap_or_default();
            elements.iter().filter_map(Node::as_str).map(str::to_owned).collect()
        };
        ApiState {
            is_absent: is_set("absent"),
            is_limited: is_set("limited"),
            missing: list("missing"),
            throws: list("throws"),
            note: string(node, "note"),
            tests: list("tests"),
        }
    }

    fn state(&self) -> &'static str {
        let is_partial = self.is_limited || !self.missing.is_empty() || !self.throws.is_empty();
        match (self.is_absent, is_partial) {
            (true, _) => "absent",
            (_, true) => "partial",
            _ => "present",
        }
    }
}

fn states() -> String {
    paragraph(
        "*present*: everything that is listed exists. *partial*: something is missing, or the remark says what does \
         not work. *absent*: using it is an error or gives `undefined`.",
    )
}

fn push_names(out: &mut String, title: &str, names: &[String]) {
    if names.is_empty() {
        return;
    }
    let shown: Vec<String> = names.iter().take(NAMES_SHOWN_MAX).map(|name| code(name)).collect();
    let rest = names.len().saturating_sub(NAMES_SHOWN_MAX);
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    out.push_str(&format!("\n{}", paragraph(&format!("{title}: {}{rest}.", shown.join(", ")))));
}

/// `93 %` of the files of Node's tests, over all areas of a module.
fn tests(entry: &ApiState, counts: &Node<'_>) -> String {
    let (mut count, mut passed) = (0, 0);
    for area in &entry.tests {
        let rows = counts.find("areas").map(Node::elements).unwrap_or_default();
        let row = rows.iter().find(|row| string(row, "area") == *area);
        let number = |key: &str| row.and_then(|row| row.find(key)).map(number).unwrap_or_default();
        count += number("counted");
        passed += number("rusk");
    }
    if count == 0 { String::new() } else { format!("{passed} of {count}") }
}

fn number(node: &Node<'_>) -> usize {
    match &node.value {
        Value::Number(digits) => digits.parse().unwrap_or_default(),
        _ => 0,
    }
}

fn anchor(name: &str) -> String {
    name.chars().filter(|character| character.is_ascii_alphanumeric() || "-_".contains(*character)).collect()
}

fn string(node: &Node<'_>, key: &str) -> String {
    node.find(key).and_then(Node::as_str).unwrap_or_default().to_owned()
}

fn read(path: &str) -> Result<String, String> {
    files::find(&files::root().join(path)).ok_or_else(|| format!("no {path}"))
}

fn parse(text: &str) -> Result<Node<'_>, String> {
    json::parse(text, Dialect::Strict).map_err(|error| format!("{error:?}"))
}
