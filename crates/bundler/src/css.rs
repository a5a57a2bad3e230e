//! CSS files: what they import and refer to, the names of CSS modules, and one stylesheet for each
//! entry point. In: sources. Out: [`CssFile`], then the text of a stylesheet with its source map.
//! The grammar, lowering for browsers and minification are lightningcss's.

mod braces;
mod names;
mod order;
mod parse;
mod print;
mod render;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::file_reference::FileReference;

pub(crate) use names::{set_exports, value};
pub(crate) use order::roots;
pub(crate) use parse::{InvalidRules, scan};
pub(crate) use render::render;

/// A stylesheet as scanned.
#[derive(Debug, Default)]
pub(crate) struct CssFile {
    pub(crate) source: String,
    pub(crate) imports: Vec<CssImport>,
    pub(crate) urls: Vec<FileReference>,
    /// Class names and the like of a CSS module; `None`: the file is none.
    pub(crate) names: Option<BTreeMap<String, ScopedName>>,
    /// CSS modules that `composes` names, with its specifiers.
    pub(crate) composed: Vec<FileReference>,
}

/// `@import`.
#[derive(Debug)]
pub(crate) struct CssImport {
    pub(crate) reference: FileReference,
    pub(crate) condition: Condition,
    /// The names of `@layer` statements that stand before it.
    pub(crate) layers_before: Vec<String>,
}

/// When the rules of an imported file apply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Condition {
    /// `Some("")`: a layer without a name.
    pub(crate) layer: Option<String>,
    pub(crate) supports: Option<String>,
    pub(crate) media: String,
}

impl Condition {
    pub(crate) fn is_empty(&self) -> bool {
        self.layer.is_none() && self.supports.is_none() && self.media.is_empty()
    }
}

/// A name that is local to its CSS module.
#[derive(Clone, Debug)]
pub(crate) struct ScopedName {
    /// As it is in the output.
    pub(crate) name: String,
    pub(crate) composes: Vec<ComposedName>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ComposedName {
    /// As it is in the output.
    Plain(String),
    /// A name of another CSS module.
    Of { specifier: String, name: String },
}

/// Bytes of a line and a column; lines count from 0, columns from 1 in UTF-16 units, as in
/// cssparser.
pub(crate) fn offset(source: &str, line: u32, column: u32) -> u32 {
    let start: usize = source.split_inclusive('\n').take(line as usize).map(str::len).sum();
    let mut units = 1;
    for (at, character) in source[start..].char_indices() {
        if units >= column || character == '\n' {
            return (start + at) as u32;
        }
        units += character.len_utf16() as u32;
    }
    source.len() as u32
}

/// From an offset to the end of the rule or declaration that begins there.
pub(crate) fn span_at(source: &str, start: u32) -> Range<u32> {
    let rest = &source[start as usize..];
    let end = rest.find(['\n', ';', '{', '}']).unwrap_or(rest.len());
    start..start + rest[..end].trim_end().len() as u32
}
