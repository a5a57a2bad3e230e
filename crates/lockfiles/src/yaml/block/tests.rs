//! The fast parser agrees with the full one wherever it answers.

use super::super::parse_any;
use super::*;

/// What lockfiles have.
const WRITTEN: [&str; 8] = [
    "a: 1.10\nb:\n  'c@1': {d: '9.0', e: [x, y]}\n\nf: {}\n",
    "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      left:\n        specifier: ^1.0.0\n        version: 1.0.0\n",
    "packages:\n\n  '@a/b@1.0.0':\n    resolution: {integrity: sha512-abc+/==}\n    engines: {node: '>=18', npm: '>= 8 < 9'}\n    cpu: [x64]\n    os: []\n",
    "a:\n  deprecated: |-\n    one: two\n\n      three # four\n    five\n\nb: it's fine, really\n",
    "list:\n  - a\n  - 'b c'\n  - [d, {e: f}]\nafter: true\n",
    "snapshots:\n  a@1.0.0(b@2.0.0): {}\n  c@https://codeload.test/tar.gz/abc:\n    optional: true\n",
    "a: 'it''s'\nb: \"x y\"\n'key with ''quotes''': z\n",
    "a: caf\u{e9} \u{2014} x\nb: x:y\nc: {d: x:y}\n",
];

/// What it leaves to the full parser, which reads or refuses it.
const RARE: [&str; 20] = [
    "a: &x 1\nb: *x\n",
    "a: one\n  two\n",
    "a: b: c\n",
    "a: 1 # comment\n",
    "# comment\na: 1\n",
    "---\na: 1\n---\nb: 2\n",
    "a:\nb: 1\n",
    "a: >-\n  x\n  y\n",
    "a: \"x\\ny\"\n",
    "a: {b: c\n  , d: e}\n",
    "a: [b,\n  c]\n",
    "a:\t1\n",
    "- a: 1\n  b: 2\n",
    "a: 1\na: 2\n",
    "a: {b: 1, b: 2}\n",
    "a: {b}\n",
    "a: [b: c]\n",
    "  a: 1\nb: 2\n",
    "? a\n: b\n",
    "a: 'x\n  y'\n",
];

#[test]
fn lockfiles_are_read_as_by_the_full_parser() {
    for text in WRITTEN {
        let fast = parse(text).unwrap_or_else(|| panic!("not read: {text}"));
        assert_eq!(vec![fast], parse_any(text).expect(text), "{text}");
    }
}

#[test]
fn other_yaml_is_left_to_the_full_parser() {
    for text in RARE {
        assert_eq!(parse(text), None, "{text}");
    }
}

/// Every text with one byte less, one more, or another one.
#[test]
fn mutations_are_read_as_by_the_full_parser_or_not_at_all() {
    let inserted = [" ", "\n", ":", ": ", ", ", "'", "\"", "#", " #", "-", "- ", "{", "]", "|-", "\n  ", "*"];
    for text in WRITTEN {
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (before, after) = text.split_at(at);
            let shorter = after.chars().next().map_or("", |first| &after[first.len_utf8()..]);
            for middle in inserted.iter().copied().chain([""]) {
                for changed in [format!("{before}{middle}{after}"), format!("{before}{middle}{shorter}")] {
                    if let Some(fast) = parse(&changed) {
                        assert_eq!(Ok(vec![fast]), parse_any(&changed), "{changed}");
                    }
                }
            }
        }
    }
}
