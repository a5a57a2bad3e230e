//! Parsing of a stylesheet: its imports, its URLs, its names. In: the source text. Out:
//! [`CssFile`], or all errors with their lines.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::{Arc, RwLock};

use lightningcss::css_modules::{Config, CssModuleReference, Pattern};
use lightningcss::error::{Error, ParserError};
use lightningcss::printer::PrinterOptions;
use lightningcss::properties::Property;
use lightningcss::properties::css_modules::Specifier;
use lightningcss::rules::CssRule;
use lightningcss::rules::import::ImportRule;
use lightningcss::stylesheet::{ParserFlags, ParserOptions, StyleSheet};
use lightningcss::traits::ToCss;
use lightningcss::values::url::Url;
use lightningcss::visit_types;
use lightningcss::visitor::{Visit, VisitTypes, Visitor};

use super::braces;
use super::print::{self, CssSettings};
use super::{ComposedName, Condition, CssFile, CssImport, ScopedName, offset, span_at};
use crate::diagnostic::Diagnostic;
use crate::file_reference::{FileReference, FileReferenceKind};
use crate::problem;

/// What to do with rules that are not valid CSS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InvalidRules {
    Errors,
    /// They are left out, as browsers do: for files of packages.
    Dropped,
}

/// Reads the imports, URLs and names of a file. `name`: its path for people, which determines the
/// names of a CSS module.
pub(crate) fn scan(
    name: &str,
    source: &str,
    is_module: bool,
    invalid: InvalidRules,
) -> Result<CssFile, Vec<Diagnostic>> {
    let warnings = Arc::new(RwLock::new(Vec::new()));
    let options = ParserOptions { warnings: Some(warnings.clone()), ..options(name, is_module) };
    let mut sheet =
        StyleSheet::parse(source, options).map_err(|error| vec![of_error(name, source, &error)])?;
    if invalid == InvalidRules::Errors {
        if let Some(at) = braces::find_stray(source) {
            let at = at as u32;
            return Err(vec![problem::css("unexpected `}`").at(name, source, at..at + 1)]);
        }
        let found = warnings.read().map(|found| found.clone()).unwrap_or_default();
        let errors: Vec<Diagnostic> = found
            .iter()
            .filter(|error| is_error(&error.kind))
            .map(|error| of_error(name, source, error))
            .collect();
        if !errors.is_empty() {
            return Err(errors);
        }
    }
    let mut file = CssFile { source: source.to_owned(), ..CssFile::default() };
    add_imports(&sheet, source, &mut file);
    let mut urls = UrlCollector { source, found: Vec::new() };
    let _: Result<(), Infallible> = sheet.visit(&mut urls);
    file.urls = urls.found;
    if is_module {
        add_names(name, &mut file)?;
        let mut composed = ComposeCollector { source, found: Vec::new() };
        let _: Result<(), Infallible> = sheet.visit(&mut composed);
        file.composed = composed.found;
    }
    Ok(file)
}

/// Options of the parser for a file.
pub(super) fn options<'i>(name: &str, is_module: bool) -> ParserOptions<'i> {
    let pattern = Pattern::parse("[local]_[hash]").unwrap_or_default();
    ParserOptions {
        filename: name.to_owned(),
        css_modules: is_module.then(|| Config { pattern, ..Config::default() }),
        error_recovery: true,
        flags: ParserFlags::NESTING | ParserFlags::CUSTOM_MEDIA,
        ..ParserOptions::default()
    }
}

/// Unknown at-rules may be those of a later standard.
fn is_error(kind: &ParserError<'_>) -> bool {
    !matches!(
        kind,
        ParserError::AtRuleInvalid(_) | ParserError::DeprecatedNestRule | ParserError::SelectorError(_)
    )
}

fn of_error(name: &str, source: &str, error: &Error<ParserError<'_>>) -> Diagnostic {
    let Some(at) = &error.loc else { return problem::css(&error.kind.to_string()) };
    let start = offset(source, at.line, at.column);
    match &error.kind {
        ParserError::UnexpectedToken(_) => {
            let span = token_at(source, start);
            let token = &source[span.start as usize..span.end as usize];
            problem::css(&format!("unexpected `{token}`")).at(name, source, span)
        }
        kind => problem::css(&kind.to_string()).at(name, source, span_at(source, start)),
    }
}

