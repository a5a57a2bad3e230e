//! BPF programs of the collector, one for each tracepoint, and the record they write. In: file
//! descriptors of maps, offsets of this kernel. Out: instructions. A thread that is not traced
//! costs one map lookup. The key of that map is the address of the thread's `task_struct`, which
//! neither PID namespaces nor execve(2) change.

use super::assembler::{
    Assembler, Function, R0, R1, R2, R3, R4, R6, R7, R8, R9, STACK, When, Width::Eight, Width::Four,
};

/// Longest recorded path, including its NUL.
pub const PATH_BYTES: usize = 256;
/// Bytes of a record before its path.
pub const HEADER_BYTES: usize = 80;
/// The key of the thread map: a kernel address.
pub const KEY_BYTES: usize = 8;
/// The value of the thread map: a record being filled, and whether it is the first thread.
pub const THREAD_BYTES: usize = HEADER_BYTES + PATH_BYTES + 8;
/// Range of call numbers, once for native calls and once for 32-bit calls.
pub const CALLS: i32 = 512;

// Offsets of a record's members.
const KIND: i16 = 0;
const PATH_LENGTH: i16 = 4;
const THREAD: i16 = 8;
const PROCESS: i16 = 12;
const START: i16 = 16;
const TIME: i16 = 24;
const RESULT: i16 = 32;
const NUMBER: i16 = 40;
const IS_32: i16 = 44;
const ARGUMENTS: i16 = 48;
const PATH: i16 = HEADER_BYTES as i16;
/// After the part that is sent.
pub const IS_FIRST: usize = HEADER_BYTES + PATH_BYTES;

pub const KIND_CALL: u32 = 0;
pub const KIND_FORK: u32 = 1;
pub const KIND_EXIT: u32 = 2;

/// `BPF_RB_NO_WAKEUP`: a wakeup would be most of a record's cost.
const NO_WAKEUP: i32 = 1;
/// `BPF_RB_FORCE_WAKEUP`
const FORCE_WAKEUP: i32 = 2;
/// `BPF_RB_AVAIL_DATA`
const UNREAD_BYTES: i32 = 0;
/// Range of unread bytes in which records wake the reader. It spans several records, since CPUs
/// that write concurrently may skip a single position.
const WAKEUP_RANGE_BYTES: i32 = 2048;
/// Stack offset of the current thread's key.
const KEY: i16 = -16;

/// What the programs need to know.
#[derive(Clone, Copy)]
pub struct BpfContext {
    pub threads: i32,
    /// By call number: the index of the path argument plus 1, or 0.
    pub paths: i32,
    pub ring: i32,
    /// Unread bytes from which the reader is woken.
    pub wake_at: u32,
    /// One counter: lost records.
    pub lost: i32,
    /// Initial values of the thread map: all zero, and that of the first thread.
    pub empty: i32,
    pub offsets: Offsets,
    pub own: TracerIdentity,
}

/// The tracer's identity.
#[derive(Clone, Copy)]
pub struct TracerIdentity {
    pub process: u32,
    /// Its PID namespace: device, in the kernel's encoding, and inode of the namespace file.
    pub device: u64,
    pub inode: u64,
}

/// Offsets in bytes within `struct task_struct`.
#[derive(Clone, Copy)]
pub struct Offsets {
    pub pid: u32,
    pub tgid: u32,
    pub exit_code: u32,
    /// `thread_info.status`, which shows 32-bit calls; on x86 only.
    pub status: Option<u32>,
}

/// Offsets of arguments in `struct pt_regs`: of native and of 32-bit calls.
const REGISTERS: [[i16; 4]; 2] = if cfg!(target_arch = "aarch64") {
    [[0, 8, 16, 24], [0, 8, 16, 24]]
} else {
    [[112, 104, 96, 56], [40, 88, 96, 104]]
};
const REGISTERS_BYTES: i16 = 120;
/// `TS_COMPAT`.
const COMPAT: i32 = 2;

