//! Rendering of a stylesheet: pieces in order, each within its conditions. In: modules and roots.
//! Out: the text of an output, and its source map.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use oxc_sourcemap::{SourceMap, SourceMapBuilder};

use super::order::{self, Piece, PieceContent};
use super::print::{self, CssSettings};
use super::{Condition, CssFile};
use crate::diagnostic::Diagnostic;
use crate::module::{Module, ModuleIndex};
use rustc_hash::FxHashMap;

/// The text of a stylesheet.
pub(crate) struct RenderedCss {
    pub(crate) code: String,
    pub(crate) map: SourceMap<'static>,
    /// Bytes of each file in the code, by its name.
    pub(crate) file_bytes: BTreeMap<String, usize>,
}

/// `url`: the final URL of an asset.
pub(crate) fn render(
    modules: &[Module],
    roots: &[ModuleIndex],
    is_minified: bool,
    url: &dyn Fn(ModuleIndex) -> String,
) -> Result<RenderedCss, Vec<Diagnostic>> {
    let (mut renderer, mut errors) = (StylesheetRenderer::new(is_minified), Vec::new());
    let pieces = order::pieces(modules, roots);
    for piece in &pieces {
        if let PieceContent::External(address) = &piece.content {
            renderer.external(address, &piece.conditions);
        }
    }
    for piece in &pieces {
        match &piece.content {
            PieceContent::External(_) => {}
            PieceContent::Layers(names) => renderer.layers(names, piece),
            PieceContent::File(index) => {
                let module = &modules[*index];
                if let Some(css) = &module.css
                    && let Err(error) = renderer.file(module, css, piece, url)
                {
                    errors.push(error);
                }
            }
        }
    }
    if errors.is_empty() { Ok(renderer.finish()) } else { Err(errors) }
}

struct StylesheetRenderer<'m> {
    is_minified: bool,
    code: String,
    line: u32,
    /// UTF-16 units since the last line break.
    column: u32,
    map: SourceMapBuilder<'m>,
    file_bytes: BTreeMap<String, usize>,
}

