//! Collects the JavaScript of js/node, js/internal and js/web. In: the folders. Out: a table of
//! name and source, sorted, each source wrapped as the function that `src/builtins.rs` compiles.
//! Cargo runs this again when a file of the crate changes.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const FOLDERS: [&str; 3] = ["node", "internal", "web"];

/// On the line of the file's first one, so that lines are right.
const HEAD: &str = "(function (exports, require, module, native) {";

fn main() -> io::Result<()> {
    let root = Path::new(&variable("CARGO_MANIFEST_DIR")).join("js");
    let mut files = Vec::new();
    for folder in FOLDERS {
        scan(&root.join(folder), &mut files)?;
    }
    let mut names: Vec<(String, &PathBuf)> = files.iter().map(|file| (name(&root, file), file)).collect();
    names.sort();
    let mut table = format!("pub(super) static SOURCES: [(&str, &str); {}] = [\n", names.len());
    for (name, file) in names {
        let text = fs::read_to_string(file)?;
        assert!(text.is_ascii(), "{} is ASCII, so that the engine reads it where it lies", file.display());
        writeln!(table, "({name:?}, concat!({HEAD:?}, include_str!({file:?}), \"\\n}})\")),")
            .expect("a text takes what is written");
    }
    table.push_str("];\n");
    fs::write(Path::new(&variable("OUT_DIR")).join("builtins.rs"), table)
}

fn variable(name: &str) -> String {
    env::var(name).expect("cargo sets it")
}

fn scan(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            scan(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "js") {
            files.push(path);
        }
    }
    Ok(())
}

/// `node/fs/promises`.
fn name(root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).expect("it was found there").with_extension("");
    inside.to_str().expect("our names are ASCII").to_owned()
}
