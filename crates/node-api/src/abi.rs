//! Types of Node-API's C ABI, as `js_native_api_types.h` and `node_api_types.h` declare them. In:
//! words of C. Out: typed pointers that are checked before use. The functions that addons call take
//! these types, so that their bodies are safe Rust; what is unsafe about a pointer of C is here.
//! Absent: what the functions do.

use std::ffi::{CStr, c_char, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::slice;

use rusk_jsc::{Scope, Value};

use crate::env::Env;

/// `napi_status`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Ok,
    InvalidArg,
    ObjectExpected,
    StringExpected,
    NameExpected,
    FunctionExpected,
    NumberExpected,
    BooleanExpected,
    ArrayExpected,
    GenericFailure,
    PendingException,
    Cancelled,
    EscapeCalledTwice,
    HandleScopeMismatch,
    CallbackScopeMismatch,
    QueueFull,
    Closing,
    BigintExpected,
    DateExpected,
    ArraybufferExpected,
    DetachableArraybufferExpected,
    WouldDeadlock,
    NoExternalBuffersAllowed,
    CannotRunJs,
}

/// `napi_valuetype`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    Undefined,
    Null,
    Boolean,
    Number,
    String,
    Symbol,
    Object,
    Function,
    External,
    Bigint,
}

/// `napi_value`: a handle of a value, by the rules of handle scopes.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle(*const c_void);

impl Handle {
    pub const NULL: Handle = Handle(std::ptr::null());

    #[inline]
    pub fn of(value: Value<'_>) -> Handle {
        Handle(value.word())
    }

    /// The value; `InvalidArg`: null.
    #[inline]
    pub fn value<'s>(self, _: &'s Scope) -> Result<Value<'s>, Status> {
        if self.0.is_null() {
            return Err(Status::InvalidArg);
        }
        // SAFETY: addons get handles from us, and keep them within the scope that roots them.
        Ok(unsafe { Value::from_word(self.0) })
    }

    #[inline]
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// A pointer through which a result is returned.
#[repr(transparent)]
#[derive(Debug)]
pub struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Out<T> {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Out<T> {
    /// `InvalidArg`: null.
    #[inline]
    pub fn check(self) -> Result<Out<T>, Status> {
        if self.0.is_null() { Err(Status::InvalidArg) } else { Ok(self) }
    }

    /// Writes the result, unless the caller does not want it.
    #[inline]
    pub fn set(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the addon passes memory for one `T`, which has no destructor.
            unsafe { self.0.write(value) };
        }
    }

    #[inline]
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

impl<T: Copy> Out<T> {
    /// What the caller has stored there.
    #[inline]
    pub fn read(self) -> Option<T> {
        // SAFETY: the addon passes an initialized `T`.
        (!self.0.is_null()).then(|| unsafe { self.0.read() })
    }
}

/// A pointer to the first element of an array that the caller owns.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct List<'a, T>(*const T, PhantomData<&'a T>);

impl<'a, T> List<'a, T> {
    /// The elements; `InvalidArg`: null, though there are some.
    #[inline]
    pub fn read(self, count: usize) -> Result<&'a [T], Status> {
        match (count, self.0.is_null()) {
            (0, _) => Ok(&[]),
            (_, true) => Err(Status::InvalidArg),
            _ if count > elements_max::<T>() => Err(Status::InvalidArg),
            // SAFETY: the addon passes that many elements, alive during the call.
            _ => Ok(unsafe { slice::from_raw_parts(self.0, count) }),
        }
    }

    #[inline]
    pub fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// The pointer, to be handed back.
    pub fn foreign(self) -> Foreign {
        Foreign(self.0.cast_mut().cast())
    }
}

/// A pointer to the first element of an array that is filled.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Space<'a, T>(*mut T, PhantomData<&'a mut T>);

impl<'a, T> Space<'a, T> {
    /// `None`: null.
    #[inline]
    pub fn write(self, count: usize) -> Option<&'a mut [T]> {
        match (count, self.0.is_null()) {
            (_, true) => None,
            (0, _) => Some(&mut []),
            // Some addons pass `SIZE_MAX` for "as much as there is", and a slice has a limit.
            // SAFETY: the addon passes room for all that is written, which only this call uses.
            _ => Some(unsafe { slice::from_raw_parts_mut(self.0, count.min(elements_max::<T>())) }),
        }
    }
}

/// How many elements a slice can have.
const fn elements_max<T>() -> usize {
    isize::MAX as usize / size_of::<T>()
}

