//! System calls in assembly: without libc, `errno`, or anything else that a process sharing its
//! parent's memory must not touch. In: a number and arguments. Out: the kernel's result register.
//! Absent: the meaning of the calls.

use std::ffi::c_void;

/// Entry point of a cloned child, on its own stack. It never returns.
pub type Entry = unsafe extern "C" fn(*const c_void) -> !;

/// `clone_args` of `clone3(2)`, in its second published size, which has `cgroup`.
#[repr(C)]
#[derive(Default)]
pub struct CloneArgs {
    pub flags: u64,
    pub pidfd: u64,
    pub child_tid: u64,
    pub parent_tid: u64,
    pub exit_signal: u64,
    pub stack: u64,
    pub stack_bytes: u64,
    pub tls: u64,
    pub set_tid: u64,
    pub set_tid_len: u64,
    pub cgroup: u64,
}

/// The arguments of the older `clone(2)`; `stack_top` is the initial stack pointer.
pub struct OldCloneArgs {
    pub flags: u64,
    pub stack_top: u64,
    pub pidfd: u64,
    pub child_tid: u64,
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use super::{CloneArgs, Entry, OldCloneArgs};
    use std::arch::asm;
    use std::ffi::c_void;

    /// The address of a function of the sanitizer's runtime, or 0 if it is not linked.
    pub fn asan_address() -> usize {
        let address;
        // SAFETY: reads the linker's entry for a weak symbol.
        unsafe {
            asm!(
                ".weak __asan_init",
                "mov {}, qword ptr [rip + __asan_init@GOTPCREL]",
                out(reg) address,
                options(nostack, preserves_flags),
            );
        }
        address
    }

    /// # Safety
    /// The call must be sound with these arguments.
    #[inline(always)]
    pub unsafe fn call(number: i64, args: [usize; 6]) -> isize {
        let result;
        // SAFETY: `syscall` clobbers only rcx and r11; the call itself is guaranteed by the caller.
        unsafe {
            asm!(
                "syscall",
                inlateout("rax") number as isize => result,
                in("rdi") args[0], in("rsi") args[1], in("rdx") args[2],
                in("r10") args[3], in("r8") args[4], in("r9") args[5],
                lateout("rcx") _, lateout("r11") _,
            );
        }
        result
    }

    pub fn ask_valgrind(request: &[usize; 6]) -> usize {
        let answer;
        // SAFETY: rotates a register back to its value, and exchanges another with itself; valgrind
        // reads the request.
        unsafe {
            asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") request.as_ptr(), inlateout("rdx") 0_usize => answer,
                inout("rdi") 0_usize => _,
            );
        }
        answer
    }

    /// # Safety
    /// As [`super::clone3`].
    pub unsafe fn clone3(args: &CloneArgs, entry: Entry, argument: *const c_void) -> isize {
        let result;
        // SAFETY: the kernel preserves all registers but rax, rcx and r11, also in the child. The
        // child never reaches `2:`.
        unsafe {
            asm!(
                "syscall",
                "test rax, rax",
                "jnz 2f",
                "xor ebp, ebp",
                "mov rdi, r13",
                "call r12",
                "ud2",
                "2:",
                inlateout("rax") libc::SYS_clone3 as isize => result,
                in("rdi") std::ptr::from_ref(args), in("rsi") size_of::<CloneArgs>(),
                in("r12") entry, in("r13") argument,
                lateout("rcx") _, lateout("r11") _,
            );
        }
        result
    }

    /// # Safety
    /// As [`super::clone3`].
    pub unsafe fn clone(args: &OldCloneArgs, entry: Entry, argument: *const c_void) -> isize {
        let result;
        // SAFETY: as in `clone3`.
        unsafe {
            asm!(
                "syscall",
                "test rax, rax",
                "jnz 2f",
                "xor ebp, ebp",
                "mov rdi, r13",
                "call r12",
                "ud2",
                "2:",
                inlateout("rax") libc::SYS_clone as isize => result,
                in("rdi") args.flags, in("rsi") args.stack_top, in("rdx") args.pidfd,
                in("r10") args.child_tid, in("r8") 0,
                in("r12") entry, in("r13") argument,
                lateout("rcx") _, lateout("r11") _,
            );
        }
        result
    }
}

#[cfg(target_arch = "aarch64")]
mod arch {
    use super::{CloneArgs, Entry, OldCloneArgs};
    use std::arch::asm;
    use std::ffi::c_void;

