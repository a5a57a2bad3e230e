//! Type tables: a handmade one, truncated ones, this kernel's own.

use super::*;

/// A table of these types and strings.
fn table(types: &[u32], strings: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_ne_bytes().to_vec();
    bytes.extend([1, 0]);
    let types: Vec<u8> = types.iter().flat_map(|word| word.to_ne_bytes()).collect();
    for word in [24, 0, types.len(), types.len(), strings.len()] {
        bytes.extend((word as u32).to_ne_bytes());
    }
    [bytes, types, strings.as_bytes().to_vec()].concat()
}

/// An `int`; a union of `b`; a struct `s` of `a` and the union.
fn example() -> Vec<u8> {
    let (int, union, outer) = (1 << 24, 5 << 24 | 1, 4 << 24 | 2);
    #[rustfmt::skip]
    let types = [
        1, int, 4, 32,
        0, union, 4, 7, 1, 0,
        5, outer, 8, 9, 1, 0, 0, 2, 32,
    ];
    table(&types, "\0int\0s\0b\0a\0")
}

#[test]
fn members_of_anonymous_unions_are_found() {
    let bytes = example();
    let btf = Btf::parse(&bytes).expect("a table");
    let [outer] = btf.structs(["s"]).expect("a struct of this name");
    assert_eq!(outer.offsets(["a", "b"]), Some([0, 4]));
    assert_eq!(outer.offsets(["c"]), None);
    assert!(btf.structs(["s", "int"]).is_none());
}

#[test]
fn a_truncated_table_does_not_panic() {
    let bytes = example();
    for length in 0..bytes.len() {
        if let Some(btf) = Btf::parse(&bytes[..length]) {
            let found = btf.structs(["s"]).and_then(|[outer]| outer.offsets(["b"]));
            assert_eq!(found, None, "{length}");
        }
    }
}

#[test]
fn this_kernels_own_table_is_parsed() {
    // A kernel without BTF does not support the collector.
    if let Ok(bytes) = std::fs::read("/sys/kernel/btf/vmlinux") {
        let btf = Btf::parse(&bytes).expect("a table");
        let [task] = btf.structs(["task_struct"]).expect("every kernel has it");
        let [pid, tgid] = task.offsets(["pid", "tgid"]).expect("and both");
        assert_eq!(tgid, pid + 4);
    }
}
