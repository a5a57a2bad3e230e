//! Files under temporary names, in the directories where they will be renamed. In: targets, content
//! in pieces. Out: the names. The largest file is written by a thread of its own.

use std::fs::File;
use std::io::{self, ErrorKind, IoSlice, Write as _};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use rusk_base::{Result, files};

use super::{Signals, Written};
use crate::problem;

/// The thread that writes a smaller file would cost more than it saves.
const LARGE_BYTES_MIN: usize = 1 << 20;

/// A regular file, and its content in pieces.
pub(super) type RegularFile<'b> = (PathBuf, &'b [&'b [u8]]);

/// `staged`: temporary names, some of which may not exist, and those of the files.
pub(super) fn stage(
    files: &[RegularFile<'_>],
    staged: &mut Vec<(PathBuf, PathBuf)>,
    signals: Signals<'_>,
) -> Result<Written> {
    for (path, _) in files {
        let parent = path.parent().unwrap_or(Path::new("/"));
        files::create_directories(parent)?;
        staged.push((parent.join(format!(".{}", files::unpredictable_name())), path.clone()));
    }
    let write = |index: usize| write_new(&staged[index].0, files[index].1);
    let unwritable = |index: usize, error: io::Error| problem::unwritable(&files[index].0, &error);
    let bytes = |index: usize| files[index].1.iter().map(|slice| slice.len()).sum::<usize>();
    let largest = (0..files.len()).max_by_key(|index| bytes(*index));
    let large = largest.filter(|index| files.len() > 1 && bytes(*index) >= LARGE_BYTES_MIN);
    thread::scope(|scope| {
        let write_large =
            |index| Some((index, thread::Builder::new().spawn_scoped(scope, move || write(index)).ok()?));
        let large = large.and_then(write_large);
        let others = (0..files.len()).filter(|index| large.as_ref().is_none_or(|(large, _)| large != index));
        for index in others {
            if let Some(signal) = signals() {
                return Ok(Written::Interrupted(signal));
            }
            write(index).map_err(|error| unwritable(index, error))?;
        }
        if let Some((index, thread)) = large {
            let written = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            written.map_err(|error| unwritable(index, error))?;
        }
        Ok(signals().map_or(Written::All, Written::Interrupted))
    })
}

fn write_new(path: &Path, slices: &[&[u8]]) -> io::Result<()> {
    write_slices(&mut File::create(path)?, slices)
}

/// Writes all, few system calls for many pieces.
pub(super) fn write_slices(file: &mut File, slices: &[&[u8]]) -> io::Result<()> {
    let mut buffers: Vec<IoSlice<'_>> = slices.iter().map(|slice| IoSlice::new(slice)).collect();
    let mut rest = buffers.as_mut_slice();
    // Nothing is written of empty slices alone, which would look like a full device.
    IoSlice::advance_slices(&mut rest, 0);
    while !rest.is_empty() {
        match file.write_vectored(rest) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(bytes) => IoSlice::advance_slices(&mut rest, bytes),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