impl<'m> StylesheetRenderer<'m> {
    fn new(is_minified: bool) -> StylesheetRenderer<'m> {
        StylesheetRenderer {
            is_minified,
            code: String::new(),
            line: 0,
            column: 0,
            map: SourceMapBuilder::default(),
            file_bytes: BTreeMap::new(),
        }
    }

    fn push(&mut self, text: &str) {
        self.code.push_str(text);
        self.line += memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32;
        let last = text.rsplit('\n').next().unwrap_or("");
        let width = last.encode_utf16().count() as u32;
        self.column = if text.contains('\n') { width } else { self.column + width };
    }

    /// An `@import` takes one condition of each kind: further ones stand in nested stylesheets.
    fn external(&mut self, address: &str, conditions: &[Condition]) {
        let mut address = address.to_owned();
        let (innermost, outer) = match conditions.split_last() {
            Some((last, outer)) => (Some(last), outer),
            None => (None, [].as_slice()),
        };
        let mut rule = import_rule(&address, innermost);
        for condition in outer.iter().rev() {
            address = format!("data:text/css;base64,{}", STANDARD.encode(&rule));
            rule = import_rule(&address, Some(condition));
        }
        self.push(&rule);
        self.end_line();
    }

    fn end_line(&mut self) {
        if !self.is_minified {
            self.push("\n");
        }
    }

    fn separate(&mut self) {
        if !self.is_minified && !self.code.is_empty() {
            self.push("\n");
        }
    }

    fn layers(&mut self, names: &[String], piece: &Piece) {
        self.separate();
        let depth = self.open(&piece.conditions);
        let comma = if self.is_minified { "," } else { ", " };
        self.indented(&format!("@layer {};", names.join(comma)), depth);
        self.end_line();
        self.close(depth);
    }

    fn file(
        &mut self,
        module: &'m Module,
        css: &'m CssFile,
        piece: &Piece,
        url: &dyn Fn(ModuleIndex) -> String,
    ) -> Result<(), Diagnostic> {
        let urls: FxHashMap<String, String> = css
            .urls
            .iter()
            .filter_map(|reference| {
                let written = format!("{}{}", reference.specifier, reference.suffix);
                Some((written, format!("{}{}", url(reference.target?), reference.suffix)))
            })
            .collect();
        let settings = CssSettings { is_minified: self.is_minified };
        let printed = print::print(&module.name, css, &urls, settings)?;
        if printed.rules.is_empty() {
            return Ok(());
        }
        self.separate();
        if !self.is_minified {
            self.push(&format!("/* {} */\n", module.name.replace("*/", "* /").replace(['\n', '\r'], " ")));
        }
        let before = self.code.len();
        let source = self.map.add_source_and_content(&module.name, &css.source);
        let depth = self.open(&piece.conditions);
        for (index, rule) in printed.rules.iter().enumerate() {
            if index > 0 && !self.is_minified {
                self.push("\n");
            }
            if let Some((line, column)) = rule.position {
                let indent = if self.is_minified { 0 } else { depth as u32 * 2 };
                self.map.add_token(self.line, self.column + indent, line, column, Some(source), None);
            }
            self.indented(rule.text.trim_end(), depth);
            self.end_line();
        }
        self.close(depth);
        *self.file_bytes.entry(module.name.clone()).or_default() += self.code.len() - before;
        Ok(())
    }

    /// Opens a block for each condition; returns their number.
    fn open(&mut self, conditions: &[Condition]) -> usize {
        let mut depth = 0;
        for condition in conditions {
            let media = Some(condition.media.as_str()).filter(|media| !media.is_empty());
            let heads = [
                media.map(|media| format!("@media {media}")),
                condition.supports.as_ref().map(|text| format!("@supports {}", in_parentheses(text))),
                condition.layer.as_ref().map(|name| format!("@layer {name}").trim_end().to_owned()),
            ];
            for head in heads.into_iter().flatten() {
                let space = if self.is_minified { "{" } else { " {" };
                self.indented(&format!("{head}{space}"), depth);
                self.end_line();
                depth += 1;
            }
        }
        depth
    }

    fn close(&mut self, depth: usize) {
        for depth in (0..depth).rev() {
            self.indented("}", depth);
            self.end_line();
        }
    }

    fn indented(&mut self, text: &str, depth: usize) {
        if self.is_minified || depth == 0 {
            self.push(text);
            return;
        }
        let indent = "  ".repeat(depth);
        let lines = text.split('\n').map(|line| match line.is_empty() {
            true => String::new(),
            false => format!("{indent}{line}"),
        });
        self.push(&lines.collect::<Vec<_>>().join("\n"));
    }

    fn finish(mut self) -> RenderedCss {
        if self.is_minified && !self.code.is_empty() {
            self.push("\n");
        }
        let file_bytes = std::mem::take(&mut self.file_bytes);
        let map = self.map.into_sourcemap().into_owned();
        if self.code.is_ascii() {
            return RenderedCss { code: self.code, map, file_bytes };
        }
        // Without it the encoding is that of the page, or of the server's content type.
        let code = format!("@charset \"UTF-8\";{}{}", if self.is_minified { "" } else { "\n" }, self.code);
        let map = match self.is_minified {
            true => map,
            false => crate::source_map::join(vec![(map, 1)]),
        };
        RenderedCss { code, map, file_bytes }
    }
}

fn import_rule(address: &str, condition: Option<&Condition>) -> String {
    let mut rule = "@import ".to_owned();
    rusk_npm::json::quote_into(&mut rule, address);
    let Some(condition) = condition else { return rule + ";" };
    match condition.layer.as_deref() {
        Some("") => rule.push_str(" layer"),
        Some(name) => rule.push_str(&format!(" layer({name})")),
        None => {}
    }
    if let Some(supports) = &condition.supports {
        rule.push_str(&format!(" supports{}", in_parentheses(supports)));
    }
    if !condition.media.is_empty() {
        rule.push(' ');
        rule.push_str(&condition.media);
    }
    rule + ";"
}

/// A condition as `@supports` has it: `(display: grid)`.
fn in_parentheses(text: &str) -> String {
    match text.starts_with('(') && text.ends_with(')') || text.starts_with("not ") {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}
