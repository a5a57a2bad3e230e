//! Bytes of views; run with and without the verified layout.

use crate::support::{text_of, vm_with};
use rusk_jsc::{Bytes, Options, Scope};

pub fn check(options: &Options) {
    vm_with(options).turn(|scope| {
        let ramp = "const ramp = Uint8Array.from({ length: 24 }, (_, i) => i).buffer; const big = new ArrayBuffer(5000);\
                    const grown = new ArrayBuffer(8, { maxByteLength: 64 });";
        scope.evaluate(ramp, "test.js", 1).expect("it runs");
        for (source, expected) in [
            ("new Uint8Array([1, 2, 3])", &[1, 2, 3][..]),
            ("new Int8Array([-1, 2])", &[255, 2]),
            ("new Uint8ClampedArray([300])", &[255]),
            ("new Uint16Array([258])", &[2, 1]),
            ("new Float64Array([1])", &[0, 0, 0, 0, 0, 0, 240, 63]),
            ("new Float16Array([1])", &[0, 60]),
            ("new BigInt64Array([-1n])", &[255; 8]),
            ("new Uint8Array(ramp, 4, 3)", &[4, 5, 6]),
            ("new Uint32Array(ramp, 4, 1)", &[4, 5, 6, 7]),
            ("new DataView(ramp, 5, 2)", &[5, 6]),
            ("ramp.slice(20)", &[20, 21, 22, 23]),
            ("new Uint8Array(big, 4997).fill(7)", &[7, 7, 7]),
            ("new SharedArrayBuffer(2)", &[0, 0]),
            ("new Uint8Array(new SharedArrayBuffer(3)).fill(9)", &[9, 9, 9]),
            ("new (class extends Uint8Array { get byteLength() { throw 1 } })([4])", &[4]),
            ("new Uint8Array(grown).fill(1)", &[1; 8]),
            ("grown.resize(10), new Uint8Array(grown, 2)", &[1, 1, 1, 1, 1, 1, 0, 0]),
            ("new DataView(grown, 8)", &[0, 0]),
            ("new Uint8Array(0)", &[]),
            ("new ArrayBuffer(0)", &[]),
            ("((b) => (b.transfer(), b))(new ArrayBuffer(3))", &[]),
            ("((b, v) => (v = new Uint8Array(b), b.transfer(), v))(new ArrayBuffer(3))", &[]),
        ] {
            assert_eq!(bytes_of(scope, source).map(|bytes| bytes.copy(scope)).as_deref(), Some(expected), "{source}");
        }
        for source in ["({})", "3", "'text'", "null", "[1, 2]", "({ buffer: ramp, byteOffset: 0, byteLength: 9 })"] {
            assert!(bytes_of(scope, source).is_none(), "{source}");
        }
        let memory = bytes_of(scope, "new WebAssembly.Memory({ initial: 1 }).buffer").expect("it has bytes");
        assert_eq!(memory.len(scope), 65536);
        writes_by_rust_are_visible(scope);
    });
}

fn writes_by_rust_are_visible(scope: &Scope) {
    scope
        .evaluate("const small = new Uint8Array(4), part = new Uint8Array(ramp, 8, 4)", "test.js", 1)
        .expect("it runs");
    for name in ["small", "part"] {
        let bytes = bytes_of(scope, name).expect("it has bytes");
        bytes.with_bytes_mut(scope, |bytes| bytes.copy_from_slice(&[9, 8, 7, 6]));
        assert_eq!(text_of(scope, &format!("{name}.join()")), "9,8,7,6");
    }
    let (small, part) = (bytes_of(scope, "small").expect("bytes"), bytes_of(scope, "part").expect("bytes"));
    assert!(small.with_both(scope, part, |left, right| left == right && left.len() == 4));
    assert!(small.with_both(scope, small, |left, right| left == right && left.as_ptr() == right.as_ptr()));
    let text = scope.string("ab");
    let written = small.with_bytes_and_string(scope, text, |bytes, units| {
        bytes[3] = 1;
        format!("{units:?}")
    });
    assert!(written.is_some_and(|text| text == "Latin1([97, 98])" || text == "Utf16([97, 98])"));
    assert!(small.with_bytes_and_string(scope, scope.null(), |_, _| ()).is_none());
    assert_eq!(text_of(scope, "small.join()"), "9,8,7,1");
    let given = Bytes::from_vec(scope, vec![5, 6, 7]).expect("it is made");
    scope.global().set_property(scope, "given", given.value()).expect("it is set");
    assert_eq!(
        text_of(scope, "given[0] = 8; [given, given.constructor.name, given.byteOffset].join()"),
        "8,6,7,Uint8Array,0"
    );
    assert_eq!(bytes_of(scope, "given").expect("bytes").copy(scope), [8, 6, 7]);
    assert_eq!(
        Bytes::from_vec(scope, Vec::new()).map(|empty| bytes_of_value(scope, empty.value())).expect("made"),
        0
    );
}

fn bytes_of_value<'s>(scope: &'s Scope, value: rusk_jsc::Value<'s>) -> usize {
    Bytes::of(scope, value).expect("bytes").len(scope)
}

pub fn bytes_of<'s>(scope: &'s Scope, source: &str) -> Option<Bytes<'s>> {
    Bytes::of(scope, scope.evaluate(source, "test.js", 1).expect("it runs"))
}
