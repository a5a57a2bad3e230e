//! Fields of package.json by their paths, as `npm pkg` reads and changes them: `scripts.build`,
//! `contributors[0].name`, `exports[./sub]`, `files[]` (a new element). In: source text, paths,
//! values. Out: JSON, or the new source text.

use rusk_base::{Problem, Result};

use super::layout::Layout;
use super::parse;
use crate::json::{self, Dialect, Node, Value};
use crate::problem;

/// The values at paths, as indented JSON: of one path the value, of others an object by path; of
/// none the whole text. What is missing is `{}`, or no member.
pub fn get(text: &str, paths: &[String]) -> Result<String> {
    let root = parse(text)?;
    let mut out = String::new();
    match paths {
        [] => render(&mut out, &root, 0),
        [path] => match find(&root, &keys(&root, path)?) {
            Some(node) => render(&mut out, node, 0),
            None => out.push_str("{}"),
        },
        _ => {
            let mut members = Vec::new();
            for path in paths {
                members.extend(find(&root, &keys(&root, path)?).map(|node| (path.as_str(), node)));
            }
            render_members(&mut out, &members, 0);
        }
    }
    Ok(out)
}

/// Sets the value at a path. `value`: JSON. Objects on the way are made.
pub fn set(text: &str, path: &str, value: &str) -> Result<String> {
    let root = parse(text)?;
    let keys = keys(&root, path)?;
    let layout = Layout::of(text, &root);
    let mut node = &root;
    for (depth, key) in keys.iter().enumerate() {
        let is_last = depth + 1 == keys.len();
        let next = child(node, key);
        match (next, &node.value) {
            (Some(next), _) if is_last => return Ok(layout.replace(next, value)),
            (Some(next), _) => node = next,
            (None, Value::Object(_)) => {
                let (names, value) = wrapped(&keys[depth..], value);
                let (last, before) = names.split_last().expect("a key is missing");
                let before: Vec<&str> = before.iter().map(String::as_str).collect();
                return Ok(layout.append_path_to(node, depth, &before, (last, &value)));
            }
            (None, Value::Array(elements)) => {
                let is_next = key.is_empty() || key.parse() == Ok(elements.len());
                let (names, mut value) = wrapped(&keys[depth..], value);
                for name in names[1..].iter().rev() {
                    value = format!("{{{}: {value}}}", json::text::string(name));
                }
                return match is_next {
                    true => Ok(appended(text, node, elements, &value)),
                    false => Err(refused(text, &keys[..depth], node, "an index of it or `[]`")),
                };
            }
            (None, _) => return Err(refused(text, &keys[..depth], node, "an object or an array")),
        }
    }
    Ok(text.to_owned())
}

fn refused(text: &str, keys: &[String], node: &Node<'_>, expected: &str) -> Problem {
    problem::manifest_kind(text, &keys.join("."), node, expected)
}

/// Removes what is at a path; a path that leads nowhere changes nothing.
pub fn delete(text: &str, path: &str) -> Result<String> {
    let mut text = text.to_owned();
    loop {
        let root = parse(&text)?;
        let keys = keys(&root, path)?;
        let Some((last, before)) = keys.split_last() else { return Ok(text) };
        let Some(node) = find(&root, before) else { return Ok(text) };
        if let Value::Array(elements) = &node.value {
            let at = last.parse().ok().filter(|at: &usize| *at < elements.len());
            return Ok(at.map_or(text.clone(), |at| without(&text, elements, at)));
        }
        // A key that stands there twice is removed twice.
        let Some(at) = node.members().iter().position(|member| member.key == *last) else { return Ok(text) };
        text = Layout::of(&text, &root).remove(node, at);
    }
}

