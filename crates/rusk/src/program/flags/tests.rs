//! Which command lines are programs, and what they ask for.

use super::{Source, Wanted, parse};

fn read(line: &str) -> Option<Wanted> {
    let words: Vec<_> = line.split_whitespace().map(Into::into).collect();
    parse(&words, || false).map(|wanted| wanted.expect(line))
}

#[test]
fn commands_are_told_from_programs() {
    for line in
        ["install", "run build", "--version", "--help", "", "--cwd=x install", "no-such-command", "x some.js"]
    {
        assert_eq!(read(line), None, "{line}");
    }
    for line in ["--expose_externalize_string a.js", "--max_old_space_size=100 a.js", "--no_opt install"] {
        assert!(read(line).is_some(), "{line}");
    }
    for line in ["a.js", ".", "..", "./a", "/a/b", "--expose-gc install", "-e 1", "-", "--require=./a.js b"] {
        assert!(read(line).is_some(), "{line}");
    }
}

#[test]
fn limits_that_nobody_keeps_are_refused() {
    let words = ["--permission".into(), "--allow-fs-read=*".into(), "a.js".into()];
    let refused = parse(&words, || false).expect("a program").expect_err("no limits");
    assert_eq!(refused.code(), "no-permissions");
}

#[test]
fn words_behind_the_program_are_its_own() {
    let wanted = read("-C dev --no-warnings a.ts -e --help x").expect("a program");
    assert_eq!(wanted.source, Source::File("a.ts".to_owned()));
    assert_eq!(wanted.arguments, ["-e", "--help", "x"]);
    assert_eq!(wanted.exec_arguments, ["-C", "dev", "--no-warnings"]);
    assert_eq!(wanted.conditions, ["dev"]);
    let wanted = read("--no-warnings -- -x.js --help").expect("a program");
    assert_eq!(
        (wanted.source, wanted.arguments),
        (Source::File("-x.js".to_owned()), vec!["--help".to_owned()])
    );
}

#[test]
fn texts_are_taken_with_what_follows() {
    let wanted = read("--input-type=module -p 1+1 a b").expect("a program");
    let source = Source::Text { source: "1+1".to_owned(), is_printed: true, is_module: Some(true) };
    assert_eq!((wanted.source, wanted.arguments), (source, vec!["a".to_owned(), "b".to_owned()]));
    let wanted = read("--no-warnings - a --help").expect("a program");
    assert_eq!(wanted.source, Source::Stdin { is_printed: false, is_module: None });
    assert_eq!(wanted.arguments, ["-", "a", "--help"]);
    let words = ["-e".into()];
    assert_eq!(parse(&words, || false).expect("a program").expect_err("no text").code(), "value-missing");
}
