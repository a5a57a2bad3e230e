//! Printing of one stylesheet: lowered for browsers, with the final URLs, without its imports. In:
//! a scanned file. Out: text, and the source line of each rule.

use std::collections::BTreeMap;
use std::convert::Infallible;

use lightningcss::css_modules::CssModuleExport;
use lightningcss::printer::PrinterOptions;
use lightningcss::rules::{CssRule, CssRuleList, Location};
use lightningcss::stylesheet::{MinifyOptions, StyleSheet};
use lightningcss::targets::{Browsers, Targets};
use lightningcss::values::url::Url;
use lightningcss::visit_types;
use lightningcss::visitor::{Visit, VisitTypes, Visitor};

use super::{CssFile, offset, parse, span_at};
use crate::diagnostic::Diagnostic;
use crate::problem;
use rustc_hash::FxHashMap;

/// How stylesheets are printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CssSettings {
    pub(crate) is_minified: bool,
}

/// The text of a file.
#[derive(Debug, Default)]
pub(crate) struct PrintedCss {
    pub(crate) rules: Vec<PrintedRule>,
    /// Of a CSS module.
    pub(crate) exports: BTreeMap<String, CssModuleExport>,
}

#[derive(Debug)]
pub(crate) struct PrintedRule {
    pub(crate) text: String,
    /// Line and column in the source, from 0.
    pub(crate) position: Option<(u32, u32)>,
}

/// The browsers of 2020, whose JavaScript is ES2020, as for esbuild and bun.
fn targets() -> Targets {
    let version = |major: u32| Some(major << 16);
    Targets::from(Browsers {
        chrome: version(80),
        edge: version(80),
        firefox: version(78),
        safari: version(14),
        ios_saf: version(14),
        ..Browsers::default()
    })
}

/// `urls`: replacements of URLs as they are written.
pub(crate) fn print(
    name: &str,
    file: &CssFile,
    urls: &FxHashMap<String, String>,
    settings: CssSettings,
) -> Result<PrintedCss, Diagnostic> {
    let options = parse::options(name, file.names.is_some());
    let mut sheet = StyleSheet::parse(&file.source, options.clone())
        .map_err(|error| problem::css(&error.kind.to_string()))?;
    sheet.rules.0.retain(|rule| !matches!(rule, CssRule::Import(_)));
    sheet.minify(MinifyOptions { targets: targets(), ..MinifyOptions::default() }).map_err(|error| {
        let diagnostic = problem::css(&error.kind.to_string());
        match error.loc {
            Some(at) => {
                let start = offset(&file.source, at.line, at.column);
                diagnostic.at(name, &file.source, span_at(&file.source, start))
            }
            None => diagnostic,
        }
    })?;
    let _: Result<(), Infallible> = sheet.visit(&mut UrlRewriter { urls });
    let mut printed = PrintedCss::default();
    let sources = sheet.sources;
    for rule in sheet.rules.0 {
        let position = location(&rule).map(|at| (at.line, at.column.saturating_sub(1)));
        // A sheet for each rule: the printer's own source maps would bring in an archive format.
        let single = StyleSheet::new(sources.clone(), CssRuleList(vec![rule]), options.clone());
        let output = single
            .to_css(PrinterOptions {
                minify: settings.is_minified,
                targets: targets(),
                ..PrinterOptions::default()
            })
            .map_err(|error| problem::css(&error.kind.to_string()))?;
        for (local, export) in output.exports.into_iter().flatten() {
            add_export(&mut printed.exports, local, export);
        }
        if !output.code.trim().is_empty() {
            printed.rules.push(PrintedRule { text: output.code, position });
        }
    }
    Ok(printed)
}

/// Several rules may define one name.
fn add_export(exports: &mut BTreeMap<String, CssModuleExport>, local: String, export: CssModuleExport) {
    match exports.get_mut(&local) {
        Some(known) => {
            let new = export.composes.into_iter().filter(|one| !known.composes.contains(one));
            let new: Vec<_> = new.collect();
            known.composes.extend(new);
        }
        None => {
            exports.insert(local, export);
        }
    }
}

struct UrlRewriter<'u> {
    urls: &'u FxHashMap<String, String>,
}

impl<'i> Visitor<'i> for UrlRewriter<'_> {
    type Error = Infallible;

    fn visit_types(&self) -> VisitTypes {
        visit_types!(URLS)
    }

    fn visit_url(&mut self, url: &mut Url<'i>) -> Result<(), Infallible> {
        if let Some(new) = self.urls.get(url.url.as_ref()) {
            url.url = new.clone().into();
        }
        Ok(())
    }
}

fn location(rule: &CssRule<'_>) -> Option<Location> {
    match rule {
        CssRule::Media(rule) => Some(rule.loc),
        CssRule::Style(rule) => Some(rule.loc),
        CssRule::Keyframes(rule) => Some(rule.loc),
        CssRule::FontFace(rule) => Some(rule.loc),
        CssRule::FontPaletteValues(rule) => Some(rule.loc),
        CssRule::Page(rule) => Some(rule.loc),
        CssRule::Supports(rule) => Some(rule.loc),
        CssRule::CounterStyle(rule) => Some(rule.loc),
        CssRule::Namespace(rule) => Some(rule.loc),
        CssRule::LayerStatement(rule) => Some(rule.loc),
        CssRule::LayerBlock(rule) => Some(rule.loc),
        CssRule::Property(rule) => Some(rule.loc),
        CssRule::Container(rule) => Some(rule.loc),
        CssRule::Scope(rule) => Some(rule.loc),
        CssRule::StartingStyle(rule) => Some(rule.loc),
        CssRule::Unknown(rule) => Some(rule.loc),
        _ => None,
    }
}
