//! References of CSS and HTML files to other files: stylesheets, scripts, images, fonts. In: what a
//! file mentions. Out: the module that it stands for, if it is bundled. Absent: imports of
//! programs, which are `ImportRecord`s.

use std::ops::Range;

use crate::module::{Module, ModuleIndex};

/// A mention of a file in CSS or HTML.
#[derive(Clone, Debug)]
pub(crate) struct FileReference {
    /// As written, without query and fragment.
    pub(crate) specifier: String,
    /// `?query#fragment`, which the output keeps.
    pub(crate) suffix: String,
    pub(crate) kind: FileReferenceKind,
    /// Bytes of the source.
    pub(crate) span: Range<u32>,
    /// It stays as it is written if there is no such file.
    pub(crate) is_optional: bool,
    /// `None`: it stays as it is written.
    pub(crate) target: Option<ModuleIndex>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileReferenceKind {
    /// `@import`, `composes: a from`, `<link rel=stylesheet>`
    Style,
    /// `<script src>`
    Script,
    /// `url()`: small files become `data:` URLs.
    CssAsset,
    /// An image or another file of a page.
    HtmlAsset,
}

impl FileReference {
    pub(crate) fn new(text: &str, kind: FileReferenceKind, span: Range<u32>) -> FileReference {
        let end = text.find(['?', '#']).unwrap_or(text.len());
        let specifier = text[..end].to_owned();
        FileReference {
            specifier,
            suffix: text[end..].to_owned(),
            kind,
            span,
            is_optional: false,
            target: None,
        }
    }

    /// Whether it names something that is not a file of the project.
    pub(crate) fn is_external(&self) -> bool {
        self.specifier.is_empty() || self.specifier.starts_with("//") || has_scheme(&self.specifier)
    }
}

/// `scheme:`, as in <https://url.spec.whatwg.org/#scheme-state>.
fn has_scheme(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|one| one.is_ascii_alphanumeric() || matches!(one, '+' | '-' | '.'))
}

impl Module {
    /// What the module mentions, if it is a stylesheet or a page.
    pub(crate) fn file_references(&self) -> Vec<&FileReference> {
        let sheet = self.css.iter().flat_map(|css| {
            let imports = css.imports.iter().map(|import| &import.reference);
            imports.chain(&css.urls).chain(&css.composed)
        });
        sheet.chain(self.html.iter().flat_map(|html| &html.references)).collect()
    }

    pub(crate) fn file_references_mut(&mut self) -> Vec<&mut FileReference> {
        let sheet = self.css.iter_mut().flat_map(|css| {
            let imports = css.imports.iter_mut().map(|import| &mut import.reference);
            imports.chain(&mut css.urls).chain(&mut css.composed)
        });
        sheet.chain(self.html.iter_mut().flat_map(|html| &mut html.references)).collect()
    }
}
