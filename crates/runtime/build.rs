//! Collects the JavaScript of js. In: its files. Out: a table of name and source, sorted, sources of js/node, js/internal and js/web wrapped as the
//! functions that `src/builtins.rs` compiles, and a stamp of them all. Cargo runs this again when a file of the crate changes.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const FOLDERS: [&str; 3] = ["node", "internal", "web"];

/// Scripts, run as they are before there is anything to require them.
const ROOTS: [&str; 3] = ["bootstrap", "heap", "queues"];

/// On the line of the file's first one, so that lines are right.
const HEAD: &str = "(function (exports, require, module, native) {";
const TAIL: &str = "\n})";

fn main() -> io::Result<()> {
    let root = Path::new(&variable("CARGO_MANIFEST_DIR")).join("js");
    let mut files = ROOTS.map(|name| root.join(name).with_extension("js")).to_vec();
    for folder in FOLDERS {
        scan(&root.join(folder), &mut files)?;
    }
    let mut names: Vec<(String, &PathBuf)> = files.iter().map(|file| (name(&root, file), file)).collect();
    names.sort();
    let mut table = format!("pub(super) static SOURCES: [(&str, &str); {}] = [\n", names.len());
    let mut stamp = DefaultHasher::new();
    for (name, file) in names {
        let text = fs::read_to_string(file)?;
        assert!(text.is_ascii(), "{} is ASCII, so that the engine reads it where it lies", file.display());
        let (head, tail) = if ROOTS.contains(&name.as_str()) { ("", "") } else { (HEAD, TAIL) };
        writeln!(table, "({name:?}, concat!({head:?}, include_str!({file:?}), {tail:?})),")
            .expect("a text takes what is written");
        (name, head, text, tail).hash(&mut stamp);
    }
    table.push_str("];\n");
    let stamp = format!("{:016x}", stamp.finish());
    writeln!(table, "/// Of other sources it is another one.\npub(super) const STAMP: &str = {stamp:?};")
        .expect("a text takes what is written");
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
