//! House rules that a program can check, one test each. A failure names file, line and what to
//! write instead. Lists of exceptions only shrink: an entry that is no longer needed fails too.
//! Absent: what rustfmt and clippy check already.

mod tidy {
    pub mod arrows;
    pub mod lexer;
    pub mod locks;
    pub mod names;
    pub mod not_yet;
    pub mod prose;
    pub mod source;
    mod tests;
    pub mod vocabulary;
}

use std::collections::BTreeMap;

use tidy::not_yet::{self, Finding};
use tidy::source::{self, Source};
use tidy::{names, prose, vocabulary};

/// Code lines in one function. Clippy counts the same; here it also holds for code clippy does not
/// see.
const FUNCTION_LINES_MAX: usize = 70;
/// Lines in one file: more than this is two subjects.
const FILE_LINES_MAX: usize = 500;
/// Files that are longer, each with its reason in a comment.
const LONG_FILES: &[&str] = &[];
/// Types of one name, tests left out: more than this are different things under one word.
const TYPES_OF_A_NAME_MAX: usize = 4;

/// A part of a name that says nothing, and what says it.
const NAME_WORDS: &[(&str, &str)] = &[
    ("manager", "the noun it holds: `Store`, `Pool`"),
    ("util", "the name of its subject"),
    ("utils", "the name of its subject"),
    ("common", "the name of its subject"),
    ("helper", "the verb it performs"),
    ("helpers", "the name of their subject"),
];
/// Names in which such a word is the field's term.
const TERMS: &[&str] = &[
    // A transpiler's helpers are functions that its output calls.
    "wrap_in_helper",
    "HelperFunction",
    // What two strings begin with.
    "common_prefix_bytes",
    // JavaScriptCore: `getOwnPropertySlot`.
    "get_own_property_slot",
];
const FUNCTION_PREFIXES: &[(&str, &str)] =
    &[("get_", "the noun alone, `version()`; or find_, read_, fetch_"), ("do_", "the verb alone")];

#[test]
fn every_file_begins_with_what_it_is() {
    let wrong = source::rust_files().into_iter().filter(|file| !file.text.starts_with("//!"));
    report(wrong.map(|file| format!("{}:1: begin with `//!`: what goes in, what comes out", file.path)));
}

#[test]
fn tests_stand_in_their_own_file() {
    report(lines_with(&source::rust_files(), |line| {
        line.contains("mod tests {")
            .then(|| "write `mod tests;` and move the tests to `name/tests.rs`".to_owned())
    }));
}

#[test]
fn names_say_something() {
    report(lines_with(&source::rust_files(), |line| {
        let (keyword, name) = source::definition(line).filter(|(_, name)| !TERMS.contains(name))?;
        let prefix = FUNCTION_PREFIXES.iter().find(|(prefix, _)| keyword == "fn" && name.starts_with(prefix));
        let word = || NAME_WORDS.iter().find(|(word, _)| source::words(name).iter().any(|part| part == word));
        let (banned, instead) = prefix.or_else(word)?;
        Some(format!("`{name}` has `{banned}`; write {instead}"))
    }));
}

#[test]
fn names_are_the_fields_terms() {
    check("names", vocabulary::banned_names);
}

#[test]
fn prose_is_plain() {
    check("words", vocabulary::banned_prose);
}

#[test]
fn comments_and_markdown_fit_the_page() {
    check("columns", |file| {
        let wide = prose::wide_lines(file).into_iter();
        let most = prose::COLUMNS_MAX;
        wide.map(|(line, columns)| (line, format!("{columns} columns, {most} is the limit; wrap it")))
            .collect()
    });
}

#[test]
fn paragraphs_are_short() {
    check("paragraphs", |file| {
        let long = prose::long_paragraphs(file).into_iter();
        let most = prose::PARAGRAPH_WORDS_MAX;
        long.map(|(line, words)| (line, format!("{words} words, {most} is the limit; split it"))).collect()
    });
}

