//! File names of chunks. Names with a hash depend on the content, and the content on the names of
//! other chunks, so code is printed with a token of the hash's length in place of each name. In:
//! chunks. Out: paths, and code with all tokens replaced.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::chunk::{Chunk, ChunkIndex};
use crate::exports;
use crate::link::Linked;
use crate::module::{Module, ModuleIndex};
use crate::options::{BundleOptions, Destination};
use crate::render::RenderedChunk;

/// Characters around the number of a token: private ones, which no program contains. A token has as
/// many UTF-16 units as a hash, so that columns of source maps stay.
const TOKEN_START: char = '\u{e0f1}';
const TOKEN_END: char = '\u{e0f2}';
const TOKEN_DIGITS: usize = exports::HASH_CHARACTERS - 2;

/// The paths of all chunks, and one for the functions that they share. Relative to the output
/// directory.
pub(crate) fn paths(linked: &Linked, options: &BundleOptions, root: &Path) -> Vec<PathBuf> {
    let mut used = BTreeSet::new();
    let shared = Chunk::default();
    let chunks = linked.chunks.iter().chain([&shared]).enumerate();
    let mut paths = Vec::with_capacity(linked.chunks.len() + 1);
    for (index, chunk) in chunks {
        let (template, source) = template(linked, chunk, options, root);
        let worker = chunk.entry.and_then(|entry| linked.worker_paths.get(&entry));
        let path = match &options.destination {
            _ if worker.is_some() => worker.cloned().unwrap_or_default(),
            Destination::File(file) if index == 0 && has_given_name(linked, chunk, options) => {
                PathBuf::from(file.file_name().unwrap_or_default())
            }
            _ => exports::fill_template(template, &source, "js", &token(index)),
        };
        let is_entry = chunk.entry.is_some() && !chunk.is_dynamic;
        let path = if is_entry { path } else { unused(path, &used) };
        used.insert(path.clone());
        paths.push(path);
    }
    paths
}

/// Whether an entry point's chunk is the file of --outfile: an executable may have further ones.
fn has_given_name(linked: &Linked, chunk: &Chunk, options: &BundleOptions) -> bool {
    let Some(entry) = chunk.entry.filter(|_| !is_page(linked, chunk)) else { return false };
    matches!(options.entries.as_slice(), [_]) || is_first(&linked.modules[entry], options)
}

fn is_first(module: &Module, options: &BundleOptions) -> bool {
    let first = options.entries.first();
    first.is_some_and(|first| module.path == rusk_base::files::normalized(&options.current_dir.join(first)))
}

/// Files of workers: other bundles have their names too, so no hash of the content is in them.
pub(crate) fn worker_paths(
    linked: &Linked,
    options: &BundleOptions,
    root: &Path,
) -> FxHashMap<ModuleIndex, PathBuf> {
    let workers = linked.modules.iter().enumerate().filter(|(_, module)| module.is_worker);
    let path = |module: &Module| {
        if let Destination::File(file) = &options.destination
            && is_first(module, options)
        {
            return PathBuf::from(file.file_name().unwrap_or_default());
        }
        let source = PathBuf::from(exports::relative_path(root, &module.path));
        let hash = exports::hash(source.as_os_str().as_encoded_bytes());
        exports::fill_template(&options.naming.entry, &source, "js", &hash)
    };
    workers.map(|(index, module)| (index, path(module))).collect()
}

fn template<'o>(
    linked: &Linked,
    chunk: &Chunk,
    options: &'o BundleOptions,
    root: &Path,
) -> (&'o str, PathBuf) {
    let Some(entry) = chunk.entry else { return (&options.naming.chunk, PathBuf::from("chunk")) };
    let source = PathBuf::from(exports::relative_path(root, &linked.modules[entry].path));
    let template = if chunk.is_dynamic || is_page(linked, chunk) {
        &options.naming.chunk
    } else {
        &options.naming.entry
    };
    (template, source)
}

/// Whether the chunk has the scripts of a page, whose own name the HTML has.
fn is_page(linked: &Linked, chunk: &Chunk) -> bool {
    chunk.entry.is_some_and(|entry| linked.modules[entry].html.is_some())
}

/// Chunks without a hash in their names may have one name.
fn unused(path: PathBuf, used: &BTreeSet<PathBuf>) -> PathBuf {
    let (stem, extension) = (path.file_stem(), path.extension());
    let mut candidate = path.clone();
    let mut number = 1;
    while used.contains(&candidate) {
        number += 1;
        let mut name = stem.unwrap_or_default().to_owned();
        name.push(number.to_string());
        candidate = path.with_file_name(name);
        if let Some(extension) = extension {
            candidate.as_mut_os_string().push(".");
            candidate.as_mut_os_string().push(extension);
        }
    }
    candidate
}

fn token(chunk: ChunkIndex) -> String {
    format!("{TOKEN_START}{chunk:0TOKEN_DIGITS$}{TOKEN_END}")
}

