//! Pages of mapped files that a program has stopped using: unmapped, not freed. In: mappings that
//! exist for as long as the process; those of the loaded libraries are found. Out: nothing is
//! changed but the resident size; a page that is touched again is mapped again from the page cache,
//! in microseconds. Absent: pages that were written to.
//!
//! A start reads most of the code cache and of the text of the engine and of this program, and the
//! kernel maps 15 neighbours of each page that is touched. They stay mapped until memory is short,
//! and count as resident, although the work that follows needs a part of them.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::mm;

/// Less is not worth a system call.
const KIB_MIN: u64 = 128;

/// Threads that become idle together share one call.
const BETWEEN: Duration = Duration::from_secs(1);

/// Unmaps the pages of these mapped files, and of the loaded libraries, that were only read
/// (`MADV_DONTNEED`). Bytes that are no mapping of a file stay.
pub fn release(mapped: &[&'static [u8]]) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_some_and(|last| last.elapsed() < BETWEEN) {
        return;
    }
    *last = Some(Instant::now());
    let Ok(smaps) = std::fs::read_to_string("/proc/self/smaps") else { return };
    let unwritten = unwritten_file_mappings(&smaps);
    for bytes in mapped {
        let start = bytes.as_ptr().addr();
        // SAFETY: static bytes are never unmapped.
        unsafe { release_within(&unwritten, start..start + bytes.len()) };
    }
    // SAFETY: the callback gets the pointer below, and `unwritten` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(release_library), (&raw const unwritten).cast_mut().cast()) };
}

/// Called with each library while the loader's lock is held, so that none is unloaded meanwhile.
///
/// # Safety
/// `library` is valid, and `unwritten` points to a list of ranges.
unsafe extern "C" fn release_library(
    library: *mut libc::dl_phdr_info,
    _: libc::size_t,
    unwritten: *mut c_void,
) -> c_int {
    // SAFETY: guaranteed by the caller; the loader's headers are as many as it says.
    let (library, unwritten, headers) = unsafe {
        let library = &*library;
        let headers = std::slice::from_raw_parts(library.dlpi_phdr, usize::from(library.dlpi_phnum));
        (library, &*unwritten.cast::<Vec<Range<usize>>>(), headers)
    };
    let read_only =
        headers.iter().filter(|part| part.p_type == libc::PT_LOAD && part.p_flags & libc::PF_W == 0);
    for part in read_only {
        let start = (library.dlpi_addr + part.p_vaddr) as usize;
        // SAFETY: a segment of a library that is loaded.
        unsafe { release_within(unwritten, start..start + part.p_memsz as usize) };
    }
    0
}

/// Releases the unwritten mappings that begin within the range.
///
/// # Safety
/// Nothing unmaps the range meanwhile.
unsafe fn release_within(unwritten: &[Range<usize>], range: Range<usize>) {
    let page = page_bytes();
    let (first, end) = (range.start & !(page - 1), range.end.next_multiple_of(page));
    for part in unwritten.iter().filter(|part| part.start >= first && part.end <= end) {
        // SAFETY: no page of the mapping differs from its file, and none can be written to. It
        // stays: a thread that reads or executes it finds the same bytes.
        let _ = unsafe { mm::madvise(part.start as *mut c_void, part.len(), mm::Advice::LinuxDontNeed) };
    }
}

/// By the C library: rustix reads the vDSO first, which Valgrind unmaps.
fn page_bytes() -> usize {
    // SAFETY: it only returns a number.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).expect("every kernel has pages")
}

/// From the text of `smaps` (proc_pid_smaps(5)): private mappings of files that cannot be written
/// to, and have no page of their own (relocations, breakpoints of a debugger).
fn unwritten_file_mappings(smaps: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut current: Option<Range<usize>> = None;
    let (mut resident_kib, mut own_kib) = (0, 0);
    for line in smaps.lines() {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        match first {
            "Rss:" => resident_kib = kib(words.next()),
            "Anonymous:" => own_kib = kib(words.next()),
            // The last line of a mapping.
            "VmFlags:" => {
                let range = current.take().filter(|_| resident_kib >= KIB_MIN && own_kib == 0);
                found.extend(range);
            }
            _ if !first.ends_with(':') => {
                // Unknown until it is read.
                (resident_kib, own_kib) = (0, 1);
                current = file_mapping(first, words);
            }
            _ => {}
        }
    }
    found
}

/// `addresses permissions offset device inode path`.
fn file_mapping<'a>(addresses: &str, mut words: impl Iterator<Item = &'a str>) -> Option<Range<usize>> {
    let (start, end) = addresses.split_once('-')?;
    let is_read_only = matches!(words.next()?, "r--p" | "r-xp");
    let is_file = words.nth(3)?.starts_with('/');
    let address = |text| usize::from_str_radix(text, 16).ok();
    (is_read_only && is_file).then_some(address(start)?..address(end)?)
}

fn kib(word: Option<&str>) -> u64 {
    word.and_then(|word| word.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
