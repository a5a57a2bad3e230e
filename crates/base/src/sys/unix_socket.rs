//! Unix sockets with fd passing (`SCM_RIGHTS`), unix(7). In: one end of a connection. Out: bytes,
//! and received file descriptors, which are owned. Non-blocking. Absent: connecting.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recv, recvmsg, send as send_bytes, sendmsg,
};

use super::syscall_stats::traced;
use super::{Errno, Result};

/// Descriptors received in one message; the kernel closes further ones. Programs usually send one.
const DESCRIPTORS_MAX: usize = 16;

/// Sends what fits without waiting; returns 0 if nothing does. A descriptor is sent with the first
/// byte: once any byte was sent, the peer owns a duplicate.
pub fn send(to: BorrowedFd<'_>, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> Result<usize> {
    let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
    let sent = traced(libc::SYS_sendmsg, || {
        super::retry_on_eintr(|| match &descriptor {
            None => send_bytes(to, bytes, flags),
            Some(descriptor) => {
                let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
                let mut control = SendAncillaryBuffer::new(&mut space);
                let is_pushed =
                    control.push(SendAncillaryMessage::ScmRights(std::slice::from_ref(descriptor)));
                assert!(is_pushed, "there is room for one descriptor");
                sendmsg(to, &[IoSlice::new(bytes)], &mut control, flags)
            }
        })
    });
    match sent {
        Err(Errno::AGAIN) => Ok(0),
        outcome => outcome,
    }
}

/// Receives available bytes; 0 means end of file. Received descriptors are appended to
/// `descriptors`, close-on-exec.
pub fn receive(from: BorrowedFd<'_>, buffer: &mut [u8], descriptors: &mut Vec<OwnedFd>) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    let received = traced(libc::SYS_recvmsg, || {
        super::retry_on_eintr(|| recvmsg(from, &mut [IoSliceMut::new(buffer)], &mut control, flags))
    })?;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights.take(DESCRIPTORS_MAX));
        }
    }
    Ok(received.bytes)
}

/// `MSG_PEEK`: reads without consuming.
pub fn peek(from: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    traced(libc::SYS_recvfrom, || super::retry_on_eintr(|| recv(from, &mut *buffer, flags)))
        .map(|(count, _)| count)
}

#[cfg(test)]
mod tests;
