//! Bundles that are minified. In: the source of one module. Out: the code.

use std::path::{Path, PathBuf};

use crate::{BundleOptions, MemoryFiles, Minify, bundle};

use super::ONE_PASS_BYTES_MIN;

fn minified(source: String) -> String {
    let directory = Path::new("/memory");
    let options = BundleOptions {
        minify: Minify::ALL,
        keeps_annotations: false,
        files: MemoryFiles::new(directory, [("entry.js".to_owned(), source.into_bytes())]),
        ..BundleOptions::new(PathBuf::from(directory), vec!["./entry.js".to_owned()])
    };
    let bundle = bundle(&options).expect("a bundle");
    bundle.files[0].bytes.clone().into_text()
}

#[test]
fn large_modules_have_strings_once() {
    let source = "const text = 'a text that one place uses'; let count = 0, unused = `b`;\n\
                  export const all = { text, next: () => ++count };";
    let large = format!("{source}/*{}*/", "x".repeat(ONE_PASS_BYTES_MIN as usize));
    let code = minified(large);
    assert_eq!(code.matches("a text").count(), 1, "{code}");
    assert_eq!(code, minified(source.to_owned()));
}
