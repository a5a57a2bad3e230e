//! Output of a connection: bytes that wait to be written, then a file. In: bytes, an open file.
//! Out: as much as the kernel takes, in as few calls as possible. Absent: when to write.

use std::os::fd::AsFd;

use rusk_base::sys::{self, Errno};

use crate::transport::Transport;

/// Bytes of one `sendfile(2)`; a larger count would keep the loop busy with one connection.
const SENDFILE_BYTES: usize = 1024 * 1024;
/// Bytes of a file that are read and encrypted at once.
const ENCRYPTED_BYTES: usize = 64 * 1024;
/// Memory that stays with a connection between responses.
const IDLE_BYTES_MAX: usize = 4 * 1024;

#[derive(Default)]
pub(crate) struct Output {
    pub bytes: Vec<u8>,
    written: usize,
    file: Option<FilePart>,
}

pub(crate) struct FilePart {
    pub fd: sys::OwnedFd,
    pub start: u64,
    pub end: u64,
}

/// How a write ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flushed {
    All,
    /// The kernel takes no more now.
    Part,
}

impl Output {
    /// Bytes that are not written yet.
    pub fn waiting(&self) -> usize {
        self.bytes.len() - self.written
    }

    pub fn is_empty(&self) -> bool {
        self.waiting() == 0 && self.file.is_none()
    }

    pub fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// All bytes that are not written.
    pub fn take(&mut self) -> Vec<u8> {
        self.bytes.drain(..self.written);
        self.written = 0;
        std::mem::take(&mut self.bytes)
    }

    pub fn append(&mut self, mut bytes: Vec<u8>) {
        if self.bytes.is_empty() {
            self.bytes = bytes;
        } else {
            self.bytes.append(&mut bytes);
        }
    }

    /// The next piece of the file. `EIO`: it became shorter.
    pub fn read_file(&mut self) -> sys::Result<Vec<u8>> {
        let Some(file) = &mut self.file else { return Ok(Vec::new()) };
        let left = usize::try_from(file.end - file.start).unwrap_or(usize::MAX);
        let mut piece = vec![0; left.min(ENCRYPTED_BYTES)];
        let count = sys::raw_fd::read(file.fd.as_fd(), &mut piece, Some(file.start))?;
        if count == 0 {
            return Err(Errno::IO);
        }
        piece.truncate(count);
        file.start += count as u64;
        if file.start >= file.end {
            self.file = None;
        }
        Ok(piece)
    }

    /// Sends the part of a file after the bytes.
    pub fn set_file(&mut self, file: FilePart) {
        if file.start < file.end {
            self.file = Some(file);
        }
    }

    /// Writes until all is written or the kernel takes no more. `EIO`: the file became shorter.
    pub fn flush(&mut self, transport: &mut Transport) -> sys::Result<Flushed> {
        transport.write_encrypted()?;
        while self.waiting() > 0 {
            match transport.write(&self.bytes[self.written..])? {
                0 => return Ok(Flushed::Part),
                count => self.written += count,
            }
        }
        self.bytes.clear();
        self.written = 0;
        if self.bytes.capacity() > IDLE_BYTES_MAX {
            self.bytes = Vec::new();
        }
        let Some(file) = &mut self.file else {
            return Ok(if transport.has_output() { Flushed::Part } else { Flushed::All });
        };
        if transport.is_tls() {
            return self.encrypt_file(transport);
        }
        let count = usize::try_from(file.end - file.start).unwrap_or(usize::MAX).min(SENDFILE_BYTES);
        match sys::sendfile_at(file.fd.as_fd(), &mut file.start, transport.as_fd(), count) {
            Ok(0) => Err(Errno::IO),
            Ok(_) if file.start >= file.end => {
                self.file = None;
                Ok(Flushed::All)
            }
            Ok(_) | Err(Errno::AGAIN) => Ok(Flushed::Part),
            Err(error) => Err(error),
        }
    }

    /// The kernel cannot encrypt: pieces of the file are read.
    fn encrypt_file(&mut self, transport: &mut Transport) -> sys::Result<Flushed> {
        let Some(file) = &mut self.file else { return Ok(Flushed::All) };
        let mut piece = vec![0; ENCRYPTED_BYTES];
        let mut left = SENDFILE_BYTES;
        while left > 0 && file.start < file.end && !transport.has_output() {
            let wanted = usize::try_from(file.end - file.start).unwrap_or(usize::MAX).min(piece.len());
            let count = sys::raw_fd::read(file.fd.as_fd(), &mut piece[..wanted], Some(file.start))?;
            if count == 0 {
                return Err(Errno::IO);
            }
            let mut written = 0;
            while written < count {
                match transport.write(&piece[written..count])? {
                    0 => break,
                    bytes => written += bytes,
                }
            }
            file.start += written as u64;
            left = left.saturating_sub(count);
        }
        if file.start < file.end || transport.has_output() {
            return Ok(Flushed::Part);
        }
        self.file = None;
        Ok(Flushed::All)
    }
}
