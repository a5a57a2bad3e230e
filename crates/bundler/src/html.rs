//! HTML files: what they refer to, and the page with the final URLs. In: a source text. Out:
//! [`HtmlFile`], later the page. Scripts and stylesheets of a page become one file each, as in bun.
//! Inline scripts and styles stay as they are, besides the URLs of files in the latter.

mod mentions;
mod minify;
mod output;
mod srcset;
mod style_urls;

use crate::diagnostic::Diagnostic;
use crate::file_reference::{FileReference, FileReferenceKind};
use crate::problem;
use mentions::{Change, Mention, MentionKind};

pub(crate) use minify::minify;
pub(crate) use output::{PageFile, PageFiles, page};

/// A page as scanned.
#[derive(Debug, Default)]
pub(crate) struct HtmlFile {
    pub(crate) source: String,
    /// In the order of the page.
    pub(crate) references: Vec<FileReference>,
}

/// Reads what a page refers to. `name`: its path for people.
pub(crate) fn scan(name: &str, source: &str) -> Result<HtmlFile, Diagnostic> {
    let mut references = Vec::new();
    let visited = mentions::rewrite(source, &mut |mention| {
        references.extend(reference(mention));
        Change::Keep
    });
    visited.map_err(|message| problem::html(&message).at(name, source, 0..0))?;
    Ok(HtmlFile { source: source.to_owned(), references })
}

/// What the page mentions, if it may be a file.
fn reference(mention: &Mention<'_>) -> Option<FileReference> {
    let kind = match mention.kind {
        MentionKind::Script => FileReferenceKind::Script,
        MentionKind::Stylesheet => FileReferenceKind::Style,
        MentionKind::ModulePreload => return None,
        MentionKind::Asset | MentionKind::OptionalAsset => FileReferenceKind::HtmlAsset,
    };
    let mut reference = FileReference::new(mention.value.trim(), kind, mention.span.clone());
    reference.is_optional = mention.kind == MentionKind::OptionalAsset;
    (!reference.is_external()).then_some(reference)
}
