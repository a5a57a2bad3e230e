//! A C function of a known signature. In: its address, types, arguments as words. Out: its result
//! as a word. Absent: checks that the address is that of such a function; the program says so.

use std::ffi::c_void;
use std::mem;

use crate::ARGUMENTS_MAX;
use crate::libffi::{Libffi, Signature, Unavailable};
use crate::types::Type;

/// Registers for integers that both ABIs have.
const INTEGERS: usize = 6;
/// Registers for floats that both ABIs have.
const FLOATS: usize = 8;

type IntegersToInteger = unsafe extern "C" fn(u64, u64, u64, u64, u64, u64) -> u64;
type IntegersToFloat = unsafe extern "C" fn(u64, u64, u64, u64, u64, u64) -> f64;
type AllToInteger =
    unsafe extern "C" fn(u64, u64, u64, u64, u64, u64, f64, f64, f64, f64, f64, f64, f64, f64) -> u64;
type AllToFloat =
    unsafe extern "C" fn(u64, u64, u64, u64, u64, u64, f64, f64, f64, f64, f64, f64, f64, f64) -> f64;

/// A C function.
pub struct Function {
    address: *const c_void,
    arguments: Vec<Type>,
    returns: Type,
    way: Way,
}

/// How a function is called.
enum Way {
    /// All arguments are integers in registers.
    Integers,
    /// All arguments are in registers.
    Registers,
    Libffi(Signature),
}

impl Function {
    /// `address`: of a function with this signature, by the word of the program. At most
    /// [`ARGUMENTS_MAX`] arguments.
    pub fn new(address: usize, arguments: &[Type], returns: Type) -> Result<Function, Unavailable> {
        let floats = arguments.iter().filter(|one| one.is_float()).count();
        let integers = arguments.len() - floats;
        let way = if arguments.len() > ARGUMENTS_MAX {
            return Err(Unavailable);
        } else if integers > INTEGERS || floats > FLOATS || !has_own_registers() {
            Way::Libffi(Libffi::get()?.signature(arguments, returns)?)
        } else if floats == 0 {
            Way::Integers
        } else {
            Way::Registers
        };
        let address = std::ptr::with_exposed_provenance(address);
        Ok(Function { address, arguments: arguments.to_vec(), returns, way })
    }

    pub fn arguments(&self) -> usize {
        self.arguments.len()
    }

    /// Calls the function. `words`: one per argument, as [`Type`] says.
    ///
    /// # Panics
    /// If there are fewer words than arguments.
    pub fn call(&self, words: &mut [u64]) -> u64 {
        let words = &mut words[..self.arguments.len()];
        let word = match &self.way {
            Way::Integers => self.call_integers(words),
            Way::Registers => self.call_registers(words),
            Way::Libffi(signature) => {
                let library = Libffi::get().expect("the signature is libffi's");
                // SAFETY: the program says that the function has this signature.
                unsafe { library.call(signature, self.address, words) }
            }
        };
        self.returns.extend(word)
    }

    fn call_integers(&self, words: &[u64]) -> u64 {
        let mut all = [0_u64; INTEGERS];
        all[..words.len()].copy_from_slice(words);
        let [a, b, c, d, e, f] = all;
        // SAFETY: the program says that the function takes as many integers as there are words. The
        // registers of the others are the caller's to write; the function does not read them.
        unsafe {
            if self.returns.is_float() {
                mem::transmute::<*const c_void, IntegersToFloat>(self.address)(a, b, c, d, e, f).to_bits()
            } else {
                mem::transmute::<*const c_void, IntegersToInteger>(self.address)(a, b, c, d, e, f)
            }
        }
    }

    fn call_registers(&self, words: &[u64]) -> u64 {
        let (mut integers, mut floats) = ([0_u64; INTEGERS], [0_f64; FLOATS]);
        let (mut next_integer, mut next_float) = (0, 0);
        for (word, argument) in words.iter().zip(&self.arguments) {
            if argument.is_float() {
                // A float is in the low half of its register.
                floats[next_float] = f64::from_bits(*word);
                next_float += 1;
            } else {
                integers[next_integer] = *word;
                next_integer += 1;
            }
        }
        let ([a, b, c, d, e, f], [s, t, u, v, w, x, y, z]) = (integers, floats);
        // SAFETY: as in `call_integers`, for both kinds of registers.
        unsafe {
            if self.returns.is_float() {
                let function = mem::transmute::<*const c_void, AllToFloat>(self.address);
                function(a, b, c, d, e, f, s, t, u, v, w, x, y, z).to_bits()
            } else {
                let function = mem::transmute::<*const c_void, AllToInteger>(self.address);
                function(a, b, c, d, e, f, s, t, u, v, w, x, y, z)
            }
        }
    }
}

/// Whether integers and floats have registers of their own, each in their order.
fn has_own_registers() -> bool {
    cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
}
