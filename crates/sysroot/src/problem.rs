//! Errors of starting a program under another root.

use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;

use rusk_base::Problem;
use rusk_base::sys::Errno;
use rusk_base::sys::user_namespace::UserIds;

/// Settings that disable user namespaces: the value that does, and a value that enables them.
const SETTINGS: [(&str, &str, &str); 3] = [
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("user.max_user_namespaces", "0", "15000"),
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
];

type Cause = Box<dyn Error + Send + Sync>;

pub fn no_root(directory: &Path, errno: Errno) -> Problem {
    Problem::new("no-root", format!("`{}` cannot be a program's root", directory.display())).cause(errno)
}

pub fn empty_root(directory: &Path) -> Problem {
    Problem::new(
        "no-root",
        format!("`{}` is empty, expected the directories of a system", directory.display()),
    )
    .hint("`debootstrap` and the tarballs of distributions make one")
}

pub fn bad_bind(found: &OsStr, expected: &str) -> Problem {
    Problem::new("bad-value", format!("`--bind` expects {expected}, found `{}`", found.display()))
        .hint("write `--bind SRC:DST`, or `--bind SRC:DST:ro` for a read-only mount")
}

pub fn no_source(path: &Path, error: impl Into<Cause>) -> Problem {
    Problem::new("no-source", format!("`{}` cannot be mounted in the root", path.display())).cause(error)
}

pub fn no_mount_point(path: &Path, root: &Path, errno: Errno) -> Problem {
    let problem = Problem::new("no-place", format!("cannot mount at `{}` in the root", path.display()))
        .note(format!("root: `{}`", root.display()))
        .cause(errno);
    match errno {
        Errno::ACCESS | Errno::PERM | Errno::ROFS => {
            problem.hint("make an empty directory there, or leave out `--rw`")
        }
        _ => problem,
    }
}

pub fn no_read_only(path: &Path, errno: Errno) -> Problem {
    Problem::new("no-read-only", format!("`{}` cannot be mounted read-only", path.display()))
        .note("it requires Linux 5.12")
        .cause(errno)
}

pub fn no_user(found: &str, list: &str) -> Problem {
    Problem::new("no-user", format!("`{found}` is neither a number nor a name in the root's `{list}`"))
        .hint("write `--user UID` or `--user UID:GID`")
}

pub fn no_change_of_user(ids: UserIds, errno: Errno) -> Problem {
    Problem::new("no-user", format!("the program cannot become user {}, group {}", ids.user, ids.group))
        .cause(errno)
}

pub fn no_workdir(path: &Path, errno: Errno) -> Problem {
    Problem::new("bad-directory", format!("expected a directory at `{}` in the root", path.display()))
        .cause(errno)
}

pub fn no_overlay(errno: Errno) -> Problem {
    Problem::new("no-overlay", "the kernel does not support an overlay for writes in memory")
        .note(
            "it requires overlayfs in a user namespace: Linux 5.11, and a root that is not itself on a stack of overlays",
        )
        .cause(errno)
        .hint("`--rw` writes to the root itself, which needs no overlayfs")
}

pub fn forbidden(errno: Errno) -> Problem {
    let problem =
        Problem::new("no-namespaces", "user namespaces are disabled here, and `--sysroot` needs one")
            .cause(errno);
    let setting = SETTINGS.iter().find(|(name, forbids, _)| read_setting(name).as_deref() == Some(*forbids));
    match setting {
        Some((name, forbids, allows)) => problem
            .note(format!("the setting that disables them: `{name}` is {forbids}"))
            .note(WITHOUT)
            .hint(format!("an administrator can enable them with `sysctl {name}={allows}`")),
        None => problem
            .note("no system setting disables them; a container, a sandbox or a security module does")
            .note(WITHOUT)
            .hint("containers allow them with `--security-opt seccomp=unconfined`, or `--privileged`"),
    }
}

pub fn old_kernel(errno: Errno) -> Problem {
    Problem::new(
        "old-kernel",
        "the kernel lacks a system call that `--sysroot` needs; Linux 5.12 has all of them",
    )
    .note(WITHOUT)
    .cause(errno)
}

const WITHOUT: &str = "without them: root can run `chroot DIR PROGRAM`, and any user `rusk exec` and `rusk trace` without `--sysroot`";

fn read_setting(name: &str) -> Option<String> {
    let text = std::fs::read_to_string(format!("/proc/sys/{}", name.replace('.', "/"))).ok()?;
    Some(text.trim().to_owned())
}

pub fn no_program(name: &OsStr, path: &OsStr, root: &Path) -> Problem {
    Problem::new("no-program", format!("no program `{}` in the root `{}`", name.display(), root.display()))
        .note(format!("searched on PATH: `{}`", path.display()))
}

pub fn no_interpreter(interpreter: &Path, root: &Path) -> Problem {
    Problem::new(
        "no-interpreter",
        format!("the program needs `{}`, which the root does not have", interpreter.display()),
    )
    .note(format!("root: `{}`", root.display()))
    .note("it is the program's dynamic linker, or the script's interpreter")
}

pub fn other_architecture(found: &OsStr) -> Problem {
    let ours = std::env::consts::ARCH;
    Problem::new(
        "other-architecture",
        format!("the program is for {}, this computer is {ours}", found.display()),
    )
}

pub fn not_started(file: &Path, errno: Errno) -> Problem {
    Problem::new("program-start", format!("`{}` cannot be run in the root", file.display())).cause(errno)
}

pub fn bad_image(source: &Path, found: &str) -> Problem {
    Problem::new("bad-image", format!("the image `{}` cannot be used: {found}", source.display()))
}

pub fn no_layout(source: &Path) -> Problem {
    Problem::new("bad-image", format!("`{}` is neither a directory nor a tar of an OCI image layout", source.display()))
        .note("such a tar is not compressed as a whole, and has an `index.json`")
        .hint("`podman save --format oci-archive`, `skopeo copy` and `docker save` write one; unpack any other tar into a directory")
}

pub fn blob_differs(found: &str, wanted: &str) -> Problem {
    Problem::new(
        "digest-differs",
        format!("a blob of the image has the digest `{found}`, expected `{wanted}`"),
    )
    .hint("the image was damaged or changed; fetch it again")
}

pub fn blob_unread(error: impl Into<Cause>) -> Problem {
    Problem::new("bad-image", "a blob of the image cannot be read").cause(error)
}

pub fn zstd() -> Problem {
    Problem::new("bad-image", "a layer of the image is compressed with zstd, expected gzip or none")
        .hint("`skopeo copy --dest-compress-format gzip` recompresses it")
}

pub fn entry(path: &OsStr, errno: Errno) -> Problem {
    Problem::new("bad-image", format!("`{}` of the image cannot be unpacked", path.display())).cause(errno)
}

pub fn entry_path(path: &OsStr) -> Problem {
    Problem::new("bad-image", format!("the image has a path that is not allowed: `{}`", path.display()))
        .note("expected names of at most 255 bytes, without `..`")
}

pub fn image_too_large(entries: usize, bytes: u64) -> Problem {
    let message = format!("the image has more than {entries} entries, or more than {} GiB", bytes >> 30);
    Problem::new("image-too-large", message)
}
