//! Texts into the engine and out again; run with and without the short way.

use crate::machine::vm_with;
use rusk_jsc::{Options, Scope, Text};

pub fn check(options: &Options) {
    vm_with(options).turn(|scope| {
        let long = "0123456789 long ".repeat(10_000);
        let wide = "\u{20ac}\u{1f600}".repeat(10_000);
        let latin = "caf\u{e9} ".repeat(200);
        let edge = "e".repeat(255) + "x";
        let samples = [
            "",
            "a",
            "ab",
            "plain",
            "nul \0 inside",
            "\0",
            "\x7f\x01",
            "caf\u{e9}",
            "\u{ff}\u{100}",
            "\u{1f600}",
            "\u{feff}bom",
            &edge,
            &edge[1..],
            &long,
            &wide,
            &latin,
        ];
        for sample in samples {
            round_trip(scope, sample);
        }
        // What has no UTF-8 is replaced, and what the engine puts together from pieces is read as one.
        let read = |source: &str| {
            scope.evaluate(source, "test.js", 1).and_then(|value| value.to_text(scope)).expect("a text")
        };
        assert_eq!(read("'\\ud83d!'"), "\u{fffd}!");
        assert_eq!(read("'\\ud83d' + '\\ude00'"), "\u{1f600}");
        assert_eq!(read("['a', '\\u20ac', 'b'].join('').slice(1)"), "\u{20ac}b");
        assert_eq!(read("'abcdefghijklmnop'.repeat(4).slice(14, 20)"), "opabcd");
        assert_eq!(read("'caf\\xe9' + 1"), "caf\u{e9}1");
    });
}

fn round_trip(scope: &Scope, sample: &str) {
    let shown: String = sample.chars().take(20).collect();
    let by_text = Text::new(scope, sample).value(scope);
    let by_value = scope.text(sample);
    assert!(by_text.is_same(by_value, scope), "{shown:?}");
    for value in [by_text, by_value] {
        assert_eq!(value.to_text(scope).expect("a text"), sample);
        scope.global().set_property(scope, "sample", value).expect("it is set");
        let units = scope.evaluate("sample.length", "test.js", 1).and_then(|length| length.to_number(scope));
        assert_eq!(units.expect("a number") as usize, sample.encode_utf16().count(), "{shown:?}");
        let same = scope.evaluate("sample === [...sample].join('')", "test.js", 1).expect("it runs");
        assert!(same.is_truthy(scope), "{shown:?}");
        // As the name of a property it becomes one of the engine's atoms.
        scope.evaluate("({})[sample]; new Map([[sample, 1]]).get(sample)", "test.js", 1).expect("it runs");
        assert_eq!(value.to_text(scope).expect("a text"), sample);
    }
}
