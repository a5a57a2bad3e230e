//! The programs that run in the kernel, one for each tracepoint, and the record that they write.
//! In: the maps' descriptors, offsets of this kernel. Out: instructions. A thread that is not in
//! the map of threads costs one look. That map is by where the kernel keeps a thread, which no
//! other namespace renumbers and no exec changes.

use super::assembler::{
    Assembler, Function, R0, R1, R2, R3, R4, R6, R7, R8, R9, STACK, When, Width::Eight, Width::Four,
};

/// Bytes of a path that are kept, its NUL included.
pub const PATH_BYTES: usize = 256;
/// Bytes of a record in front of its path.
pub const HEAD_BYTES: usize = 80;
/// Of the map of threads: an address within the kernel.
pub const KEY_BYTES: usize = 8;
/// Of the same: a record that is being filled, and whether it is the first thread of all.
pub const THREAD_BYTES: usize = HEAD_BYTES + PATH_BYTES + 8;
/// Numbers of calls, once for the machine's own and once for those of 32 bits.
pub const CALLS: i32 = 512;

// Where the members of a record lie.
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
const PATH: i16 = HEAD_BYTES as i16;
/// Behind what is sent of it.
pub const IS_FIRST: usize = HEAD_BYTES + PATH_BYTES;

pub const KIND_CALL: u32 = 0;
pub const KIND_MADE: u32 = 1;
pub const KIND_GONE: u32 = 2;

/// `BPF_RB_NO_WAKEUP`: to wake the reader for a record would be most of what a record costs.
const SILENTLY: i32 = 1;
/// `BPF_RB_FORCE_WAKEUP`
const ALOUD: i32 = 2;
/// `BPF_RB_AVAIL_DATA`
const UNREAD_BYTES: i32 = 0;
/// Records that wake the reader once enough are unread: several, as processors that write at once
/// may pass a single one by.
const ALOUD_BYTES: i32 = 2048;
/// Of the stack: where the key of the current thread is.
const KEY: i16 = -16;

/// What the programs need to know.
#[derive(Clone, Copy)]
pub struct Ground {
    pub threads: i32,
    /// By call: 1 more than the argument that is a path, 0 for none.
    pub paths: i32,
    pub ring: i32,
    /// Bytes that are unread when the reader is woken.
    pub wake_at: u32,
    /// One number: records that found no room.
    pub lost: i32,
    /// What a thread's record begins as: all zero, and that of the first thread.
    pub empty: i32,
    pub offsets: Offsets,
    pub own: Own,
}

/// The process that watches, as it knows itself.
#[derive(Clone, Copy)]
pub struct Own {
    pub process: u32,
    /// Where its number holds: the namespace's file, as the kernel numbers its device.
    pub device: u64,
    pub inode: u64,
}

/// In bytes, within `struct task_struct`.
#[derive(Clone, Copy)]
pub struct Offsets {
    pub pid: u32,
    pub tgid: u32,
    pub exit_code: u32,
    /// Of `thread_info.status`, which tells a call of 32 bits; on x86 alone.
    pub status: Option<u32>,
}

/// Where arguments lie in `struct pt_regs`: of the machine's own calls, and of 32-bit ones.
const REGISTERS: [[i16; 4]; 2] = if cfg!(target_arch = "aarch64") {
    [[0, 8, 16, 24], [0, 8, 16, 24]]
} else {
    [[112, 104, 96, 56], [40, 88, 96, 104]]
};
const REGISTERS_BYTES: i16 = 120;
/// `TS_COMPAT`.
const COMPAT: i32 = 2;

