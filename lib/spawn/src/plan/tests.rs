//! Strings of this process, as a child reads them.

use std::ffi::{CStr, c_char};

use super::Plan;

/// Adds the strings after an argument; reads them back as a child would.
fn pushed(plan: &mut Plan, argument: &[u8], strings: &[u8]) -> Vec<u8> {
    let starts = (0..strings.len()).filter(|at| *at == 0 || strings[at - 1] == 0);
    let addresses: Vec<usize> = starts.map(|at| strings.as_ptr() as usize + at).collect();
    plan.clear();
    plan.string(&[argument]);
    // SAFETY: each ends in a NUL.
    unsafe { plan.push_strings(&addresses) };
    plan.layout_mut().envp_at = 1;
    plan.end_array();
    let bound = plan.bind();
    let mut next = bound.envp;
    let mut found = Vec::new();
    // SAFETY: the array ends in a null, its strings in NULs.
    unsafe {
        while !(*next).is_null() {
            found.extend_from_slice(CStr::from_ptr((*next).cast::<c_char>()).to_bytes_with_nul());
            next = next.add(1);
        }
    }
    found
}

#[test]
fn strings_that_changed_in_place_are_seen() {
    let mut plan = Plan::default();
    let mut strings = b"A=1\0BB=22\0C=\0".to_vec();
    for change in [3, 1, 6, 8, 2] {
        for argument in [&b"short"[..], b"short", b"longer one", b"longer one"] {
            assert_eq!(pushed(&mut plan, argument, &strings), strings);
        }
        strings[change] = if strings[change] == 0 { b'x' } else { b'y' };
    }
    assert_eq!(pushed(&mut plan, b"", b""), b"");
}
