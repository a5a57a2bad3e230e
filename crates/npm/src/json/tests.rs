//! What the JSON reader takes, refuses and gives back.

use super::*;

fn accepts(text: &str) -> bool {
    parse(text, Dialect::Strict).is_ok()
}

fn string_of(text: &str) -> String {
    parse(text, Dialect::Strict).expect("valid").as_str().expect("a string").to_owned()
}

#[test]
fn strict_json_is_taken_and_nothing_else() {
    for text in ["{}", "[]", " [1, -0.5e+3, true, null]\n", r#"{"a":{"b":[""]}}"#, "\u{feff}{}"] {
        assert!(accepts(text), "{text}");
    }
    for text in [
        "",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "01",
        "1.",
        "tru",
        "[1 2]",
        "{} {}",
        "\"\n\"",
        "// x\n1",
        "[,]",
    ] {
        assert!(!accepts(text), "{text}");
    }
}

#[test]
fn relaxed_json_has_comments_and_trailing_commas() {
    let node = parse("// head\n{\"a\": [1, /* two */ 2,],}", Dialect::Relaxed).expect("relaxed");
    assert_eq!(node.find("a").expect("a").elements().len(), 2);
    assert!(parse("{,}", Dialect::Relaxed).is_err());
    assert!(parse("[1,,]", Dialect::Relaxed).is_err());
    assert!(parse("/* open", Dialect::Relaxed).is_err());
}

#[test]
fn escapes_become_characters() {
    assert_eq!(string_of(r#""a\"\\\/\n\u0041\ud83d\ude00z""#), "a\"\\/\nA😀z");
    assert_eq!(string_of(r#""\ud83dx""#), "\u{fffd}x");
    assert_eq!(string_of(r#""\ud83d\u0041""#), "\u{fffd}A");
}

#[test]
fn the_last_of_duplicate_keys_wins() {
    let node = parse(r#"{"a":1,"a":2}"#, Dialect::Strict).expect("valid");
    assert_eq!(node.find("a").map(|node| node.value.clone()), Some(Value::Number("2")));
}

#[test]
fn spans_cover_the_value() {
    let text = r#"{ "a" : [ 1 ] }"#;
    let node = parse(text, Dialect::Strict).expect("valid");
    let list = node.find("a").expect("a");
    assert_eq!(&text[list.start..list.end], "[ 1 ]");
    assert_eq!(node.members()[0].start, 2);
}

#[test]
fn an_error_names_line_and_column() {
    let error = parse("{\n  \"a\" 1\n}", Dialect::Strict).expect_err("no colon");
    assert_eq!(error.to_string(), "line 2, column 7: expected `:`");
}

#[test]
fn nesting_is_bounded() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(accepts(&deep(DEPTH_MAX as usize)));
    assert!(!accepts(&deep(DEPTH_MAX as usize + 1)));
}

#[test]
fn quoting_is_what_json_stringify_writes() {
    let mut out = String::new();
    quote_into(&mut out, "a\"b\\c\n\u{1}é");
    assert_eq!(out, "\"a\\\"b\\\\c\\n\\u0001é\"");
    for (special, escape) in [("\"", "\\\""), ("\\", "\\\\"), ("\t", "\\t"), ("\u{1f}", "\\u001f")] {
        for length in 0..20 {
            let plain = "\u{7f}é~ ".chars().cycle().take(length).collect::<String>();
            let mut out = String::new();
            quote_into(&mut out, &format!("{plain}{special}{special}{plain}{special}"));
            assert_eq!(out, format!("\"{plain}{escape}{escape}{plain}{escape}\""));
        }
    }
}

#[test]
fn the_end_of_a_string_is_found_wherever_it_is() {
    for length in 0..40 {
        for filler in ["a", "é", "\u{7f}", "~"] {
            let plain = filler.repeat(length);
            let text = format!("\"{plain}\"");
            let node = parse(&text, Dialect::Strict).expect(&text);
            assert_eq!((node.as_str(), node.end), (Some(&*plain), text.len()));
            let escaped = format!("\"{plain}\\n{plain}\"");
            let node = parse(&escaped, Dialect::Strict).expect(&escaped);
            assert_eq!(node.as_str(), Some(&*format!("{plain}\n{plain}")));
            for control in ["\u{0}", "\n", "\u{1f}"] {
                let refused = format!("\"{plain}{control}{plain}\"");
                let error = parse(&refused, Dialect::Strict).expect_err(&refused);
                assert_eq!(error.offset, 1 + plain.len(), "{refused:?}");
            }
        }
    }
}
