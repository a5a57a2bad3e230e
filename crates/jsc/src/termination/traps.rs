//! Termination by the engine's VM traps (unstable ABI). In: a VM. Out: the functions that set the
//! trap bits ([`TrapAbi`]), and the termination of one script whose caller continues
//! ([`ExecutionTerminator`]). Absent: engines without this ABI; see `watchdog`.
//!
//! The engine ends scripts when a trap bit of the VM is set and its thread is requested to check
//! it. A flag byte makes the termination permanent and is what `Atomics.wait` checks. Neither has a
//! public function. The offset of the byte is read from the machine code that checks it, and
//! everything is verified on a VM of our own ([`TrapAbi::verify`]).

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use crate::engine::{engine, symbols};
use crate::string::fast::peek;
use crate::symbols::{RawGlobal, RawGroup};

/// `JSC::VMTraps::requestThreadStopIfNeeded(unsigned)`: makes the VM's thread check the bits soon.
/// In 2.50.
const REQUEST_STOP: &CStr = c"_ZN3JSC7VMTraps25requestThreadStopIfNeededEj";
/// `JSC::VMTraps::updateThreadStopRequestIfNeeded()`: the same from 2.52 on, where it reads the
/// bits itself.
const UPDATE_STOP: &CStr = c"_ZN3JSC7VMTraps31updateThreadStopRequestIfNeededEv";

/// `JSC::VMTraps::undoDeferTerminationSlow(JSC::VMTraps::DeferAction)`: sets the bit, and throws in
/// the VM whose address it computes from its own.
const SET_BIT: &CStr = c"_ZN3JSC7VMTraps24undoDeferTerminationSlowENS0_11DeferActionE";

/// `JSC::VM::ensureTerminationException()`: creates the exception, without which nothing is thrown.
const MAKE_EXCEPTION: &CStr = c"_ZN3JSC2VM26ensureTerminationExceptionEv";

/// `JSC::WaiterListManager::waitSync(JSC::VM&, int*, int, WTF::Seconds)`: checks the flag byte.
const WAIT: &CStr = c"_ZN3JSC17WaiterListManager8waitSyncERNS_2VMEPiiN3WTF7SecondsE";

/// `VMTraps::NeedTermination`.
const TERMINATION: u32 = 2;

/// How many bytes of `waitSync` are searched, and of the function that sets the bit.
const CODE_BYTES: usize = 0x300;
const SHORT_CODE_BYTES: usize = 0x60;

/// Offset of `VMTraps` in a VM, and of its bits in that.
#[derive(Clone, Copy)]
struct TrapOffsets {
    traps: usize,
    bits: usize,
}

/// In 2.50, whose machine code does not contain both in one function.
const OFFSETS_OF_2_50: TrapOffsets = TrapOffsets { traps: 0x40, bits: 0 };

/// Function that makes the VM's thread check its traps.
#[derive(Clone, Copy)]
enum StopRequest {
    Bit(unsafe extern "C" fn(*mut c_void, u32)),
    Change(unsafe extern "C" fn(*mut c_void)),
}

/// Functions of the engine, not yet verified.
#[derive(Clone, Copy)]
pub(super) struct TrapAbi {
    stop_request: StopRequest,
    offsets: TrapOffsets,
    make_exception: unsafe extern "C" fn(RawGroup) -> *mut c_void,
    /// Offset of the flag byte in a VM.
    flag_offset: usize,
}

/// Ends the script that a VM is running, and nothing that runs after it.
#[derive(Clone, Copy)]
pub(crate) struct ExecutionTerminator {
    abi: TrapAbi,
    group: RawGroup,
}

// SAFETY: the functions are made for other threads; the creator keeps its VM alive until that
// thread is done.
unsafe impl Send for ExecutionTerminator {}

impl ExecutionTerminator {
    /// For a VM whose lock is held by this thread, which outlives its use; `None`: the ABI is not
    /// available.
    pub fn of(group: RawGroup, global: RawGlobal) -> Option<ExecutionTerminator> {
        let abi = verified()?;
        abi.prepare(group, global);
        Some(ExecutionTerminator { abi, group })
    }

