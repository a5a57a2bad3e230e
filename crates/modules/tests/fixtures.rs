//! Every case of `fixtures/modules`, resolved twice: by a new resolver, and by one with a filled
//! cache.

use rusk_modules::{Importer, Kind, Options, Resolved, Resolver, Symlinks};
use rusk_testkit::resolution::{Case, Question, cases, relative};
use std::path::Path;

#[test]
fn every_rule_resolves_as_expected() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in cases() {
        let text = std::fs::read_to_string(&path).unwrap();
        let case = Case::parse(&text).unwrap_or_else(|said| panic!("{}: {said}", path.display()));
        let answers = answers(&case);
        count += answers.len();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, Case::answered(&text, &answers)).unwrap();
            continue;
        }
        for (question, (line, answer)) in case.questions.iter().zip(&answers) {
            if question.expected != *answer {
                let Question { specifier, expected, .. } = question;
                let name = path.file_name().unwrap().to_string_lossy();
                wrong.push(format!("{name}:{}: `{specifier}` -> {answer}, expected {expected}", line + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count > 100, "only {count} questions were found");
}

/// The results with their lines.
fn answers(case: &Case) -> Vec<(usize, String)> {
    let project = case.make();
    let all = |resolver: &Resolver| -> Vec<(usize, String)> {
        let answer = |question| (question, answer(resolver, &project.path(), question));
        case.questions.iter().map(answer).map(|(question, answer)| (question.line, answer)).collect()
    };
    let fresh = case.questions.iter().map(|question| {
        let resolver = Resolver::new(options(case));
        (question.line, answer(&resolver, &project.path(), question))
    });
    let fresh: Vec<_> = fresh.collect();
    let resolver = Resolver::new(options(case));
    assert_eq!(fresh, all(&resolver), "{}: asked alone, and after others", case.title);
    assert_eq!(fresh, all(&resolver), "{}: asked alone, and once more", case.title);
    fresh
}

fn options(case: &Case) -> Options {
    let mut options = Options::node();
    for word in &case.options {
        match word.as_str() {
            "bundler" => options = Options::bundler(),
            "keep-links" => options.symlinks = Symlinks::Preserve,
            word => panic!("{}: no option `{word}`", case.title),
        }
    }
    options
}

fn answer(resolver: &Resolver, project: &Path, question: &Question) -> String {
    let kind = if question.kind == "require" { Kind::Require } else { Kind::Import };
    let specifier = question.specifier.replace("[dir]", &project.display().to_string());
    let answer = match resolver.resolve(Importer::File(&project.join(&question.importer)), &specifier, kind) {
        Ok(Resolved::Builtin(name)) => format!("builtin {name}"),
        Ok(Resolved::Url(url)) => format!("address {url}"),
        Ok(Resolved::File(file)) => format!("file {}{}", file.path.display(), file.suffix),
        Err(failure) => {
            let problem = failure.problem();
            assert_eq!(problem.code(), failure.code().name());
            assert!(!problem.message().is_empty());
            format!("error {}", failure.code().name())
        }
    };
    relative(&answer, project)
}
