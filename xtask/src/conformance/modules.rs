//! `conformance modules`: resolves the cases of `fixtures/modules`, and every specifier of every
//! script below a directory, with Node and with `rusk-modules`, each as `require` and as `import`.
//! In: directories of installed projects. Out: counts and differences, and
//! `conformance/modules.json`. Needs node.

use super::scan;
use crate::report::{self, Json};
use crate::{files, process};
use rusk_modules::{Importer, Kind, Lifetime, Options, Resolved, Resolver};
use rusk_npm::json::{self, Dialect, quote_into};
use rusk_testkit::resolution::{Case, cases, relative};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Differences shown per directory; the results count all.
const SHOWN_MAX: usize = 40;

/// One specifier in one file.
struct Lookup {
    kind: Kind,
    file: PathBuf,
    specifier: String,
}

/// The result for one directory.
struct DirectoryComparison {
    name: String,
    files: usize,
    resolved: usize,
    /// Node's results by kind: `require file`, `import ERR_MODULE_NOT_FOUND`.
    answers: BTreeMap<String, usize>,
    differences: Vec<String>,
}

/// Compares the cases and the directories in the arguments: `DIRECTORY... [--no-keep]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let keep = !arguments.iter().any(|argument| argument == "--no-keep");
    let directories = arguments.iter().filter(|argument| !argument.starts_with("--"));
    let mut outcomes = vec![compare_cases()?];
    for directory in directories {
        let directory =
            Path::new(directory).canonicalize().map_err(|error| format!("{directory}: {error}"))?;
        outcomes.push(compare(&directory)?);
    }
    for outcome in &outcomes {
        show(outcome);
    }
    if keep && outcomes.len() > 1 {
        files::write(&files::root().join("conformance/modules.json"), &rendered(&outcomes))?;
    }
    match outcomes.iter().map(|outcome| outcome.differences.len()).sum() {
        0 => Ok(()),
        count => Err(format!("{count} answers differ from Node's")),
    }
}

/// Compares the expectations of the cases, which our tests check, with Node's results.
fn compare_cases() -> Result<DirectoryComparison, String> {
    let mut outcome = DirectoryComparison {
        name: "fixtures".to_owned(),
        files: 0,
        resolved: 0,
        answers: BTreeMap::new(),
        differences: Vec::new(),
    };
    for path in cases() {
        let case = Case::parse(&files::find(&path).unwrap_or_default())?;
        let flags: &[&str] = match case.options.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => &[],
            ["keep-links"] => &["--preserve-symlinks"],
            _ => continue,
        };
        let project = case.make();
        let directory = project.path();
        let lookup = |lookup: &rusk_testkit::resolution::Question| Lookup {
            kind: if lookup.kind == "require" { Kind::Require } else { Kind::Import },
            file: directory.join(&lookup.importer),
            specifier: lookup.specifier.replace("[dir]", &directory.display().to_string()),
        };
        let lookups: Vec<Lookup> = case.questions.iter().map(lookup).collect();
        let answers = resolve_by_node(&lookups, flags)?;
        outcome.files += 1;
        for ((resolved, lookup), theirs) in case.questions.iter().zip(&lookups).zip(&answers) {
            let theirs = relative(theirs, &directory);
            outcome.add(lookup, &theirs, &resolved.expected, || {
                let (specifier, title) = (&resolved.specifier, &case.title);
                format!("`{specifier}` in {} of `{title}`", resolved.importer)
            });
        }
    }
    Ok(outcome)
}

fn compare(directory: &Path) -> Result<DirectoryComparison, String> {
    let found = scan::scan(directory);
    let mut lookups = Vec::new();
    for (file, specifiers) in &found {
        let specifiers: BTreeSet<&String> = specifiers.iter().map(|(specifier, _)| specifier).collect();
        for specifier in specifiers {
            for kind in [Kind::Require, Kind::Import] {
                lookups.push(Lookup { kind, file: file.clone(), specifier: specifier.clone() });
            }
        }
    }
    let theirs = resolve_by_node(&lookups, &[])?;
    let ours = resolve_by_us(&lookups);
    let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (answers, differences) = (BTreeMap::new(), Vec::new());
    let mut outcome = DirectoryComparison { name, files: found.len(), resolved: 0, answers, differences };
    for ((lookup, theirs), ours) in lookups.iter().zip(&theirs).zip(&ours) {
        outcome.add(lookup, theirs, ours, || format!("`{}` in {}", lookup.specifier, lookup.file.display()));
    }
    Ok(outcome)
}

/// Results of a resolver that several threads share; a watching one must return the same in a
/// second epoch.
fn resolve_by_us(lookups: &[Lookup]) -> Vec<String> {
    let mut watching = Resolver::new(Options { lifetime: Lifetime::Watch, ..Options::node() });
    resolve_all(&watching, lookups);
    watching.begin_epoch();
    let again = resolve_all(&watching, lookups);
    let once = resolve_all(&Resolver::new(Options::node()), lookups);
    once.into_iter()
        .zip(again)
        .map(|(once, again)| if once == again { once } else { format!("{once}, watching {again}") })
        .collect()
}