/// `NAPI_AUTO_LENGTH`: the string ends in NUL.
pub const AUTO_LENGTH: usize = usize::MAX;
/// V8's and so Node's limit of a length that is passed.
const LENGTH_MAX: usize = i32::MAX as usize;

/// Code units of a string, with a length beside it.
pub trait Unit: Copy + PartialEq + 'static {
    const NUL: Self;

    /// How many there are before the first NUL.
    ///
    /// # Safety
    /// There is one.
    unsafe fn count(first: *const Self) -> usize {
        // SAFETY: guaranteed by the caller.
        (0..).take_while(|index| unsafe { *first.add(*index) } != Self::NUL).count()
    }
}

impl Unit for u8 {
    const NUL: u8 = 0;

    unsafe fn count(first: *const u8) -> usize {
        // SAFETY: guaranteed by the caller.
        unsafe { CStr::from_ptr(first.cast()) }.count_bytes()
    }
}

impl Unit for u16 {
    const NUL: u16 = 0;
}

/// The code units of a string; `InvalidArg`: null or too long.
#[inline]
pub fn text<'a, T: Unit>(first: List<'a, T>, length: usize) -> Result<&'a [T], Status> {
    if first.is_null() {
        return if length == 0 { Ok(&[]) } else { Err(Status::InvalidArg) };
    }
    if length != AUTO_LENGTH {
        return if length > LENGTH_MAX { Err(Status::InvalidArg) } else { first.read(length) };
    }
    // SAFETY: the addon says that the string ends in NUL.
    let count = unsafe { T::count(first.0) };
    first.read(count)
}

/// A string that ends in NUL.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Name<'a>(*const c_char, PhantomData<&'a c_char>);

impl<'a> Name<'a> {
    /// Where it is; null: nowhere.
    pub fn address(self) -> usize {
        self.0.addr()
    }

    /// Whether it is the same string.
    #[inline]
    pub fn is(self, other: &CStr) -> bool {
        let mut bytes = other.to_bytes_with_nul().iter().enumerate();
        // SAFETY: as below; this reads no further than the first difference, so no further than the
        // first NUL.
        !self.0.is_null() && bytes.all(|(index, byte)| unsafe { *self.0.add(index) } as u8 == *byte)
    }

    /// `None`: null.
    pub fn bytes(self) -> Option<&'a [u8]> {
        // SAFETY: the addon passes a string that ends in NUL, alive during the call.
        (!self.0.is_null()).then(|| unsafe { CStr::from_ptr(self.0) }.to_bytes())
    }
}

/// A pointer of the addon that is only handed back to it.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign(pub *mut c_void);

impl Foreign {
    pub const NULL: Foreign = Foreign(std::ptr::null_mut());
}

// SAFETY: it is never dereferenced here; the addon says on which thread it gets it back.
unsafe impl Send for Foreign {}

/// `napi_env`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnvPointer(pub(crate) Option<NonNull<Env>>);

// SAFETY: an environment is used on its own thread only: without a current scope of this thread
// every function returns `GenericFailure`. Other threads hand the pointer back.
unsafe impl Send for EnvPointer {}

impl EnvPointer {
    pub const NULL: EnvPointer = EnvPointer(None);
}

/// `napi_callback`, and other functions of addons.
pub type Callback = unsafe extern "C" fn(EnvPointer, *const c_void) -> Handle;
pub type Finalize = unsafe extern "C" fn(EnvPointer, Foreign, Foreign);

/// `napi_property_descriptor`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PropertyDescriptor {
    pub utf8_name: Name<'static>,
    pub name: Handle,
    pub method: Option<Callback>,
    pub getter: Option<Callback>,
    pub setter: Option<Callback>,
    pub value: Handle,
    pub attributes: i32,
    pub data: Foreign,
}

/// `napi_extended_error_info`.
#[repr(C)]
#[derive(Debug)]
pub struct ExtendedError {
    pub message: *const c_char,
    pub engine_reserved: *const c_void,
    pub engine_error_code: u32,
    pub status: Status,
}

/// `napi_type_tag`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeTag {
    pub lower: u64,
    pub upper: u64,
}

/// `NAPI_VERSION_EXPERIMENTAL`.
pub const EXPERIMENTAL: i32 = i32::MAX;
/// `NODE_API_DEFAULT_MODULE_API_VERSION`.
pub const DEFAULT_VERSION: i32 = 8;
/// `NODE_API_SUPPORTED_VERSION_MAX`.
pub const VERSION: u32 = 10;
