//! Lines of yarn.lock, of both generations.

use super::{Block, parse};

fn shown(blocks: &[Block<'_>]) -> String {
    let show = |block: &Block<'_>| {
        let value = block.value.as_deref().map(|value| format!("={value}")).unwrap_or_default();
        let children = match block.children.is_empty() {
            true => String::new(),
            false => format!("{{{}}}", shown(&block.children)),
        };
        format!("{}{value}{children}", block.keys.join("|"))
    };
    blocks.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(shown(&parse(text).expect(text)), expected);
}

#[track_caller]
fn check_refused(text: &str, expected: &str) {
    assert_eq!(parse(text).expect_err(text).message(), expected);
}

#[test]
fn yarn_1_has_lists_of_keys_and_blanks_before_values() {
    check(
        "# comment\n\n\"@s/a@^1\", b@*:\n  version \"1.0.0\"\n  dependencies:\n    c \">= 1\"\n    \"@s/d\" x\n",
        "@s/a@^1|b@*{version=1.0.0 dependencies{c=>= 1 @s/d=x}}",
    );
}

#[test]
fn later_versions_have_colons() {
    check(
        "__metadata:\n  version: 8\n\n\"a@npm:^1, a@npm:1\":\n  bin:\n    a: ./x.js\n  conditions: os=linux & cpu=x64\n",
        "__metadata{version=8} a@npm:^1, a@npm:1{bin{a=./x.js} conditions=os=linux & cpu=x64}",
    );
    check("? \"a@npm:1\"\n:\n  version: 1.0.0\n", "a@npm:1{version=1.0.0}");
}

#[test]
fn escapes_are_read() {
    check("\"a\\\"b\":\n  v \"\\u0041\\\\\"\n", "a\"b{v=A\\}");
    check("a:\r\n  b 1\r\n", "a{b=1}");
}

#[test]
fn damage_has_a_line() {
    check_refused("a:\n  b 1\n    c 2\n", "yarn.lock line 3: expected less indentation");
    check_refused("a:\n      b 1\n", "yarn.lock line 2: expected less indentation");
    check_refused("a:\n  \"b 1\n", "yarn.lock line 2: expected `key value` or `key:`");
    check_refused("a\n", "yarn.lock line 1: expected `key value` or `key:`");
    check_refused("a:\n<<<<<<< HEAD\n", "yarn.lock has a merge conflict at line 2");
}
