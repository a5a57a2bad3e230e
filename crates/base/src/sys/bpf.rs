//! `bpf(2)`: maps, programs on raw tracepoints, and the ring that they write to. In: instructions
//! as the kernel knows them. Out: descriptors that undo everything when closed, and records.
//! Absent: what a program does, and libbpf.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rustix::mm;

use super::{Errno, Result};

// `enum bpf_cmd`, `enum bpf_map_type`, `enum bpf_prog_type`.
const MAP_CREATE: u32 = 0;
const MAP_LOOKUP: u32 = 1;
const MAP_UPDATE: u32 = 2;
const PROGRAM_LOAD: u32 = 5;
const RAW_TRACEPOINT_OPEN: u32 = 17;
const HASH: u32 = 1;
const ARRAY: u32 = 2;
const RING: u32 = 27;
const RAW_TRACEPOINT: u32 = 17;
const NO_PREALLOCATION: u32 = 1;

/// Some helper functions are for programs under this license alone; ours says so to the kernel, as
/// it must.
const LICENSE: &CStr = c"GPL";

/// What the verifier may say of a refused program.
const LOG_BYTES: usize = 64 * 1024;

/// A map from keys to values, both of a fixed size.
pub struct BpfMap {
    descriptor: OwnedFd,
    key_bytes: usize,
    value_bytes: usize,
}

impl BpfMap {
    /// `entries_max` entries, each made when it is needed.
    pub fn hash(key_bytes: usize, value_bytes: usize, entries_max: u32) -> Result<BpfMap> {
        BpfMap::make(HASH, [key_bytes, value_bytes], entries_max, NO_PREALLOCATION)
    }

    /// Entries by number from 0, all zero at first.
    pub fn array(value_bytes: usize, entries: u32) -> Result<BpfMap> {
        BpfMap::make(ARRAY, [4, value_bytes], entries, 0)
    }

    fn make(kind: u32, [key_bytes, value_bytes]: [usize; 2], entries: u32, flags: u32) -> Result<BpfMap> {
        let attributes = [kind, key_bytes as u32, value_bytes as u32, entries, flags];
        Ok(BpfMap { descriptor: command(MAP_CREATE, &attributes)?, key_bytes, value_bytes })
    }

    /// Sets an entry.
    pub fn update(&self, key: &[u8], value: &[u8]) -> Result<()> {
        assert!(key.len() == self.key_bytes && value.len() == self.value_bytes, "sizes are fixed");
        let attributes = self.entry(key.as_ptr(), value.as_ptr());
        call(MAP_UPDATE, &attributes).map(drop)
    }

    /// Reads an entry.
    pub fn lookup(&self, key: &[u8]) -> Result<Vec<u8>> {
        assert!(key.len() == self.key_bytes, "sizes are fixed");
        // Values of an array are a multiple of 8 apart.
        let mut value = vec![0_u8; self.value_bytes.next_multiple_of(8)];
        let attributes = self.entry(key.as_ptr(), value.as_mut_ptr());
        call(MAP_LOOKUP, &attributes)?;
        value.truncate(self.value_bytes);
        Ok(value)
    }

    /// `map_fd`, `key`, `value`, `flags`.
    fn entry(&self, key: *const u8, value: *const u8) -> [u64; 4] {
        [self.descriptor.as_raw_fd() as u64, key as u64, value as u64, 0]
    }
}

