//! Fd passing (`SCM_RIGHTS`) by raw system calls. In: a socket and buffers. Out: the length of the
//! body and the received fds, which are close-on-exec.

use std::mem::MaybeUninit;
use std::os::fd::RawFd;

use super::sys::{Errno, call3};
use crate::plan::{BoundPlan, NULL_DEVICE};

/// Fds per message: the kernel's limit, `SCM_MAX_FD`.
pub const FDS_MAX: usize = 253;

/// Buffer for the fds of one message, after the control header.
pub type Numbers = MaybeUninit<[RawFd; FDS_MAX]>;

pub struct Received {
    pub body_bytes: usize,
    pub fds: usize,
}

#[repr(C, align(8))]
struct Control {
    header: libc::cmsghdr,
    numbers: [RawFd; FDS_MAX],
    /// The kernel rounds up.
    padding: RawFd,
}

/// Sends all sources except /dev/null, in order, in a message of one byte.
///
/// # Safety
/// The plan's sources are used by this process only, and there are fewer than [`FDS_MAX`].
pub unsafe fn send(socket: RawFd, bound: &BoundPlan) -> Result<(), Errno> {
    let mut control = MaybeUninit::<Control>::uninit();
    let control_at = control.as_mut_ptr();
    let mut body = 0_u8;
    let mut vector = libc::iovec { iov_base: (&raw mut body).cast(), iov_len: 1 };
    // SAFETY: within the array, and within the buffer for fds.
    unsafe {
        let first = (&raw mut (*control_at).numbers).cast::<RawFd>();
        let mut to = first;
        let mut source = bound.sources;
        while source != bound.sources.wrapping_add(bound.sources_len) {
            if (*source).number != NULL_DEVICE {
                *to = (*source).number;
                to = to.wrapping_add(1);
            }
            source = source.wrapping_add(1);
        }
        let bytes = (to as usize).wrapping_sub(control_at as usize);
        (*control_at).header.cmsg_len = bytes as _;
        (*control_at).header.cmsg_level = libc::SOL_SOCKET;
        (*control_at).header.cmsg_type = libc::SCM_RIGHTS;
        *to = 0;
        let mut message = message(&raw mut vector, control_at);
        message.msg_controllen = (bytes.wrapping_add(7) & !7) as _;
        let flags = (libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL) as usize;
        call3(libc::SYS_sendmsg, socket as usize, &raw const message as usize, flags).map(drop)
    }
}

fn message(vector: *mut libc::iovec, control: *mut Control) -> libc::msghdr {
    // SAFETY: plain numbers and pointers, for which zero is a value.
    let mut message = unsafe { MaybeUninit::<libc::msghdr>::zeroed().assume_init() };
    message.msg_iov = vector;
    message.msg_iovlen = 1;
    message.msg_control = control.cast();
    message.msg_controllen = size_of::<Control>() as _;
    message
}

/// # Safety
/// `body` has room for `body_bytes`.
pub unsafe fn receive(
    socket: RawFd,
    body: *mut u8,
    body_bytes: usize,
    flags: i32,
    numbers: &mut Numbers,
) -> Result<Received, Errno> {
    let mut control = MaybeUninit::<Control>::uninit();
    let mut vector = libc::iovec { iov_base: body.cast(), iov_len: body_bytes };
    let mut message = message(&raw mut vector, control.as_mut_ptr());
    // SAFETY: the kernel writes into the message, the body and the control buffer only.
    let bytes = unsafe {
        let flags = libc::MSG_CMSG_CLOEXEC | flags;
        call3(libc::SYS_recvmsg, socket as usize, &raw mut message as usize, flags as usize)?
    };
    if message.msg_flags & libc::MSG_CTRUNC != 0 {
        return Err(Errno(libc::EMFILE));
    }
    let (body_bytes, control_bytes) = (bytes, message.msg_controllen);
    // SAFETY: if there is a control message, its header says how many fds the kernel wrote after
    // it.
    unsafe {
        let header = control.as_ptr();
        let has_numbers = control_bytes > size_of::<libc::cmsghdr>();
        let bytes = if has_numbers { (*header).header.cmsg_len } else { size_of::<libc::cmsghdr>() };
        let fds = bytes.wrapping_sub(size_of::<libc::cmsghdr>()) / size_of::<RawFd>();
        let (mut from, mut to) =
            ((&raw const (*header).numbers).cast::<RawFd>(), numbers.as_mut_ptr().cast::<RawFd>());
        let end = from.wrapping_add(fds);
        while from != end {
            *to = *from;
            from = from.wrapping_add(1);
            to = to.wrapping_add(1);
        }
        Ok(Received { body_bytes, fds })
    }
}
