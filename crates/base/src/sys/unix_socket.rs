//! Connections within the machine, whose bytes may bring descriptors along (`SCM_RIGHTS`). In: our
//! end of one. Out: what the kernel took; what came, with descriptors that are ours from then on.
//! Who connects is somebody else's. Nothing here waits.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recv, recvmsg, send as send_bytes, sendmsg,
};

use super::syscall_stats::traced;
use super::{Errno, Result};

/// Descriptors that are taken at once; the kernel closes what comes beyond. Programs send one.
const DESCRIPTORS_MAX: usize = 16;

/// Sends what can be sent at once; 0 where nothing can. A descriptor goes with the first byte: once
/// any was taken, the other side owns a copy of it.
pub fn send(to: BorrowedFd<'_>, bytes: &[u8], descriptor: Option<BorrowedFd<'_>>) -> Result<usize> {
    let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
    let sent = traced(libc::SYS_sendmsg, || {
        super::again(|| match &descriptor {
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
        answer => answer,
    }
}

/// Takes what is there; 0 is the end. Descriptors that come with it are put behind `descriptors`,
/// close-on-exec.
pub fn receive(from: BorrowedFd<'_>, buffer: &mut [u8], descriptors: &mut Vec<OwnedFd>) -> Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS_MAX))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
    let received = traced(libc::SYS_recvmsg, || {
        super::again(|| recvmsg(from, &mut [IoSliceMut::new(buffer)], &mut control, flags))
    })?;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            descriptors.extend(rights.take(DESCRIPTORS_MAX));
        }
    }
    Ok(received.bytes)
}

/// Looks at what is there without taking it.
pub fn peek(from: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    traced(libc::SYS_recvfrom, || super::again(|| recv(from, &mut *buffer, flags))).map(|(count, _)| count)
}

#[cfg(test)]
mod tests;
