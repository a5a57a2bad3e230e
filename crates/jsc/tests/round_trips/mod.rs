//! String conversions in both directions; run with and without the fast path.

use crate::support::vm_with;
use rusk_jsc::{CodeUnits, JsString, Options, Scope, Value};

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
        // Invalid code units are replaced, and a rope is read as one string.
        let read = |source: &str| {
            scope
                .evaluate(source, "test.js", 1)
                .and_then(|value| value.to_rust_string(scope))
                .expect("a string")
        };
        assert_eq!(read("'\\ud83d!'"), "\u{fffd}!");
        assert_eq!(read("'\\ud83d' + '\\ude00'"), "\u{1f600}");
        assert_eq!(read("['a', '\\u20ac', 'b'].join('').slice(1)"), "\u{20ac}b");
        assert_eq!(read("'abcdefghijklmnop'.repeat(4).slice(14, 20)"), "opabcd");
        assert_eq!(read("'caf\\xe9' + 1"), "caf\u{e9}1");
    });
}

/// Borrowed code units, and strings made of Latin-1 and UTF-16.
pub fn check_code_units(options: &Options) {
    let shown = |units: CodeUnits<'_>| match units {
        CodeUnits::Latin1(units) => units.iter().map(|unit| u16::from(*unit)).collect::<Vec<u16>>(),
        CodeUnits::Utf16(units) => units.to_vec(),
    };
    vm_with(options).turn(|scope| {
        for source in [
            "''",
            "'a'",
            "'plain'",
            "'caf\\xe9'",
            "'\\u20acuro'",
            "'\\ud83d!'",
            "'ab'.repeat(99) + 'c'",
            "'xplain'.slice(1)",
        ] {
            let value = scope.evaluate(source, "test.js", 1).expect("it runs");
            let expected: Vec<u16> = value.to_rust_string(scope).expect("a string").encode_utf16().collect();
            let found = value.with_code_units(scope, shown).expect("a string");
            match source.contains("ud83d") {
                true => assert_eq!(found, [0xd83d, 0x21]),
                false => assert_eq!(found, expected, "{source}"),
            }
            let same = scope.string_from_utf16(&found);
            assert!(same.is_same(value, scope), "{source}");
            if found.iter().all(|unit| *unit < 0x100) {
                let units: Vec<u8> = found.iter().map(|unit| *unit as u8).collect();
                assert!(scope.string_from_latin1(&units).is_same(value, scope), "{source}");
            }
        }
        for other in ["3", "({})", "null", "undefined", "Symbol()", "4n", "new String('a')"] {
            let value = scope.evaluate(other, "test.js", 1).expect("it runs");
            assert_eq!(value.with_code_units(scope, |_| ()), None, "{other}");
        }
        for (bytes, text) in [
            (&b"caf\xc3\xa9"[..], "caf\u{e9}"),
            (b"\xe2\x82\xac", "\u{20ac}"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
            (b"a\xff\xc3b", "a\u{fffd}\u{fffd}b"),
            (b"", ""),
        ] {
            assert_eq!(scope.string_from_utf8_lossy(bytes).to_rust_string(scope).expect("a string"), text);
            assert_eq!(
                scope.string_from_utf8_owned(bytes.to_vec()).to_rust_string(scope).expect("a string"),
                text
            );
        }
        for end in ["", "\u{e9}", "\u{20ac}"] {
            let text = "a".repeat(100_000) + end;
            let found = scope.string_from_utf8_lossy(text.as_bytes());
            assert_eq!(found.to_rust_string(scope).expect("a string"), text);
        }
    });
    owned_strings_are_used_as_others(options);
}

/// As a property name, sliced, concatenated, and long after it was created.
fn owned_strings_are_used_as_others(options: &Options) {
    vm_with(options).turn(|scope| {
        for round in 0..4 {
            let text = "0123456789".repeat(20_000 + round);
            scope.global().set_property(scope, "own", scope.string_from_utf8_owned(text.into_bytes())).expect("it is set");
            let used = "({ [own]: 1 })[own] && own.slice(5, 25) + own.length + (own + own).indexOf('90', own.length - 2)";
            let used = scope.evaluate(used, "test.js", 1).and_then(|value| value.to_rust_string(scope)).expect("a string");
            let length = 200_000 + 10 * round;
            assert_eq!(used, format!("56789012345678901234{length}{}", length - 1));
            scope.collect(rusk_jsc::Gc::Now);
        }
    });
}

/// Values that are not cells.
pub fn check_primitives(options: &Options) {
    vm_with(options).turn(|scope| {
        let same = |source: &str, value: Value<'_>| {
            let made = scope.evaluate(source, "test.js", 1).expect("it runs");
            scope.global().set_property(scope, "made", value).expect("it is set");
            let is_same =
                scope.evaluate(&format!("Object.is(made, {source})"), "test.js", 1).expect("it runs");
            assert!(is_same.is_truthy(scope), "{source}");
            assert_eq!(made.kind(scope), value.kind(scope), "{source}");
        };
        for number in [0.0, -0.0, 1.0, -1.0, 0.5, 2147483647.0, -2147483648.0, 2147483648.0, 1e300, -5e-324] {
            same(&format!("{number:?}"), scope.number(number));
            let back = scope.number(number).to_number(scope).expect("a number");
            assert_eq!(back.to_bits(), f64::to_bits(number));
        }
        for (source, number) in [("NaN", f64::NAN), ("-Infinity", f64::NEG_INFINITY)] {
            same(source, scope.number(number));
        }
        assert!(scope.number(f64::from_bits(u64::MAX)).to_number(scope).expect("a number").is_nan());
        same("true", scope.boolean(true));
        same("false", scope.boolean(false));
        same("null", scope.null());
        same("undefined", scope.undefined());
    });
}

fn round_trip(scope: &Scope, sample: &str) {
    let shown: String = sample.chars().take(20).collect();
    let by_text = JsString::new(scope, sample).value(scope);
    let by_value = scope.string(sample);
    let by_own = scope.string_from_utf8_owned(sample.as_bytes().to_vec());
    assert!(by_text.is_same(by_value, scope) && by_own.is_same(by_value, scope), "{shown:?}");
    for value in [by_text, by_value, by_own] {
        assert_eq!(value.to_rust_string(scope).expect("a string"), sample);
        scope.global().set_property(scope, "sample", value).expect("it is set");
        let units = scope.evaluate("sample.length", "test.js", 1).and_then(|length| length.to_number(scope));
        assert_eq!(units.expect("a number") as usize, sample.encode_utf16().count(), "{shown:?}");
        let same = scope.evaluate("sample === [...sample].join('')", "test.js", 1).expect("it runs");
        assert!(same.is_truthy(scope), "{shown:?}");
        // As a property name it becomes an atom.
        scope.evaluate("({})[sample]; new Map([[sample, 1]]).get(sample)", "test.js", 1).expect("it runs");
        assert_eq!(value.to_rust_string(scope).expect("a string"), sample);
    }
}
