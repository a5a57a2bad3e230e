//! Finds the import specifier of a name, for error messages. In: the source text, its language, the
//! name and the module specifier. Out: the position of the name. Absent: whether the module exports
//! it.

use oxc::allocator::Allocator;
use oxc::ast::ast::{ExportFromDeclaration, ImportDeclaration, ImportDeclarationSpecifier};
use oxc::ast_visit::Visit;
use oxc::span::{GetSpan, Span};

use crate::depth;
use crate::names::name_of;
use crate::options::Language;
use crate::parse;
use crate::script::SourceKind;

/// A name within its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedName<'t> {
    /// Line number from 1.
    pub line: u32,
    /// The whole line.
    pub text: &'t str,
    /// The line up to the name.
    pub before: &'t str,
    pub word: &'t str,
}

/// The first import or re-export of `name` from `specifier`; None if the source text does not
/// parse.
pub fn find_imported_name<'t>(
    source: &'t str,
    language: Language,
    specifier: &str,
    name: &str,
) -> Option<ImportedName<'t>> {
    let span = depth::with_deep_stack(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, language, Some(SourceKind::Module))?;
        let mut finder = ImportedNameFinder { specifier, name, found: None };
        finder.visit_program(&parsed.program);
        Ok(finder.found)
    });
    excerpt_at(source, span.ok().flatten()?)
}

fn excerpt_at(source: &str, span: Span) -> Option<ImportedName<'_>> {
    let (start, end) = (span.start as usize, span.end as usize);
    let (before, word) = (source.get(..start)?, source.get(start..end)?);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = &source[line_start..];
    let text = rest.split('\n').next().unwrap_or(rest);
    Some(ImportedName {
        line: before.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1,
        text: text.strip_suffix('\r').unwrap_or(text),
        before: &before[line_start..],
        word,
    })
}

struct ImportedNameFinder<'n> {
    specifier: &'n str,
    name: &'n str,
    found: Option<Span>,
}

impl ImportedNameFinder<'_> {
    fn note(&mut self, name: &str, span: Span) {
        if name == self.name {
            self.found.get_or_insert(span);
        }
    }
}

impl<'a> Visit<'a> for ImportedNameFinder<'_> {
    fn visit_import_declaration(&mut self, declaration: &ImportDeclaration<'a>) {
        if declaration.source.value != self.specifier {
            return;
        }
        for specifier in declaration.specifiers.iter().flatten() {
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    self.note(name_of(&one.imported), one.imported.span());
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    self.note("default", one.local.span);
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => {}
            }
        }
    }

    fn visit_export_from_declaration(&mut self, declaration: &ExportFromDeclaration<'a>) {
        if declaration.source.value == self.specifier {
            declaration.specifiers.iter().for_each(|one| self.note(name_of(&one.local), one.span));
        }
    }
}

#[cfg(test)]
mod tests;