/// At `sys_enter`: what is asked, and since when.
pub fn enter(ground: &Ground) -> Vec<u64> {
    const REGISTERS_AT: i16 = -16 - REGISTERS_BYTES;
    let mut code = Assembler::default();
    code.copy(R6, R1);
    find_thread(&mut code, ground);
    code.copy(R8, R0).load(Eight, R7, R6, 8).store(Four, R8, NUMBER, R7);
    code.copy(R1, STACK).add(R1, REGISTERS_AT.into()).set(R2, REGISTERS_BYTES.into());
    code.load(Eight, R3, R6, 0).call(Function::ReadKernel);
    code.set(R9, 0);
    if let Some(status) = ground.offsets.status {
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
        .map(R1, ground.paths)
        .copy(R2, STACK)
        .add(R2, -4)
        .call(Function::MapLookup);
    code.jump_if(R0, When::Equal, 0, "start").load(Four, R1, R0, 0).jump_if(R1, When::Equal, 0, "start");
    code.load(Eight, R3, R8, ARGUMENTS).jump_if(R1, When::Equal, 1, "read");
    code.load(Eight, R3, R8, ARGUMENTS + 8).place("read");
    code.copy(R1, R8).add(R1, PATH.into()).set(R2, PATH_BYTES as i32).call(Function::ReadUserText);
    code.jump_if(R0, When::SignedBelow, 1, "start").store(Four, R8, PATH_LENGTH, R0);
    // The time comes last, so that what was done here is not counted.
    code.place("start").call(Function::Now).store(Eight, R8, START, R0).place("out").set(R0, 0).exit();
    code.finish()
}

/// At `sys_exit`: what came of it, as a record.
pub fn leave(ground: &Ground) -> Vec<u64> {
    let mut code = Assembler::default();
    code.copy(R6, R1).call(Function::Now).copy(R9, R0);
    find_thread(&mut code, ground);
    code.copy(R8, R0).load(Eight, R1, R8, START).jump_if(R1, When::Equal, 0, "out");
    code.subtract(R9, R1).store(Eight, R8, TIME, R9);
    code.load(Eight, R1, R6, 8).store(Eight, R8, RESULT, R1);
    code.store_number(Four, R8, KIND, KIND_CALL as i32);
    identify(&mut code);
    let path = |code: &mut Assembler| {
        code.load(Four, R3, R8, PATH_LENGTH).jump_if(R3, When::Above, PATH_BYTES as i32, "out");
        code.add(R3, HEAD_BYTES as i32).copy(R2, R8);
    };
    wake_if_full(&mut code, ground);
    output(&mut code, ground, path);
    code.store_number(Eight, R8, START, 0).place("out").set(R0, 0).exit();
    code.finish()
}

/// At `sched_process_fork`, with the parent and the child: one more to follow. The first one is the
/// watching process's own child.
pub fn made(ground: &Ground) -> Vec<u64> {
    const RECORD_AT: i16 = KEY - HEAD_BYTES as i16;
    const NUMBERS_AT: i16 = KEY - 8;
    let mut code = Assembler::default();
    code.load(Eight, R7, R1, 8).set(R9, 0);
    look_up_thread(&mut code, ground);
    code.jump_if(R0, When::NotEqual, 0, "followed").set(R9, 1);
    code.set_long(R1, ground.own.device).set_long(R2, ground.own.inode);
    code.copy(R3, STACK).add(R3, NUMBERS_AT.into()).set(R4, 8).call(Function::NumbersWithin);
    code.jump_if(R0, When::NotEqual, 0, "out").load(Four, R1, STACK, NUMBERS_AT + 4);
    code.jump_if(R1, When::NotEqual, ground.own.process as i32, "out").place("followed");
    clear(&mut code, RECORD_AT);
    read_task(&mut code, R7, ground.offsets.pid, RECORD_AT + THREAD);
    read_task(&mut code, R7, ground.offsets.tgid, RECORD_AT + PROCESS);
    code.store_number(Four, STACK, RECORD_AT + KIND, KIND_MADE as i32);
    // Who made it: the thread's process stands above its own number.
    code.call(Function::CurrentIds).shift_right(R0, 32).store(Eight, STACK, RECORD_AT + RESULT, R0);
    code.call(Function::Now).store(Eight, STACK, RECORD_AT + START, R0);
    code.store(Eight, STACK, KEY, R7).store(Four, STACK, -4, R9);
    code.map(R1, ground.empty).copy(R2, STACK).add(R2, -4).call(Function::MapLookup);
    code.jump_if(R0, When::Equal, 0, "out").copy(R3, R0);
    code.map(R1, ground.threads).copy(R2, STACK).add(R2, KEY.into()).set(R4, 0).call(Function::MapUpdate);
    code.jump_if(R0, When::NotEqual, 0, "lost");
    wake_if_full(&mut code, ground);
    output(&mut code, ground, |code| {
        code.copy(R2, STACK).add(R2, RECORD_AT.into()).set(R3, HEAD_BYTES as i32);
    });
    code.place("out").set(R0, 0).exit();
    code.finish()
}

/// At `sched_process_exit`, with the task: a thread less, and perhaps a call that never returned.
pub fn gone(ground: &Ground) -> Vec<u64> {
    const RECORD_AT: i16 = KEY - HEAD_BYTES as i16;
    let mut code = Assembler::default();
    code.copy(R6, R1);
    find_thread(&mut code, ground);
    code.load(Eight, R9, R0, START).load(Eight, R7, R6, 0).load(Four, R6, R0, IS_FIRST as i16);
    clear(&mut code, RECORD_AT);
    // Its time says whether it was in a call.
    code.store(Eight, STACK, RECORD_AT + TIME, R9).copy(R8, STACK).add(R8, RECORD_AT.into());
    identify(&mut code);
    read_task(&mut code, R7, ground.offsets.exit_code, RECORD_AT + RESULT);
    code.store_number(Four, STACK, RECORD_AT + KIND, KIND_GONE as i32);
    code.call(Function::Now).store(Eight, STACK, RECORD_AT + START, R0);
    // The end of all is told at once: what is left to do is done while the kernel takes the process
    // down.
    code.set(R7, ALOUD).jump_if(R6, When::NotEqual, 0, "first");
    wake_if_full(&mut code, ground);
    code.place("first");
    output(&mut code, ground, |code| {
        code.copy(R2, R8).set(R3, HEAD_BYTES as i32);
    });
    code.map(R1, ground.threads).copy(R2, STACK).add(R2, KEY.into()).call(Function::MapDelete);
    code.place("out").set(R0, 0).exit();
    code.finish()
}

/// The current thread's record in R0; out, if it is not followed.
fn find_thread(code: &mut Assembler, ground: &Ground) {
    look_up_thread(code, ground);
    code.jump_if(R0, When::Equal, 0, "out");
}

/// The current thread's record in R0, its key on the stack.
fn look_up_thread(code: &mut Assembler, ground: &Ground) {
    code.call(Function::CurrentTask).store(Eight, STACK, KEY, R0);
    code.map(R1, ground.threads).copy(R2, STACK).add(R2, KEY.into()).call(Function::MapLookup);
}

/// Thread and process of who runs, into the record at R8.
fn identify(code: &mut Assembler) {
    code.call(Function::CurrentIds).store(Four, R8, THREAD, R0);
    code.shift_right(R0, 32).store(Four, R8, PROCESS, R0);
}

/// Four bytes of a task, onto the stack.
fn read_task(code: &mut Assembler, task: u8, offset: u32, to: i16) {
    code.copy(R3, task).add(R3, offset as i32).copy(R1, STACK).add(R1, to.into()).set(R2, 4);
    code.call(Function::ReadKernel);
}

fn clear(code: &mut Assembler, record_at: i16) {
    for at in (0..HEAD_BYTES as i16).step_by(8) {
        code.store_number(Eight, STACK, record_at + at, 0);
    }
}

/// Sets R7: whether the next record wakes the reader.
fn wake_if_full(code: &mut Assembler, ground: &Ground) {
    let wake_at = ground.wake_at as i32;
    code.map(R1, ground.ring).set(R2, UNREAD_BYTES).call(Function::RingQuery).set(R7, SILENTLY);
    code.jump_if(R0, When::Below, wake_at, "silently");
    code.jump_if(R0, When::Above, wake_at + ALOUD_BYTES, "silently").set(R7, ALOUD).place("silently");
}

/// R3 bytes from R2 on, which `what` sets, as a record; counted where there is no room. R7 says
/// whether it wakes the reader.
fn output(code: &mut Assembler, ground: &Ground, what: impl Fn(&mut Assembler)) {
    what(code);
    code.map(R1, ground.ring).copy(R4, R7).call(Function::RingOutput);
    code.jump_if(R0, When::Equal, 0, "written").place("lost");
    code.store_number(Four, STACK, -8, 0);
    code.map(R1, ground.lost).copy(R2, STACK).add(R2, -8).call(Function::MapLookup);
    code.jump_if(R0, When::Equal, 0, "written").set(R1, 1).count(R0, 0, R1);
    code.place("written");
}

/// A record, as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a> {
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

impl<'a> Raw<'a> {
    /// `None`: it is shorter than any.
    pub fn parse(bytes: &'a [u8]) -> Option<Raw<'a>> {
        let (head, rest) = bytes.split_at_checked(HEAD_BYTES)?;
        let four = |at: i16| u32::from_ne_bytes(head[at as usize..at as usize + 4].try_into().expect("four"));
        let eight =
            |at: i16| u64::from_ne_bytes(head[at as usize..at as usize + 8].try_into().expect("eight"));
        let path = rest.get(..(four(PATH_LENGTH) as usize).min(rest.len()))?;
        Some(Raw {
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
