//! The summary of a build's outputs, in at most 80 columns.

use std::fmt::Write as _;
use std::time::Duration;

use rusk_bundler::{Bundle, OutputKind};
use rusk_terminal::width::columns as width;

const COLUMNS_MAX: usize = 80;

/// Compressed sizes are left out if the code has more bytes: compressing would take longer than
/// the build.
const GZIP_BYTES_MAX: usize = 2 << 20;

/// What servers use.
const GZIP_LEVEL: i32 = 6;

/// The compressed size of each file that has code.
pub fn gzip_sizes(bundle: &Bundle) -> Vec<Option<usize>> {
    let is_code = |kind: OutputKind| matches!(kind, OutputKind::EntryPoint | OutputKind::Chunk);
    let total: usize =
        bundle.files.iter().filter(|file| is_code(file.kind)).map(|file| file.bytes.len()).sum();
    if total > GZIP_BYTES_MAX {
        return vec![None; bundle.files.len()];
    }
    let level = libdeflater::CompressionLvl::new(GZIP_LEVEL).unwrap_or_default();
    let mut compressor = libdeflater::Compressor::new(level);
    let mut buffer = Vec::new();
    let mut size = |bytes: &[u8]| {
        buffer.resize(compressor.gzip_compress_bound(bytes.len()), 0);
        compressor.gzip_compress(bytes, &mut buffer).ok()
    };
    bundle
        .files
        .iter()
        .map(|file| is_code(file.kind).then(|| size(&file.bytes.contiguous())).flatten())
        .collect()
}

/// Outputs with their sizes. `gzip`: compressed ones.
pub fn summary(bundle: &Bundle, gzip: &[Option<usize>], elapsed: Duration) -> String {
    let modules = if bundle.modules == 1 { "module" } else { "modules" };
    let parsed = bundle.parsed.filter(|&parsed| parsed < bundle.modules);
    let parsed = parsed.map_or_else(String::new, |parsed| format!(" ({parsed} parsed)"));
    let mut text = format!("bundled {} {modules}{parsed} in {}\n\n", bundle.modules, duration(elapsed));
    let mut rows: Vec<Row> =
        bundle.files.iter().zip(gzip).map(|(file, gzip)| Row::new(file, *gzip)).collect();
    rows.sort_by_key(|row| row.kind);
    let widest = |column: fn(&Row) -> &str| rows.iter().map(|row| width(column(row))).max().unwrap_or(0);
    let (sizes, gzips) = (widest(|row| &row.size), widest(|row| &row.gzip));
    let after = 2 + sizes + if gzips > 0 { 2 + gzips } else { 0 } + 2 + "(entry point)".len();
    let paths = widest(|row| &row.path).min(COLUMNS_MAX.saturating_sub(2 + after));
    for row in rows {
        let path = shortened(&row.path, paths);
        let space = " ".repeat(paths.saturating_sub(width(&path)));
        let _ = write!(text, "  {path}{space}  {:>sizes$}", row.size);
        if gzips > 0 {
            let _ = write!(text, "  {:>gzips$}", row.gzip);
        }
        let _ = writeln!(text, "  ({})", row.kind.name());
    }
    text
}

struct Row {
    path: String,
    size: String,
    gzip: String,
    kind: OutputKind,
}

impl Row {
    fn new(file: &rusk_bundler::OutputFile, gzip: Option<usize>) -> Row {
        Row {
            path: file.path.display().to_string(),
            size: size(file.bytes.len()),
            gzip: gzip.map_or_else(String::new, |bytes| format!("gzip {}", size(bytes))),
            kind: file.kind,
        }
    }
}

/// A path without its beginning, if it is too wide.
fn shortened(path: &str, columns: usize) -> String {
    if width(path) <= columns {
        return path.to_owned();
    }
    let mut rest = path;
    while width(rest) + 1 > columns {
        let mut characters = rest.chars();
        characters.next();
        rest = characters.as_str();
    }
    format!("…{rest}")
}

fn duration(elapsed: Duration) -> String {
    match elapsed.as_millis() {
        millis @ 0..1000 => format!("{millis} ms"),
        _ => format!("{:.2} s", elapsed.as_secs_f64()),
    }
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{:.2} kB", bytes as f64 / 1e3),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}
