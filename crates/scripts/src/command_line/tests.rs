//! Commands that need no shell, and the lines that the shell gets.

use super::*;

#[test]
fn syntax_and_builtins_go_to_the_shell() {
    let check = |command: &str, expected: Option<&[&str]>| {
        let expected =
            expected.map(|arguments| arguments.iter().map(|argument| (*argument).to_owned()).collect());
        assert_eq!(split_simple(command), expected, "{command:?}");
    };
    check("tsc", Some(&["tsc"]));
    check("  tsc\t-b --outDir=dist ./a @s/b ", Some(&["tsc", "-b", "--outDir=dist", "./a", "@s/b"]));
    check("./a b", Some(&["./a", "b"]));
    check("a/b", Some(&["a/b"]));
    for builtin in ["exit 1", "cd a", "true", "echo a", "export A", ":", "while true", ". ./a"] {
        check(builtin, None);
    }
    for syntax in [
        "a b|c", "a;b", "a&b", "a>b", "a<b", "a $B", "a `b`", "a \\b", "a *", "a ?", "a [b]", "a {b,c}",
        "a ~", "a #b", "! a", "(a)", "a\nb", "A=b c", "é", "", " ",
    ] {
        check(syntax, None);
    }
}

#[test]
fn quotes_need_no_shell_where_they_only_group_characters() {
    let check = |command: &str, expected: &[&str]| {
        assert_eq!(split_simple(command).expect(command), expected, "{command}");
    };
    check(r#"eslint "src/**/*.ts" '--x=[a]'"#, &["eslint", "src/**/*.ts", "--x=[a]"]);
    check(r#"a '$b' "it's" '"' '' "" c"d e"f"#, &["a", "$b", "it's", "\"", "", "", "cd ef"]);
    check("a 'b\nc' 'é'", &["a", "b\nc", "é"]);
    check(r#"'my tool' a"#, &["my tool", "a"]);
    for command in
        [r#"a "$b""#, r#"a "`b`""#, r#"a "\n""#, "a 'b", "a \"b", "'' a", "'cd' a", r#""A=b" c"#, "a 'b';c"]
    {
        assert_eq!(split_simple(command), None, "{command}");
    }
}

#[test]
fn a_shell_splits_into_the_same_arguments() {
    let command = r#"printf %s. 'a  b' "c'd" e"f g"'h' '' "*" '$x' "~" -- "é""#;
    let arguments =
        split_simple(command.replacen("printf", "program", 1).as_str()).expect("a simple command");
    let output = std::process::Command::new("/bin/sh").arg("-c").arg(command).output().expect("a shell");
    let printed: String = arguments[2..].iter().map(|argument| format!("{argument}.")).collect();
    assert_eq!(String::from_utf8_lossy(&output.stdout), printed);
}

#[track_caller]
fn check_line(arguments: &[&str], expected: &str) {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    assert_eq!(shell_line("run", &arguments), OsStr::new(expected), "{arguments:?}");
}

#[test]
fn arguments_are_quoted_where_a_shell_would_read_them() {
    check_line(&[], "run");
    check_line(&["a", "--b=c", "./d", "@e/f:g"], "run a --b=c ./d @e/f:g");
    check_line(&[""], "run ''");
    check_line(&["a b", "$HOME", "`x`", "\"q\"", "a\nb"], "run 'a b' '$HOME' '`x`' '\"q\"' 'a\nb'");
    check_line(&["it's", "'", "\\"], r"run 'it'\''s' ''\''' '\'");
    check_line(&["~", "*", "!", "#x", "é"], "run '~' '*' '!' '#x' 'é'");
}

#[test]
fn bytes_that_are_not_utf8_are_unchanged() {
    let argument = OsString::from_vec(vec![0xff, b' ']);
    assert_eq!(shell_line("run", &[argument]).as_bytes(), b"run '\xff '");
}

#[test]
fn a_shell_passes_the_arguments_unchanged() {
    let arguments: Vec<OsString> =
        (1..=255u8).map(|byte| OsString::from_vec(vec![b'a', byte, b'b', byte])).chain(["".into()]).collect();
    let line = shell_line(r"printf '%s\0'", &arguments);
    let output = std::process::Command::new("/bin/sh").arg("-c").arg(line).output().expect("a shell");
    let expected: Vec<u8> =
        arguments.iter().flat_map(|argument| [argument.as_bytes(), b"\0"].concat()).collect();
    assert_eq!(output.stdout, expected);
}
