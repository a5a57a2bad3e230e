//! `bpf(2)`: maps, programs on raw tracepoints, and the ring buffer they write to. In: BPF
//! instructions. Out: file descriptors, whose closing undoes everything, and records. Absent: the
//! programs themselves, libbpf.
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

/// The kernel allows some helper functions only to programs under the GPL; the license string must
/// say so.
const LICENSE: &CStr = c"GPL";

/// Buffer for the verifier's log of a rejected program.
const LOG_BYTES: usize = 64 * 1024;

/// A map from keys to values, both of fixed size.
pub struct BpfMap {
    fd: OwnedFd,
    key_bytes: usize,
    value_bytes: usize,
}

impl BpfMap {
    /// A hash map of at most `entries_max` entries, allocated on demand.
    pub fn hash(key_bytes: usize, value_bytes: usize, entries_max: u32) -> Result<BpfMap> {
        BpfMap::make(HASH, [key_bytes, value_bytes], entries_max, NO_PREALLOCATION)
    }

    /// An array map: entries by index from 0, initially zero.
    pub fn array(value_bytes: usize, entries: u32) -> Result<BpfMap> {
        BpfMap::make(ARRAY, [4, value_bytes], entries, 0)
    }

    fn make(kind: u32, [key_bytes, value_bytes]: [usize; 2], entries: u32, flags: u32) -> Result<BpfMap> {
        let attributes = [kind, key_bytes as u32, value_bytes as u32, entries, flags];
        Ok(BpfMap { fd: command(MAP_CREATE, &attributes)?, key_bytes, value_bytes })
    }

    /// Sets an entry (`BPF_MAP_UPDATE_ELEM`).
    pub fn update(&self, key: &[u8], value: &[u8]) -> Result<()> {
        assert!(key.len() == self.key_bytes && value.len() == self.value_bytes, "sizes are fixed");
        let attributes = self.entry(key.as_ptr(), value.as_ptr());
        call(MAP_UPDATE, &attributes).map(drop)
    }

    /// Reads an entry (`BPF_MAP_LOOKUP_ELEM`).
    pub fn lookup(&self, key: &[u8]) -> Result<Vec<u8>> {
        assert!(key.len() == self.key_bytes, "sizes are fixed");
        // Array values are padded to a multiple of 8 bytes.
        let mut value = vec![0_u8; self.value_bytes.next_multiple_of(8)];
        let attributes = self.entry(key.as_ptr(), value.as_mut_ptr());
        call(MAP_LOOKUP, &attributes)?;
        value.truncate(self.value_bytes);
        Ok(value)
    }

    /// `map_fd`, `key`, `value`, `flags`.
    fn entry(&self, key: *const u8, value: *const u8) -> [u64; 4] {
        [self.fd.as_raw_fd() as u64, key as u64, value as u64, 0]
    }
}

impl AsFd for BpfMap {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// The first members of `union bpf_attr` for `BPF_PROG_LOAD`.
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

/// Loads a program. If the verifier rejects it, the error has the end of the verifier's log.
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
        outcome => return outcome.map_err(|errno| (errno, String::new())),
    };
    let mut log = vec![0_u8; LOG_BYTES];
    (attributes.log_level, attributes.log_bytes, attributes.log) =
        (1, LOG_BYTES as u32, log.as_mut_ptr() as u64);
    let rejected = |_| {
        let text = CStr::from_bytes_until_nul(&log).map(CStr::to_string_lossy).unwrap_or_default();
        (first, text.lines().rev().take(3).collect::<Vec<_>>().join("; "))
    };
    command(PROGRAM_LOAD, &attributes).map_err(rejected)
}

/// Attaches a program to a raw tracepoint until the returned fd is closed.
pub fn attach(name: &CStr, program: BorrowedFd<'_>) -> Result<OwnedFd> {
    command(RAW_TRACEPOINT_OPEN, &[name.as_ptr() as u64, program.as_raw_fd() as u64])
}

