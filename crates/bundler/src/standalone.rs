//! Pages that are one file: scripts, stylesheets and assets within the HTML, as bun's `--compile
//! --target=browser`. In: options. Out: options for such pages; code as it may stand in HTML.

use std::path::Path;

use rusk_base::Result;

use crate::options::{BundleOptions, SourceMaps};
use crate::problem;

/// Options of pages without other files.
pub fn standalone_options(options: BundleOptions) -> Result<BundleOptions> {
    let is_page = |entry: &String| Path::new(entry).extension().is_some_and(|end| end == "html");
    if let Some(entry) = options.entries.iter().find(|entry| !is_page(entry)) {
        return Err(problem::standalone_entry(entry));
    }
    if options.splitting {
        return Err(problem::standalone_splitting());
    }
    let source_maps = match options.source_maps {
        SourceMaps::None => SourceMaps::None,
        _ => SourceMaps::Inline,
    };
    Ok(BundleOptions { is_standalone: true, source_maps, ..options })
}

/// Text of a script or stylesheet that does not end its element. In code such characters stand in
/// strings, regular expressions and comments, where the backslash changes nothing.
pub(crate) fn within_element(code: &str, element: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find("<") {
        let after = &rest[at + 1..];
        let ends = after.strip_prefix('/').and_then(|name| name.get(..element.len()));
        let is_end = ends.is_some_and(|name| name.eq_ignore_ascii_case(element));
        out.push_str(&rest[..=at]);
        if is_end || element == "script" && after.starts_with("!--") {
            out.push('\\');
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
