//! Data that programs import beside JSON: JSON with comments, JSON5, TOML, YAML, XML. In: a text.
//! Out: JSON text that says the same, for the engine to parse; or a fault with its place. Also
//! Markdown, whose value is HTML. Absent: files, values of the engine (`ext/data_formats`).

mod graph;
mod json5;
mod jsonc;
mod markdown;
mod toml;
mod xml;
mod yaml;

pub use json5::json5;
pub use jsonc::jsonc;
pub use markdown::markdown;
pub use toml::toml;
pub use xml::{xml, xml_text};
pub use yaml::yaml;

/// Lists and tables within each other; a text that nests deeper was not written for a program.
const DEPTH_MAX: usize = 512;

/// Why a text is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub message: String,
    /// From 1; a column counts characters.
    pub line: u32,
    pub column: u32,
}

impl Fault {
    fn at(text: &str, byte: usize, message: impl Into<String>) -> Fault {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let count = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
        Fault {
            message: message.into(),
            line: count(before.matches('\n').count()),
            column: count(before[line_start..].chars().count()),
        }
    }
}

#[cfg(test)]
mod tests;
