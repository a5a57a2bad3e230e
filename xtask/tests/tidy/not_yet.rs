//! Exceptions from the rules, which only shrink. `not-yet.txt` has a line for each rule and group
//! of files: how many findings remain. More findings than that fail, and so does a line without
//! any.
//!
//! Two environment variables help: `UPDATE=1` lowers the numbers to what is found (and moves them
//! with files that moved), `LIST=crates/http` lists all findings of a directory.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;

use super::source::{self, Source};

const PATH: &str = "xtask/tests/tidy/not-yet.txt";
/// Findings that a failure lists for one group.
const LISTED_MAX: usize = 40;

/// One line of one file that breaks a rule.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What findings are counted by: a directory, or the name of a type.
    pub group: String,
    /// `path:line: message`
    pub text: String,
}

impl Finding {
    pub fn new(file: &Source, line: usize, message: &str) -> Finding {
        Finding { group: group(&file.path), text: format!("{}:{line}: {message}", file.path) }
    }
}

/// Findings by group, then by rule.
type Counts = BTreeMap<(String, String), usize>;

/// Compares what a rule finds with the exceptions. Returns what is wrong.
pub fn compare(rule: &str, findings: &[Finding]) -> Vec<String> {
    static FILE: Mutex<()> = Mutex::new(());
    let _alone = FILE.lock();
    if let Ok(prefix) = std::env::var("LIST") {
        let listed = findings.iter().filter(|finding| finding.text.starts_with(&prefix));
        return listed.map(|finding| finding.text.clone()).collect();
    }
    let counts = parse(&source::read(PATH));
    if std::env::var_os("UPDATE").is_none() {
        return differences(rule, findings, &counts);
    }
    match updated(rule, findings, counts) {
        Ok(counts) => {
            std::fs::write(source::root().join(PATH), render(&counts)).expect("the list can be written");
            Vec::new()
        }
        Err(wrong) => wrong,
    }
}

/// What is wrong with the findings of a rule, given how many each group may have.
pub fn differences(rule: &str, findings: &[Finding], counts: &Counts) -> Vec<String> {
    let found = counted(rule, findings);
    let mut wrong = Vec::new();
    for (key, &number) in &found {
        let allowed = counts.get(key).copied().unwrap_or(0);
        if number > allowed {
            let (group, rule) = key;
            wrong.push(format!("{group}: {number} of the rule `{rule}`, {allowed} allowed; correct one of:"));
            let of_group = findings.iter().filter(|finding| finding.group == *group);
            wrong.extend(of_group.take(LISTED_MAX).map(|finding| format!("  {}", finding.text)));
        }
    }
    let unused = counts.keys().filter(|key| key.1 == rule && !found.contains_key(*key));
    wrong.extend(unused.map(|(group, rule)| {
        format!("{PATH}: `{group} {rule}` is no longer needed; run this test with UPDATE=1")
    }));
    wrong
}

/// The counts with those of a rule replaced. Its sum must not grow, though a group's may: a file
/// that moves takes its findings along.
pub fn updated(rule: &str, findings: &[Finding], mut counts: Counts) -> Result<Counts, Vec<String>> {
    let allowed: usize = counts.iter().filter(|(key, _)| key.1 == rule).map(|(_, number)| number).sum();
    if findings.len() > allowed {
        return Err(differences(rule, findings, &counts));
    }
    counts.retain(|key, _| key.1 != rule);
    counts.extend(counted(rule, findings));
    Ok(counts)
}

fn counted(rule: &str, findings: &[Finding]) -> Counts {
    let mut counts = Counts::new();
    for finding in findings {
        *counts.entry((finding.group.clone(), rule.to_owned())).or_default() += 1;
    }
    counts
}

pub fn parse(text: &str) -> Counts {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            let &[group, rule, number] = fields.as_slice() else {
                panic!("{PATH}: not `group rule number`: {line}")
            };
            let number = number.parse().unwrap_or_else(|_| panic!("{PATH}: not a number: {line}"));
            ((group.to_owned(), rule.to_owned()), number)
        })
        .collect()
}

fn render(counts: &Counts) -> String {
    let mut text = String::from(
        "# Exceptions from the rules of xtask/tests/tidy.rs: group of files, rule, number of findings.\n\
         # Numbers only shrink. UPDATE=1 writes this file, LIST=directory lists the findings.\n",
    );
    for ((group, rule), number) in counts {
        writeln!(text, "{group} {rule} {number}").expect("a string takes everything");
    }
    text
}

/// A crate, a directory at the top, or a file at the top.
fn group(path: &str) -> String {
    let mut depth = 1;
    if ["crates/", "ext/", "lib/"].iter().any(|parent| path.starts_with(parent)) {
        depth = 2;
    }
    path.split('/').take(depth).collect::<Vec<_>>().join("/")
}
