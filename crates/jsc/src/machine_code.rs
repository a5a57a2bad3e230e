//! Host functions whose code is generated at run time (`bun:ffi`). In: the address of code that
//! follows the convention of host functions, in memory that is never freed. Out: a JavaScript
//! function; the layout of frames and values that such code needs; an entry for what it leaves to
//! Rust. Absent: the code.

use std::ffi::c_void;

use crate::engine::engine;
use crate::host_function;
use crate::native::{Call, Outcome};
use crate::object::Function;
use crate::scope::Scope;

/// A host function's code: it gets the context and the frame, and returns a value.
pub type HostCode = unsafe extern "C" fn(*const c_void, *const c_void) -> *const c_void;

/// The verified layout of frames and values, for generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueLayout {
    /// The cell type of the first class of typed arrays; those of the others follow it.
    pub first_view: u8,
    /// The mode of a view whose bytes are moved when its `buffer` is read.
    pub movable_mode: u8,
}

impl ValueLayout {
    /// Offsets in a frame: count of arguments with `this` (four bytes), first argument.
    pub const FRAME_COUNT: u8 = 8 * host_function::COUNT as u8;
    pub const FRAME_ARGUMENTS: u8 = 8 * host_function::ARGUMENTS as u8;
    /// All of these bits: an integer in the lower half. Some: a double, plus `DOUBLE_OFFSET`. None
    /// of `NOT_CELL`: a cell.
    pub const NUMBER_TAG: u64 = crate::layout::INTEGER_TAG;
    pub const DOUBLE_OFFSET: u64 = crate::layout::DOUBLE_OFFSET;
    pub const NOT_CELL: u64 = crate::layout::NOT_CELL;
    pub const NULL: u64 = crate::layout::NULL;
    pub const FALSE: u64 = crate::layout::FALSE;
    pub const TRUE: u64 = crate::layout::TRUE;
    pub const UNDEFINED: u64 = crate::layout::UNDEFINED;
    /// Number of classes of typed arrays.
    pub const VIEWS: u8 = 12;
    /// Offsets in a cell: type (a byte); address and element count of a view; its mode (a byte).
    pub const CELL_TYPE: u8 = crate::layout::TYPE_OFFSET as u8;
    pub const VIEW_ADDRESS: u8 = crate::layout::VECTOR_OFFSET as u8;
    pub const VIEW_LENGTH: u8 = crate::layout::LENGTH_OFFSET as u8;
    pub const VIEW_MODE: u8 = crate::layout::MODE_OFFSET as u8;
    /// Mode bits of a view of a resizable buffer.
    pub const RESIZABLE: u8 = crate::layout::RESIZABLE;
}

impl Scope {
    /// The layout, where generated code can be a host function.
    pub fn value_layout(&self) -> Option<ValueLayout> {
        self.shared().host_functions.get().copied().flatten()?;
        let (first_view, movable_mode) = self.shared().layout()?.view_types(self)?;
        Some(ValueLayout { first_view, movable_mode })
    }

    /// A function that runs generated code. It is not a constructor. `length`: what programs read.
    ///
    /// # Safety
    /// The code follows the C calling convention with the arguments of [`HostCode`], reads frames
    /// and values as [`Scope::value_layout`] says, returns a value or null with an exception that
    /// [`enter_host_call`] has thrown, and stays where it is while the function is alive.
    pub unsafe fn function_of_code(&self, name: &str, length: u32, code: HostCode) -> Option<Function<'_>> {
        let host = self.shared().host_functions.get().copied().flatten()?;
        // SAFETY: pointers to opaque types have one representation; guaranteed by the caller.
        Some(unsafe {
            host.make_of_code(
                self,
                (name, length),
                std::mem::transmute::<HostCode, host_function::Called>(code),
            )
        })
    }
}

/// Runs what generated code leaves to Rust; the result is that of the call.
///
/// # Safety
/// Called by code of [`Scope::function_of_code`], with its own arguments.
pub unsafe fn enter_host_call(
    context: *const c_void,
    frame: *const c_void,
    body: impl for<'s> Fn(&'s Scope, &Call<'s>) -> Outcome<'s>,
) -> *const c_void {
    debug_assert!(engine().host_functions.is_some(), "there would be no such code");
    // SAFETY: guaranteed by the caller; there is such code only where host functions were verified.
    unsafe { host_function::enter_frame(context.cast(), frame.cast(), body).cast() }
}
