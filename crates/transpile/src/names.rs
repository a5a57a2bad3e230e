//! Table of interned names, and JavaScript property names. In: strings. Out: indexes, property
//! accesses, string literals. Absent: scopes.

use std::collections::HashMap;

use oxc::ast::ast::ModuleExportName;

use crate::script::NameIndex;

/// The name in an import or export specifier.
pub(crate) fn name_of<'a>(name: &ModuleExportName<'a>) -> &'a str {
    match name {
        ModuleExportName::IdentifierName(name) => name.name.as_str(),
        ModuleExportName::IdentifierReference(name) => name.name.as_str(),
        ModuleExportName::StringLiteral(name) => name.value.as_str(),
    }
}

#[derive(Default)]
pub(crate) struct NameTable<'a> {
    indexes: HashMap<&'a str, NameIndex>,
    names: Vec<&'a str>,
}

impl<'a> NameTable<'a> {
    pub(crate) fn index(&mut self, name: &'a str) -> NameIndex {
        let next = self.names.len() as NameIndex;
        let index = *self.indexes.entry(name).or_insert(next);
        if index == next {
            self.names.push(name);
        }
        index
    }

    pub(crate) fn into_names(self) -> Vec<String> {
        self.names.into_iter().map(str::to_owned).collect()
    }
}

/// `.name`, or `["some name"]`.
pub(crate) fn member(name: &str) -> String {
    if is_ascii_identifier(name) { format!(".{name}") } else { format!("[{}]", quoted(name)) }
}

/// A property key.
pub(crate) fn key(name: &str) -> String {
    if is_ascii_identifier(name) { name.to_owned() } else { quoted(name) }
}

/// `["name"]` with a comment: what the program has instead of the whole expression. It is within
/// the brackets, so that it belongs to each source text that contains the expression.
pub(crate) fn member_of(prefix: &str, name: &str, written: &str) -> String {
    format!("[/*{prefix}:{written}*/{}]", quoted(name))
}

/// Conservative: non-ASCII names are quoted.
fn is_ascii_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || matches!(first, b'_' | b'$'))
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
}

/// A JavaScript string literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