/// The keys of a path: of members, and indexes of elements; an empty one is that of a new element.
/// A key may itself have dots: the longest that is there counts, or the one in brackets.
fn keys(root: &Node<'_>, path: &str) -> Result<Vec<String>> {
    let (mut keys, mut rest, mut node) = (Vec::new(), path, Some(root));
    while !rest.is_empty() {
        let (key, after) = match rest.strip_prefix('[') {
            Some(inner) => {
                let (key, after) = inner.split_once(']').ok_or_else(|| problem::field_path(path))?;
                (key.trim_matches(['"', '\'']), after)
            }
            None => {
                let ends = rest.match_indices(['.', '[']).map(|(at, _)| at).chain([rest.len()]);
                let ends: Vec<usize> = ends.collect();
                let is_there = |end: &&usize| node.is_some_and(|node| node.find(&rest[..**end]).is_some());
                let end = *ends.iter().rev().find(is_there).unwrap_or(&ends[0]);
                if end == 0 {
                    return Err(problem::field_path(path));
                }
                rest.split_at(end)
            }
        };
        node = node.and_then(|node| child(node, key));
        keys.push(key.to_owned());
        rest = after.strip_prefix('.').unwrap_or(after);
    }
    if keys.is_empty() { Err(problem::field_path(path)) } else { Ok(keys) }
}

fn child<'n, 'a>(node: &'n Node<'a>, key: &str) -> Option<&'n Node<'a>> {
    match &node.value {
        Value::Array(elements) => elements.get(key.parse::<usize>().ok()?),
        _ => node.find(key),
    }
}

fn find<'n, 'a>(root: &'n Node<'a>, keys: &[String]) -> Option<&'n Node<'a>> {
    keys.iter().try_fold(root, |node, key| child(node, key))
}

/// The keys that name objects to be made, and the value with the arrays around it: `files[]` is an
/// array of one element.
fn wrapped(keys: &[String], value: &str) -> (Vec<String>, String) {
    let mut names = keys.to_vec();
    let mut value = value.to_owned();
    while names.len() > 1 && names.last().is_some_and(String::is_empty) {
        names.pop();
        value = format!("[{value}]");
    }
    (names, value)
}

fn appended(text: &str, array: &Node<'_>, elements: &[Node<'_>], value: &str) -> String {
    let Some((first, last)) = elements.first().zip(elements.last()) else {
        return format!("{}[{value}]{}", &text[..array.start], &text[array.end..]);
    };
    let lead = &text[array.start + 1..first.start];
    let gap = if lead.contains('\n') && lead.trim().is_empty() { lead } else { " " };
    format!("{},{gap}{value}{}", &text[..last.end], &text[last.end..])
}

fn without(text: &str, elements: &[Node<'_>], at: usize) -> String {
    let (start, end) = match (at.checked_sub(1), elements.get(at + 1)) {
        (Some(before), _) => (elements[before].end, elements[at].end),
        (None, Some(next)) => (elements[at].start, next.start),
        (None, None) => (elements[at].start, elements[at].end),
    };
    format!("{}{}", &text[..start], &text[end..])
}

/// Two spaces for each level, as `JSON.stringify` with 2.
fn render(out: &mut String, node: &Node<'_>, depth: usize) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Number(digits) => out.push_str(digits),
        Value::String(text) => json::quote_into(out, text),
        Value::Array(elements) if elements.is_empty() => out.push_str("[]"),
        Value::Array(elements) => {
            for (at, element) in elements.iter().enumerate() {
                out.push_str(if at == 0 { "[\n" } else { ",\n" });
                out.push_str(&"  ".repeat(depth + 1));
                render(out, element, depth + 1);
            }
            out.push_str(&format!("\n{}]", "  ".repeat(depth)));
        }
        Value::Object(members) => {
            let members: Vec<(&str, &Node<'_>)> =
                members.iter().map(|member| (&*member.key, &member.node)).collect();
            render_members(out, &members, depth);
        }
    }
}

fn render_members(out: &mut String, members: &[(&str, &Node<'_>)], depth: usize) {
    if members.is_empty() {
        out.push_str("{}");
        return;
    }
    for (at, (key, node)) in members.iter().enumerate() {
        out.push_str(if at == 0 { "{\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        json::quote_into(out, key);
        out.push_str(": ");
        render(out, node, depth + 1);
    }
    out.push_str(&format!("\n{}}}", "  ".repeat(depth)));
}

/// JSON of a value on the command line: a string, or with `--json` what is written.
pub fn value_of(argument: &str, is_json: bool) -> Result<String> {
    match is_json {
        false => Ok(json::text::string(argument)),
        true => match json::parse(argument, Dialect::Strict) {
            Ok(_) => Ok(argument.trim().to_owned()),
            Err(error) => Err(problem::field_value(argument, &error)),
        },
    }
}

#[cfg(test)]
mod tests;