    /// The address of a function of the sanitizer's runtime, or 0 if it is not linked.
    pub fn asan_address() -> usize {
        let address;
        // SAFETY: reads the linker's entry for a weak symbol.
        unsafe {
            asm!(
                ".weak __asan_init",
                "adrp {0}, :got:__asan_init",
                "ldr {0}, [{0}, :got_lo12:__asan_init]",
                out(reg) address,
                options(nostack, preserves_flags),
            );
        }
        address
    }

    /// # Safety
    /// The call must be sound with these arguments.
    #[inline(always)]
    pub unsafe fn call(number: i64, args: [usize; 6]) -> isize {
        let result;
        // SAFETY: `svc` changes only x0; the call itself is guaranteed by the caller.
        unsafe {
            asm!(
                "svc 0",
                in("x8") number,
                inlateout("x0") args[0] => result,
                in("x1") args[1], in("x2") args[2], in("x3") args[3], in("x4") args[4], in("x5") args[5],
            );
        }
        result
    }

    pub fn ask_valgrind(request: &[usize; 6]) -> usize {
        let answer;
        // SAFETY: as on the other architecture.
        unsafe {
            asm!(
                "ror x12, x12, #3", "ror x12, x12, #13", "ror x12, x12, #51", "ror x12, x12, #61",
                "orr x10, x10, x10",
                in("x4") request.as_ptr(), inlateout("x3") 0_usize => answer,
                inout("x12") 0_usize => _,
            );
        }
        answer
    }

    /// # Safety
    /// As [`super::clone3`].
    pub unsafe fn clone3(args: &CloneArgs, entry: Entry, argument: *const c_void) -> isize {
        let result;
        // SAFETY: the kernel preserves all registers but x0, also in the child. The child never
        // reaches `2:`.
        unsafe {
            asm!(
                "svc 0",
                "cbnz x0, 2f",
                "mov x29, xzr",
                "mov x30, xzr",
                "mov x0, x21",
                "blr x20",
                "brk 1",
                "2:",
                in("x8") libc::SYS_clone3,
                inlateout("x0") std::ptr::from_ref(args) => result, in("x1") size_of::<CloneArgs>(),
                in("x20") entry, in("x21") argument,
            );
        }
        result
    }

    /// # Safety
    /// As [`super::clone3`].
    pub unsafe fn clone(args: &OldCloneArgs, entry: Entry, argument: *const c_void) -> isize {
        let result;
        // SAFETY: as in `clone3`. Here the thread pointer comes before the tid word.
        unsafe {
            asm!(
                "svc 0",
                "cbnz x0, 2f",
                "mov x29, xzr",
                "mov x30, xzr",
                "mov x0, x21",
                "blr x20",
                "brk 1",
                "2:",
                in("x8") libc::SYS_clone,
                inlateout("x0") args.flags => result, in("x1") args.stack_top, in("x2") args.pidfd,
                in("x3") 0_u64, in("x4") args.child_tid,
                in("x20") entry, in("x21") argument,
            );
        }
        result
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("rusk-spawn knows the system calls of x86_64 and aarch64");

pub use arch::call;

/// Whether the runtime of an address sanitizer is linked, perhaps without a symbol that `dlsym`
/// could find.
pub fn has_address_sanitizer() -> bool {
    arch::asan_address() != 0
}

/// Whether this runs under valgrind: its client request `RUNNING_ON_VALGRIND`, as in `valgrind.h`.
/// A real processor does nothing and leaves 0.
pub fn is_on_valgrind() -> bool {
    const RUNNING_ON_VALGRIND: usize = 0x1001;
    arch::ask_valgrind(&[RUNNING_ON_VALGRIND, 0, 0, 0, 0, 0]) != 0
}

/// Starts a child at `entry(argument)` on the stack in `args`. Returns its pid, or a negative
/// errno.
///
/// # Safety
/// The stack must be writable, aligned to 16 bytes at its top, and used only by the child until it
/// has called exec or exit; so must everything that it reaches from `argument`. The pointers in
/// `args` must be valid as long.
pub unsafe fn clone3(args: &CloneArgs, entry: Entry, argument: *const c_void) -> isize {
    // SAFETY: guaranteed by the caller.
    unsafe { arch::clone3(args, entry, argument) }
}

/// [`clone3`] for kernels and sandboxes without it.
///
/// # Safety
/// As [`clone3`].
pub unsafe fn clone(args: &OldCloneArgs, entry: Entry, argument: *const c_void) -> isize {
    // SAFETY: guaranteed by the caller.
    unsafe { arch::clone(args, entry, argument) }
}
