//! Assembler of the few x86-64 instructions that stubs need. In: instructions, labels. Out: code.
//! Jumps are all 32 bits wide, and relative, so that code can be copied anywhere.

/// A register for integers. The numbers are the processor's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    Rax = 0,
    Rcx = 1,
    Rdx = 2,
    Rsi = 6,
    Rdi = 7,
    R8 = 8,
    R9 = 9,
    R10 = 10,
    R11 = 11,
}

/// A place in the code that jumps refer to before it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// Conditions of jumps, by their opcodes.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    Below = 0x82,
    AboveOrEqual = 0x83,
    Equal = 0x84,
    NotEqual = 0x85,
    Above = 0x87,
    Negative = 0x88,
    NotNegative = 0x89,
    Parity = 0x8A,
    LessOrEqual = 0x8E,
}

/// Code that grows.
#[derive(Default)]
pub struct Assembler {
    bytes: Vec<u8>,
    labels: Vec<Option<usize>>,
    /// Places of 32-bit distances, and what they refer to.
    jumps: Vec<(usize, Label)>,
}

impl Assembler {
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.bytes.len());
    }

    pub fn jump(&mut self, label: Label) {
        self.raw(&[0xE9]);
        self.distance(label);
    }

    pub fn jump_if(&mut self, condition: Condition, label: Label) {
        self.raw(&[0x0F, condition as u8]);
        self.distance(label);
    }

    fn distance(&mut self, label: Label) {
        self.jumps.push((self.bytes.len(), label));
        self.raw(&[0; 4]);
    }

    /// An instruction whose operand is the distance from its end to a place, `distance` bytes
    /// after the beginning of the code.
    pub fn relative(&mut self, opcode: u8, distance: i32) {
        let end = (self.bytes.len() + 5) as i32;
        self.raw(&[opcode]);
        self.raw(&distance.wrapping_sub(end).to_le_bytes());
    }

    /// `mov register, word`.
    pub fn load(&mut self, register: Register, word: u64) {
        let number = register as u8;
        self.raw(&[0x48 | number >> 3, 0xB8 | number & 7]);
        self.raw(&word.to_le_bytes());
    }

    /// An instruction with two registers: `reg` and `r/m` of its ModRM byte. `prefix`: what comes
    /// before REX; `wide`: 64 bits.
    pub fn pair(&mut self, prefix: Option<u8>, wide: bool, opcode: &[u8], reg: u8, rm: u8) {
        self.raw(prefix.as_slice());
        let rex = 0x40 | u8::from(wide) << 3 | (reg >> 3) << 2 | rm >> 3;
        // Always with REX: without it, byte registers from 4 on are others.
        self.raw(&[rex]);
        self.raw(opcode);
        self.raw(&[0xC0 | (reg & 7) << 3 | rm & 7]);
    }

    /// The same with memory at `[base + distance]`. The base is neither `rsp` nor `r12`.
    pub fn memory(&mut self, wide: bool, opcode: &[u8], reg: u8, base: Register, distance: i32) {
        let base = base as u8;
        self.raw(&[0x40 | u8::from(wide) << 3 | (reg >> 3) << 2 | base >> 3]);
        self.raw(opcode);
        self.raw(&[0x80 | (reg & 7) << 3 | base & 7]);
        self.raw(&distance.to_le_bytes());
    }

    /// Where a label is.
    pub fn place(&self, label: Label) -> Option<usize> {
        self.labels[label.0]
    }

    /// The code. `None`: a label was not bound.
    pub fn finish(mut self) -> Option<Vec<u8>> {
        for (place, label) in std::mem::take(&mut self.jumps) {
            let distance = i32::try_from(self.place(label)?).ok()? - i32::try_from(place).ok()? - 4;
            self.bytes[place..place + 4].copy_from_slice(&distance.to_le_bytes());
        }
        Some(self.bytes)
    }
}
