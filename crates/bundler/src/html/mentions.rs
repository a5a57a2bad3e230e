//! Attributes of a page that name files. In: HTML. Out: a call for each, in order, and the page
//! with what the calls changed.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use lol_html::html_content::{ContentType, Element};
use lol_html::{RewriteStrSettings, element, rewrite_str, text};

use super::{srcset, style_urls};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MentionKind {
    Script,
    Stylesheet,
    ModulePreload,
    Asset,
    /// It may be a file that only the server has.
    OptionalAsset,
}

/// An attribute's value.
#[derive(Debug)]
pub(super) struct Mention<'m> {
    pub(super) kind: MentionKind,
    pub(super) value: &'m str,
    pub(super) span: Range<u32>,
}

/// What becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Keep,
    Set(String),
    /// The element goes.
    Remove,
    /// The element goes, this stands in its place.
    Replace(String),
}

/// Elements and their attributes that name assets.
const ASSETS: [(&str, &str); 12] = [
    ("img", "src"),
    ("source", "src"),
    ("video", "src"),
    ("video", "poster"),
    ("audio", "src"),
    ("track", "src"),
    ("embed", "src"),
    ("object", "data"),
    ("input", "src"),
    ("image", "href"),
    ("image", "xlink:href"),
    ("use", "href"),
];

/// Values of `rel` whose targets are files that the page loads.
const LINKS: [&str; 9] = [
    "icon",
    "apple-touch-icon",
    "apple-touch-icon-precomposed",
    "apple-touch-startup-image",
    "mask-icon",
    "fluid-icon",
    "manifest",
    "preload",
    "prefetch",
];

/// Names of `<meta>` whose content is the URL of an image.
const META_IMAGES: [&str; 6] = [
    "og:image",
    "og:image:url",
    "og:image:secure_url",
    "twitter:image",
    "twitter:image:src",
    "msapplication-tileimage",
];

/// Script types that are not programs.
const DATA_TYPES: [&str; 5] =
    ["importmap", "application/json", "application/ld+json", "speculationrules", "text/template"];

