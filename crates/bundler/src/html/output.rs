//! The page of a bundle: its scripts and stylesheets are one file each, assets have their final
//! URLs. In: a scanned page, URLs. Out: HTML.

use std::collections::VecDeque;

use lol_html::html_content::ContentType;
use lol_html::{RewriteStrSettings, element, end_tag, rewrite_str};

use super::mentions::{self, Change, Mention, MentionKind};
use super::{HtmlFile, reference};
use crate::file_reference::FileReferenceKind;
use crate::standalone::within_element;

/// A script or stylesheet of a page.
#[derive(Clone, Debug)]
pub(crate) enum PageFile {
    Url(String),
    /// It is within the page.
    Text(String),
}

/// What a page loads.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageFiles {
    pub(crate) script: Option<PageFile>,
    pub(crate) stylesheet: Option<PageFile>,
    /// For each reference of the page that is an asset.
    pub(crate) assets: Vec<Option<String>>,
    /// Whether the script is an ES module.
    pub(crate) is_module: bool,
}

/// Renders a page.
pub(crate) fn page(file: &HtmlFile, files: &PageFiles) -> Result<String, String> {
    let tags = tags(files);
    let has_head = has_head(&file.source);
    let mut assets: VecDeque<&Option<String>> = files.assets.iter().collect();
    let mut place = (!has_head).then(|| tags.clone());
    let mut has_preload = false;
    let html = mentions::rewrite(&file.source, &mut |mention| {
        change(mention, files, &mut assets, &mut place, &mut has_preload)
    })?;
    if !has_head {
        // Nothing was removed that left a place.
        return Ok(match place {
            Some(tags) => prepend(&html, &tags),
            None => html,
        });
    }
    let handler = element!("head", move |head| {
        let tags = tags.clone();
        if let Some(handlers) = head.end_tag_handlers() {
            handlers.push(end_tag!(move |end| {
                end.before(&tags, ContentType::Html);
                Ok(())
            }));
        }
        Ok(())
    });
    let settings =
        RewriteStrSettings { element_content_handlers: vec![handler], ..RewriteStrSettings::new() };
    rewrite_str(&html, settings).map_err(|error| error.to_string())
}

fn change(
    mention: &Mention<'_>,
    files: &PageFiles,
    assets: &mut VecDeque<&Option<String>>,
    place: &mut Option<String>,
    has_preload: &mut bool,
) -> Change {
    if mention.kind == MentionKind::ModulePreload {
        // What it names is within the script.
        let is_first = !std::mem::replace(has_preload, true);
        return match &files.script {
            _ if crate::file_reference::FileReference::new(
                mention.value,
                FileReferenceKind::Script,
                0..0,
            )
            .is_external() =>
            {
                Change::Keep
            }
            Some(PageFile::Url(script)) if is_first => Change::Set(script.clone()),
            _ => Change::Remove,
        };
    }
    let Some(reference) = reference(mention) else { return Change::Keep };
    let url = assets.pop_front().cloned().flatten();
    match reference.kind {
        FileReferenceKind::Script | FileReferenceKind::Style => match place.take() {
            Some(tags) => Change::Replace(tags),
            None => Change::Remove,
        },
        _ => url.map_or(Change::Keep, |url| Change::Set(url + &reference.suffix)),
    }
}

/// The elements that load the page's files.
fn tags(files: &PageFiles) -> String {
    let mut tags = String::new();
    match &files.stylesheet {
        Some(PageFile::Url(url)) => {
            tags.push_str(&format!("<link rel=\"stylesheet\" crossorigin href=\"{}\">", escaped(url)));
        }
        Some(PageFile::Text(text)) => {
            tags.push_str(&format!("<style>{}</style>", within_element(text, "style")));
        }
        None => {}
    }
    match &files.script {
        Some(PageFile::Url(url)) => {
            let kind = if files.is_module { "type=\"module\" crossorigin" } else { "defer crossorigin" };
            tags.push_str(&format!("<script {kind} src=\"{}\"></script>", escaped(url)));
        }
        // A module runs when the page is parsed, as one with a URL does.
        Some(PageFile::Text(text)) => {
            let text = within_element(text, "script");
            tags.push_str(&format!("<script type=\"module\">{text}</script>"));
        }
        None => {}
    }
    tags
}

fn escaped(url: &str) -> String {
    url.replace('&', "&amp;").replace('"', "&quot;")
}

fn has_head(source: &str) -> bool {
    let lower = source.to_ascii_lowercase();
    let is_end = |rest: &str| rest.starts_with(|one: char| one == '>' || one.is_ascii_whitespace());
    lower.contains("</head")
        && lower.match_indices("<head").any(|(at, head)| is_end(&lower[at + head.len()..]))
}

/// After the doctype.
fn prepend(html: &str, tags: &str) -> String {
    let start = html.trim_start();
    let at = html.len() - start.len();
    let has_doctype = start.get(..9).is_some_and(|head| head.eq_ignore_ascii_case("<!doctype"));
    let end = if has_doctype { start.find('>').map_or(at, |end| at + end + 1) } else { at };
    format!("{}{tags}{}", &html[..end], &html[end..])
}