/// The two threads work on the halves in opposite order, so that they meet in the same directories.
fn resolve_all(resolver: &Resolver, lookups: &[Lookup]) -> Vec<String> {
    let middle = lookups.len() / 2;
    let resolve_each = |lookups: &[Lookup]| -> Vec<String> {
        lookups.iter().map(|lookup| resolve(resolver, lookup)).collect()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| [resolve_each(&lookups[middle..]), resolve_each(&lookups[..middle])]);
        let [first, second] = [resolve_each(&lookups[..middle]), resolve_each(&lookups[middle..])];
        let [their_second, their_first] = other.join().expect("answering does not panic");
        let both = |ours: Vec<String>, theirs: Vec<String>| {
            let pairs = ours.into_iter().zip(theirs);
            pairs
                .map(|(a, b)| if a == b { a } else { format!("{a}, another thread {b}") })
                .collect::<Vec<_>>()
        };
        [both(first, their_first), both(second, their_second)].concat()
    })
}

impl DirectoryComparison {
    fn add(&mut self, lookup: &Lookup, theirs: &str, ours: &str, what: impl Fn() -> String) {
        let kind = name(lookup.kind);
        let message = theirs.split(' ').find(|word| *word != "error").unwrap_or_default();
        *self.answers.entry(format!("{kind} {message}")).or_default() += 1;
        self.resolved += 1;
        if ours != theirs {
            self.differences.push(format!("{kind} {}\n    node: {theirs}\n    rusk: {ours}", what()));
        }
    }
}

fn resolve_by_node(lookups: &[Lookup], flags: &[&str]) -> Result<Vec<String>, String> {
    let directory = files::target().join("conformance");
    let mut list = String::new();
    for lookup in lookups {
        list.push('[');
        quote_into(&mut list, name(lookup.kind));
        list.push(',');
        quote_into(&mut list, &lookup.file.to_string_lossy());
        list.push(',');
        quote_into(&mut list, &lookup.specifier);
        list.push_str("]\n");
    }
    let [script, resolved, responses] =
        ["node_resolver.cjs", "asked", "answered"].map(|name| directory.join(name));
    files::write(&script, include_str!("node_resolver.cjs"))?;
    files::write(&resolved, &list)?;
    let mut node = Command::new("node");
    node.args(["--expose-internals", "--no-warnings"]).args(flags).arg(&script).args([&resolved, &responses]);
    process::succeed(&mut node)?;
    let text = files::find(&responses).ok_or("node wrote no answers")?;
    let line = |line: &str| {
        let node = json::parse(line, Dialect::Strict).map_err(|error| error.to_string())?;
        Ok(node.as_str().unwrap_or_default().to_owned())
    };
    let lines: Vec<String> = text.lines().map(line).collect::<Result<_, String>>()?;
    match lines.len() == lookups.len() {
        true => Ok(lines),
        false => Err(format!("node gave {} answers to {} questions", lines.len(), lookups.len())),
    }
}

fn resolve(resolver: &Resolver, lookup: &Lookup) -> String {
    match resolver.resolve(Importer::File(&lookup.file), &lookup.specifier, lookup.kind) {
        Ok(Resolved::Builtin(name)) => format!("builtin {name}"),
        Ok(Resolved::Url(url)) => format!("address {url}"),
        Ok(Resolved::File(file)) => format!("file {}{}", file.path.display(), file.suffix),
        Err(failure) => format!("error {}", failure.code().name()),
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Require => "require",
        Kind::Import => "import",
    }
}

#[allow(clippy::print_stdout, reason = "the comparison is the output of the task")]
fn show(outcome: &DirectoryComparison) {
    let DirectoryComparison { name, files, resolved, answers, differences } = outcome;
    println!("{name}: {resolved} questions from {files} files, {} differences", differences.len());
    for (resolve, count) in answers {
        println!("  {count:>8} {resolve}");
    }
    for difference in differences.iter().take(SHOWN_MAX) {
        println!("  {difference}");
    }
}

fn rendered(outcomes: &[DirectoryComparison]) -> String {
    let node = process::version(Path::new("node")).unwrap_or_default();
    let trees = outcomes.iter().map(|outcome| {
        let answers =
            outcome.answers.iter().map(|(resolve, &count)| (resolve.clone(), Json::number(count as f64)));
        let tree = Json::object([
            ("files", Json::number(outcome.files as f64)),
            ("questions", Json::number(outcome.resolved as f64)),
            ("differences", Json::number(outcome.differences.len() as f64)),
            ("answers", Json::Object(answers.collect())),
        ]);
        (outcome.name.clone(), tree)
    });
    let trees = Json::Object(trees.collect());
    Json::object([("date", Json::text(report::today())), ("node", Json::text(node)), ("trees", trees)])
        .render()
}