#[test]
fn every_builtin_begins_with_what_it_is() {
    check("heads", |file| {
        let is_crate = file.path.starts_with("crates/") || file.path.starts_with("ext/");
        let is_builtin = is_crate && file.path.contains("/js/");
        let wrong = is_builtin && file.path.ends_with(".js") && !prose::begins_with_comment(&file.text);
        wrong.then(|| (1, "begin with a comment: what the module is".to_owned())).into_iter().collect()
    });
}

#[test]
fn one_type_name_means_one_thing() {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in source::rust_files().iter().filter(|file| !file.is_test_or_build()) {
        for name in names::defined(file).into_iter().filter(|name| name.kind == names::Kind::Type) {
            types.entry(name.name).or_default().push(format!("{}:{}", file.path, name.line));
        }
    }
    types.retain(|_, definitions| definitions.len() > TYPES_OF_A_NAME_MAX);
    let mut findings = Vec::new();
    for (name, definitions) in types {
        findings.extend(definitions.into_iter().map(|definition| Finding {
            group: format!("type:{name}"),
            text: format!("{definition}: many types are named `{name}`; name this one after what it is"),
        }));
    }
    report(not_yet::compare("definitions", &findings).into_iter());
}

#[test]
fn unsafe_code_stays_in_its_directories() {
    const ALLOWED: &[&str] = &[
        "lib/spawn/",
        "lib/spawn-c/",
        "crates/brotli-zstd/",
        "crates/sqlite/",
        "crates/jsc/",
        "crates/ffi/",
        "crates/node-api/",
        "crates/openssl/",
        "crates/base/src/sys",
    ];
    let files = source::rust_files_outside(ALLOWED);
    report(lines_with(&files, |line| {
        let found = source::identifiers(line).any(|word| word == "unsafe");
        found.then(|| "move the call to `crates/base/src/sys`, one call wide".to_owned())
    }));
}

#[test]
fn only_the_binary_prints_exits_and_reads_the_environment() {
    const ALLOWED: &[&str] = &[
        "crates/rusk/",
        "crates/extension-build/",
        "crates/fuzz-targets/",
        "crates/testkit/",
        "lib/spawn/bench/",
        "bench/",
        "xtask/",
        "fuzz/",
    ];
    const BANNED: &[&str] = &[
        "println!",
        "print!",
        "eprintln!",
        "eprint!",
        "dbg!",
        "io::stdout",
        "io::stderr",
        "process::exit",
        "process::abort",
        "env::var",
        "env::vars",
        "env::args",
        "env::current_dir",
        "env::current_exe",
        "env::home_dir",
        "env::temp_dir",
        "env::set_var",
    ];
    let mut files = source::rust_files_outside(ALLOWED);
    files.retain(|file| !file.is_test_or_build());
    report(lines_with(&files, |line| {
        // The wrappers of `base` have the same names, and the extensions call those.
        let line = line.replace("sys::process::", "");
        let found = BANNED.iter().find(|banned| source::has_word(&line, banned))?;
        Some(format!(
            "`{found}` belongs to `crates/rusk`; take the value as an argument, return what to print"
        ))
    }));
}

#[test]
fn functions_fit_a_screen() {
    let files = source::rust_files();
    report(files.iter().flat_map(|file| {
        let long = source::functions(file).into_iter().filter(|function| function.lines > FUNCTION_LINES_MAX);
        long.map(|function| {
            let source::Function { name, line, lines } = function;
            format!(
                "{}:{line}: `{name}` has {lines} lines, {FUNCTION_LINES_MAX} is the limit; name its phases",
                file.path
            )
        })
    }));
}

#[test]
fn files_are_short() {
    let long = |file: &Source| file.text.lines().count() > FILE_LINES_MAX;
    let mut wrong = Vec::new();
    for file in source::rust_files() {
        match (long(&file), LONG_FILES.contains(&file.path.as_str())) {
            (true, false) => {
                wrong.push(format!("{}:{FILE_LINES_MAX}: longer than this is two subjects", file.path));
            }
            (false, true) => wrong.push(format!("{}:1: short again; strike it off LONG_FILES", file.path)),
            _ => {}
        }
    }
    report(wrong.into_iter());
}

