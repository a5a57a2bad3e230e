//! Settings that follow from the surroundings of a build: the first line of a program, variables of
//! the environment. In: a file, variables. Out: values for [`crate::BundleOptions`].

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use rusk_npm::json;

/// The kernel's limit of a first line that names a program: BINPRM_BUF_SIZE.
const HASHBANG_BYTES_MAX: u64 = 256;

/// Whether the first line of a file says that bun runs it. A file that cannot be read is an error
/// of the build.
pub fn names_bun(file: &Path) -> bool {
    let mut line = Vec::new();
    let read = std::fs::File::open(file)
        .and_then(|file| BufReader::new(file.take(HASHBANG_BYTES_MAX)).read_until(b'\n', &mut line));
    let line = String::from_utf8_lossy(&line);
    let is_named = || ["bun", "rusk"].iter().any(|name| line.trim_end().ends_with(name));
    read.is_ok() && line.starts_with("#!") && is_named()
}

/// Variables with a prefix as constants. NODE_ENV, which has a value without being set, is none.
pub fn environment_defines(environment: &BTreeMap<String, String>, prefix: &str) -> Vec<(String, String)> {
    let is_name = |name: &str| {
        name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
            && !name.starts_with(|first: char| first.is_ascii_digit())
    };
    let inlined = environment.iter().filter(|(name, _)| name.starts_with(prefix) && *name != "NODE_ENV");
    let define = |(name, value): (&String, &String)| (format!("process.env.{name}"), string_constant(value));
    inlined.filter(|(name, _)| is_name(name)).map(define).collect()
}

/// The source text of a string.
pub fn string_constant(text: &str) -> String {
    let mut quoted = String::new();
    json::quote_into(&mut quoted, text);
    quoted
}
