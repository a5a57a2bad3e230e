//! Encoded instructions.

use super::*;

#[test]
fn instructions_have_the_kernels_encoding() {
    let mut assembler = Assembler::default();
    assembler.set(R0, -1).load(Width::Four, R1, R6, -8).store(Width::Eight, STACK, -16, R2).exit();
    let expected = [0xffff_ffff_0000_00b7, 0x0000_0000_fff8_6161, 0x0000_0000_fff0_2a7b, 0x95];
    assert_eq!(assembler.finish(), expected);
}

#[test]
fn jumps_count_from_the_next_instruction() {
    let mut assembler = Assembler::default();
    assembler.place("top").jump_if(R0, When::Equal, 7, "end").jump("top").place("end").exit();
    assert_eq!(assembler.finish(), [0x0000_0007_0001_0015, 0x0000_0000_fffe_0005, 0x95]);
}