    /// The running script throws a termination exception at its next step.
    pub fn terminate_execution(self) {
        self.abi.request_stop(self.group);
    }

    /// Lets the caller of that script continue: resets the request, which would otherwise turn
    /// every later exception into a termination.
    pub fn cancel_terminate_execution(self) {
        self.abi.cancel_stop(self.group);
    }
}

/// The functions, if they were verified; once per process, when the first handle is made.
pub(super) fn verified() -> Option<TrapAbi> {
    static VERIFIED: OnceLock<Option<TrapAbi>> = OnceLock::new();
    *VERIFIED.get_or_init(|| {
        let abi = TrapAbi::find(|name| engine().find(name)).filter(|_| engine().uses_unstable_abi())?;
        abi.verify().then_some(abi)
    })
}

impl StopRequest {
    fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<(StopRequest, TrapOffsets)> {
        let [bit, change, set_bit] = [REQUEST_STOP, UPDATE_STOP, SET_BIT].map(find);
        if !bit.is_null() {
            // SAFETY: the mangled name contains the argument types; the instance is the first one.
            let request =
                unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void, u32)>(bit) };
            return Some((StopRequest::Bit(request), OFFSETS_OF_2_50));
        }
        if change.is_null() || set_bit.is_null() {
            return None;
        }
        let offsets = offsets(&peek::<SHORT_CODE_BYTES>(set_bit.cast_const().cast())?)?;
        // SAFETY: as above.
        let request =
            unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_void)>(change) };
        Some((StopRequest::Change(request), offsets))
    }
}

impl TrapAbi {
    /// Looks them up, in a release whose source was reviewed.
    fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<TrapAbi> {
        let found = [MAKE_EXCEPTION, WAIT].map(&find);
        if found.iter().any(|address| address.is_null()) {
            return None;
        }
        let (stop_request, offsets) = StopRequest::find(find)?;
        let flag_offset = flag_offset(&peek::<CODE_BYTES>(found[1].cast_const().cast())?)?;
        // SAFETY: the mangled name contains the argument types; the instance is the first one.
        // `verify` checks the behaviour.
        let make_exception = unsafe {
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn(RawGroup) -> *mut c_void>(found[0])
        };
        Some(TrapAbi { stop_request, offsets, make_exception, flag_offset })
    }

    /// Creates the exception in advance, on the VM's thread.
    pub fn prepare(self, group: RawGroup, global: RawGlobal) {
        // SAFETY: both are alive, and the lock is held.
        unsafe {
            (symbols().JSLock)(global);
            (self.make_exception)(group);
            (symbols().JSUnlock)(global);
        }
    }

    pub fn terminate_vm(self, group: RawGroup) {
        self.set_flag(group);
        self.request_stop(group);
    }

    fn set_flag(self, group: RawGroup) {
        self.write_flag(group, 1);
    }

    fn cancel_stop(self, group: RawGroup) {
        // SAFETY: the bits are a `u32` that any thread changes atomically.
        unsafe {
            let traps = group.cast_mut().cast::<u8>().add(self.offsets.traps);
            AtomicU32::from_ptr(traps.add(self.offsets.bits).cast())
                .fetch_and(!TERMINATION, Ordering::SeqCst);
            if let StopRequest::Change(request) = self.stop_request {
                request(traps.cast());
            }
        }
        self.write_flag(group, 0);
    }

    fn write_flag(self, group: RawGroup, value: u8) {
        // SAFETY: within a live VM; the engine's own threads write it in this way, too.
        unsafe {
            let flag = AtomicU8::from_ptr(group.cast_mut().cast::<u8>().add(self.flag_offset));
            flag.store(value, Ordering::SeqCst);
        }
    }

    fn request_stop(self, group: RawGroup) {
        // SAFETY: the bits are a `u32` that any thread changes atomically; the function takes its
        // own lock.
        unsafe {
            let traps = group.cast_mut().cast::<u8>().add(self.offsets.traps);
            AtomicU32::from_ptr(traps.add(self.offsets.bits).cast()).fetch_or(TERMINATION, Ordering::SeqCst);
            match self.stop_request {
                StopRequest::Bit(request) => request(traps.cast(), TERMINATION),
                StopRequest::Change(request) => request(traps.cast()),
            }
        }
    }