/// A command that returns a file fd, which the kernel makes close-on-exec.
fn command<T>(number: u32, attributes: &T) -> Result<OwnedFd> {
    let fd = call(number, attributes)?;
    // SAFETY: the kernel just created it for this call, so no one else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// `attributes` is a prefix of `union bpf_attr`; the kernel takes the rest as zeroes.
fn call<T>(number: u32, attributes: &T) -> Result<i32> {
    let bytes = size_of::<T>();
    // SAFETY: the kernel reads `bytes` of `attributes`; what these point to is alive in the caller.
    let outcome = unsafe { libc::syscall(libc::SYS_bpf, number, ptr::from_ref(attributes), bytes) };
    if outcome < 0 {
        let errno = std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
        return Err(Errno::from_raw_os_error(errno));
    }
    Ok(outcome as i32)
}

/// A BPF ring buffer: programs write records, this process reads them.
pub struct RingBuffer {
    fd: OwnedFd,
    /// The consumer's page, then the producer's page and the data. The data is mapped once; a
    /// second mapping behind it would keep records contiguous, but costs a quarter of a
    /// millisecond.
    consumer: NonNull<u8>,
    producer: NonNull<u8>,
    bytes: usize,
    /// The last record that wrapped around the end of the buffer.
    unwrapped: Vec<u8>,
}

const BUSY: u32 = 1 << 31;
const DISCARDED: u32 = 1 << 30;
const HEADER_BYTES: usize = 8;

impl RingBuffer {
    /// `bytes`: a power of two and a multiple of the page size.
    pub fn new(bytes: u32) -> Result<RingBuffer> {
        let fd = command(MAP_CREATE, &[RING, 0, 0, bytes, 0_u32])?;
        let page = rustix::param::page_size();
        let map = |length: usize, protection: mm::ProtFlags, from: usize| {
            // SAFETY: without a requested address, the kernel maps pages that are not in use.
            let start = unsafe {
                mm::mmap(ptr::null_mut(), length, protection, mm::MapFlags::SHARED, &fd, from as u64)
            }?;
            // A fork would copy the page tables of a mapping that the child never uses. A failure
            // only costs time. SAFETY: the mapping is ours, and children do not access it.
            let _ = unsafe { mm::madvise(start, length, mm::Advice::LinuxDontFork) };
            NonNull::new(start.cast::<u8>()).ok_or(Errno::NOMEM)
        };
        let consumer = map(page, mm::ProtFlags::READ | mm::ProtFlags::WRITE, 0)?;
        let bytes = bytes as usize;
        let producer = map(page + bytes, mm::ProtFlags::READ, page).inspect_err(|_| {
            // SAFETY: mapped above, and nothing refers to it.
            let _ = unsafe { mm::munmap(consumer.as_ptr().cast(), page) };
        })?;
        Ok(RingBuffer { fd, consumer, producer, bytes, unwrapped: Vec::new() })
    }

    /// Consumes all committed records.
    pub fn drain(&mut self, mut each: impl FnMut(&[u8])) {
        let page = rustix::param::page_size();
        // SAFETY: both pages are mapped while `self` lives and begin with a position.
        let (consumer, producer) = unsafe {
            (self.consumer.cast::<AtomicU64>().as_ref(), self.producer.cast::<AtomicU64>().as_ref())
        };
        let mut position = consumer.load(Ordering::Relaxed);
        while position < producer.load(Ordering::Acquire) {
            let at = position as usize & (self.bytes - 1);
            // SAFETY: a header of 8 bytes is there, aligned to 8 and within the mapping.
            let header =
                unsafe { self.producer.add(page + at).cast::<AtomicU32>().as_ref() }.load(Ordering::Acquire);
            if header & BUSY != 0 {
                return;
            }
            let length = (header & !(BUSY | DISCARDED)) as usize;
            if header & DISCARDED == 0 {
                let from = (at + HEADER_BYTES) & (self.bytes - 1);
                let first = length.min(self.bytes - from);
                // SAFETY: the record is committed and stays until the consumer position passes it.
                // Both slices end within the mapping, since no record is longer than the buffer.
                let [first, rest] = [(from, first), (0, length - first)].map(|(from, length)| unsafe {
                    std::slice::from_raw_parts(self.producer.add(page + from).as_ptr(), length)
                });
                if rest.is_empty() {
                    each(first);
                } else {
                    self.unwrapped.clear();
                    self.unwrapped.extend_from_slice(first);
                    self.unwrapped.extend_from_slice(rest);
                    each(&self.unwrapped);
                }
            }
            position += (length + HEADER_BYTES).next_multiple_of(8) as u64;
            consumer.store(position, Ordering::Release);
        }
    }
}

impl AsFd for RingBuffer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Drop for RingBuffer {
    fn drop(&mut self) {
        let page = rustix::param::page_size();
        // SAFETY: both mappings are ours, and no slice of them outlives `self`.
        unsafe {
            let _ = mm::munmap(self.consumer.as_ptr().cast(), page);
            let _ = mm::munmap(self.producer.as_ptr().cast(), page + self.bytes);
        }
    }
}

#[cfg(test)]
mod tests;
