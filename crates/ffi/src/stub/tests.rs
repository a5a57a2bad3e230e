//! Stubs run on the engine. In: values of scripts, functions of C. Out: what a call returns.

use rusk_jsc::{Engine, Options, Scope, Value, Vm};

use super::generate::jump;
use super::{StubHandlers, StubTarget, StubType, Stubs};

/// What a fallback of the tests returns.
const FELL_BACK: &str = "fallback";

fn stubs() -> Stubs {
    Stubs::new(StubHandlers { fallback: |scope, _, _| Ok(scope.string(FELL_BACK)), rethrow: |_| Ok(()) })
}

/// Calls a function of C with values of a script; the result as a string.
fn call(scope: &Scope, (address, types): (usize, (&[StubType], StubType)), arguments: &str) -> String {
    let (arguments_of, returns) = types;
    let target = StubTarget { address, arguments: arguments_of, returns, index: 7 };
    let (function, _) = stubs().make(scope, "tested", &target).expect("x86-64 has stubs");
    let list = scope.evaluate(&format!("[{arguments}]"), "test.js", 1).expect("a list").as_object(scope);
    let list = list.expect("a list");
    let count = list.property(scope, "length").expect("a list").to_number(scope).expect("a number") as u32;
    let values: Vec<Value<'_>> =
        (0..count).map(|index| list.element(scope, index).expect("an element")).collect();
    let result = function.call(scope, &values).expect("it does not throw");
    result.to_rust_string(scope).expect("a string")
}

fn check(run: impl FnOnce(&Scope)) {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return;
    }
    let engine = Engine::load(&Options::default()).expect("the engine is installed");
    Vm::new(engine).turn(|scope| {
        assert!(scope.value_layout().is_some(), "the layout of this release is known");
        run(scope);
    });
}

extern "C" fn mixed(a: i32, x: f64, b: i64, y: f32, c: u8, z: f64) -> f64 {
    f64::from(a) + x * 10.0 + b as f64 * 100.0 + f64::from(y) * 1000.0 + f64::from(c) * 10_000.0 + z
}

extern "C" fn same_i8(value: i8) -> i8 {
    value
}

extern "C" fn same_u32(value: u32) -> u32 {
    value
}

extern "C" fn same_f64(value: f64) -> f64 {
    value
}

extern "C" fn same_f32(value: f32) -> f32 {
    value
}

extern "C" fn same_word(value: u64) -> u64 {
    value
}

extern "C" fn not(value: bool) -> bool {
    !value
}

extern "C" fn first_byte(bytes: *const u8) -> i32 {
    // SAFETY: the tests pass null or memory.
    unsafe { bytes.as_ref() }.map_or(-1, |byte| i32::from(*byte))
}

extern "C" fn text(is_there: bool) -> *const std::ffi::c_char {
    if is_there { c"caf\xc3\xa9".as_ptr() } else { std::ptr::null() }
}

extern "C" fn six(a: i32, b: i32, c: i32, d: i32, e: i32, f: i32) -> i32 {
    a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f
}

#[test]
fn arguments_go_to_their_registers() {
    use StubType::{F32, F64, I32, U8, Wide};
    check(|scope| {
        let six = (six as *const () as usize, (&[I32; 6][..], I32));
        assert_eq!(call(scope, six, "1, 2, 3, 4, 5, 6"), "91");
        let mixed = (mixed as *const () as usize, (&[I32, F64, Wide, F32, U8, F64][..], F64));
        assert_eq!(call(scope, mixed, "1, 0.5, 2, 0.25, 3, 0.125"), "30456.125");
        assert_eq!(call(scope, mixed, "1, 5, 2, 1, 258, 9007199254740991"), "9007199254762242");
    });
}

#[test]
fn numbers_are_converted() {
    use StubType::{F32, F64, I8, U32};
    check(|scope| {
        let i8 = (same_i8 as *const () as usize, (&[I8][..], I8));
        for (argument, expected) in [("-1", "-1"), ("255", "-1"), ("128.0", "-128"), ("Math.sqrt(9)", "3")] {
            assert_eq!(call(scope, i8, argument), expected, "{argument}");
        }
        let u32 = (same_u32 as *const () as usize, (&[U32][..], U32));
        for (argument, expected) in [("-1", "4294967295"), ("2147483647", "2147483647"), ("7", "7")] {
            assert_eq!(call(scope, u32, argument), expected, "{argument}");
        }
        let f64 = (same_f64 as *const () as usize, (&[F64][..], F64));
        for (argument, expected) in [
            ("1", "1"),
            ("-0.5", "-0.5"),
            ("NaN", "NaN"),
            ("-Infinity", "-Infinity"),
            ("2**31", "2147483648"),
        ] {
            assert_eq!(call(scope, f64, argument), expected, "{argument}");
        }
        let f32 = (same_f32 as *const () as usize, (&[F32][..], F32));
        assert_eq!(call(scope, f32, "0.1"), "0.10000000149011612");
        assert_eq!(call(scope, f32, "3"), "3");
    });
}