type Visit<'v> = &'v mut dyn FnMut(&Mention<'_>) -> Change;

/// Calls `visit` for each mention.
pub(super) fn rewrite(source: &str, visit: Visit<'_>) -> Result<String, String> {
    let visit = Rc::new(RefCell::new(visit));
    // The text of an element comes in pieces.
    let mut style = String::new();
    let handler = element!(
        "script, link, img, source, video, audio, track, embed, object, input, image, use, meta, [style]",
        |element| {
            let mut visit = visit.borrow_mut();
            visit_element(element, &mut **visit);
            Ok(())
        }
    );
    let styles = text!("style", |piece| {
        style.push_str(piece.as_str());
        if !piece.last_in_text_node() {
            piece.remove();
            return Ok(());
        }
        let whole = std::mem::take(&mut style);
        let bytes = piece.source_location().bytes();
        let mut visit = visit.borrow_mut();
        let changed = visit_style(&whole, bytes.start as u32..bytes.end as u32, &mut **visit);
        piece.replace(&changed.unwrap_or(whole), ContentType::Html);
        Ok(())
    });
    let settings =
        RewriteStrSettings { element_content_handlers: vec![handler, styles], ..RewriteStrSettings::new() };
    rewrite_str(source, settings).map_err(|error| error.to_string())
}

fn visit_element(element: &mut Element<'_, '_>, visit: Visit<'_>) {
    if let Some(style) = element.get_attribute("style") {
        let changed = visit_style(&decoded(&style), span(element, "style"), visit);
        if let Some(changed) = changed {
            // The name is one that the element has.
            let _ = element.set_attribute("style", &changed.replace('&', "&amp;").replace('"', "&quot;"));
        }
    }
    match element.tag_name().as_str() {
        "script" => {
            let kind = element.get_attribute("type").unwrap_or_default();
            if !DATA_TYPES.contains(&kind.trim().to_ascii_lowercase().as_str()) {
                visit_attribute(element, "src", MentionKind::Script, visit);
            }
        }
        "link" => visit_link(element, visit),
        "meta" => {
            let name = element.get_attribute("property").or_else(|| element.get_attribute("name"));
            let name = name.unwrap_or_default().to_ascii_lowercase();
            if META_IMAGES.contains(&name.trim()) {
                visit_attribute(element, "content", MentionKind::OptionalAsset, visit);
            }
        }
        name => {
            let attributes = ASSETS.iter().filter(|(tag, _)| *tag == name).map(|(_, attribute)| *attribute);
            for attribute in attributes {
                visit_attribute(element, attribute, MentionKind::Asset, visit);
            }
            if matches!(name, "img" | "source") {
                visit_srcset(element, "srcset", visit);
            }
        }
    }
}

/// The styles with other URLs, if some change.
fn visit_style(styles: &str, span: Range<u32>, visit: Visit<'_>) -> Option<String> {
    style_urls::rewrite(styles, &mut |url| {
        if url.trim().is_empty() || url.starts_with('#') {
            return None;
        }
        match visit(&Mention { kind: MentionKind::OptionalAsset, value: url, span: span.clone() }) {
            Change::Set(new) => Some(new),
            _ => None,
        }
    })
}

fn visit_link(element: &mut Element<'_, '_>, visit: Visit<'_>) {
    let rel = element.get_attribute("rel").unwrap_or_default().to_ascii_lowercase();
    let has = |name: &str| rel.split_ascii_whitespace().any(|word| word == name);
    let preloads = element.get_attribute("as").unwrap_or_default().to_ascii_lowercase();
    let is_preload = has("preload") || has("prefetch");
    if has("stylesheet") {
        visit_attribute(element, "href", MentionKind::Stylesheet, visit);
    } else if has("modulepreload") || is_preload && matches!(preloads.as_str(), "script" | "style") {
        visit_attribute(element, "href", MentionKind::ModulePreload, visit);
    } else if LINKS.iter().any(|name| has(name)) {
        visit_attribute(element, "href", MentionKind::Asset, visit);
        visit_srcset(element, "imagesrcset", visit);
    }
}

fn visit_attribute(element: &mut Element<'_, '_>, name: &str, kind: MentionKind, visit: Visit<'_>) {
    if element.removed() {
        return;
    }
    let Some(value) = element.get_attribute(name) else { return };
    // References within the page, as of `<use href="#id">`.
    if value.trim().is_empty() || value.trim().starts_with('#') {
        return;
    }
    let span = span(element, name);
    match visit(&Mention { kind, value: &decoded(&value), span }) {
        Change::Keep => {}
        Change::Set(value) => {
            // The name is one that the element has.
            let _ = element.set_attribute(name, &value.replace('&', "&amp;").replace('"', "&quot;"));
        }
        Change::Remove => element.remove(),
        Change::Replace(content) => element.replace(&content, ContentType::Html),
    }
}

fn visit_srcset(element: &mut Element<'_, '_>, name: &str, visit: Visit<'_>) {
    let Some(value) = element.get_attribute(name) else { return };
    let span = span(element, name);
    let mut is_changed = false;
    let candidates: Vec<String> = srcset::candidates(&value)
        .into_iter()
        .map(|(url, descriptor)| {
            let url = match visit(&Mention { kind: MentionKind::Asset, value: url, span: span.clone() }) {
                Change::Set(new) => {
                    is_changed = true;
                    new
                }
                _ => url.to_owned(),
            };
            format!("{url} {descriptor}").trim_end().to_owned()
        })
        .collect();
    if is_changed {
        // The name is one that the element has.
        let _ = element.set_attribute(name, &candidates.join(", "));
    }
}

fn span(element: &Element<'_, '_>, name: &str) -> Range<u32> {
    let attribute = element.attributes().iter().find(|attribute| attribute.name() == name);
    let bytes = attribute
        .and_then(|attribute| attribute.value_source_location())
        .unwrap_or_else(|| element.source_location())
        .bytes();
    bytes.start as u32..bytes.end as u32
}

/// The references that occur in URLs.
fn decoded(value: &str) -> String {
    value.replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}