/// At `sys_enter`: stores call number, arguments, path and time.
pub fn on_sys_enter(context: &BpfContext) -> Vec<u64> {
    const REGISTERS_AT: i16 = -16 - REGISTERS_BYTES;
    let mut code = Assembler::default();
    code.copy(R6, R1);
    find_thread(&mut code, context);
    code.copy(R8, R0).load(Eight, R7, R6, 8).store(Four, R8, NUMBER, R7);
    code.copy(R1, STACK).add(R1, REGISTERS_AT.into()).set(R2, REGISTERS_BYTES.into());
    code.load(Eight, R3, R6, 0).call(Function::ReadKernel);
    code.set(R9, 0);
    if let Some(status) = context.offsets.status {
        code.call(Function::CurrentTask);
        read_task(&mut code, R0, status, -16);
        code.load(Four, R9, STACK, -16).and(R9, COMPAT);
    }
    code.store(Four, R8, IS_32, R9).jump_if(R9, When::NotEqual, 0, "compat");
    let [own, compat] = REGISTERS;
    let arguments = |code: &mut Assembler, registers: [i16; 4]| {
        for (index, register) in registers.into_iter().enumerate() {
            code.load(Eight, R1, STACK, REGISTERS_AT + register);
            code.store(Eight, R8, ARGUMENTS + 8 * index as i16, R1);
        }
    };
    arguments(&mut code, own);
    code.jump("path").place("compat");
    arguments(&mut code, compat);
    code.add(R7, CALLS);
    code.place("path").store_number(Four, R8, PATH_LENGTH, 0);
    code.store(Four, STACK, -4, R7)
        .map(R1, context.paths)
        .copy(R2, STACK)
        .add(R2, -4)
        .call(Function::MapLookup);
    code.jump_if(R0, When::Equal, 0, "start").load(Four, R1, R0, 0).jump_if(R1, When::Equal, 0, "start");
    code.load(Eight, R3, R8, ARGUMENTS).jump_if(R1, When::Equal, 1, "read");
    code.load(Eight, R3, R8, ARGUMENTS + 8).place("read");
    code.copy(R1, R8).add(R1, PATH.into()).set(R2, PATH_BYTES as i32).call(Function::ReadUserText);
    code.jump_if(R0, When::SignedBelow, 1, "start").store(Four, R8, PATH_LENGTH, R0);
    // The time is read last, to exclude this program's own duration.
    code.place("start").call(Function::Now).store(Eight, R8, START, R0).place("out").set(R0, 0).exit();
    code.finish()
}

/// At `sys_exit`: emits the record of the system call.
pub fn on_sys_exit(context: &BpfContext) -> Vec<u64> {
    let mut code = Assembler::default();
    code.copy(R6, R1).call(Function::Now).copy(R9, R0);
    find_thread(&mut code, context);
    code.copy(R8, R0).load(Eight, R1, R8, START).jump_if(R1, When::Equal, 0, "out");
    code.subtract(R9, R1).store(Eight, R8, TIME, R9);
    code.load(Eight, R1, R6, 8).store(Eight, R8, RESULT, R1);
    code.store_number(Four, R8, KIND, KIND_CALL as i32);
    identify(&mut code);
    let path = |code: &mut Assembler| {
        code.load(Four, R3, R8, PATH_LENGTH).jump_if(R3, When::Above, PATH_BYTES as i32, "out");
        code.add(R3, HEADER_BYTES as i32).copy(R2, R8);
    };
    wake_if_full(&mut code, context);
    emit_record(&mut code, context, path);
    code.store_number(Eight, R8, START, 0).place("out").set(R0, 0).exit();
    code.finish()
}

