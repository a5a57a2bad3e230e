//! Build script of an extension: embeds the JavaScript files below its `js/` directory. In: the
//! crate's directory, from cargo. Out: `builtins.rs` in `OUT_DIR`, a table of module ids and
//! sources, each source wrapped as the function that the runtime compiles. Absent: what the files
//! contain.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Directories below `js/` whose files are builtins: `node/fs`, `web/url`, `internal/errors`.
const DIRECTORIES: [&str; 3] = ["node", "internal", "web"];

/// Ids, or beginnings of ids, of shared builtins: in a process that renews its global object they
/// are compiled once, in a global object of their own, and run for each of the others. Their code
/// is warm then, and sees as `Error`, `Promise` and so on what the other global object has.
const SHARED: [&str; 23] = [
    "internal/async_context",
    "internal/builtin_list",
    "internal/esm",
    "internal/esm/evaluate",
    "internal/esm/failure",
    "internal/esm/kept_modules",
    "internal/esm/link",
    "internal/esm/namespace",
    "internal/esm/promise",
    "internal/esm/record",
    "internal/esm/retained_modules",
    "internal/esm/synthetic",
    "internal/expect/",
    "internal/globals",
    "internal/modules/file_url",
    "internal/modules/function_import",
    "internal/modules/main_module",
    "internal/modules/resolution_result",
    "internal/stack",
    "internal/test_files/",
    "internal/transpiler_runtime",
    "node/bun/test",
    "node/bun/vitest",
];

/// Names of the engine's globals that shared builtins read from the global object for which they
/// run: those by which programs tell global objects apart.
const INTRINSICS: [&str; 25] = [
    "globalThis",
    "Array",
    "ArrayBuffer",
    "BigInt",
    "Boolean",
    "DataView",
    "Date",
    "Error",
    "Function",
    "Map",
    "Number",
    "Object",
    "Promise",
    "RangeError",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "Uint8Array",
    "WeakMap",
    "WeakSet",
];

/// Writes the table. Cargo runs the build script again when a file below `js/` changes.
#[expect(clippy::print_stdout, reason = "cargo reads what a build script prints")]
pub fn embed_builtins() -> io::Result<()> {
    println!("cargo::rerun-if-changed=js");
    let root = Path::new(&variable("CARGO_MANIFEST_DIR")).join("js");
    let mut files = Vec::new();
    for directory in DIRECTORIES.map(|name| root.join(name)).iter().filter(|path| path.is_dir()) {
        scan(directory, &mut files)?;
    }
    let mut ids: Vec<(String, &PathBuf)> = files.iter().map(|file| (id(&root, file), file)).collect();
    ids.sort();
    let mut table = String::from("pub static BUILTINS: &[rusk_runtime::Builtin] = &[\n");
    for (id, file) in ids {
        let source = fs::read_to_string(file)?;
        assert!(
            source.is_ascii(),
            "{}: the engine reads the source in place, so it is ASCII",
            file.display()
        );
        let (hash, [head, tail], is_shared) = (id_hash(&id), wrapper(&id, &source), is_shared(&id));
        writeln!(
            table,
            "rusk_runtime::Builtin {{ id_hash: {hash}, id: {id:?}, is_shared: {is_shared}, source: concat!({head:?}, include_str!({file:?}), {tail:?}) }},"
        )
            .expect("a string takes what is written");
    }
    table.push_str("];\n");
    fs::write(Path::new(&variable("OUT_DIR")).join("builtins.rs"), table)
}

/// The beginning and the end of the function whose body a builtin is. The beginning is on the line
/// of the file's first one, so that line numbers are right. A shared builtin is the body of a
/// function that another one returns: that takes the global object, and reads of it only what the
/// file names, because the engine makes most of its objects when they are first read.
pub fn wrapper(id: &str, body: &str) -> [String; 2] {
    let function = "function (exports, require, module, internalBinding) {";
    if !is_shared(id) {
        return [format!("({function}"), "\n})".to_owned()];
    }
    let is_word_part = |character: char| character.is_ascii_alphanumeric() || "_$".contains(character);
    let words: BTreeSet<&str> = body.split(|character| !is_word_part(character)).collect();
    let named: Vec<&str> = INTRINSICS.into_iter().filter(|name| words.contains(name)).collect();
    let read = format!("const {{ {} }} = realm;", named.join(", "));
    [format!("(function (realm) {{ {read} return {function}"), "\n}; })".to_owned()]
}

/// Whether the builtin is compiled once for all global objects of a process.
pub fn is_shared(id: &str) -> bool {
    SHARED
        .iter()
        .any(|shared| id.strip_prefix(shared).is_some_and(|rest| rest.is_empty() || shared.ends_with('/')))
}

/// Hash of an id (FNV-1a), by which the runtime finds a builtin. A search by the ids themselves
/// would load their pages, which lie between the sources, at every start.
pub const fn id_hash(id: &str) -> u64 {
    let bytes = id.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0100_0000_01b3);
        index += 1;
    }
    hash
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
