//! Code of a stub. In: a C function's address and types, addresses of what it calls. Out: code.
//!
//! `r11` has the frame until the call, `r10` the tag of numbers, `rax` the value that is converted;
//! `xmm14` and `xmm15` are free. The context is on the stack, which is aligned by that.

use super::assembler::{Assembler, Condition, Label, Register};
use super::{StubTarget, StubType};
use rusk_jsc::ValueLayout;

/// A jump with a 32-bit distance.
pub const JUMP_BYTES: usize = 5;

/// Registers of arguments in the System V ABI.
const INTEGERS: [Register; 6] =
    [Register::Rdi, Register::Rsi, Register::Rdx, Register::Rcx, Register::R8, Register::R9];
const FLOATS: u8 = 8;

const RAX: u8 = Register::Rax as u8;
const R10: u8 = Register::R10 as u8;
const R11: u8 = Register::R11 as u8;
const XMM0: u8 = 0;
const XMM14: u8 = 14;
const XMM15: u8 = 15;

/// Addresses that code refers to, and the layout of values.
pub struct Entries {
    pub layout: ValueLayout,
    pub fallback: u64,
    pub rethrow: u64,
    pub string: u64,
    pub has_thrown: u64,
}

/// Code, and the place in it that leaves the call to the fallback.
pub struct StubCode {
    pub bytes: Vec<u8>,
    pub fallback: usize,
}

/// A jump at one place to another one.
pub fn jump(from: usize, to: usize) -> [u8; JUMP_BYTES] {
    let distance = to.wrapping_sub(from + JUMP_BYTES) as u32;
    let [a, b, c, d] = distance.to_le_bytes();
    [0xE9, a, b, c, d]
}

/// `None`: arguments do not fit into registers, a type has no conversion here, or the processor is
/// another one.
pub fn stub(target: &StubTarget<'_>, entries: &Entries) -> Option<StubCode> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) || returns_wide(target.returns) {
        return None;
    }
    let mut code = Generator { assembler: Assembler::default(), entries };
    let (fallback, retired) = (code.assembler.label(), code.assembler.label());
    code.begin(target.arguments.len(), fallback);
    code.arguments(target.arguments, fallback)?;
    code.call(target.address);
    code.result(target.returns)?;
    // The stack is as at the entry, and the registers are, too.
    code.assembler.bind(retired);
    code.leave(target.index);
    code.assembler.bind(fallback);
    // pop rdi; mov rsi, r11
    code.assembler.raw(&[0x5F, 0x4C, 0x89, 0xDE]);
    code.leave(target.index);
    let place = code.assembler.place(retired)?;
    Some(StubCode { bytes: code.assembler.finish()?, fallback: place })
}

fn returns_wide(returns: StubType) -> bool {
    matches!(returns, StubType::Wide | StubType::View)
}

struct Generator<'a> {
    assembler: Assembler,
    entries: &'a Entries,
}

