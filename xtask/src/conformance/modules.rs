//! `conformance modules`: the cases of `fixtures/modules`, and every specifier of every script
//! below a folder, resolved by Node and by `rusk-modules`, the latter each as `require` and as
//! `import` would. In: folders with installed projects. Out: counts and differences, and
//! `conformance/modules.json`. Needs node.

use super::scan;
use crate::report::{self, Json};
use crate::{place, process};
use rusk_modules::{Importer, Kind, Lifetime, Options, Resolved, Resolver};
use rusk_npm::json::{self, Dialect, quote_into};
use rusk_testkit::resolution::{Case, cases, relative};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Differences shown of one folder; the results count all.
const SHOWN_MAX: usize = 40;

/// One specifier in one file.
struct Question {
    kind: Kind,
    file: PathBuf,
    specifier: String,
}

/// What a folder gave.
struct Outcome {
    name: String,
    files: usize,
    asked: usize,
    /// Node's answers by kind: `require file`, `import ERR_MODULE_NOT_FOUND`.
    answers: BTreeMap<String, usize>,
    differences: Vec<String>,
}

/// Compares the cases and what the arguments name: `FOLDER... [--no-keep]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let keep = !arguments.iter().any(|argument| argument == "--no-keep");
    let folders = arguments.iter().filter(|argument| !argument.starts_with("--"));
    let mut outcomes = vec![compare_cases()?];
    for folder in folders {
        let folder = Path::new(folder).canonicalize().map_err(|error| format!("{folder}: {error}"))?;
        outcomes.push(compare(&folder)?);
    }
    for outcome in &outcomes {
        show(outcome);
    }
    if keep && outcomes.len() > 1 {
        place::write(&place::root().join("conformance/modules.json"), &rendered(&outcomes))?;
    }
    match outcomes.iter().map(|outcome| outcome.differences.len()).sum() {
        0 => Ok(()),
        count => Err(format!("{count} answers differ from Node's")),
    }
}

/// What the cases expect, which the tests compare with ours, beside what Node says.
fn compare_cases() -> Result<Outcome, String> {
    let mut outcome = Outcome {
        name: "fixtures".to_owned(),
        files: 0,
        asked: 0,
        answers: BTreeMap::new(),
        differences: Vec::new(),
    };
    for path in cases() {
        let case = Case::parse(&place::find(&path).unwrap_or_default())?;
        let flags: &[&str] = match case.options.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => &[],
            ["keep-links"] => &["--preserve-symlinks"],
            _ => continue,
        };
        let project = case.make();
        let folder = project.path();
        let question = |question: &rusk_testkit::resolution::Question| Question {
            kind: if question.kind == "require" { Kind::Require } else { Kind::Import },
            file: folder.join(&question.importer),
            specifier: question.specifier.replace("[dir]", &folder.display().to_string()),
        };
        let questions: Vec<Question> = case.questions.iter().map(question).collect();
        let answers = ask_node(&questions, flags)?;
        outcome.files += 1;
        for ((asked, question), theirs) in case.questions.iter().zip(&questions).zip(&answers) {
            let theirs = relative(theirs, &folder);
            outcome.add(question, &theirs, &asked.expected, || {
                let (specifier, title) = (&asked.specifier, &case.title);
                format!("`{specifier}` in {} of `{title}`", asked.importer)
            });
        }
    }
    Ok(outcome)
}

fn compare(folder: &Path) -> Result<Outcome, String> {
    let found = scan::scan(folder);
    let mut questions = Vec::new();
    for (file, specifiers) in &found {
        let specifiers: BTreeSet<&String> = specifiers.iter().map(|(specifier, _)| specifier).collect();
        for specifier in specifiers {
            for kind in [Kind::Require, Kind::Import] {
                questions.push(Question { kind, file: file.clone(), specifier: specifier.clone() });
            }
        }
    }
    let theirs = ask_node(&questions, &[])?;
    let ours = our_answers(&questions);
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (answers, differences) = (BTreeMap::new(), Vec::new());
    let mut outcome = Outcome { name, files: found.len(), asked: 0, answers, differences };
    for ((question, theirs), ours) in questions.iter().zip(&theirs).zip(&ours) {
        outcome.add(question, theirs, ours, || {
            format!("`{}` in {}", question.specifier, question.file.display())
        });
    }
    Ok(outcome)
}

