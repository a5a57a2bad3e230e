//! Frequent collections, with freed memory overwritten: values that Rust holds survive. In a
//! process of its own, because of the engine's options.

mod support;

use rusk_jsc::{ArrayBuffer, Bytes, Call, Function, Options, Outcome, Root, Scope, Setting, Value, Vm};
use support::text_of;

fn vm() -> Vm {
    let settings = vec![
        (c"collectContinuously", Setting::Flag(true)),
        (c"slowPathAllocsBetweenGCs", Setting::Number(20)),
        (c"scribbleFreeCells", Setting::Flag(true)),
        (c"useZombieMode", Setting::Flag(true)),
        (c"sweepSynchronously", Setting::Flag(true)),
    ];
    support::vm_with(&Options { settings, ..Options::default() })
}

#[test]
fn values_in_boxes_outlive_every_collection() {
    let vm = vm();
    for round in 0..20 {
        vm.turn(|scope| {
            let values: Box<Vec<Value<'_>>> =
                Box::new((0..200).map(|number| scope.string(&format!("{round} and {number}"))).collect());
            text_of(scope, "for (let i = 0; i < 2000; i++) ({ i, a: [i] }).i");
            for (number, value) in values.iter().enumerate() {
                assert_eq!(value.to_rust_string(scope).expect("a string"), format!("{round} and {number}"));
            }
        });
    }
}

#[test]
fn callbacks_roots_and_buffers_hold_under_stress() {
    check_pair(|scope| scope.function("pair", pair));
    check_pair(|scope| scope.fast_function("pair", pair));
}

fn pair<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let mut values = vec![scope.string("fresh text")];
    values.extend(call.arguments.iter().rev());
    let bytes = ArrayBuffer::new(scope, vec![7; 64])?;
    values.push(bytes.object().value());
    let (given, wide) = (Bytes::from_vec(scope, vec![6; 32])?, scope.string("\u{20ac}uro"));
    let given = Bytes::of(scope, given.value()).expect("it has bytes");
    let copy =
        given.with_bytes_and_string(scope, wide, |bytes, units| (bytes.to_vec(), format!("{units:?}")));
    assert_eq!(copy, Some((vec![6; 32], "Utf16([8364, 117, 114, 111])".to_owned())));
    Ok(scope.array(&values)?.value())
}

fn check_pair(make: impl for<'s> Fn(&'s Scope) -> Function<'s>) {
    let vm = vm();
    let root = vm.turn(|scope| Root::new(scope, make(scope).value()));
    for _ in 0..20 {
        vm.turn(|scope| {
            scope.global().set_property(scope, "pair", root.value(scope)).expect("it is set");
            let source = "var bad = 0; for (let i = 0; i < 300; i++) { \
                          const [a, b, c, d] = pair({ v: i }, 'x' + i); \
                          if (a !== 'fresh text' || b !== 'x' + i || c.v !== i || new Uint8Array(d)[63] !== 7) bad++ } bad";
            assert_eq!(text_of(scope, source), "0");
        });
    }
}