impl Generator<'_> {
    fn begin(&mut self, arguments: usize, fallback: Label) {
        // push rdi; mov r11, rsi
        self.assembler.raw(&[0x57, 0x49, 0x89, 0xF3]);
        if arguments > 0 {
            self.load_tag();
            // cmp dword [r11 + count], arguments + 1
            self.assembler.memory(false, &[0x81], 7, Register::R11, ValueLayout::FRAME_COUNT.into());
            self.assembler.raw(&(arguments as u32 + 1).to_le_bytes());
            self.assembler.jump_if(Condition::Below, fallback);
        }
    }

    fn load_tag(&mut self) {
        self.assembler.load(Register::R10, ValueLayout::NUMBER_TAG);
    }

    fn arguments(&mut self, arguments: &[StubType], fallback: Label) -> Option<()> {
        let (mut integers, mut floats) = (INTEGERS.iter(), 0..FLOATS);
        for (index, kind) in arguments.iter().enumerate() {
            let distance = i32::try_from(usize::from(ValueLayout::FRAME_ARGUMENTS) + 8 * index).ok()?;
            // mov rax, [r11 + distance]
            self.assembler.memory(true, &[0x8B], RAX, Register::R11, distance);
            match kind {
                StubType::F32 | StubType::F64 => self.float(floats.next()?, *kind, fallback),
                _ => self.integer(*integers.next()?, *kind, fallback)?,
            }
        }
        Some(())
    }

    fn integer(&mut self, register: Register, kind: StubType, fallback: Label) -> Option<()> {
        match kind {
            StubType::I8 | StubType::U8 | StubType::I16 | StubType::U16 | StubType::I32 | StubType::U32 => {
                self.number(fallback, false);
                self.extend(register as u8, kind);
            }
            StubType::Wide => {
                self.number(fallback, true);
                self.move_word(register);
            }
            StubType::Bool => {
                // sub rax, FALSE; cmp rax, 1
                self.assembler.raw(&[0x48, 0x83, 0xE8, ValueLayout::FALSE as u8, 0x48, 0x83, 0xF8, 1]);
                self.assembler.jump_if(Condition::Above, fallback);
                self.move_word(register);
            }
            StubType::Function => {
                self.number(fallback, true);
                // test rax, rax
                self.assembler.pair(None, true, &[0x85], RAX, RAX);
                self.assembler.jump_if(Condition::LessOrEqual, fallback);
                self.move_word(register);
            }
            StubType::Pointer | StubType::CString => self.pointer(register, fallback),
            StubType::View => self.view(register, fallback),
            StubType::Void | StubType::F32 | StubType::F64 => return None,
        }
        Some(())
    }

    /// `rax` to an integer of 32 or 64 bits; a double that is none is left to the fallback.
    fn number(&mut self, fallback: Label, wide: bool) {
        let (integer, done) = (self.assembler.label(), self.assembler.label());
        self.compare_tag();
        self.assembler.jump_if(Condition::AboveOrEqual, integer);
        self.double_bits(fallback);
        self.convert_double(fallback, wide);
        self.assembler.jump(done);
        self.assembler.bind(integer);
        if wide {
            // movsxd rax, eax
            self.assembler.pair(None, true, &[0x63], RAX, RAX);
        }
        self.assembler.bind(done);
    }

    /// `cmp rax, r10`.
    fn compare_tag(&mut self) {
        self.assembler.pair(None, true, &[0x39], R10, RAX);
    }

    /// A value that is no integer to the bits of a double in `xmm15`.
    fn double_bits(&mut self, fallback: Label) {
        // test rax, r10
        self.assembler.pair(None, true, &[0x85], R10, RAX);
        self.assembler.jump_if(Condition::Equal, fallback);
        self.remove_offset(XMM15);
    }

    /// The tag is the negative of the offset. `add rax, r10; movq xmm, rax`.
    fn remove_offset(&mut self, target: u8) {
        self.assembler.pair(None, true, &[0x01], R10, RAX);
        self.assembler.pair(Some(0x66), true, &[0x0F, 0x6E], target, RAX);
    }

    /// `xmm15` to `rax`, if that is the same number.
    fn convert_double(&mut self, fallback: Label, wide: bool) {
        // cvttsd2si rax, xmm15; cvtsi2sd xmm14, rax; ucomisd xmm14, xmm15
        self.assembler.pair(Some(0xF2), wide, &[0x0F, 0x2C], RAX, XMM15);
        self.assembler.pair(Some(0xF2), wide, &[0x0F, 0x2A], XMM14, RAX);
        self.assembler.pair(Some(0x66), false, &[0x0F, 0x2E], XMM14, XMM15);
        self.assembler.jump_if(Condition::NotEqual, fallback);
        self.assembler.jump_if(Condition::Parity, fallback);
    }

    /// `mov register, rax`.
    fn move_word(&mut self, register: Register) {
        self.assembler.pair(None, true, &[0x89], RAX, register as u8);
    }

    /// The low part of `rax`, extended to 32 bits.
    fn extend(&mut self, target: u8, kind: StubType) {
        let opcode: &[u8] = match kind {
            StubType::I8 => &[0x0F, 0xBE],
            StubType::U8 => &[0x0F, 0xB6],
            StubType::I16 => &[0x0F, 0xBF],
            StubType::U16 => &[0x0F, 0xB7],
            _ => &[0x8B],
        };
        self.assembler.pair(None, false, opcode, target, RAX);
    }

    fn float(&mut self, target: u8, kind: StubType, fallback: Label) {
        let (integer, done) = (self.assembler.label(), self.assembler.label());
        self.compare_tag();
        self.assembler.jump_if(Condition::AboveOrEqual, integer);
        // test rax, r10
        self.assembler.pair(None, true, &[0x85], R10, RAX);
        self.assembler.jump_if(Condition::Equal, fallback);
        self.remove_offset(target);
        self.assembler.jump(done);
        self.assembler.bind(integer);
        // cvtsi2sd target, eax
        self.assembler.pair(Some(0xF2), false, &[0x0F, 0x2A], target, RAX);
        self.assembler.bind(done);
        if kind == StubType::F32 {
            // cvtsd2ss target, target
            self.assembler.pair(Some(0xF2), false, &[0x0F, 0x5A], target, target);
        }
    }

    /// A number, null, undefined or a view.
    fn pointer(&mut self, register: Register, fallback: Label) {
        let (number, null, done) = (self.assembler.label(), self.assembler.label(), self.assembler.label());
        // test rax, r10
        self.assembler.pair(None, true, &[0x85], R10, RAX);
        self.assembler.jump_if(Condition::NotEqual, number);
        for constant in [ValueLayout::NULL, ValueLayout::UNDEFINED] {
            // cmp rax, constant
            self.assembler.raw(&[0x48, 0x83, 0xF8, constant as u8]);
            self.assembler.jump_if(Condition::Equal, null);
        }
        self.view(register, fallback);
        self.assembler.jump(done);
        self.assembler.bind(null);
        // xor register, register
        self.assembler.pair(None, false, &[0x31], register as u8, register as u8);
        self.assembler.jump(done);
        self.assembler.bind(number);
        self.number(fallback, true);
        // test rax, rax
        self.assembler.pair(None, true, &[0x85], RAX, RAX);
        self.assembler.jump_if(Condition::Negative, fallback);
        self.move_word(register);
        self.assembler.bind(done);
    }

    /// The address of a view whose bytes stay where they are; others are left to the fallback.
    fn view(&mut self, register: Register, fallback: Label) {
        let layout = self.entries.layout;
        self.assembler.load(Register::R10, ValueLayout::NOT_CELL);
        // test rax, r10
        self.assembler.pair(None, true, &[0x85], R10, RAX);
        self.assembler.jump_if(Condition::NotEqual, fallback);
        // movzx r10d, byte [rax + type]; sub r10d, first; cmp r10d, last
        self.assembler.memory(false, &[0x0F, 0xB6], R10, Register::Rax, ValueLayout::CELL_TYPE.into());
        self.assembler.raw(&[0x41, 0x81, 0xEA]);
        self.assembler.raw(&u32::from(layout.first_view).to_le_bytes());
        self.assembler.raw(&[0x41, 0x83, 0xFA, ValueLayout::VIEWS - 1]);
        self.assembler.jump_if(Condition::Above, fallback);
        // movzx r10d, byte [rax + mode]; test r10b, resizable; cmp r10b, movable
        self.assembler.memory(false, &[0x0F, 0xB6], R10, Register::Rax, ValueLayout::VIEW_MODE.into());
        self.assembler.raw(&[0x41, 0xF6, 0xC2, ValueLayout::RESIZABLE]);
        self.assembler.jump_if(Condition::NotEqual, fallback);
        self.assembler.raw(&[0x41, 0x80, 0xFA, layout.movable_mode]);
        self.assembler.jump_if(Condition::Equal, fallback);
        // cmp qword [rax + length], 0
        self.assembler.memory(true, &[0x81], 7, Register::Rax, ValueLayout::VIEW_LENGTH.into());
        self.assembler.raw(&[0; 4]);
        self.assembler.jump_if(Condition::Equal, fallback);
        // mov register, [rax + address]
        self.assembler.memory(true, &[0x8B], register as u8, Register::Rax, ValueLayout::VIEW_ADDRESS.into());
        self.load_tag();
    }

    /// Calls the function, then looks whether a callback has thrown.
    fn call(&mut self, address: usize) {
        let done = self.assembler.label();
        self.assembler.load(Register::Rax, address as u64);
        // call rax
        self.assembler.raw(&[0xFF, 0xD0]);
        self.assembler.load(Register::R11, self.entries.has_thrown);
        // cmp byte [r11], 0
        self.assembler.memory(false, &[0x80], 7, Register::R11, 0);
        self.assembler.raw(&[0]);
        self.assembler.jump_if(Condition::Equal, done);
        self.finish_with(self.entries.rethrow);
        self.assembler.bind(done);
    }

    /// `pop rdi`, and a jump to a function, which returns in place of the stub.
    fn finish_with(&mut self, address: u64) {
        self.assembler.raw(&[0x5F]);
        self.assembler.load(Register::Rax, address);
        // jmp rax
        self.assembler.raw(&[0xFF, 0xE0]);
    }

    fn result(&mut self, returns: StubType) -> Option<()> {
        match returns {
            StubType::Void => self.constant(ValueLayout::UNDEFINED),
            StubType::I8 | StubType::U8 | StubType::I16 | StubType::U16 | StubType::I32 => {
                self.extend(RAX, returns);
                self.tag_integer();
            }
            StubType::U32 => self.unsigned(),
            StubType::Bool => {
                // test al, al; setne al; movzx eax, al; or eax, FALSE
                self.assembler.raw(&[0x84, 0xC0, 0x0F, 0x95, 0xC0, 0x0F, 0xB6, 0xC0, 0x83, 0xC8]);
                self.assembler.raw(&[ValueLayout::FALSE as u8]);
            }
            StubType::F32 => {
                // cvtss2sd xmm0, xmm0
                self.assembler.pair(Some(0xF3), false, &[0x0F, 0x5A], XMM0, XMM0);
                self.tag_double();
            }
            StubType::F64 => self.tag_double(),
            StubType::Pointer | StubType::Function => self.pointer_result(),
            StubType::CString => {
                // mov rsi, rax
                self.move_word(Register::Rsi);
                self.finish_with(self.entries.string);
                return Some(());
            }
            StubType::Wide | StubType::View => return None,
        }
        self.finish();
        Some(())
    }

    /// `add rsp, 8; ret`.
    fn finish(&mut self) {
        self.assembler.raw(&[0x48, 0x83, 0xC4, 8, 0xC3]);
    }

    /// `mov eax, constant`.
    fn constant(&mut self, constant: u64) {
        self.assembler.raw(&[0xB8]);
        self.assembler.raw(&(constant as u32).to_le_bytes());
    }

    /// `mov r10, tag; or rax, r10`.
    fn tag_integer(&mut self) {
        self.load_tag();
        self.assembler.pair(None, true, &[0x09], R10, RAX);
    }

    /// A result of 32 bits without a sign: an integer, or a double above their range.
    fn unsigned(&mut self) {
        let (small, done) = (self.assembler.label(), self.assembler.label());
        self.extend(RAX, StubType::U32);
        // test eax, eax
        self.assembler.pair(None, false, &[0x85], RAX, RAX);
        self.assembler.jump_if(Condition::NotNegative, small);
        // cvtsi2sd xmm0, rax
        self.assembler.pair(Some(0xF2), true, &[0x0F, 0x2A], XMM0, RAX);
        self.tag_double();
        self.assembler.jump(done);
        self.assembler.bind(small);
        self.tag_integer();
        self.assembler.bind(done);
    }

    /// `xmm0` to a value. There is one NaN among values.
    fn tag_double(&mut self) {
        let [number, is_nan, done] = [0; 3].map(|_| self.assembler.label());
        // ucomisd xmm0, xmm0; movq rax, xmm0
        self.assembler.pair(Some(0x66), false, &[0x0F, 0x2E], XMM0, XMM0);
        self.assembler.pair(Some(0x66), true, &[0x0F, 0x7E], XMM0, RAX);
        self.load_tag();
        self.assembler.jump_if(Condition::Parity, is_nan);
        self.assembler.bind(number);
        // sub rax, r10
        self.assembler.pair(None, true, &[0x29], R10, RAX);
        self.assembler.jump(done);
        self.assembler.bind(is_nan);
        self.assembler.load(Register::Rax, f64::NAN.to_bits());
        self.assembler.jump(number);
        self.assembler.bind(done);
    }

    /// Null, or a number; one with the highest bit is not negative.
    fn pointer_result(&mut self) {
        let [null, high, tag, done] = [0; 4].map(|_| self.assembler.label());
        // test rax, rax
        self.assembler.pair(None, true, &[0x85], RAX, RAX);
        self.assembler.jump_if(Condition::Equal, null);
        self.assembler.jump_if(Condition::Negative, high);
        // cvtsi2sd xmm0, rax
        self.assembler.pair(Some(0xF2), true, &[0x0F, 0x2A], XMM0, RAX);
        self.assembler.jump(tag);
        self.assembler.bind(high);
        // mov r11, rax; shr r11, 1; and eax, 1; or r11, rax; cvtsi2sd xmm0, r11; addsd xmm0, xmm0
        self.assembler.pair(None, true, &[0x89], RAX, R11);
        self.assembler.raw(&[0x49, 0xD1, 0xEB, 0x83, 0xE0, 0x01]);
        self.assembler.pair(None, true, &[0x09], RAX, R11);
        self.assembler.pair(Some(0xF2), true, &[0x0F, 0x2A], XMM0, R11);
        self.assembler.pair(Some(0xF2), false, &[0x0F, 0x58], XMM0, XMM0);
        self.assembler.bind(tag);
        self.tag_double();
        self.assembler.jump(done);
        self.assembler.bind(null);
        self.constant(ValueLayout::NULL);
        self.assembler.bind(done);
    }

    /// `mov edx, index`, and a jump to the fallback.
    fn leave(&mut self, index: u32) {
        self.assembler.raw(&[0xBA]);
        self.assembler.raw(&index.to_le_bytes());
        self.assembler.load(Register::Rax, self.entries.fallback);
        // jmp rax
        self.assembler.raw(&[0xFF, 0xE0]);
    }
}