/// How code in one chunk imports another one.
pub(crate) fn specifier(linked: &Linked, from: ChunkIndex, to: ChunkIndex) -> String {
    url(linked, from, &linked.chunk_paths[to])
}

/// The URL of an output for code in a chunk.
pub(crate) fn url(linked: &Linked, from: ChunkIndex, path: &Path) -> String {
    if !linked.public_path.is_empty() {
        return format!("{}{}", linked.public_path, path.display());
    }
    let directory = Path::new("/").join(linked.chunk_paths[from].parent().unwrap_or(Path::new("")));
    let relative = exports::relative_path(&directory, &Path::new("/").join(path));
    if relative.starts_with("../") { relative } else { format!("./{relative}") }
}

/// Whether the name of a chunk has a hash.
pub(crate) fn has_hash(linked: &Linked, chunk: ChunkIndex) -> bool {
    linked.chunk_paths[chunk].to_string_lossy().contains(TOKEN_START)
}

/// The hash of each chunk: of its code, and of that of all chunks that it refers to.
pub(crate) fn hashes(code: &FxHashMap<ChunkIndex, &str>) -> FxHashMap<ChunkIndex, String> {
    let pieces: FxHashMap<ChunkIndex, Pieces> =
        code.iter().map(|(&chunk, text)| (chunk, Pieces::of(text))).collect();
    pieces.keys().map(|&chunk| (chunk, final_hash(chunk, &pieces))).collect()
}

/// Puts the names of chunks into their code. Out: the hashes in the names.
pub(crate) fn set_names(chunks: &mut [RenderedChunk]) -> FxHashMap<ChunkIndex, String> {
    let code = chunks.iter_mut().map(|chunk| std::mem::take(&mut chunk.code).into_text());
    let code: Vec<String> = code.collect();
    let indices = chunks.iter().map(|chunk| chunk.index);
    let hashes = hashes(&indices.zip(code.iter().map(String::as_str)).collect());
    for (chunk, code) in chunks.iter_mut().zip(&code) {
        chunk.code = replace(code, &hashes).into();
    }
    hashes
}

/// The code of a chunk without the names of others.
struct Pieces {
    hash: String,
    /// In the order of the code.
    references: Vec<ChunkIndex>,
}

impl Pieces {
    fn of(text: &str) -> Pieces {
        let mut own = String::with_capacity(text.len());
        let mut references: Vec<ChunkIndex> = Vec::new();
        split_tokens(text, |before, chunk| {
            own.push_str(before);
            if let Some(chunk) = chunk.filter(|chunk| !references.contains(chunk)) {
                references.push(chunk);
            }
        });
        Pieces { hash: exports::hash(own.as_bytes()), references }
    }
}

fn final_hash(chunk: ChunkIndex, pieces: &FxHashMap<ChunkIndex, Pieces>) -> String {
    let mut visited = BTreeSet::from([chunk]);
    let mut order = vec![chunk];
    let mut at = 0;
    while let Some(&next) = order.get(at) {
        at += 1;
        for &reference in pieces.get(&next).map_or(&[][..], |pieces| &pieces.references) {
            if visited.insert(reference) {
                order.push(reference);
            }
        }
    }
    let mut all: String =
        order.iter().filter_map(|chunk| pieces.get(chunk)).map(|pieces| pieces.hash.as_str()).collect();
    if all.len() == exports::HASH_CHARACTERS {
        return all;
    }
    all = exports::hash(all.as_bytes());
    all
}

/// Replaces all tokens.
pub(crate) fn replace(text: &str, hashes: &FxHashMap<ChunkIndex, String>) -> String {
    let mut out = String::with_capacity(text.len());
    split_tokens(text, |before, chunk| {
        out.push_str(before);
        out.push_str(chunk.and_then(|chunk| hashes.get(&chunk)).map_or("", String::as_str));
    });
    out
}

/// The length of a text when its tokens are replaced.
pub(crate) fn final_bytes(text: &str) -> usize {
    let mut bytes = 0;
    split_tokens(text, |before, chunk| {
        bytes += before.len() + if chunk.is_some() { exports::HASH_CHARACTERS } else { 0 };
    });
    bytes
}

/// Calls `visit` with each piece of text and the chunk whose token follows it.
fn split_tokens(text: &str, mut visit: impl FnMut(&str, Option<ChunkIndex>)) {
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = rest[from..].find(TOKEN_START).map(|at| at + from) {
        let number = &rest[at + TOKEN_START.len_utf8()..];
        let end = number.find(TOKEN_END).filter(|&end| end == TOKEN_DIGITS);
        match end.and_then(|end| number[..end].parse().ok()) {
            Some(chunk) => {
                visit(&rest[..at], Some(chunk));
                rest = &number[TOKEN_DIGITS + TOKEN_END.len_utf8()..];
                from = 0;
            }
            None => from = at + TOKEN_START.len_utf8(),
        }
    }
    visit(rest, None);
}

#[cfg(test)]
mod tests;