/// What a resolver says that is used by several threads at once; a watching one has to say the same
/// in a second epoch.
fn our_answers(questions: &[Question]) -> Vec<String> {
    let mut watching = Resolver::new(Options { lifetime: Lifetime::Watch, ..Options::node() });
    all_answers(&watching, questions);
    watching.begin_epoch();
    let again = all_answers(&watching, questions);
    let once = all_answers(&Resolver::new(Options::node()), questions);
    once.into_iter()
        .zip(again)
        .map(|(once, again)| if once == again { once } else { format!("{once}, watching {again}") })
        .collect()
}

/// Each thread begins in the other's middle, so that they meet in the same folders.
fn all_answers(resolver: &Resolver, questions: &[Question]) -> Vec<String> {
    let middle = questions.len() / 2;
    let ask = |questions: &[Question]| -> Vec<String> {
        questions.iter().map(|question| answer(resolver, question)).collect()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| [ask(&questions[middle..]), ask(&questions[..middle])]);
        let [first, second] = [ask(&questions[..middle]), ask(&questions[middle..])];
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

impl Outcome {
    fn add(&mut self, question: &Question, theirs: &str, ours: &str, what: impl Fn() -> String) {
        let kind = name(question.kind);
        let said = theirs.split(' ').find(|word| *word != "error").unwrap_or_default();
        *self.answers.entry(format!("{kind} {said}")).or_default() += 1;
        self.asked += 1;
        if ours != theirs {
            self.differences.push(format!("{kind} {}\n    node: {theirs}\n    rusk: {ours}", what()));
        }
    }
}

fn ask_node(questions: &[Question], flags: &[&str]) -> Result<Vec<String>, String> {
    let folder = place::target().join("conformance");
    let mut list = String::new();
    for question in questions {
        list.push('[');
        quote_into(&mut list, name(question.kind));
        list.push(',');
        quote_into(&mut list, &question.file.to_string_lossy());
        list.push(',');
        quote_into(&mut list, &question.specifier);
        list.push_str("]\n");
    }
    let [script, asked, answered] = ["judge.cjs", "asked", "answered"].map(|name| folder.join(name));
    place::write(&script, include_str!("judge.cjs"))?;
    place::write(&asked, &list)?;
    let mut node = Command::new("node");
    node.args(["--expose-internals", "--no-warnings"]).args(flags).arg(&script).args([&asked, &answered]);
    process::succeed(&mut node)?;
    let text = place::find(&answered).ok_or("node wrote no answers")?;
    let line = |line: &str| {
        let node = json::parse(line, Dialect::Strict).map_err(|error| error.to_string())?;
        Ok(node.as_str().unwrap_or_default().to_owned())
    };
    let lines: Vec<String> = text.lines().map(line).collect::<Result<_, String>>()?;
    match lines.len() == questions.len() {
        true => Ok(lines),
        false => Err(format!("node gave {} answers to {} questions", lines.len(), questions.len())),
    }
}

fn answer(resolver: &Resolver, question: &Question) -> String {
    match resolver.resolve(Importer::File(&question.file), &question.specifier, question.kind) {
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

#[allow(clippy::print_stdout, reason = "the comparison is what was asked for")]
fn show(outcome: &Outcome) {
    let Outcome { name, files, asked, answers, differences } = outcome;
    println!("{name}: {asked} questions from {files} files, {} differences", differences.len());
    for (answer, count) in answers {
        println!("  {count:>8} {answer}");
    }
    for difference in differences.iter().take(SHOWN_MAX) {
        println!("  {difference}");
    }
}

fn rendered(outcomes: &[Outcome]) -> String {
    let node = process::version(Path::new("node")).unwrap_or_default();
    let trees = outcomes.iter().map(|outcome| {
        let answers =
            outcome.answers.iter().map(|(answer, &count)| (answer.clone(), Json::number(count as f64)));
        let tree = Json::object([
            ("files", Json::number(outcome.files as f64)),
            ("questions", Json::number(outcome.asked as f64)),
            ("differences", Json::number(outcome.differences.len() as f64)),
            ("answers", Json::Object(answers.collect())),
        ]);
        (outcome.name.clone(), tree)
    });
    let trees = Json::Object(trees.collect());
    Json::object([("date", Json::text(report::today())), ("node", Json::text(node)), ("trees", trees)])
        .render()
}