/// At `sched_process_fork`, with parent and child: adds the child to the thread map. The first one
/// is a child of the tracer itself.
pub fn on_fork(context: &BpfContext) -> Vec<u64> {
    const RECORD_AT: i16 = KEY - HEADER_BYTES as i16;
    const NUMBERS_AT: i16 = KEY - 8;
    let mut code = Assembler::default();
    code.load(Eight, R7, R1, 8).set(R9, 0);
    look_up_thread(&mut code, context);
    code.jump_if(R0, When::NotEqual, 0, "followed").set(R9, 1);
    code.set_long(R1, context.own.device).set_long(R2, context.own.inode);
    code.copy(R3, STACK).add(R3, NUMBERS_AT.into()).set(R4, 8).call(Function::NumbersWithin);
    code.jump_if(R0, When::NotEqual, 0, "out").load(Four, R1, STACK, NUMBERS_AT + 4);
    code.jump_if(R1, When::NotEqual, context.own.process as i32, "out").place("followed");
    clear(&mut code, RECORD_AT);
    read_task(&mut code, R7, context.offsets.pid, RECORD_AT + THREAD);
    read_task(&mut code, R7, context.offsets.tgid, RECORD_AT + PROCESS);
    code.store_number(Four, STACK, RECORD_AT + KIND, KIND_FORK as i32);
    // The parent's process id is the upper half.
    code.call(Function::CurrentIds).shift_right(R0, 32).store(Eight, STACK, RECORD_AT + RESULT, R0);
    code.call(Function::Now).store(Eight, STACK, RECORD_AT + START, R0);
    code.store(Eight, STACK, KEY, R7).store(Four, STACK, -4, R9);
    code.map(R1, context.empty).copy(R2, STACK).add(R2, -4).call(Function::MapLookup);
    code.jump_if(R0, When::Equal, 0, "out").copy(R3, R0);
    code.map(R1, context.threads).copy(R2, STACK).add(R2, KEY.into()).set(R4, 0).call(Function::MapUpdate);
    code.jump_if(R0, When::NotEqual, 0, "lost");
    wake_if_full(&mut code, context);
    emit_record(&mut code, context, |code| {
        code.copy(R2, STACK).add(R2, RECORD_AT.into()).set(R3, HEADER_BYTES as i32);
    });
    code.place("out").set(R0, 0).exit();
    code.finish()
}

/// At `sched_process_exit`: removes the thread. It may have been in a system call that never
/// returns.
pub fn on_exit(context: &BpfContext) -> Vec<u64> {
    const RECORD_AT: i16 = KEY - HEADER_BYTES as i16;
    let mut code = Assembler::default();
    code.copy(R6, R1);
    find_thread(&mut code, context);
    code.load(Eight, R9, R0, START).load(Eight, R7, R6, 0).load(Four, R6, R0, IS_FIRST as i16);
    clear(&mut code, RECORD_AT);
    // The start time shows whether it was in a system call.
    code.store(Eight, STACK, RECORD_AT + TIME, R9).copy(R8, STACK).add(R8, RECORD_AT.into());
    identify(&mut code);
    read_task(&mut code, R7, context.offsets.exit_code, RECORD_AT + RESULT);
    code.store_number(Four, STACK, RECORD_AT + KIND, KIND_EXIT as i32);
    code.call(Function::Now).store(Eight, STACK, RECORD_AT + START, R0);
    // The first thread's end wakes the reader at once, which then finishes while the kernel tears
    // down the process.
    code.set(R7, FORCE_WAKEUP).jump_if(R6, When::NotEqual, 0, "first");
    wake_if_full(&mut code, context);
    code.place("first");
    emit_record(&mut code, context, |code| {
        code.copy(R2, R8).set(R3, HEADER_BYTES as i32);
    });
    code.map(R1, context.threads).copy(R2, STACK).add(R2, KEY.into()).call(Function::MapDelete);
    code.place("out").set(R0, 0).exit();
    code.finish()
}

/// The current thread's entry in R0; jumps to `out` if the thread is not traced.
fn find_thread(code: &mut Assembler, context: &BpfContext) {
    look_up_thread(code, context);
    code.jump_if(R0, When::Equal, 0, "out");
}

