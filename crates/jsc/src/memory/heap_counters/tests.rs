//! The offset of the heap, read from machine code.

use super::heap_offset;

#[test]
fn the_offset_is_that_of_the_first_far_lea() {
    // lea rdi, [rsp + 0x28]; lea r14, [rbx + 0xc0]; lea rax, [rbx + 0x200]
    let code = [
        &[0x48, 0x8d, 0x7c, 0x24, 0x28][..],
        &[0x4c, 0x8d, 0xb3, 0xc0, 0, 0, 0],
        &[0x48, 0x8d, 0x83, 0, 2, 0, 0],
    ]
    .concat();
    assert_eq!(heap_offset(&code), cfg!(target_arch = "x86_64").then_some(0xc0));
    assert_eq!(heap_offset(&code[..5]), None);
    // Too large, and not a multiple of a word.
    assert_eq!(heap_offset(&[0x4c, 0x8d, 0xb3, 0xc0, 0, 1, 0]), None);
    assert_eq!(heap_offset(&[0x4c, 0x8d, 0xb3, 0xc1, 0, 0, 0]), None);
}
