//! Measures how long files take: `cargo run --release -p rusk-transpile --example speed FILE…`. It
//! prints one line per file: its bytes, then the microseconds that the scan, a parse and the
//! detection of CommonJS exports take. Each is the best of several rounds.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use rusk_transpile::{Language, Options, cjs_exports, transpile, transpile_parsed};

const ROUNDS: u32 = 9;

fn main() {
    for path in std::env::args().skip(1) {
        let source = String::from_utf8_lossy(&std::fs::read(&path).expect("it can be read")).into_owned();
        let extension = Path::new(&path).extension().and_then(|end| end.to_str()).unwrap_or("js");
        let options = Options::new(Language::of_extension(extension).unwrap_or(Language::JavaScript), None);
        let short = best(|| _ = black_box(transpile(&source, &path, &options)));
        let whole = best(|| _ = black_box(transpile_parsed(&source, &path, &options)));
        let names = best(|| _ = black_box(cjs_exports(&source)));
        println!("{:9} {short:9.1?} {whole:9.1?} {names:9.1?} {path}", source.len());
    }
}

fn best(mut work: impl FnMut()) -> Duration {
    let once = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed()
    };
    (0..ROUNDS).map(once).min().unwrap_or_default()
}
