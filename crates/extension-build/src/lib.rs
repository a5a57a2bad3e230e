//! Build script of an extension: embeds the JavaScript files below its `js/` directory. In: the crate's
//! directory, from cargo. Out: `builtins.rs` in `OUT_DIR`, a sorted table of module ids and sources,
//! each source wrapped as the function that the runtime compiles. Absent: what the files contain.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Directories below `js/` whose files are builtins: `node/fs`, `web/url`, `internal/errors`.
const DIRECTORIES: [&str; 3] = ["node", "internal", "web"];

/// It is on the line of the file's first one, so that line numbers are right.
const HEAD: &str = "(function (exports, require, module, internalBinding) {";

/// Writes the table. Cargo runs the build script again when a file below `js/` changes.
pub fn embed_builtins() -> io::Result<()> {
    println!("cargo::rerun-if-changed=js");
    let root = Path::new(&variable("CARGO_MANIFEST_DIR")).join("js");
    let mut files = Vec::new();
    for directory in DIRECTORIES.map(|name| root.join(name)).iter().filter(|path| path.is_dir()) {
        scan(directory, &mut files)?;
    }
    let mut ids: Vec<(String, &PathBuf)> = files.iter().map(|file| (id(&root, file), file)).collect();
    ids.sort();
    let mut table = String::from("pub static BUILTINS: &[(&str, &str)] = &[\n");
    for (id, file) in ids {
        let source = fs::read_to_string(file)?;
        assert!(
            source.is_ascii(),
            "{}: the engine reads the source in place, so it is ASCII",
            file.display()
        );
        writeln!(table, "({id:?}, concat!({HEAD:?}, include_str!({file:?}), \"\\n}})\")),")
            .expect("a string takes what is written");
    }
    table.push_str("];\n");
    fs::write(Path::new(&variable("OUT_DIR")).join("builtins.rs"), table)
}

fn variable(name: &str) -> String {
    env::var(name).expect("cargo sets it")
}

fn scan(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            scan(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "js") {
            files.push(path);
        }
    }
    Ok(())
}

/// The id by which other builtins require a file: `node/fs/promises`.
fn id(root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).expect("it was found there").with_extension("");
    inside.to_str().expect("our file names are ASCII").to_owned()
}
