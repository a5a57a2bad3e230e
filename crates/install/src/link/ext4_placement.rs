//! Placement of a new node_modules on an ext4 disk. In: the cache's directory. Out: an empty
//! directory in another block group than the last ones.
//!
//! ext4 places a directory near its parent, and without a journal it steps over each inode that was
//! freed in the last minutes: after a tree was deleted, every `mkdir` steps over thousands. So the
//! cache has a pool of empty directories that ext4 has spread over the disk, and a tree starts in a
//! random one. Other file systems do not spread directories: there it starts in the project.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::files;
use rusk_base::sys::{self, Errno, Mode};

const NAME: &str = "ground";
/// Several times the number of installs in a few minutes, so that one is seldom reused soon. Made
/// once for a cache, in some 10 ms.
const DIRECTORIES: usize = 64;
/// In a pool directory until it is moved away; empty if a killed install left it.
const CHILD: &str = "new";
const MODE: Mode = Mode::from_raw_mode(0o777);

/// Moves an empty directory, away from recently freed inodes, to `target`. On an error there is
/// none, and the caller makes it.
pub fn take_directory(cache_dir: &Path, target: BorrowedFd<'_>, name: &str) -> sys::Result<()> {
    let cache = sys::open_directory(sys::CWD, cache_dir)?;
    let slot = match choose(cache.as_fd()) {
        Err(Errno::NOENT) => {
            make(cache.as_fd())?;
            choose(cache.as_fd())?
        }
        chosen => chosen?,
    };
    let child = format!("{slot}/{CHILD}");
    sys::mkdirat(cache.as_fd(), &child, MODE).or_else(|errno| match errno {
        Errno::EXIST => {
            sys::rmdirat(cache.as_fd(), &child)?;
            sys::mkdirat(cache.as_fd(), &child, MODE)
        }
        _ => Err(errno),
    })?;
    sys::renameat(cache.as_fd(), &child, target, name)
}

/// Of two random pool directories, the one used longer ago.
fn choose(cache: BorrowedFd<'_>) -> sys::Result<String> {
    let pick = || {
        let number = u64::from_str_radix(&files::unpredictable_name(), 16).unwrap_or_default();
        let slot = format!("{NAME}/{}", number % DIRECTORIES as u64);
        let stat = sys::lstatat(cache, &slot)?;
        Ok((stat.st_mtime, stat.st_mtime_nsec, slot))
    };
    let (_, _, slot) = pick()?.min(pick()?);
    Ok(slot)
}

/// Makes the pool, if the file system spreads directories; else an empty directory that records
/// that it does not.
fn make(cache: BorrowedFd<'_>) -> sys::Result<()> {
    if sys::lstatat(cache, NAME).is_ok() {
        return Err(Errno::OPNOTSUPP);
    }
    let unfinished = format!(".{NAME}.{}", files::unpredictable_name());
    sys::mkdirat(cache, &unfinished, MODE)?;
    let pool = sys::open_directory(cache, &unfinished)?;
    let made = match sys::set_top_of_hierarchy(pool.as_fd()) {
        // ext4 takes the group with the fewest directories, and starts the search at a group
        // derived from the name.
        Ok(()) => {
            (0..DIRECTORIES).try_for_each(|number| sys::mkdirat(pool.as_fd(), number.to_string(), MODE))
        }
        Err(_) => Ok(()),
    };
    let named = made.and_then(|()| sys::renameat(cache, &unfinished, cache, NAME));
    // Another install was first, or the disk is full: continue without.
    named.inspect_err(|_| drop(files::remove_tree_at(cache, Path::new(&unfinished))))
}

#[cfg(test)]
mod tests;
