//! The distribution's libffi (`libffi.so.8`, `libffi.so.7`), opened at the first use. Out: a table
//! of its functions, and its descriptions of types. Declared by hand after its `ffi.h`; its ABI is
//! fixed by the library's name.

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::mem;
use std::sync::OnceLock;

use crate::system_library::SystemLibrary;
use crate::types::Type;

/// Names of the library, the newest first.
const NAMES: [&CStr; 2] = [c"libffi.so.8", c"libffi.so.7"];

/// `FFI_DEFAULT_ABI`: `FFI_UNIX64` on x86-64, `FFI_SYSV` elsewhere.
const DEFAULT_ABI: c_int = if cfg!(target_arch = "x86_64") { 2 } else { 1 };

/// `FFI_OK`.
const OK: c_int = 0;

/// `ffi_type`.
#[repr(C)]
pub struct RawType {
    _private: [u8; 0],
}

/// Size of `ffi_cif` and of `ffi_closure` at most, on all platforms.
const CIF_WORDS: usize = 16;
const CLOSURE_BYTES: usize = 256;

/// `ffi_cif`: a prepared signature. It is read by libffi alone.
#[repr(C, align(16))]
pub struct RawCif([u64; CIF_WORDS]);

pub type RawHandler = unsafe extern "C" fn(*mut RawCif, *mut c_void, *mut *mut c_void, *mut c_void);
type PrepCif =
    unsafe extern "C" fn(*mut RawCif, c_int, c_uint, *const RawType, *const *const RawType) -> c_int;
type Call = unsafe extern "C" fn(*const RawCif, *const c_void, *mut c_void, *const *mut c_void);
type ClosureAlloc = unsafe extern "C" fn(usize, *mut *mut c_void) -> *mut c_void;
type ClosureFree = unsafe extern "C" fn(*mut c_void);
type PrepClosure =
    unsafe extern "C" fn(*mut c_void, *mut RawCif, RawHandler, *mut c_void, *mut c_void) -> c_int;

/// The library's functions.
pub struct Libffi {
    prep_cif: PrepCif,
    call: Call,
    closure_alloc: ClosureAlloc,
    closure_free: ClosureFree,
    prep_closure: PrepClosure,
    types: [*const RawType; 12],
}

// SAFETY: the table is never changed, and libffi's functions may be called from any thread.
unsafe impl Send for Libffi {}
// SAFETY: as above.
unsafe impl Sync for Libffi {}

/// libffi is not installed, or refuses a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable;

/// A prepared signature with the list of types that it refers to.
pub struct Signature {
    cif: Box<RawCif>,
    _types: Vec<*const RawType>,
}

/// A function of C made by libffi.
pub struct RawClosure {
    closure: *mut c_void,
    pub code: *mut c_void,
    /// The closure refers to it.
    _signature: Signature,
}

impl Libffi {
    pub fn get() -> Result<&'static Libffi, Unavailable> {
        static LIBRARY: OnceLock<Option<Libffi>> = OnceLock::new();
        LIBRARY.get_or_init(Libffi::open).as_ref().ok_or(Unavailable)
    }

    fn open() -> Option<Libffi> {
        let library = SystemLibrary::open(&NAMES)?;
        let find = |name| library.find(name);
        let types = [
            find(c"ffi_type_void")?,
            find(c"ffi_type_sint8")?,
            find(c"ffi_type_uint8")?,
            find(c"ffi_type_sint16")?,
            find(c"ffi_type_uint16")?,
            find(c"ffi_type_sint32")?,
            find(c"ffi_type_uint32")?,
            find(c"ffi_type_sint64")?,
            find(c"ffi_type_uint64")?,
            find(c"ffi_type_float")?,
            find(c"ffi_type_double")?,
            find(c"ffi_type_pointer")?,
        ];
        // SAFETY: the functions have these types by libffi's `ffi.h`.
        unsafe {
            Some(Libffi {
                prep_cif: mem::transmute::<*mut c_void, PrepCif>(find(c"ffi_prep_cif")?),
                call: mem::transmute::<*mut c_void, Call>(find(c"ffi_call")?),
                closure_alloc: mem::transmute::<*mut c_void, ClosureAlloc>(find(c"ffi_closure_alloc")?),
                closure_free: mem::transmute::<*mut c_void, ClosureFree>(find(c"ffi_closure_free")?),
                prep_closure: mem::transmute::<*mut c_void, PrepClosure>(find(c"ffi_prep_closure_loc")?),
                types: types.map(|address| address.cast_const().cast::<RawType>()),
            })
        }
    }

    /// Prepares a signature.
    pub fn signature(&self, arguments: &[Type], returns: Type) -> Result<Signature, Unavailable> {
        let types: Vec<*const RawType> = arguments.iter().map(|one| self.types[*one as usize]).collect();
        let mut cif = Box::new(RawCif([0; CIF_WORDS]));
        let count = types.len() as c_uint;
        // SAFETY: the signature has room for an `ffi_cif`; the list has `count` types and lives as
        // long as the signature.
        let status = unsafe {
            (self.prep_cif)(&raw mut *cif, DEFAULT_ABI, count, self.types[returns as usize], types.as_ptr())
        };
        if status != OK {
            return Err(Unavailable);
        }
        Ok(Signature { cif, _types: types })
    }

    /// Calls the function at an address. The words must be one per argument.
    ///
    /// # Safety
    /// The function has this signature.
    pub unsafe fn call(&self, signature: &Signature, address: *const c_void, words: &mut [u64]) -> u64 {
        let values: Vec<*mut c_void> = words.iter_mut().map(|word| (&raw mut *word).cast()).collect();
        let mut result = 0_u64;
        // SAFETY: each value is a word, which is at least as long as its type, and little endian;
        // libffi widens a result to a word.
        unsafe { (self.call)(&raw const *signature.cif, address, (&raw mut result).cast(), values.as_ptr()) };
        result
    }

    /// Makes a function of C that calls `handler` with `context`.
    pub fn closure(
        &self,
        mut signature: Signature,
        handler: RawHandler,
        context: *mut c_void,
    ) -> Result<RawClosure, Unavailable> {
        let mut code = std::ptr::null_mut();
        // SAFETY: the size is at least that of an `ffi_closure`.
        let closure = unsafe { (self.closure_alloc)(CLOSURE_BYTES, &raw mut code) };
        if closure.is_null() {
            return Err(Unavailable);
        }
        // SAFETY: libffi made `closure` and `code`; the signature is boxed and lives as long.
        let status = unsafe { (self.prep_closure)(closure, &raw mut *signature.cif, handler, context, code) };
        let closure = RawClosure { closure, code, _signature: signature };
        if status == OK { Ok(closure) } else { Err(Unavailable) }
    }
}

impl Drop for RawClosure {
    fn drop(&mut self) {
        if let Ok(library) = Libffi::get() {
            // SAFETY: made by `closure_alloc`, freed once.
            unsafe { (library.closure_free)(self.closure) };
        }
    }
}
