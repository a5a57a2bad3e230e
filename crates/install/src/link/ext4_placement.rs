//! Where on the disk a new node_modules lies. In: the cache's folder. Out: an empty folder that
//! lies elsewhere than the last ones. ext4 makes folders near the one above them, and without a
//! journal it steps over each inode that was freed in the last minutes: of a tree deleted just now,
//! every `mkdir` steps over thousands. So the cache keeps empty folders that ext4 has spread over
//! the disk, and a tree begins in one of them, by chance. Other file systems do not spread: there
//! it begins in the project.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rusk_base::files;
use rusk_base::sys::{self, Errno, Mode};

const NAME: &str = "ground";
/// Several times as many as installs in a few minutes, so that one is seldom met twice. Made once
/// for a cache, in some 10 ms.
const DIRECTORIES: usize = 64;
/// In a plot until it is moved away, and where a killed install left it: empty.
const CHILD: &str = "new";
const MODE: Mode = Mode::from_raw_mode(0o777);

/// Puts an empty folder that lies in quiet ground into `target`. An error: there is none, and it
/// may be made there.
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

/// Of two plots taken by chance, the one that was used longer ago.
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

/// Makes the plots as a whole, where the file system spreads them; else an empty folder that says
/// so.
fn make(cache: BorrowedFd<'_>) -> sys::Result<()> {
    if sys::lstatat(cache, NAME).is_ok() {
        return Err(Errno::OPNOTSUPP);
    }
    let unfinished = format!(".{NAME}.{}", files::unpredictable_name());
    sys::mkdirat(cache, &unfinished, MODE)?;
    let pool = sys::open_directory(cache, &unfinished)?;
    let made = match sys::set_top_of_hierarchy(pool.as_fd()) {
        // ext4 takes the group with the fewest folders, the search beginning at one that the name
        // says.
        Ok(()) => {
            (0..DIRECTORIES).try_for_each(|number| sys::mkdirat(pool.as_fd(), number.to_string(), MODE))
        }
        Err(_) => Ok(()),
    };
    let named = made.and_then(|()| sys::renameat(cache, &unfinished, cache, NAME));
    // Another install was first, or there is no room: then without.
    named.inspect_err(|_| drop(files::remove_tree_at(cache, Path::new(&unfinished))))
}

#[cfg(test)]
mod tests;
