//! Functions that C code calls, made by libffi. In: a signature, a handler in Rust. Out: an
//! address. Absent: on which thread C calls it; the handler gets each call there.

use std::ffi::c_void;

use crate::libffi::{Libffi, RawCif, RawClosure, Unavailable};
use crate::types::Type;

/// Called with the arguments as words; returns the result as a word. It must not unwind: that ends
/// the process. C code may call it from any thread.
pub type Handler = Box<dyn Fn(&[u64]) -> u64 + Send + Sync>;

/// A function for C code, which is valid until this is dropped.
pub struct Callback {
    closure: RawClosure,
    /// The closure refers to it.
    _context: Box<CallbackTarget>,
}

/// What a function for C code calls.
struct CallbackTarget {
    arguments: Vec<Type>,
    returns: Type,
    handler: Handler,
}

impl Callback {
    pub fn new(arguments: &[Type], returns: Type, handler: Handler) -> Result<Callback, Unavailable> {
        let library = Libffi::get()?;
        let signature = library.signature(arguments, returns)?;
        let context = Box::new(CallbackTarget { arguments: arguments.to_vec(), returns, handler });
        let raw = (&raw const *context).cast_mut().cast::<c_void>();
        let closure = library.closure(signature, call, raw)?;
        Ok(Callback { closure, _context: context })
    }

    /// The address of the function.
    pub fn address(&self) -> usize {
        self.closure.code.expose_provenance()
    }
}

const FEW: usize = 8;

unsafe extern "C" fn call(
    _: *mut RawCif,
    result: *mut c_void,
    values: *mut *mut c_void,
    context: *mut c_void,
) {
    // SAFETY: the context that `Callback::new` passed, which lives as long as the function.
    let context = unsafe { &*context.cast_const().cast::<CallbackTarget>() };
    let read = |index: usize, kind: &Type| {
        // SAFETY: libffi passes a pointer per argument, to a value of its type.
        unsafe { kind.read((*values.add(index)).cast_const()) }
    };
    // Most have few arguments, and need no allocation.
    let mut few = [0; FEW];
    let mut many = vec![0; if context.arguments.len() > FEW { context.arguments.len() } else { 0 }];
    let words = if many.is_empty() { &mut few[..context.arguments.len()] } else { &mut many[..] };
    for (index, (word, kind)) in words.iter_mut().zip(&context.arguments).enumerate() {
        *word = read(index, kind);
    }
    let word = (context.handler)(words);
    if context.returns != Type::Void {
        // SAFETY: libffi passes room for a word, and takes the low bytes of it.
        unsafe { result.cast::<u64>().write_unaligned(context.returns.extend(word)) };
    }
}

impl Type {
    /// # Safety
    /// A value of this type is at the address.
    unsafe fn read(self, value: *const c_void) -> u64 {
        // SAFETY: guaranteed by the caller.
        unsafe {
            match self {
                Type::Void => 0,
                Type::I8 | Type::U8 => self.extend(value.cast::<u8>().read_unaligned().into()),
                Type::I16 | Type::U16 => self.extend(value.cast::<u16>().read_unaligned().into()),
                Type::I32 | Type::U32 | Type::F32 => self.extend(value.cast::<u32>().read_unaligned().into()),
                Type::I64 | Type::U64 | Type::F64 | Type::Pointer => value.cast::<u64>().read_unaligned(),
            }
        }
    }
}
