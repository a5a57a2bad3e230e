//! Writes a single-file executable: a copy of a program under another name, with the payload behind
//! it and its place in the slot, then renamed. In: the program, the payload, a path. Out: the
//! executable, or nothing.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;

use rusk_base::sys::mmap::Mmap;
use rusk_base::{Result, files};

use crate::{MARK_BYTES, Payload, mark, problem};

/// `program`: rusk itself, which may be an executable that was made here; its files are left out.
pub fn write(program: &Path, own: Option<Range<u64>>, payload: &Payload, path: &Path) -> Result<()> {
    let unreadable = |error| problem::unreadable(program, error);
    let source = File::open(program).map_err(unreadable)?;
    let slot = find_slot(&source, program)?;
    let parent = path.parent().unwrap_or(Path::new("."));
    files::create_directories(parent)?;
    let staged = parent.join(format!(".{}", files::unpredictable_name()));
    let length = match own {
        Some(own) => own.start,
        None => source.metadata().map_err(unreadable)?.len(),
    };
    let written =
        write_staged(source, length, slot, payload, &staged).and_then(|()| fs::rename(&staged, path));
    written.map_err(|error| {
        // The first error is the one to report.
        let _ = fs::remove_file(&staged);
        problem::unwritable(path, error)
    })
}

/// Where the mark is, which must be there once.
fn find_slot(source: &File, program: &Path) -> Result<u64> {
    let map =
        Mmap::open(source.as_fd(), u64::MAX).map_err(|errno| problem::unreadable(program, errno.into()))?;
    let mut found = memchr::memmem::find_iter(&map, mark());
    match (found.next(), found.next()) {
        (Some(at), None) => Ok(at as u64),
        _ => Err(problem::no_slot(program)),
    }
}

fn write_staged(source: File, length: u64, slot: u64, payload: &Payload, staged: &Path) -> io::Result<()> {
    let mut target = OpenOptions::new().write(true).create_new(true).open(staged)?;
    // The kernel copies, or shares the blocks.
    io::copy(&mut io::Read::take(source, length), &mut target)?;
    let bytes = payload.to_bytes();
    target.seek(SeekFrom::Start(length))?;
    target.write_all(&bytes)?;
    let numbers = [length.to_le_bytes(), (bytes.len() as u64).to_le_bytes()].concat();
    target.write_all_at(&numbers, slot + MARK_BYTES as u64)?;
    target.set_permissions(Permissions::from_mode(0o755))
}
