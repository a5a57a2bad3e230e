//! Assembler of BPF instructions (`Documentation/bpf/standardization/instruction-set.rst`). In: one
//! method call for each instruction, labels by name. Out: 64-bit words.

use std::collections::HashMap;

/// A register, 0 to 10.
pub type Register = u8;

/// The return value of programs and helper functions.
pub const R0: Register = 0;
/// Arguments of helper functions, which overwrite them.
pub const R1: Register = 1;
pub const R2: Register = 2;
pub const R3: Register = 3;
pub const R4: Register = 4;
/// Preserved by helper functions.
pub const R6: Register = 6;
pub const R7: Register = 7;
pub const R8: Register = 8;
pub const R9: Register = 9;
/// The frame pointer: the end of a stack of 512 bytes.
pub const STACK: Register = 10;

/// Helper functions, by their numbers in `enum bpf_func_id`.
#[derive(Clone, Copy)]
pub enum Function {
    MapLookup = 1,
    MapUpdate = 2,
    MapDelete = 3,
    Now = 5,
    CurrentIds = 14,
    CurrentTask = 35,
    ReadKernel = 113,
    ReadUserText = 114,
    NumbersWithin = 120,
    RingOutput = 130,
    RingQuery = 134,
}

#[derive(Clone, Copy)]
pub enum Width {
    Four,
    Eight,
}

#[derive(Clone, Copy)]
pub enum When {
    Equal = 0x15,
    Above = 0x25,
    NotEqual = 0x55,
    Below = 0xa5,
    SignedBelow = 0xc5,
}

#[derive(Default)]
pub struct Assembler {
    words: Vec<u64>,
    indices: HashMap<&'static str, usize>,
    jumps: Vec<(usize, &'static str)>,
}

impl Assembler {
    pub fn copy(&mut self, target: Register, source: Register) -> &mut Assembler {
        self.push(0xbf, target, source, 0, 0)
    }

    pub fn set(&mut self, target: Register, number: i32) -> &mut Assembler {
        self.push(0xb7, target, 0, 0, number)
    }

    /// An instruction of two words.
    pub fn set_long(&mut self, target: Register, number: u64) -> &mut Assembler {
        self.push(0x18, target, 0, 0, number as i32).push(0, 0, 0, 0, (number >> 32) as i32)
    }

    pub fn add(&mut self, target: Register, number: i32) -> &mut Assembler {
        self.push(0x07, target, 0, 0, number)
    }

    pub fn and(&mut self, target: Register, number: i32) -> &mut Assembler {
        self.push(0x57, target, 0, 0, number)
    }

    pub fn shift_right(&mut self, target: Register, bits: i32) -> &mut Assembler {
        self.push(0x77, target, 0, 0, bits)
    }

    pub fn subtract(&mut self, target: Register, source: Register) -> &mut Assembler {
        self.push(0x1f, target, source, 0, 0)
    }

    pub fn load(&mut self, width: Width, target: Register, source: Register, at: i16) -> &mut Assembler {
        let code = if matches!(width, Width::Eight) { 0x79 } else { 0x61 };
        self.push(code, target, source, at, 0)
    }

    pub fn store(&mut self, width: Width, target: Register, at: i16, source: Register) -> &mut Assembler {
        let code = if matches!(width, Width::Eight) { 0x7b } else { 0x63 };
        self.push(code, target, source, at, 0)
    }

    pub fn store_number(&mut self, width: Width, target: Register, at: i16, number: i32) -> &mut Assembler {
        let code = if matches!(width, Width::Eight) { 0x7a } else { 0x62 };
        self.push(code, target, 0, at, number)
    }

    /// An atomic add.
    pub fn count(&mut self, target: Register, at: i16, source: Register) -> &mut Assembler {
        self.push(0xdb, target, source, at, 0)
    }

    /// A map by its file descriptor; two words.
    pub fn map(&mut self, target: Register, descriptor: i32) -> &mut Assembler {
        self.push(0x18, target, 1, 0, descriptor).push(0, 0, 0, 0, 0)
    }

    pub fn call(&mut self, function: Function) -> &mut Assembler {
        self.push(0x85, 0, 0, 0, function as i32)
    }

    pub fn jump_if(&mut self, left: Register, when: When, right: i32, to: &'static str) -> &mut Assembler {
        self.jumps.push((self.words.len(), to));
        self.push(when as u8, left, 0, 0, right)
    }

    pub fn jump(&mut self, to: &'static str) -> &mut Assembler {
        self.jumps.push((self.words.len(), to));
        self.push(0x05, 0, 0, 0, 0)
    }

    pub fn place(&mut self, name: &'static str) -> &mut Assembler {
        self.indices.insert(name, self.words.len());
        self
    }

    pub fn exit(&mut self) -> &mut Assembler {
        self.push(0x95, 0, 0, 0, 0)
    }

    /// The program, with resolved jumps.
    pub fn finish(mut self) -> Vec<u64> {
        for (at, to) in self.jumps {
            let place = self.indices[to];
            let distance = i16::try_from(place as i64 - at as i64 - 1).expect("programs are short");
            self.words[at] |= u64::from(distance as u16) << 16;
        }
        self.words
    }

    fn push(&mut self, code: u8, target: Register, source: Register, at: i16, number: i32) -> &mut Assembler {
        let registers = u64::from(target | source << 4);
        let word =
            u64::from(code) | registers << 8 | u64::from(at as u16) << 16 | u64::from(number as u32) << 32;
        self.words.push(word);
        self
    }
}

#[cfg(test)]
mod tests;
