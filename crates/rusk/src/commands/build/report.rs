//! The summary of a build's outputs.

use std::fmt::Write as _;
use std::time::Duration;

use rusk_bundler::Bundle;

/// Outputs with their sizes.
pub fn summary(bundle: &Bundle, elapsed: Duration) -> String {
    let modules = if bundle.modules == 1 { "module" } else { "modules" };
    let mut text = format!("bundled {} {modules} in {}\n\n", bundle.modules, duration(elapsed));
    let mut rows: Vec<(String, String, &str)> = bundle
        .files
        .iter()
        .map(|file| (file.path.display().to_string(), size(file.bytes.len()), file.kind.name()))
        .collect();
    let order =
        |kind: &str| ["entry point", "chunk", "asset", "source map"].iter().position(|one| *one == kind);
    rows.sort_by_key(|(_, _, kind)| order(kind));
    let path_width = rows.iter().map(|(path, _, _)| path.chars().count()).max().unwrap_or(0);
    let size_width = rows.iter().map(|(_, size, _)| size.len()).max().unwrap_or(0);
    for (path, size, kind) in rows {
        let _ = writeln!(text, "  {path:path_width$}  {size:>size_width$}  ({kind})");
    }
    text
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
