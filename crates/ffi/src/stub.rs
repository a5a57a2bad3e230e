//! Call stubs: machine code that is a host function of the engine and calls one C function
//! (x86-64). In: an address, the types of its arguments and of its result. Out: a JavaScript
//! function. The code reads its arguments from the engine's call frame, puts them into the
//! registers of the System V ABI, and makes a value of the result. What it cannot convert by
//! itself, a BigInt for example, it leaves to a fallback with the same arguments. Absent: arguments
//! on the stack, 64-bit integers as a result, other processors; those are called by
//! [`crate::Function`].

mod assembler;
mod code_memory;
mod direct;
mod generate;

use std::cell::RefCell;
use std::ffi::{CStr, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rusk_jsc::{Call, Exception, Function, HostCode, Outcome, Scope, ValueLayout, enter_host_call};

use code_memory::CodeMemory;
pub use direct::{DirectEntries, DirectEntry};

/// What an argument or a result is, as far as it is converted differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StubType {
    Void,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    /// As an argument only.
    Wide,
    F32,
    F64,
    Bool,
    Pointer,
    /// A pointer that is not null, of a number only.
    Function,
    /// A view, as an argument only.
    View,
    /// A string at a pointer; as an argument, a pointer.
    CString,
}

/// A stub's function of C.
pub struct StubTarget<'a> {
    pub address: usize,
    pub arguments: &'a [StubType],
    pub returns: StubType,
    /// What the fallback knows it by.
    pub index: u32,
}

/// What stubs leave to their owner.
pub struct StubHandlers {
    /// Does the call of a stub with this index.
    pub fallback: for<'s> fn(&'s Scope, &Call<'s>, u32) -> Outcome<'s>,
    /// Throws what a callback has thrown. Called if the flag of [`Stubs::new`] is set.
    pub rethrow: for<'s> fn(&'s Scope) -> Result<(), Exception<'s>>,
}

static HANDLERS: OnceLock<StubHandlers> = OnceLock::new();

thread_local! {
    /// The code of this thread's stubs. It lives as long as the thread, and so as long as its
    /// functions.
    static MEMORY: RefCell<CodeMemory> = const { RefCell::new(CodeMemory::new()) };
}

/// Makes the stubs of a thread.
pub struct Stubs {
    has_thrown: &'static AtomicBool,
}

/// The code of a stub, which is never freed while its thread is there.
#[derive(Clone, Copy, Debug)]
pub struct Stub {
    writable: *mut u8,
    fallback_jump: [u8; generate::JUMP_BYTES],
}

impl Stubs {
    /// The handlers are those of the first call in a process. The flag says that a callback has
    /// thrown.
    pub fn new(handlers: StubHandlers) -> Stubs {
        HANDLERS.get_or_init(|| handlers);
        // Code of this thread refers to it until the thread ends.
        Stubs { has_thrown: Box::leak(Box::new(AtomicBool::new(false))) }
    }

    pub fn set_thrown(&self, has_thrown: bool) {
        self.has_thrown.store(has_thrown, Ordering::Relaxed);
    }

    /// `None`: it must be called in another way.
    pub fn make<'s>(
        &self,
        scope: &'s Scope,
        name: &str,
        target: &StubTarget<'_>,
    ) -> Option<(Function<'s>, Stub)> {
        let entries = generate::Entries {
            layout: scope.value_layout()?,
            fallback: fall_back as *const c_void as u64,
            rethrow: rethrow as *const c_void as u64,
            string: make_string as *const c_void as u64,
            has_thrown: self.has_thrown.as_ptr().expose_provenance() as u64,
        };
        let code = generate::stub(target, &entries)?;
        let (readable, writable) = MEMORY.with_borrow_mut(|memory| memory.add(&code.bytes))?;
        let fallback_jump = generate::jump(0, code.fallback);
        // SAFETY: the code was generated for this layout, with the convention of host functions;
        // the thread frees it after its engine.
        let function = unsafe {
            let entry = std::mem::transmute::<*const u8, HostCode>(readable);
            scope.function_of_code(name, target.arguments.len() as u32, entry)?
        };
        Some((function, Stub { writable, fallback_jump }))
    }
}

impl Stub {
    /// From now on the fallback does every call.
    pub fn retire(self) {
        // SAFETY: this thread's code memory, which is mapped as writable here and has room for a
        // jump at the beginning of each stub; this thread runs it, and not now.
        unsafe {
            self.writable.copy_from_nonoverlapping(self.fallback_jump.as_ptr(), self.fallback_jump.len())
        };
    }
}

/// Called by stubs.
unsafe extern "C" fn fall_back(context: *const c_void, frame: *const c_void, index: u32) -> *const c_void {
    // SAFETY: the stub passes its own arguments.
    unsafe {
        enter_host_call(context, frame, |scope, call| {
            let handlers = HANDLERS.get().expect("stubs are made after them");
            (handlers.fallback)(scope, call, index)
        })
    }
}

/// Called by stubs whose function has called a callback that has thrown.
unsafe extern "C" fn rethrow(context: *const c_void) -> *const c_void {
    without_arguments(context, |scope, _| {
        let handlers = HANDLERS.get().expect("stubs are made after them");
        (handlers.rethrow)(scope).map(|()| scope.undefined())
    })
}

/// Called by stubs whose function returns a string of C.
unsafe extern "C" fn make_string(context: *const c_void, string: *const std::ffi::c_char) -> *const c_void {
    without_arguments(context, |scope, _| {
        if string.is_null() {
            return Ok(scope.null());
        }
        // SAFETY: the program says that the function returns such a string.
        Ok(scope.string_from_utf8_lossy(unsafe { CStr::from_ptr(string) }.to_bytes()))
    })
}

/// Enters the engine with a frame that has no arguments.
fn without_arguments(
    context: *const c_void,
    body: impl for<'s> Fn(&'s Scope, &Call<'s>) -> Outcome<'s>,
) -> *const c_void {
    const WORDS: usize = 8;
    let mut frame = [0_u64; WORDS];
    frame[usize::from(ValueLayout::FRAME_COUNT) / 8] = 1;
    frame[usize::from(ValueLayout::FRAME_ARGUMENTS) / 8 - 1] = ValueLayout::UNDEFINED;
    // SAFETY: within the call of a stub, whose context it is; the frame is laid out as one.
    unsafe { enter_host_call(context, frame.as_ptr().cast(), body) }
}

#[cfg(test)]
mod tests;
