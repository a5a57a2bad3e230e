//! Code that WebAssembly functions call with numbers in registers, as C expects them. In: the
//! address of a C function, whether its result is an integer. Out: the address of a word with the
//! code's address, for [`WasmEntries`]. Absent: conversions, which JavaScript does.

use std::ffi::c_void;
use std::ptr;

use rusk_jsc::{Scope, Value, WasmEntries};

use super::MEMORY;
use super::assembler::{Assembler, Register};

/// The word before the code.
const WORD: usize = size_of::<*const c_void>();

/// The code of a function, whose word can be changed.
#[derive(Clone, Copy, Debug)]
pub struct DirectEntry {
    word: *mut *const c_void,
    /// Where the engine's own code is.
    original: *const c_void,
}

/// Makes the entries of a thread.
#[derive(Clone, Copy, Debug)]
pub struct DirectEntries(WasmEntries);

impl DirectEntries {
    /// `probes`: two functions of one instance that return 7. `None`: this engine has no such
    /// entries.
    pub fn verify(scope: &Scope, probes: [Value<'_>; 2]) -> Option<DirectEntries> {
        let mut code = Assembler::default();
        // mov edi, 42; ret
        code.raw(&[0xBF]);
        code.raw(&WasmEntries::PROBE_RESULTS[0].to_le_bytes());
        code.raw(&[0xC3]);
        let (readable, _) = place(code)?;
        // SAFETY: the code returns the expected number, and stays until the thread ends.
        unsafe { WasmEntries::verify(scope, probes, readable.cast()) }.map(DirectEntries)
    }

    /// From now on, calls of `function` call the C function. The caller says that `function` is an
    /// export that only this thread calls, and that its type has at most six integers and eight
    /// floats, which are the C function's.
    pub fn make(self, function: Value<'_>, address: usize, returns_integer: bool) -> Option<DirectEntry> {
        let far = self.code(Callee::Far(address), returns_integer);
        let (readable, writable) = place(far)?;
        if let Some(near) = self.near_code(readable.addr() + WORD, address, returns_integer) {
            // SAFETY: over the code that was just placed and is longer; nothing runs it yet.
            unsafe { writable.add(WORD).copy_from_nonoverlapping(near.as_ptr(), near.len()) };
        }
        // SAFETY: as the caller says (see the head of the crate); code of this thread stays until
        // the thread ends.
        let original = unsafe { self.0.replace(function, readable.cast()) }?;
        Some(DirectEntry { word: writable.cast(), original })
    }

    /// The code for a place from which a relative call reaches the C function.
    fn near_code(self, at: usize, address: usize, returns_integer: bool) -> Option<Vec<u8>> {
        let distance = i32::try_from((address as isize).checked_sub_unsigned(at)?).ok()?;
        // The distance is counted from the end of the instruction.
        distance.checked_sub(i32::from(u8::MAX))?;
        self.code(Callee::Near(distance), returns_integer).finish()
    }

    /// Tells the engine the frame of the caller, then calls. The engine expects an integer in
    /// `edi`.
    fn code(self, callee: Callee, returns_integer: bool) -> Assembler {
        let mut code = Assembler::default();
        code.load(Register::R11, self.0.top_call_frame() as u64);
        // mov [r11], rbp
        code.raw(&[0x49, 0x89, 0x2B]);
        if returns_integer {
            // `push rax` aligns the stack, without arithmetic on its pointer, which a processor
            // has to synchronize with calls.
            code.raw(&[0x50]);
            callee.call(&mut code, [0xE8, 0xD0]);
            // mov edi, eax; pop rcx; ret
            code.raw(&[0x89, 0xC7, 0x59, 0xC3]);
        } else {
            callee.call(&mut code, [0xE9, 0xE0]);
        }
        code
    }
}

/// Where the C function is.
#[derive(Clone, Copy)]
enum Callee {
    Far(usize),
    /// From the beginning of the code.
    Near(i32),
}

impl Callee {
    /// A call or a jump: its opcode with a distance, and the last byte of it by `rax`.
    fn call(self, code: &mut Assembler, [near, far]: [u8; 2]) {
        match self {
            Callee::Far(address) => {
                code.load(Register::Rax, address as u64);
                code.raw(&[0xFF, far]);
            }
            Callee::Near(distance) => code.relative(near, distance),
        }
    }
}

impl DirectEntry {
    /// From now on the body of the WebAssembly function runs.
    pub fn retire(self) {
        // SAFETY: the word before the code, in this thread's code memory, where it can be written.
        unsafe { self.word.write_volatile(self.original) };
    }
}

/// Code after a word with its address: where the word is read, and where it is written.
fn place(code: Assembler) -> Option<(*const u8, *mut u8)> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return None;
    }
    let mut bytes = vec![0; WORD];
    bytes.extend(code.finish()?);
    let (readable, writable) = MEMORY.with_borrow_mut(|memory| memory.add(&bytes))?;
    let code = ptr::without_provenance::<c_void>(readable.expose_provenance() + WORD);
    // SAFETY: the first word of memory that was just added, aligned to a cache line.
    unsafe { writable.cast::<*const c_void>().write(code) };
    Some((readable, writable))
}
