//! Inline snapshots: writes values into calls of matchers, `toMatchInlineSnapshot(`…`)`. In: a
//! source, where matchers were called, the values. Out: the changed source. Everything else in the
//! source stays as it is. Absent: files.

use std::ops::Range;

use rusk_transpile::{Language, MethodCall, method_calls};

/// A value for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineSnapshot {
    /// From 1.
    pub line: usize,
    /// From 1, in UTF-16 units.
    pub column: usize,
    /// The matcher.
    pub name: String,
    pub value: String,
}

/// The source with the snapshots; or why that cannot be.
pub fn edit(source: &str, language: Language, snapshots: &[InlineSnapshot]) -> Result<String, String> {
    let mut names: Vec<&str> = snapshots.iter().map(|snapshot| snapshot.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let calls = method_calls(source, language, &names).map_err(|_| "the source does not parse".to_owned())?;
    let mut edits: Vec<(Range<usize>, String)> = Vec::with_capacity(snapshots.len());
    for snapshot in snapshots {
        let Some(call) = find(source, &calls, snapshot) else {
            return Err(format!("no call of {} is at line {}", snapshot.name, snapshot.line));
        };
        edits.push(change(source, call, &snapshot.value)?);
    }
    edits.sort_by_key(|(range, _)| range.start);
    if edits.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err("two values belong to one call".to_owned());
    }
    let mut edited = String::with_capacity(source.len() * 2);
    let mut end = 0;
    for (range, text) in edits {
        if range.start < end {
            return Err("two values belong to one call".to_owned());
        }
        edited.push_str(&source[end..range.start]);
        edited.push_str(&text);
        end = range.end;
    }
    edited.push_str(&source[end..]);
    Ok(edited)
}

/// The call at a position. An engine says where the call, the name or the parenthesis is, so of the
/// calls around the position the one with the nearest name counts.
fn find<'c>(source: &str, calls: &'c [MethodCall], snapshot: &InlineSnapshot) -> Option<&'c MethodCall> {
    let position = offset(source, snapshot.line, snapshot.column)?;
    let is_around = |call: &&MethodCall| (call.start..=call.close + 1).contains(&position);
    let named = calls.iter().filter(|call| call.name == snapshot.name).filter(is_around);
    named.min_by_key(|call| match call.name_range.contains(&position) {
        true => 0,
        false => call.name_range.start.abs_diff(position),
    })
}

/// The byte of a line and column.
fn offset(source: &str, line: usize, column: usize) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += source[start..].find('\n')? + 1;
    }
    let mut units = 0;
    for (at, character) in source[start..].char_indices() {
        if units >= column - 1 || character == '\n' {
            return Some(start + at);
        }
        units += character.len_utf16();
    }
    Some(source.len())
}

fn change(source: &str, call: &MethodCall, value: &str) -> Result<(Range<usize>, String), String> {
    let mut literal = template(value, &indentation(source, call.name_range.start));
    if source.contains("\r\n") {
        literal = literal.replace('\n', "\r\n");
    }
    match call.arguments.as_slice() {
        [] => Ok((call.close..call.close, literal)),
        [.., last] if last.is_text => Ok((last.range.clone(), literal)),
        [properties] => Ok((properties.range.end..properties.range.end, format!(", {literal}"))),
        _ => Err(format!("the snapshot of {} is neither a string nor a template without values", call.name)),
    }
}

/// The spaces at the beginning of the line.
fn indentation(source: &str, at: usize) -> String {
    let start = source[..at].rfind('\n').map_or(0, |newline| newline + 1);
    source[start..].chars().take_while(|character| matches!(character, ' ' | '\t')).collect()
}

/// A template literal; several lines are one step further in than the call.
fn template(value: &str, indent: &str) -> String {
    let escaped = value.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
    if !value.contains('\n') {
        return format!("`{escaped}`");
    }
    let step = if indent.starts_with('\t') { "\t" } else { "  " };
    let mut text = String::from("`\n");
    for line in escaped.split('\n') {
        if !line.is_empty() {
            text.push_str(indent);
            text.push_str(step);
            text.push_str(line);
        }
        text.push('\n');
    }
    text.push_str(indent);
    text.push('`');
    text
}

#[cfg(test)]
mod tests;