/// The current thread's entry in R0 (or null), its key on the stack.
fn look_up_thread(code: &mut Assembler, context: &BpfContext) {
    code.call(Function::CurrentTask).store(Eight, STACK, KEY, R0);
    code.map(R1, context.threads).copy(R2, STACK).add(R2, KEY.into()).call(Function::MapLookup);
}

/// Stores the current thread and process id into the record at R8.
fn identify(code: &mut Assembler) {
    code.call(Function::CurrentIds).store(Four, R8, THREAD, R0);
    code.shift_right(R0, 32).store(Four, R8, PROCESS, R0);
}

/// Copies four bytes of a task to the stack.
fn read_task(code: &mut Assembler, task: u8, offset: u32, to: i16) {
    code.copy(R3, task).add(R3, offset as i32).copy(R1, STACK).add(R1, to.into()).set(R2, 4);
    code.call(Function::ReadKernel);
}

fn clear(code: &mut Assembler, record_at: i16) {
    for at in (0..HEADER_BYTES as i16).step_by(8) {
        code.store_number(Eight, STACK, record_at + at, 0);
    }
}

/// Sets R7: whether the next record wakes the reader.
fn wake_if_full(code: &mut Assembler, context: &BpfContext) {
    let wake_at = context.wake_at as i32;
    code.map(R1, context.ring).set(R2, UNREAD_BYTES).call(Function::RingQuery).set(R7, NO_WAKEUP);
    code.jump_if(R0, When::Below, wake_at, "silently");
    code.jump_if(R0, When::Above, wake_at + WAKEUP_RANGE_BYTES, "silently")
        .set(R7, FORCE_WAKEUP)
        .place("silently");
}

/// Emits a record of R3 bytes from R2, which `what` sets; counts it as lost if the ring buffer is
/// full. R7 has the wakeup flags.
fn emit_record(code: &mut Assembler, context: &BpfContext, what: impl Fn(&mut Assembler)) {
    what(code);
    code.map(R1, context.ring).copy(R4, R7).call(Function::RingOutput);
    code.jump_if(R0, When::Equal, 0, "written").place("lost");
    code.store_number(Four, STACK, -8, 0);
    code.map(R1, context.lost).copy(R2, STACK).add(R2, -8).call(Function::MapLookup);
    code.jump_if(R0, When::Equal, 0, "written").set(R1, 1).count(R0, 0, R1);
    code.place("written");
}

/// A parsed record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawRecord<'a> {
    pub kind: u32,
    pub thread: i32,
    pub process: i32,
    pub start_ns: u64,
    pub time_ns: u64,
    pub result: i64,
    pub number: u32,
    pub is_32: bool,
    pub arguments: [u64; 4],
    pub path: &'a [u8],
}

impl<'a> RawRecord<'a> {
    /// `None` if it is too short.
    pub fn parse(bytes: &'a [u8]) -> Option<RawRecord<'a>> {
        let (head, rest) = bytes.split_at_checked(HEADER_BYTES)?;
        let four = |at: i16| u32::from_ne_bytes(head[at as usize..at as usize + 4].try_into().expect("four"));
        let eight =
            |at: i16| u64::from_ne_bytes(head[at as usize..at as usize + 8].try_into().expect("eight"));
        let path = rest.get(..(four(PATH_LENGTH) as usize).min(rest.len()))?;
        Some(RawRecord {
            kind: four(KIND),
            thread: four(THREAD) as i32,
            process: four(PROCESS) as i32,
            start_ns: eight(START),
            time_ns: eight(TIME),
            result: eight(RESULT) as i64,
            number: four(NUMBER),
            is_32: four(IS_32) != 0,
            arguments: [0, 1, 2, 3].map(|index| eight(ARGUMENTS + 8 * index)),
            path: path.strip_suffix(&[0]).unwrap_or(path),
        })
    }
}

#[cfg(test)]
mod tests;
