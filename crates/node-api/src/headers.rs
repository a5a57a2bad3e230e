//! Headers of Node-API for node-gyp. In: a directory for them, Node's version, settings. Out: a
//! directory laid out as Node's installation (`include/node`), which node-gyp takes as its
//! `nodedir`. The files are embedded in the program; they are written when they are first needed.
//! Absent: headers of V8, of Node's C++ API and of libuv beyond the functions that exist.

use std::path::{Path, PathBuf};

use rusk_base::{Result, files};
use rusk_hashes::xx3;

/// Files of `include/node`.
const FILES: &[(&str, &str)] = &[
    ("js_native_api.h", include_str!("../include/js_native_api.h")),
    ("js_native_api_types.h", include_str!("../include/js_native_api_types.h")),
    ("node_api.h", include_str!("../include/node_api.h")),
    ("node_api_types.h", include_str!("../include/node_api_types.h")),
    ("uv.h", include_str!("../include/uv.h")),
    ("common.gypi", include_str!("../include/common.gypi")),
];

/// Headers of the C++ API. Each is an error that says what is missing.
const REFUSED: &[&str] = &["node.h", "node_buffer.h", "node_object_wrap.h", "v8.h"];

const REFUSAL: &str = include_str!("../include/no_cpp_api.h");

/// What a compiled addon depends on.
#[derive(Clone, Copy, Debug)]
pub struct HeaderSettings<'a> {
    /// Node's version: `25.9.0`.
    pub node_version: &'a str,
    /// `process.config` as JSON.
    pub config: &'a str,
}

/// Writes the headers below `directory` unless they are there; the directory for node-gyp. Its name
/// depends on the content, so each version of the program has its own.
pub fn provide(directory: &Path, settings: HeaderSettings<'_>) -> Result<PathBuf> {
    let all = render(settings);
    let mut content = String::new();
    for (name, text) in &all {
        content.push_str(name);
        content.push_str(text);
    }
    let top = directory.join(format!("{:016x}", xx3(content.as_bytes(), 0)));
    let include = top.join("include/node");
    let is_there = |(name, _): &(&str, String)| files::is_file(&include.join(name));
    if all.last().is_some_and(is_there) {
        return Ok(top);
    }
    files::create_directories(&include)?;
    // The last file shows that all are there.
    for (name, text) in &all {
        files::write_atomically(&include.join(name), text.as_bytes())?;
    }
    Ok(top)
}

/// All files with their content, in the order in which they are written.
fn render(settings: HeaderSettings<'_>) -> Vec<(&'static str, String)> {
    let mut all: Vec<_> = FILES.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
    all.extend(REFUSED.iter().map(|name| (*name, REFUSAL.to_owned())));
    all.push(("node_version.h", version_header(settings.node_version)));
    all.push(("config.gypi", format!("# Settings of this program.\n{}\n", settings.config)));
    all
}

/// node-gyp reads the version from here.
fn version_header(version: &str) -> String {
    let mut parts = version.split('.');
    let mut text = String::from("#ifndef NODE_VERSION_H\n#define NODE_VERSION_H\n");
    for name in ["MAJOR", "MINOR", "PATCH"] {
        let part = parts.next().unwrap_or("0");
        text.push_str(&format!("#define NODE_{name}_VERSION {part}\n"));
    }
    text.push_str("#define NODE_API_SUPPORTED_VERSION_MAX 10\n#endif\n");
    text
}

#[cfg(test)]
mod tests;