#[test]
fn a_nan_of_c_is_the_one_of_the_language() {
    extern "C" fn nan() -> f64 {
        f64::from_bits(u64::MAX)
    }
    check(|scope| {
        assert_eq!(call(scope, (nan as *const () as usize, (&[][..], StubType::F64)), ""), "NaN");
    });
}

#[test]
fn pointers_are_numbers_views_or_nothing() {
    use StubType::{Bool, CString, Function, I32, Pointer, View};
    check(|scope| {
        let first = (first_byte as *const () as usize, (&[Pointer][..], I32));
        let fixed = "new Uint8Array(new ArrayBuffer(16)).fill(9)";
        for (argument, expected) in [
            (fixed, "9"),
            ("new Uint8Array(new Uint8Array([5, 6]).buffer, 1)", "6"),
            ("null", "-1"),
            ("undefined", "-1"),
            ("0", "-1"),
            ("new Uint8Array(4)", FELL_BACK),
            ("new Uint8Array(0)", FELL_BACK),
            ("new DataView(new ArrayBuffer(8))", FELL_BACK),
            ("true", FELL_BACK),
            ("'a string'", FELL_BACK),
            ("{}", FELL_BACK),
            ("-1", FELL_BACK),
            ("5n", FELL_BACK),
        ] {
            assert_eq!(call(scope, first, argument), expected, "{argument}");
        }
        let view = (first_byte as *const () as usize, (&[View][..], I32));
        assert_eq!(call(scope, view, fixed), "9");
        assert_eq!(call(scope, view, "4096"), FELL_BACK);
        let word = (same_word as *const () as usize, (&[Pointer][..], Pointer));
        for (argument, expected) in [("4096", "4096"), ("2**40 + 8", "1099511627784"), ("null", "null")] {
            assert_eq!(call(scope, word, argument), expected, "{argument}");
        }
        let function = (same_word as *const () as usize, (&[Function][..], Function));
        assert_eq!(call(scope, function, "0"), FELL_BACK);
        assert_eq!(call(scope, function, "2**33"), "8589934592");
        let high = (same_word as *const () as usize, (&[StubType::Wide][..], Pointer));
        assert_eq!(call(scope, high, "-1"), "18446744073709552000");
        let text = (text as *const () as usize, (&[Bool][..], CString));
        assert_eq!(call(scope, text, "true"), "caf\u{e9}");
        assert_eq!(call(scope, text, "false"), "null");
        assert_eq!(call(scope, text, "1"), FELL_BACK);
        let not = (not as *const () as usize, (&[Bool][..], Bool));
        assert_eq!(call(scope, not, "false"), "true");
    });
}

#[test]
fn other_values_and_missing_ones_are_left_to_the_fallback() {
    use StubType::{F64, I32, Wide};
    check(|scope| {
        let six = (six as *const () as usize, (&[I32; 6][..], I32));
        let f64 = (same_f64 as *const () as usize, (&[F64][..], F64));
        for arguments in ["1, 2, 3, 4, 5", "1, 2, 3, 4, 5, '6'", "1, 2, 3, 4, 5, 6.5", "1, 2, 3, 4, 5, NaN"] {
            assert_eq!(call(scope, six, arguments), FELL_BACK, "{arguments}");
        }
        for arguments in ["", "undefined", "'1'", "1n", "{}"] {
            assert_eq!(call(scope, f64, arguments), FELL_BACK, "{arguments}");
        }
        let wide = (same_word as *const () as usize, (&[Wide][..], F64));
        assert_eq!(call(scope, wide, "2n ** 63n"), FELL_BACK);
        assert_eq!(call(scope, wide, "1e300"), FELL_BACK);
    });
}

#[test]
fn a_retired_stub_leads_to_the_fallback() {
    check(|scope| {
        let arguments = [StubType::I32];
        let address = same_i8 as *const () as usize;
        let target = StubTarget { address, arguments: &arguments, returns: StubType::I8, index: 7 };
        let (function, stub) = stubs().make(scope, "tested", &target).expect("x86-64 has stubs");
        let result = |function: rusk_jsc::Function<'_>| {
            let result = function.call(scope, &[scope.number(5.0)]).expect("it does not throw");
            result.to_rust_string(scope).expect("a string")
        };
        assert_eq!(result(function), "5");
        stub.retire();
        assert_eq!(result(function), FELL_BACK);
    });
}

#[test]
fn what_does_not_fit_has_no_stub() {
    check(|scope| {
        let make = |arguments: &[StubType], returns| {
            let target = StubTarget { address: 4096, arguments, returns, index: 0 };
            stubs().make(scope, "tested", &target).is_some()
        };
        assert!(make(&[StubType::I32; 6], StubType::Void));
        assert!(!make(&[StubType::I32; 7], StubType::Void));
        assert!(make(&[StubType::F64; 8], StubType::Void));
        assert!(!make(&[StubType::F64; 9], StubType::Void));
        assert!(!make(&[], StubType::Wide));
        assert!(!make(&[StubType::Void], StubType::Void));
    });
}

#[test]
fn jumps_are_relative_to_their_end() {
    assert_eq!(jump(0, 5), [0xE9, 0, 0, 0, 0]);
    assert_eq!(jump(0, 0x105), [0xE9, 0, 1, 0, 0]);
}
