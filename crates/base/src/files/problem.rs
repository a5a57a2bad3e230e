//! Errors of file operations, each with its path. Other crates use these too.

use std::path::Path;

use crate::Problem;
use crate::sys::Errno;

pub fn read(path: &Path, errno: Errno) -> Problem {
    io("file-read", "read", path, errno)
}

pub fn write(path: &Path, errno: Errno) -> Problem {
    io("file-write", "write", path, errno)
}

pub fn remove(path: &Path, errno: Errno) -> Problem {
    io("file-remove", "remove", path, errno)
}

pub fn create_directory(path: &Path, errno: Errno) -> Problem {
    io("directory-make", "create the directory", path, errno)
}

pub fn open_directory(path: &Path, errno: Errno) -> Problem {
    io("directory-open", "open the directory", path, errno)
}

pub fn link(path: &Path, errno: Errno) -> Problem {
    io("file-link", "link", path, errno)
}

pub fn rename(path: &Path, errno: Errno) -> Problem {
    io("file-rename", "rename", path, errno)
}

pub fn lock(path: &Path, errno: Errno) -> Problem {
    io("file-lock", "lock", path, errno)
}

pub fn write_through_link(path: &Path, errno: Errno) -> Problem {
    io("file-write", "follow the link", path, errno)
}

/// `path` is `target` by symbolic links, which is not in `dir`.
pub fn link_outside(path: &Path, target: &Path, dir: &Path) -> Problem {
    let (path, target, dir) = (path.display(), target.display(), dir.display());
    Problem::new("link-outside", format!("cannot write `{path}`: symbolic links lead out of `{dir}`"))
        .note(format!("it is `{target}`, where nothing was written"))
        .hint("replace the link by a file or a directory")
}

pub fn not_a_file(path: &Path) -> Problem {
    Problem::new("file-read", format!("cannot read `{}`: expected a file", path.display()))
}

pub fn too_large(path: &Path, found_bytes: u64, bytes_max: u64) -> Problem {
    let path = path.display();
    Problem::new("file-too-large", format!("`{path}` has {found_bytes} bytes, expected at most {bytes_max}"))
}

pub fn not_utf8(path: &Path, error: &std::string::FromUtf8Error) -> Problem {
    let offset = error.utf8_error().valid_up_to();
    Problem::new("file-not-utf8", format!("`{}` is not UTF-8 text at byte {offset}", path.display()))
}

pub fn locked_too_long(path: &Path, subject: &str, waited_s: u64) -> Problem {
    Problem::new("lock-timeout", format!("waited {waited_s} s for {subject}"))
        .note(format!("another process holds `{}`", path.display()))
}

fn io(code: &'static str, verb: &str, path: &Path, errno: Errno) -> Problem {
    let problem = Problem::new(code, format!("cannot {verb} `{}`", path.display()));
    match errno {
        Errno::NOSPC | Errno::DQUOT => problem.hint("free some space on this file system and run again"),
        Errno::FBIG => problem.hint("raise the limit of file sizes, which `ulimit -f` shows, and run again"),
        _ => problem,
    }
    .cause(std::io::Error::from(errno))
}
