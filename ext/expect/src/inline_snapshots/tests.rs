//! Tests of `inline_snapshots`.

use super::*;

/// The value goes into the call after `@`, which is removed from the source.
fn check(marked: &str, value: &str, expected: &str) {
    let at = marked.find('@').expect("the test marks a place");
    let source = marked.replacen('@', "", 1);
    let line = source[..at].matches('\n').count() + 1;
    let column = source[..at].rsplit('\n').next().expect("there is a line").encode_utf16().count() + 1;
    let snapshot = InlineSnapshot { line, column, name: "snap".to_owned(), value: value.to_owned() };
    assert_eq!(edit(&source, Language::TypeScript, &[snapshot]).as_deref(), Ok(expected));
}

#[test]
fn a_value_is_inserted_or_replaced() {
    check("@e(1).snap();", "1", "e(1).snap(`1`);");
    check("e(1).@snap('old', );", "1", "e(1).snap(`1`, );");
    check("e(1)\n  .snap@<T>( /* none */ );", "1", "e(1)\n  .snap<T>( /* none */ `1`);");
    check("e(1).@snap({ a: b(), },);", "1", "e(1).snap({ a: b(), }, `1`,);");
    check("e(1).@snap({}, `old`);", "1", "e(1).snap({}, `1`);");
}

#[test]
fn the_nearest_call_counts() {
    check("e(1).snap(); e(2).@snap(); e(3).snap();", "2", "e(1).snap(); e(2).snap(`2`); e(3).snap();");
    check("'snap()'; 'ä💡'; @e(2).snap();", "2", "'snap()'; 'ä💡'; e(2).snap(`2`);");
}

#[test]
fn another_statement_is_not_changed() {
    let snapshot =
        |column| InlineSnapshot { line: 1, column, name: "snap".to_owned(), value: "1".to_owned() };
    for column in [1, 5, 14] {
        assert!(edit("e(1)['snap']();\ne(2).snap();", Language::JavaScript, &[snapshot(column)]).is_err());
    }
    let two = [snapshot(1), InlineSnapshot { value: "2".to_owned(), ..snapshot(6) }];
    assert!(edit("e(1).snap();", Language::JavaScript, &two).is_err());
}

#[test]
fn line_ends_are_those_of_the_source() {
    check("@e(1).snap();\r\n", "{\n}", "e(1).snap(`\r\n  {\r\n  }\r\n`);\r\n");
}

#[test]
fn several_lines_are_indented() {
    check("  e(1).@snap();", "{\n\n  a,\n}", "  e(1).snap(`\n    {\n\n      a,\n    }\n  `);");
    check("\te(1).@snap();", "{\n}", "\te(1).snap(`\n\t\t{\n\t\t}\n\t`);");
}

#[test]
fn template_characters_are_escaped() {
    check("e(1).@snap();", "a`${b}\\", "e(1).snap(`a\\`\\${b}\\\\`);");
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let snapshot = |line| InlineSnapshot { line, column: 1, name: "snap".to_owned(), value: "1".to_owned() };
    for (source, line) in
        [("e(1).snap(`${x}`, `${y}`)", 1), ("e(1).other()", 1), ("e(1", 1), ("e().snap()", 9)]
    {
        assert!(edit(source, Language::JavaScript, &[snapshot(line)]).is_err(), "{source}");
    }
}