#[test]
fn no_package_registry_is_named() {
    let hosts = [
        ["registry.npmjs", ".org"],
        ["registry.npmjs", ".com"],
        ["registry.yarnpkg", ".com"],
        ["registry.npmmirror", ".com"],
        ["npm.pkg.github", ".com"],
        ["npm.jsr", ".io"],
    ]
    .map(|parts| parts.concat());
    let files = source::tracked().into_iter().filter(|file| file.file_name() != "Cargo.lock");
    report(files.flat_map(|file| {
        file.found_lines(|line| {
            let host = hosts.iter().find(|host| line.contains(host.as_str()))?;
            Some(format!("`{host}`: write `registry.test`, or take the default from npmrc-config-rs"))
        })
    }));
}

#[test]
fn no_path_of_this_machine_is_written() {
    let roots = [["/wo", "rk/"], ["/ro", "ot/"]].map(|parts| parts.concat());
    report(source::tracked().into_iter().flat_map(|file| {
        file.found_lines(|line| {
            // A container's user is root.
            let is_container = line.starts_with("RUN --mount");
            let root = roots.iter().find(|root| source::starts_a_path(line, root) && !is_container)?;
            Some(format!("`{root}`: write a path relative to the repository"))
        })
    }));
}

#[test]
fn what_is_left_to_do_has_a_reason() {
    let marks = [["TO", "DO"], ["FIX", "ME"]].map(|parts| parts.concat());
    let files = source::tracked().into_iter().filter(Source::is_ours);
    report(files.flat_map(|file| {
        file.found_lines(|line| {
            let mark = marks.iter().find(|mark| {
                let after = line.split_once(mark.as_str()).map(|(_, after)| after);
                source::has_word(line, mark) && after.is_some_and(|after| !after.starts_with('('))
            })?;
            Some(format!("write `{mark}(why it waits): what`, or an issue, or do it"))
        })
    }));
}

#[test]
fn crates_depend_only_along_the_arrows() {
    report(tidy::arrows::undrawn(&tidy::arrows::drawn(), &tidy::arrows::existing()).into_iter());
}

#[test]
fn lock_files_beside_ours_know_our_crates() {
    report(["bench/resolve/Cargo.lock", "fuzz/Cargo.lock"].into_iter().flat_map(tidy::locks::stale));
}

#[test]
fn every_crate_is_drawn() {
    let drawn = tidy::arrows::drawn();
    let missing =
        tidy::arrows::existing().into_keys().filter(|name| name != "xtask" && !drawn.contains_key(name));
    report(missing.map(|name| format!("ARCHITECTURE.md:1: `{name}` is not among the arrows; draw it")));
}

#[test]
fn every_outside_crate_has_its_reason() {
    let architecture = source::read("ARCHITECTURE.md");
    let manifest = source::read("Cargo.toml");
    let missing = tidy::arrows::outside_crates(&manifest)
        .into_iter()
        .filter(|(_, name)| !architecture.contains(&format!("| `{name}` |")));
    report(missing.map(|(line, name)| {
        format!("Cargo.toml:{line}: `{name}` is not in ARCHITECTURE.md; add `| `{name}` | what it saves | what it pulls in |`")
    }));
}

/// Checks every file by a rule that has exceptions in `not-yet.txt`.
#[track_caller]
fn check(rule: &str, wrong_lines: impl Fn(&Source) -> Vec<(usize, String)>) {
    let mut findings = Vec::new();
    for file in source::tracked() {
        let wrong = wrong_lines(&file).into_iter();
        findings.extend(wrong.map(|(line, message)| Finding::new(&file, line, &message)));
    }
    report(not_yet::compare(rule, &findings).into_iter());
}

/// The findings of a rule in each line of code, comments and strings left out.
fn lines_with(files: &[Source], rule: impl Fn(&str) -> Option<String>) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    for file in files {
        for (index, line) in file.code.lines().enumerate() {
            found.extend(rule(line).map(|message| format!("{}:{}: {message}", file.path, index + 1)));
        }
    }
    found.into_iter()
}

#[track_caller]
fn report(wrong: impl Iterator<Item = String>) {
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