    /// Whether a VM of our own is terminated as expected: a loop by the bit, after which it runs
    /// again; a wait by the flag byte.
    fn verify(self) -> bool {
        // SAFETY: a group and a context of our own, released below; nothing else refers to them.
        let (group, global) = unsafe {
            let group = (symbols().JSContextGroupCreate)();
            (group, (symbols().JSGlobalContextCreateInGroup)(group, ptr::null_mut()))
        };
        let address = group.cast::<u8>();
        let bits = address.wrapping_add(self.offsets.traps + self.offsets.bits);
        let is_idle =
            peek::<4>(bits) == Some([0; 4]) && peek::<1>(address.wrapping_add(self.flag_offset)) == Some([0]);
        let holds = is_idle && {
            self.prepare(group, global);
            let is_plain = !throws(global, LOOP) && !throws(global, SHORT_WAIT);
            self.request_stop(group);
            let ends_loop = throws(global, LOOP);
            let goes_on = !throws(global, LOOP);
            self.set_flag(group);
            is_plain && ends_loop && goes_on && throws(global, LONG_WAIT)
        };
        // SAFETY: made above, each released once.
        unsafe {
            (symbols().JSGlobalContextRelease)(global);
            (symbols().JSContextGroupRelease)(group);
        }
        holds
    }
}

const LOOP: &CStr = c"for (let index = 0; index < 1000; index++);";
/// A wait that returns at once.
const SHORT_WAIT: &CStr = c"Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0)";
/// A wait of a tenth of a second.
const LONG_WAIT: &CStr = c"Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)";

fn throws(global: RawGlobal, script: &CStr) -> bool {
    let mut thrown = ptr::null();
    // SAFETY: the context is alive, the source ends in NUL, and the string is released once.
    unsafe {
        let source = (symbols().JSStringCreateWithUTF8CString)(script.as_ptr());
        (symbols().JSEvaluateScript)(global, source, ptr::null_mut(), ptr::null_mut(), 1, &mut thrown);
        (symbols().JSStringRelease)(source);
    }
    !thrown.is_null()
}

/// The offsets in `lea rax, [rdi - traps]` and `lock or dword [rdi + bits], 2`, each of which must
/// occur once.
fn offsets(code: &[u8]) -> Option<TrapOffsets> {
    if !cfg!(target_arch = "x86_64") {
        return None;
    }
    let only = |bytes: &mut dyn Iterator<Item = u8>| bytes.next().filter(|_| bytes.next().is_none());
    let mut back =
        code.windows(4).filter_map(|bytes| bytes.strip_prefix(&[0x48, 0x8d, 0x47]).map(|rest| rest[0]));
    let mut set = code.windows(5).filter_map(|bytes| match bytes {
        [0xf0, 0x83, 0x4f, offset, bit] if u32::from(*bit) == TERMINATION => Some(*offset),
        _ => None,
    });
    let (back, bits) = (only(&mut back)?, only(&mut set)?);
    let traps = usize::try_from(-i32::from(back as i8)).ok()?;
    Some(TrapOffsets { traps, bits: usize::from(bits) })
}

/// The offset in `cmp byte [register + offset], 0`, if it is large and the only one.
fn flag_offset(code: &[u8]) -> Option<usize> {
    /// A VM begins with its heap, which is larger than this.
    const OFFSET_MIN: usize = 0x1_0000;
    const VM_BYTES_MAX: usize = 0x10_0000;
    if !cfg!(target_arch = "x86_64") {
        return None;
    }
    let mut found = code.windows(7).filter_map(|bytes| {
        // Opcode 80 /7 with a 32-bit displacement and a base register that needs no SIB byte.
        let is_compare = bytes[0] == 0x80 && bytes[1] & 0xf8 == 0xb8 && bytes[1] & 7 != 4 && bytes[6] == 0;
        let offset = u32::from_le_bytes([bytes[2], bytes[3], bytes[4], bytes[5]]) as usize;
        (is_compare && (OFFSET_MIN..VM_BYTES_MAX).contains(&offset)).then_some(offset)
    });
    let offset = found.next()?;
    found.all(|other| other == offset).then_some(offset)
}