impl AsFd for BpfMap {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

/// The head of `union bpf_attr` for loading a program.
#[repr(C)]
struct Load {
    kind: u32,
    instructions_count: u32,
    instructions: u64,
    license: u64,
    log_level: u32,
    log_bytes: u32,
    log: u64,
}

/// Gives a program to the kernel. A refusal by the verifier comes with the end of what it said.
pub fn load(instructions: &[u64]) -> std::result::Result<OwnedFd, (Errno, String)> {
    let mut attributes = Load {
        kind: RAW_TRACEPOINT,
        instructions_count: instructions.len() as u32,
        instructions: instructions.as_ptr() as u64,
        license: LICENSE.as_ptr() as u64,
        log_level: 0,
        log_bytes: 0,
        log: 0,
    };
    let first = match command(PROGRAM_LOAD, &attributes) {
        Err(errno) if errno == Errno::ACCESS || errno == Errno::INVAL => errno,
        answer => return answer.map_err(|errno| (errno, String::new())),
    };
    let mut log = vec![0_u8; LOG_BYTES];
    (attributes.log_level, attributes.log_bytes, attributes.log) =
        (1, LOG_BYTES as u32, log.as_mut_ptr() as u64);
    let said = |_| {
        let text = CStr::from_bytes_until_nul(&log).map(CStr::to_string_lossy).unwrap_or_default();
        (first, text.lines().rev().take(3).collect::<Vec<_>>().join("; "))
    };
    command(PROGRAM_LOAD, &attributes).map_err(said)
}

/// Runs a program at a tracepoint until what comes back is closed.
pub fn attach(name: &CStr, program: BorrowedFd<'_>) -> Result<OwnedFd> {
    command(RAW_TRACEPOINT_OPEN, &[name.as_ptr() as u64, program.as_raw_fd() as u64])
}

/// A command that answers with a descriptor, which the kernel makes close-on-exec.
fn command<T>(number: u32, attributes: &T) -> Result<OwnedFd> {
    let descriptor = call(number, attributes)?;
    // SAFETY: the kernel just made it, for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// `attributes` begins as `union bpf_attr` does; the kernel takes what is missing for zeroes.
fn call<T>(number: u32, attributes: &T) -> Result<i32> {
    let bytes = size_of::<T>();
    // SAFETY: the kernel reads `bytes` of `attributes`, and what these point to lives in the
    // caller.
    let answer = unsafe { libc::syscall(libc::SYS_bpf, number, ptr::from_ref(attributes), bytes) };
    if answer < 0 {
        let errno = std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
        return Err(Errno::from_raw_os_error(errno));
    }
    Ok(answer as i32)
}

/// A ring of records that programs write and this process reads.
pub struct RingBuffer {
    descriptor: OwnedFd,
    /// The reader's page, then the writers', then the records. The kernel would map them twice, so
    /// that none is ever cut; that is a quarter of a millisecond more.
    reader: NonNull<u8>,
    writer: NonNull<u8>,
    bytes: usize,
    /// The record that was cut last.
    whole: Vec<u8>,
}

const BUSY: u32 = 1 << 31;
const DISCARDED: u32 = 1 << 30;
const HEADER_BYTES: usize = 8;

impl RingBuffer {
    /// `bytes`: a power of two, and whole pages.
    pub fn new(bytes: u32) -> Result<RingBuffer> {
        let descriptor = command(MAP_CREATE, &[RING, 0, 0, bytes, 0_u32])?;
        let page = rustix::param::page_size();
        let map = |length: usize, protection: mm::ProtFlags, from: usize| {
            // SAFETY: no address is asked for, so the kernel places the mapping where nothing of
            // ours lives.
            let start = unsafe {
                mm::mmap(ptr::null_mut(), length, protection, mm::MapFlags::SHARED, &descriptor, from as u64)
            }?;
            // A fork would copy it page by page, for a child that becomes another program. A
            // refusal costs time alone. SAFETY: the mapping is ours, and a child that lacks it does
            // not look at it.
            let _ = unsafe { mm::madvise(start, length, mm::Advice::LinuxDontFork) };
            NonNull::new(start.cast::<u8>()).ok_or(Errno::NOMEM)
        };
        let reader = map(page, mm::ProtFlags::READ | mm::ProtFlags::WRITE, 0)?;
        let bytes = bytes as usize;
        let writer = map(page + bytes, mm::ProtFlags::READ, page).inspect_err(|_| {
            // SAFETY: mapped above, and nothing refers to it.
            let _ = unsafe { mm::munmap(reader.as_ptr().cast(), page) };
        })?;
        Ok(RingBuffer { descriptor, reader, writer, bytes, whole: Vec::new() })
    }

    /// Takes every record that is whole.
    pub fn drain(&mut self, mut each: impl FnMut(&[u8])) {
        let page = rustix::param::page_size();
        // SAFETY: both pages are mapped while `self` lives, and hold a position at their beginning.
        let (reader, writer) =
            unsafe { (self.reader.cast::<AtomicU64>().as_ref(), self.writer.cast::<AtomicU64>().as_ref()) };
        let mut position = reader.load(Ordering::Relaxed);
        while position < writer.load(Ordering::Acquire) {
            let at = position as usize & (self.bytes - 1);
            // SAFETY: a header stands there, within the mapping and on 8 bytes, of which it has 8.
            let header =
                unsafe { self.writer.add(page + at).cast::<AtomicU32>().as_ref() }.load(Ordering::Acquire);
            if header & BUSY != 0 {
                return;
            }
            let length = (header & !(BUSY | DISCARDED)) as usize;
            if header & DISCARDED == 0 {
                let from = (at + HEADER_BYTES) & (self.bytes - 1);
                let first = length.min(self.bytes - from);
                // SAFETY: the record is whole and stays so until the position passes it; both
                // pieces end within the mapping, as no record is longer than the ring.
                let [first, rest] = [(from, first), (0, length - first)].map(|(from, length)| unsafe {
                    std::slice::from_raw_parts(self.writer.add(page + from).as_ptr(), length)
                });
                if rest.is_empty() {
                    each(first);
                } else {
                    self.whole.clear();
                    self.whole.extend_from_slice(first);
                    self.whole.extend_from_slice(rest);
                    each(&self.whole);
                }
            }
            position += (length + HEADER_BYTES).next_multiple_of(8) as u64;
            reader.store(position, Ordering::Release);
        }
    }
}

impl AsFd for RingBuffer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

impl Drop for RingBuffer {
    fn drop(&mut self) {
        let page = rustix::param::page_size();
        // SAFETY: both mappings are ours, and no slice of them outlives `self`.
        unsafe {
            let _ = mm::munmap(self.reader.as_ptr().cast(), page);
            let _ = mm::munmap(self.writer.as_ptr().cast(), page + self.bytes);
        }
    }
}

#[cfg(test)]
mod tests;
