//! Assets: files that are copied beside the code, and `data:` URLs. In: a file's bytes. Out: the
//! module whose value is the path, and the file to write.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{ScanJob, Scanner};
use crate::data_module::DataModule;
use crate::exports;
use crate::loader::Loader;
use crate::module::Module;
use crate::options::{BundleOptions, ModuleFormat};

/// A file to copy.
#[derive(Clone, Debug)]
pub(crate) struct Asset {
    /// Relative to the output directory.
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

impl Scanner {
    /// Adds the file to the outputs. The value is its URL, which rendering makes relative to the
    /// chunk; for native addons, the addon.
    pub(super) fn add_asset(&self, job: &ScanJob, module: &mut Module, bytes: &[u8]) -> DataModule {
        let path = exports::output_path(&self.options.naming.asset, Path::new(&module.name), "", bytes);
        let url = match self.options.public_path.as_str() {
            "" => format!("./{}", path.display()),
            prefix => format!("{prefix}{}", path.display()),
        };
        let mut assets = self.assets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        module.asset = Some(path.clone());
        assets.push(Asset { path, bytes: bytes.to_vec() });
        value(&url, job.loader, &self.options)
    }
}

/// The URL of a file in the output; for native addons the addon, for databases an open one.
pub(crate) fn value(url: &str, loader: Loader, options: &BundleOptions) -> DataModule {
    let path = DataModule::of_text(url);
    match loader {
        Loader::Napi => DataModule::of_expression(format!("__require({})", path.text)),
        Loader::SqliteEmbedded => DataModule::of_expression(database(&path.text, options)),
        _ => path,
    }
}

/// A database with the content of a file, whose path is a string in quotes. Changes of it stay in
/// memory.
fn database(path: &str, options: &BundleOptions) -> String {
    let path = match (options.is_executable, options.format) {
        (true, _) => path.to_owned(),
        (false, ModuleFormat::Esm) => format!("new URL({path}, import.meta.url)"),
        (false, ModuleFormat::CommonJs | ModuleFormat::Iife) => {
            format!("__require(\"node:path\").join(__dirname, {path})")
        }
    };
    format!("__require(\"bun:sqlite\").Database.deserialize(__require(\"node:fs\").readFileSync({path}))")
}

pub(super) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// An expression whose value is an array with these bytes.
pub(super) fn byte_array(bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    format!("/* @__PURE__ */ Uint8Array.from(atob(\"{text}\"), (character) => character.charCodeAt(0))")
}

/// A `data:` URL of a file.
pub(super) fn data_url(path: &Path, bytes: &[u8]) -> String {
    format!("data:{};base64,{}", media_type(path), STANDARD.encode(bytes))
}

pub(crate) fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|end| end.to_str()).unwrap_or("") {
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "otf" => "font/otf",
        "mp3" => "audio/mpeg",
        "mp4" => "video/mp4",
        "webm" => "video/webm",
        "css" => "text/css;charset=utf-8",
        "html" => "text/html;charset=utf-8",
        "js" | "mjs" => "text/javascript;charset=utf-8",
        "json" => "application/json",
        "txt" => "text/plain;charset=utf-8",
        "wasm" => "application/wasm",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}
