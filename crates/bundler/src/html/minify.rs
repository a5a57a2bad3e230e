//! Minification of a page: comments go, runs of white space become one character. In: HTML. Out:
//! HTML that browsers show alike, unless its styles preserve white space. The contents of `pre`,
//! `textarea`, scripts and styles stay.

use std::cell::Cell;
use std::rc::Rc;

use lol_html::html_content::{ContentType, TextType};
use lol_html::{RewriteStrSettings, doc_comments, element, end_tag, rewrite_str, text};

pub(crate) fn minify(html: &str) -> Result<String, String> {
    let depth = Rc::new(Cell::new(0_usize));
    let preserved = {
        let depth = depth.clone();
        element!("pre, textarea", move |element| {
            depth.set(depth.get() + 1);
            if let Some(handlers) = element.end_tag_handlers() {
                let depth = depth.clone();
                handlers.push(end_tag!(move |_| {
                    depth.set(depth.get().saturating_sub(1));
                    Ok(())
                }));
            }
            Ok(())
        })
    };
    let texts = text!("*", move |chunk| {
        let is_plain = chunk.text_type() == TextType::Data && depth.get() == 0;
        if is_plain && let Some(shorter) = collapsed(chunk.as_str()) {
            chunk.replace(&shorter, ContentType::Html);
        }
        Ok(())
    });
    let comments = doc_comments!(|comment| {
        // Conditional comments are for old browsers, `!` marks licenses.
        if !comment.text().starts_with(['[', '!']) {
            comment.remove();
        }
        Ok(())
    });
    let settings = RewriteStrSettings {
        element_content_handlers: vec![preserved, texts],
        document_content_handlers: vec![comments],
        ..RewriteStrSettings::new()
    };
    rewrite_str(html, settings).map_err(|error| error.to_string())
}

/// `None`: nothing to do.
fn collapsed(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut is_space = false;
    for character in text.chars() {
        let is_white = character.is_ascii_whitespace();
        if is_white && is_space {
            // A line break rather than a space, as long as there was one.
            if character == '\n' {
                out.pop();
                out.push('\n');
            }
            continue;
        }
        out.push(character);
        is_space = is_white;
    }
    (out.len() < text.len()).then_some(out)
}