/// A name or a punctuation mark, after white space.
fn token_at(source: &str, start: u32) -> Range<u32> {
    let rest = &source[start as usize..];
    let white = rest.len() - rest.trim_start().len();
    let rest = &rest[white..];
    let is_part = |one: char| one.is_alphanumeric() || matches!(one, '-' | '_');
    let name = rest.find(|one| !is_part(one)).unwrap_or(rest.len());
    let width = if name == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { name };
    let start = start + white as u32;
    start..start + width as u32
}

fn add_imports(sheet: &StyleSheet<'_>, source: &str, file: &mut CssFile) {
    let mut layers_before = Vec::new();
    for rule in &sheet.rules.0 {
        match rule {
            CssRule::LayerStatement(statement) => {
                layers_before.extend(statement.names.iter().map(text));
            }
            CssRule::Import(rule) => {
                let start = offset(source, rule.loc.line, rule.loc.column);
                let reference =
                    FileReference::new(&rule.url, FileReferenceKind::Style, span_at(source, start));
                let layers_before = std::mem::take(&mut layers_before);
                file.imports.push(CssImport { reference, condition: condition(rule), layers_before });
            }
            _ => {}
        }
    }
}

fn condition(rule: &ImportRule<'_>) -> Condition {
    Condition {
        layer: rule.layer.as_ref().map(|name| name.as_ref().map(text).unwrap_or_default()),
        supports: rule.supports.as_ref().map(text),
        media: if rule.media.media_queries.is_empty() { String::new() } else { text(&rule.media) },
    }
}

fn text(value: &impl ToCss) -> String {
    value.to_css_string(PrinterOptions::default()).unwrap_or_default()
}

struct UrlCollector<'s> {
    source: &'s str,
    found: Vec<FileReference>,
}

impl<'i> Visitor<'i> for UrlCollector<'_> {
    type Error = Infallible;

    fn visit_types(&self) -> VisitTypes {
        visit_types!(URLS)
    }

    fn visit_url(&mut self, url: &mut Url<'i>) -> Result<(), Infallible> {
        let start = offset(self.source, url.loc.line.saturating_sub(1), url.loc.column);
        let end = self.source[start as usize..].find(')').map_or(start, |at| start + at as u32 + 1);
        let reference = FileReference::new(&url.url, FileReferenceKind::CssAsset, start..end);
        self.found.push(reference);
        Ok(())
    }
}

/// `composes: name from 'file'`
struct ComposeCollector<'s> {
    source: &'s str,
    found: Vec<FileReference>,
}

impl<'i> Visitor<'i> for ComposeCollector<'_> {
    type Error = Infallible;

    fn visit_types(&self) -> VisitTypes {
        visit_types!(PROPERTIES)
    }

    fn visit_property(&mut self, property: &mut Property<'i>) -> Result<(), Infallible> {
        if let Property::Composes(composes) = property
            && let Some(Specifier::File(file)) = &composes.from
        {
            let start = offset(self.source, composes.loc.line.saturating_sub(1), composes.loc.column);
            let span = span_at(self.source, start);
            self.found.push(FileReference::new(file, FileReferenceKind::Style, span));
        }
        Ok(())
    }
}

fn add_names(name: &str, file: &mut CssFile) -> Result<(), Vec<Diagnostic>> {
    file.names = Some(Default::default());
    let settings = CssSettings { is_minified: false };
    let printed = print::print(name, file, &Default::default(), settings).map_err(|error| vec![error])?;
    let names = printed.exports.into_iter().map(|(local, export)| {
        let composes = export.composes.into_iter().map(|reference| match reference {
            CssModuleReference::Local { name } | CssModuleReference::Global { name } => {
                ComposedName::Plain(name)
            }
            CssModuleReference::Dependency { name, specifier } => ComposedName::Of { specifier, name },
        });
        (local, ScopedName { name: export.name, composes: composes.collect() })
    });
    file.names = Some(names.collect());
    Ok(())
}
