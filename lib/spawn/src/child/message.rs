//! A message with descriptors, taken from a socket by raw calls alone. In: a socket and room. Out: the body's length and
//! the numbers that the descriptors got here, closed by exec.

use std::mem::MaybeUninit;
use std::os::fd::RawFd;

use super::sys::{Errno, call3};

/// Descriptors that one message may carry, as the kernel has it.
pub const DESCRIPTORS_MAX: usize = 253;

/// Room for the numbers of one message, after the header that the kernel writes before them.
pub type Numbers = MaybeUninit<[RawFd; DESCRIPTORS_MAX]>;

pub struct Received {
    pub body_bytes: usize,
    pub descriptors: usize,
}

#[repr(C, align(8))]
struct Control {
    header: libc::cmsghdr,
    numbers: [RawFd; DESCRIPTORS_MAX],
    /// The kernel rounds up.
    padding: RawFd,
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
    let mut message = MaybeUninit::<libc::msghdr>::uninit();
    let header = message.as_mut_ptr();
    // SAFETY: each field is written; what is left is padding. The kernel writes into the buffers named here alone.
    let (body_bytes, control_bytes) = unsafe {
        (*header).msg_name = std::ptr::null_mut();
        (*header).msg_namelen = 0;
        (*header).msg_iov = &raw mut vector;
        (*header).msg_iovlen = 1;
        (*header).msg_control = control.as_mut_ptr().cast();
        (*header).msg_controllen = size_of::<Control>() as _;
        (*header).msg_flags = 0;
        let flags = libc::MSG_CMSG_CLOEXEC | flags;
        let bytes = call3(libc::SYS_recvmsg, socket as usize, header as usize, flags as usize)?;
        if (*header).msg_flags & libc::MSG_CTRUNC != 0 {
            return Err(Errno(libc::EMFILE));
        }
        (bytes, (*header).msg_controllen)
    };
    // SAFETY: if there is a control message, its header says how many numbers the kernel wrote after it.
    unsafe {
        let header = control.as_ptr();
        let has_numbers = control_bytes > size_of::<libc::cmsghdr>();
        let bytes = if has_numbers { (*header).header.cmsg_len } else { size_of::<libc::cmsghdr>() };
        let descriptors = bytes.wrapping_sub(size_of::<libc::cmsghdr>()) / size_of::<RawFd>();
        let (mut from, mut to) =
            ((&raw const (*header).numbers).cast::<RawFd>(), numbers.as_mut_ptr().cast::<RawFd>());
        let end = from.wrapping_add(descriptors);
        while from != end {
            *to = *from;
            from = from.wrapping_add(1);
            to = to.wrapping_add(1);
        }
        Ok(Received { body_bytes, descriptors })
    }
}
