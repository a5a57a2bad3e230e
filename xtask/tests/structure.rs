//! Structure of the repository: sizes of crates, and what every extension has. A failure names the
//! directory and what to do. Absent: dependency rules; tidy.rs compares those.

#[expect(dead_code, reason = "tidy.rs uses the rest")]
mod tidy {
    pub mod lexer;
    pub mod source;
}

use std::collections::{BTreeMap, BTreeSet};

use tidy::source;

/// Lines of Rust and JavaScript in one crate or extension.
const CRATE_LINES_MAX: usize = 20_000;
/// The same of the runtime core.
const CORE_LINES_MAX: usize = 15_000;
const CORE: &str = "crates/runtime";
const README_LINES_MAX: usize = 45;

/// Lines of code by directory of a crate: `crates/npm`, `ext/fs`, `xtask`.
fn sizes() -> BTreeMap<String, usize> {
    let mut sizes = BTreeMap::new();
    for file in source::tracked() {
        let extension = file.path.rsplit('.').next();
        let parts: Vec<&str> = file.path.split('/').collect();
        let directory = match parts[..] {
            [parent @ ("crates" | "ext" | "lib"), name, ..] => format!("{parent}/{name}"),
            [first @ "xtask", _, ..] => first.to_owned(),
            _ => continue,
        };
        if matches!(extension, Some("rs" | "js")) {
            *sizes.entry(directory).or_default() += file.text.lines().count();
        }
    }
    sizes
}

#[test]
fn crates_are_small_enough_to_be_read() {
    let limit = |directory: &str| if directory == CORE { CORE_LINES_MAX } else { CRATE_LINES_MAX };
    let sizes = sizes();
    assert!(sizes.contains_key(CORE) && sizes.contains_key("ext/fs"), "{sizes:?}");
    let wrong: Vec<String> = sizes
        .iter()
        .filter(|(directory, lines)| **lines > limit(directory))
        .map(|(directory, lines)| {
            format!("{directory}: {lines} lines, {} is the limit; split it", limit(directory))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Names of the directories in `ext/`.
fn extensions() -> BTreeSet<String> {
    let inside = |path: &str| {
        path.strip_prefix("ext/").and_then(|rest| rest.split_once('/')).map(|(name, _)| name.to_owned())
    };
    source::tracked().iter().filter_map(|file| inside(&file.path)).collect()
}

#[test]
fn every_extension_is_in_the_list() {
    let list = source::read("crates/extensions/src/lib.rs");
    let extensions = extensions();
    assert!(extensions.len() > 20, "{extensions:?}");
    let missing: Vec<&String> =
        extensions.iter().filter(|name| !list.contains(&format!("&rusk_ext_{name}::EXTENSION,"))).collect();
    assert!(missing.is_empty(), "crates/extensions/src/lib.rs: not in EXTENSIONS: {missing:?}");
}

#[test]
fn every_extension_says_on_one_screen_what_it_is() {
    let readmes: BTreeMap<String, usize> = source::tracked()
        .iter()
        .filter(|file| file.path.starts_with("ext/") && file.path.ends_with("/README.md"))
        .map(|file| (file.path.clone(), file.text.lines().count()))
        .collect();
    let wrong: Vec<String> = extensions()
        .iter()
        .map(|name| format!("ext/{name}/README.md"))
        .filter_map(|path| match readmes.get(&path) {
            None => Some(format!("{path}: is missing")),
            Some(lines) if *lines > README_LINES_MAX => {
                Some(format!("{path}: {lines} lines, {README_LINES_MAX} is one screen"))
            }
            Some(_) => None,
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The core finds features by its list of extensions alone: no name of one is in its Rust code.
#[test]
fn the_core_uses_no_extension() {
    let used: Vec<String> = source::tracked()
        .iter()
        .filter(|file| file.path.starts_with(CORE) && file.path.ends_with(".rs"))
        .filter(|file| file.text.contains("rusk_ext_") || file.text.contains("rusk_extensions"))
        .map(|file| file.path.clone())
        .collect();
    assert!(used.is_empty(), "{used:?}");
}

/// Where Rust and JavaScript share numbers, Rust declares them and JavaScript reads them.
#[test]
fn no_number_is_kept_in_step_by_a_comment() {
    let phrases = [
        ["same ", "numbers"],
        ["the same ", "in src/"],
        ["numbers ", "of natives/"],
        ["the same ", "in js/"],
    ]
    .map(|parts| parts.concat());
    let wrong: Vec<String> = source::tracked()
        .iter()
        .filter(|file| file.path.starts_with("ext/") || file.path.starts_with(CORE))
        .flat_map(|file| {
            let lines = file.text.lines().enumerate();
            let found = lines.filter(|(_, line)| phrases.iter().any(|phrase| line.contains(phrase.as_str())));
            found
                .map(|(index, line)| format!("{}:{}: {}", file.path, index + 1, line.trim()))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "declare them with `shared_constants!`:\n{}", wrong.join("\n"));
}

/// Files in one of the walks of ARCHITECTURE.md.
const WALK_FILES_MAX: usize = 9;

#[test]
fn the_walks_name_files_that_exist() {
    let page = source::read("ARCHITECTURE.md");
    let (_, rest) = page.split_once("## Five calls, file by file").expect("ARCHITECTURE.md has the walks");
    let section = rest.split("\n## ").next().expect("a first part");
    let known: BTreeSet<String> = source::tracked().into_iter().map(|file| file.path).collect();
    let walks: Vec<Vec<&str>> = section
        .split("\n**")
        .skip(1)
        .map(|walk| walk.lines().filter_map(|line| line.split_once(". `")?.1.split('`').next()).collect())
        .collect();
    assert_eq!(walks.len(), 5, "{walks:?}");
    for walk in walks {
        assert!((5..=WALK_FILES_MAX).contains(&walk.len()), "{walk:?}");
        for path in walk {
            assert!(known.contains(path), "ARCHITECTURE.md: `{path}` does not exist");
        }
    }
}

/// Comments that name a file of the runtime's former layout.
#[test]
fn no_comment_names_the_former_layout() {
    let former = [["nati", "ves/"], ["js/internal/", "stdio"]].map(|parts| parts.concat());
    let wrong: Vec<String> = source::tracked()
        .iter()
        .filter(|file| file.path.starts_with("ext/") || file.path.starts_with("crates/"))
        .flat_map(|file| {
            file.found_lines(|line| {
                former.iter().any(|part| line.contains(part.as_str())).then(|| line.trim().to_owned())
            })
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
