//! The counters of the engine's heap (unstable ABI). In: a VM. Out: bytes, without the walk over
//! all objects of the public function, which takes tens of milliseconds in a large heap. The offset
//! of the heap in a VM is read from that function's machine code, and the counters are compared
//! with the public function's result before they are used.

use std::ffi::{CStr, c_void};
use std::sync::OnceLock;

use super::{HeapStatistics, MemoryStatistics};
use crate::engine::engine;
use crate::string::fast::peek;
use crate::symbols::RawGroup;

/// `JSC::Heap::size()`, `capacity()` and `extraMemorySize()`.
const NAMES: [&CStr; 3] =
    [c"_ZN3JSC4Heap4sizeEv", c"_ZN3JSC4Heap8capacityEv", c"_ZN3JSC4Heap15extraMemorySizeEv"];

const STATISTICS: &CStr = c"JSGetMemoryUsageStatistics";
/// How many bytes of it are searched.
const CODE_BYTES: usize = 0x80;

/// Tolerance between the two results: the public function allocates.
const APART_BYTES_MAX: u64 = 1 << 20;

type Count = unsafe extern "C" fn(*const c_void) -> usize;

#[derive(Clone, Copy, Debug)]
pub(super) struct HeapCounters {
    used: Count,
    capacity: Count,
    extra: Count,
    heap_offset: usize,
}

impl HeapCounters {
    /// The counters, if they were verified; once per process, on the first VM that needs them.
    /// `tell` calls the public function.
    pub fn verified(group: RawGroup, query: impl FnOnce() -> MemoryStatistics) -> Option<HeapCounters> {
        static VERIFIED: OnceLock<Option<HeapCounters>> = OnceLock::new();
        *VERIFIED.get_or_init(|| {
            let counts =
                HeapCounters::find(|name| engine().find(name)).filter(|_| engine().uses_unstable_abi())?;
            let expected = query().heap();
            // SAFETY: a VM whose lock is held; the offset is the one that the engine's own function
            // adds.
            let found = unsafe { counts.read(group) };
            let is_near = |one: u64, other: u64| one.abs_diff(other) <= APART_BYTES_MAX;
            let holds = is_near(found.used, expected.used)
                && is_near(found.capacity, expected.capacity)
                && is_near(found.extra, expected.extra);
            holds.then_some(counts)
        })
    }

    fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<HeapCounters> {
        let heap_offset = heap_offset(&peek::<CODE_BYTES>(find(STATISTICS).cast_const().cast())?)?;
        let found = NAMES.map(find);
        if found.iter().any(|address| address.is_null()) {
            return None;
        }
        // SAFETY: the mangled names have no arguments but the heap; that they return a `size_t` was
        // read in the source of these releases.
        let [used, capacity, extra] =
            found.map(|address| unsafe { std::mem::transmute::<*mut c_void, Count>(address) });
        Some(HeapCounters { used, capacity, extra, heap_offset })
    }

    /// # Safety
    /// The VM is alive, its lock held.
    pub unsafe fn read(&self, group: RawGroup) -> HeapStatistics {
        let heap = group.cast::<u8>().wrapping_add(self.heap_offset).cast::<c_void>();
        // SAFETY: guaranteed by the caller; the functions only read.
        let [used, capacity, extra] =
            unsafe { [self.used, self.capacity, self.extra].map(|count| count(heap) as u64) };
        HeapStatistics { used, capacity, extra }
    }
}

/// The offset of the first `lea register, [register + disp32]`, which computes the address of the
/// heap in the VM.
fn heap_offset(code: &[u8]) -> Option<usize> {
    const OFFSETS: std::ops::Range<usize> = 0x40..0x1000;
    if !cfg!(target_arch = "x86_64") {
        return None;
    }
    code.windows(7).find_map(|bytes| {
        // REX.W prefix, opcode 8D, and a base register that needs no SIB byte.
        let is_lea = bytes[0] & 0xf8 == 0x48 && bytes[1] == 0x8d && bytes[2] >> 6 == 2 && bytes[2] & 7 != 4;
        let offset = u32::from_le_bytes([bytes[3], bytes[4], bytes[5], bytes[6]]) as usize;
        (is_lea && OFFSETS.contains(&offset) && offset.is_multiple_of(8)).then_some(offset)
    })
}

#[cfg(test)]
mod tests;
