//! Machine code as the entry of a WebAssembly function, which the optimizing compiler calls with
//! unboxed numbers in registers. In: a function that a module exports, the address of a word with
//! the code's address. Out: calls of the function run the code. Uses the unstable ABI, in releases
//! whose source was reviewed and where two functions of a probe have the expected layout. Absent:
//! the code; the module.
//!
//! A WebAssembly function has after its header, properties, scope and executable: where its callee
//! is, its instance, and where its entry is. Every caller loads the entry from there: the
//! interpreter, the call of other JavaScript code, and the optimizing compiler, which knows the
//! function and so the place. Numbers are where C expects them, in `rdi` to `r9` and `xmm0` to
//! `xmm7`, and the result is in `edi` or `xmm0` (WebKit's `WebAssemblyFunctionBase.h`,
//! `WasmFormat.h`, `WasmCallingConvention.cpp`, `FTLLowerDFGToB3.cpp`).

use std::cell::Cell;
use std::ffi::c_void;

use crate::engine::{Version, engine};
use crate::layout::UNDEFINED;
use crate::scope::Scope;
use crate::string::fast::{peek, peek_into};
use crate::symbols::{RawContext, RawValue};
use crate::value::Value;
use crate::vm::Shared;

/// The releases whose source was reviewed for this.
const REVIEWED: [Version; 2] =
    [Version { major: 2, minor: 50, micro: 0 }, Version { major: 2, minor: 50, micro: u32::MAX }];

/// Offset of three words: where the callee is, the instance, where the entry is.
const CALLEE_PLACE: usize = 32;
const ENTRY_PLACE: usize = CALLEE_PLACE + 16;
const WORD: usize = size_of::<usize>();

/// The part of a VM that is searched for the current frame.
const VM_BYTES: usize = 256 * 1024;
const PAGE: usize = 4096;

thread_local! {
    /// Offsets in the VM where the last probe found its frame.
    static FOUND: Cell<Vec<usize>> = const { Cell::new(Vec::new()) };
}

/// Proof that entries can be replaced in this VM.
#[derive(Clone, Copy, Debug)]
pub struct WasmEntries {
    top_call_frame: usize,
}

impl WasmEntries {
    /// What the code of the probe returns, and what the bodies of its functions return.
    pub const PROBE_RESULTS: [i32; 2] = [42, 7];

    /// `functions`: the first two exports of one instance, without arguments. `None`: the release
    /// is not known, or something is not as expected.
    ///
    /// # Safety
    /// `entry` is the address of a word with the address of code that returns the first of
    /// [`WasmEntries::PROBE_RESULTS`] in `edi`, and both stay until this returns.
    pub unsafe fn verify(
        scope: &Scope,
        functions: [Value<'_>; 2],
        entry: *const *const c_void,
    ) -> Option<WasmEntries> {
        let is_reviewed = (REVIEWED[0]..=REVIEWED[1]).contains(&engine().version());
        if !is_reviewed || !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
            return None;
        }
        scope.value_layout()?;
        let [first, second] = [places(functions[0])?, places(functions[1])?];
        let entry_of = |places: [usize; 3]| peek(places[2] as *const u8).map(usize::from_ne_bytes);
        let is_as_expected = first[1] == second[1]
            && second[2] == first[2] + WORD
            && entry_of(first).is_some_and(|address| address != 0);
        if !is_as_expected {
            return None;
        }
        let entries = WasmEntries { top_call_frame: find_top_call_frame(scope)? };
        let expected = WasmEntries::PROBE_RESULTS.map(f64::from);
        // SAFETY: functions of WebAssembly with the layout that was just seen; as promised.
        unsafe {
            entries.replace(functions[0], entry)?;
            let results = functions.map(|function| result_of(scope, function));
            entry_place(functions[0]).write_volatile(first[2]);
            (results == expected.map(Some)).then_some(entries)
        }
    }

    /// Where the engine expects the frame of the caller when code calls back: code writes `rbp` to
    /// this address before it calls anything.
    pub fn top_call_frame(self) -> usize {
        self.top_call_frame
    }

    /// From now on, calls of the function run the code to whose address `entry` points. Out: the
    /// address of the code that ran until now, which can be put to `entry` later.
    ///
    /// # Safety
    /// A function that a module exports, called in this VM only, whose arguments and results are
    /// numbers in registers; code for these; both the code and the word stay as long as the VM.
    pub unsafe fn replace(self, function: Value<'_>, entry: *const *const c_void) -> Option<*const c_void> {
        let [_, _, place] = places(function)?;
        let original = peek(place as *const u8).map(usize::from_ne_bytes)?;
        // SAFETY: the caller passes a function of this layout. A word is written at once, so that
        // a compiler's thread reads one of the two places.
        unsafe { entry_place(function).write_volatile(entry.expose_provenance()) };
        Some(std::ptr::with_exposed_provenance(original))
    }
}

fn entry_place(function: Value<'_>) -> *mut usize {
    function.raw().cast_mut().cast::<u8>().wrapping_add(ENTRY_PLACE).cast()
}

/// The three words of a function.
fn places(function: Value<'_>) -> Option<[usize; 3]> {
    let bytes: [u8; 3 * WORD] = peek(function.raw().cast::<u8>().wrapping_add(CALLEE_PLACE))?;
    let word = |index: usize| {
        let bytes = bytes[index * WORD..][..WORD].try_into().expect("a word");
        usize::from_ne_bytes(bytes)
    };
    let words = [word(0), word(1), word(2)];
    words.iter().all(|word| *word != 0).then_some(words)
}

fn result_of(scope: &Scope, function: Value<'_>) -> Option<f64> {
    let result = function.as_function(scope)?.call(scope, &[]).ok()?;
    result.to_number(scope).ok()
}

/// The word of the VM that has the current frame, in two calls with different frames.
fn find_top_call_frame(scope: &Scope) -> Option<usize> {
    let host = scope.shared().host_functions.get().copied().flatten()?;
    // SAFETY: a host function that stays where it is.
    let probe = unsafe { host.make_of_code(scope, ("probe", 0), find_frame) };
    let offsets = |arguments: &[Value<'_>]| {
        FOUND.take();
        probe.call(scope, arguments).ok()?;
        Some(FOUND.take())
    };
    let first = offsets(&[])?;
    let second = offsets(&[scope.undefined(); 64])?;
    let mut both = first.iter().filter(|offset| second.contains(offset));
    let offset = *both.next()?;
    let group = scope.shared().group.cast::<u8>();
    both.next().is_none().then(|| group.wrapping_add(offset).expose_provenance())
}

/// A host function that looks for its frame in the VM.
unsafe extern "C" fn find_frame(_: RawContext, frame: *const RawValue) -> RawValue {
    // SAFETY: the engine calls within a turn.
    if let Some(shared) = unsafe { Shared::current() } {
        FOUND.set(offsets_of(frame.addr(), shared.group.cast::<u8>()));
    }
    std::ptr::without_provenance(UNDEFINED as usize)
}

/// Where a word is, in the part of a VM that can be read.
fn offsets_of(word: usize, vm: *const u8) -> Vec<usize> {
    let mut offsets = Vec::new();
    let mut page = [0; PAGE];
    for start in (0..VM_BYTES).step_by(PAGE) {
        if peek_into(vm.wrapping_add(start), &mut page).is_none() {
            break;
        }
        let words = page.chunks_exact(WORD).enumerate();
        let places = words.filter(|(_, bytes)| *bytes == word.to_ne_bytes());
        offsets.extend(places.map(|(index, _)| start + index * WORD));
    }
    offsets
}
