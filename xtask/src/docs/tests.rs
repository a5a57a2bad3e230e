//! The generated pages are what the tables say, and links of the documentation lead somewhere.

use super::PAGES;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the repository").to_owned()
}

#[test]
fn generated_pages_are_up_to_date() {
    for page in PAGES {
        let stored = std::fs::read_to_string(root().join(page.path)).unwrap_or_default();
        assert!((page.text)().unwrap() == stored, "{}: run `cargo xtask docs`", page.path);
    }
}

#[test]
fn every_flag_is_documented() {
    let page = super::cli::page().unwrap();
    let missing = rusk_command_line::reference::FLAGS.iter().map(|flag| flag.spelling());
    let missing: Vec<String> = missing.filter(|spelling| !page.contains(spelling.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = without_code(&std::fs::read_to_string(root().join(&page)).unwrap());
        for target in links(&text) {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            let full = root().join(&path);
            if !full.exists() {
                wrong.push(format!("{}: no file `{target}`", page.display()));
            } else if !anchor.is_empty() && full.extension().is_some_and(|extension| extension == "md") {
                let text = without_code(&std::fs::read_to_string(&full).unwrap());
                if !text.lines().any(|line| slug(line).as_deref() == Some(anchor)) {
                    wrong.push(format!("{}: no heading `{target}`", page.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn named_files_exist() {
    const ROOTS: &[&str] = &["crates/", "ext/", "lib/", "xtask/", "fixtures/", "specs/", "bench/", "docs/"];
    let mut wrong = Vec::new();
    for page in pages().into_iter().filter(|page| *page != Path::new("CHANGELOG.md")) {
        let text = without_code(&std::fs::read_to_string(root().join(&page)).unwrap());
        for name in text.split('`').skip(1).step_by(2) {
            let is_pattern = name
                .contains(|character: char| character.is_whitespace() || "*<…{".contains(character))
                || name.contains("NAME")
                || name.contains("/.");
            let is_path = ROOTS.iter().any(|directory| name.starts_with(directory)) && !is_pattern;
            if is_path && !root().join(name).exists() {
                wrong.push(format!("{}: no file `{name}`", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_page_is_in_the_contents() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let wrong: Vec<String> = pages()
        .into_iter()
        .filter_map(|page| page.strip_prefix("docs").ok().map(|page| page.display().to_string()))
        .filter(|page| page != "SUMMARY.md" && !summary.contains(&format!("({page})")))
        .collect();
    assert!(wrong.is_empty(), "add these pages to docs/SUMMARY.md: {wrong:?}");
}

/// The pages at the root and below `docs`, relative to the repository.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut directories = vec![PathBuf::from("docs")];
    let is_page = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
    pages.extend(
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "STYLE.md"].map(PathBuf::from),
    );
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(root().join(&directory)).unwrap().flatten() {
            let path = directory.join(entry.file_name());
            if entry.path().is_dir() {
                directories.push(path);
            } else if is_page(&path) {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Fenced blocks emptied.
fn without_code(text: &str) -> String {
    let mut is_code = false;
    let mut out = String::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        out.push_str(if is_code { "" } else { line });
        out.push('\n');
    }
    out
}

/// Targets of `](...)` that are no URLs.
fn links(text: &str) -> Vec<&str> {
    let targets = text.match_indices("](").filter_map(|(index, mark)| {
        let target = &text[index + mark.len()..];
        Some(&target[..target.find([')', ' ', '\n'])?])
    });
    targets.filter(|target| !target.contains("://")).collect()
}

/// The anchor of a heading, as GitHub makes it.
fn slug(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let mut plain = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((label, target)) = after.split_once("](") else { break };
        plain.push_str(before);
        plain.push_str(label);
        rest = target.split_once(')').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    let kept = plain.to_lowercase();
    let kept = kept.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
    Some(kept.collect::<String>().trim().replace(' ', "-"))
}
