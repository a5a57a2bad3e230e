//! Names of programs that packages may not offer: shells, tools of scripts, compilers and build
//! tools, also with a version or a target (`gcc-12`, `x86_64-linux-gnu-gcc`). In: a package and a
//! name. Out: whether the package may have a program of that name. Absent: names as path
//! components.

/// Programs that shells and scripts call by name without meaning a dependency, and the packages
/// that are these programs. Anybody else's bin of that name is passed over: it would run in their
/// place.
const OWNED: &[(&str, &[&str])] = &[
    ("bun", &["bun"]),
    ("bunx", &["bun"]),
    ("corepack", &["corepack"]),
    ("deno", &["deno"]),
    ("node", &["node"]),
    ("node-gyp", &["node-gyp", "@electron/node-gyp"]),
    ("nodejs", &[]),
    ("npm", &["npm"]),
    ("npx", &["npm", "npx"]),
    ("pnpm", &["pnpm", "@pnpm/exe"]),
    ("pnpx", &["pnpm", "@pnpm/exe"]),
    ("rusk", &["rusk"]),
    ("touch", &["touch"]),
    ("which", &["which"]),
    ("yarn", &["yarn", "@yarnpkg/cli", "@yarnpkg/cli-dist"]),
    ("yarnpkg", &["yarn", "@yarnpkg/cli", "@yarnpkg/cli-dist"]),
    ("zig", &["zig", "@ziglang/cli"]),
];

/// As [`OWNED`], for programs of the system, which are in no package. Sorted.
#[rustfmt::skip]
const SYSTEM: [&str; 324] = [
    "[", "aclocal", "addr2line", "apk", "apt", "apt-get", "ar", "arch", "as", "ash", "at",
    "autoconf", "autoheader", "automake", "autoreconf", "awk", "b2sum", "base32", "base64",
    "basename", "basenc", "bash", "batch", "bison", "brew", "bsdtar", "bunzip2", "busybox", "bzcat",
    "bzip2", "c++", "c++filt", "c89", "c99", "cargo", "cat", "cc", "cc1", "cc1plus", "ccache",
    "chcon", "chgrp", "chmod", "chown", "chroot", "chrt", "cksum", "clang", "clang++", "clang-cl",
    "clang-cpp", "clear", "cmake", "cmp", "collect2", "column", "comm", "cp", "cpack", "cpio",
    "cpp", "crontab", "csh", "csplit", "ctest", "curl", "cut", "dash", "date", "dd", "df", "diff",
    "diff3", "dir", "dircolors", "dirname", "distcc", "dnf", "doas", "dotnet", "dpkg", "du", "dwp",
    "echo", "ed", "egrep", "elfedit", "env", "ex", "expand", "expr", "factor", "false", "fgrep",
    "file", "find", "fish", "flex", "flock", "fmt", "fold", "g++", "gawk", "gcc", "gcc-ar",
    "gcc-nm", "gcc-ranlib", "gcov", "gdb", "gem", "getconf", "getent", "getopt", "gfortran", "ghc",
    "git", "gmake", "go", "gofmt", "gperf", "gpg", "gpg2", "gpgv", "gprof", "grep", "groups",
    "gtar", "gunzip", "gzip", "head", "hexdump", "hostid", "hostname", "iconv", "id", "install",
    "ionice", "jar", "java", "javac", "join", "kill", "killall", "ksh", "ld", "ldconfig", "ldd",
    "less", "lex", "libtool", "libtoolize", "link", "lld", "lldb", "ln", "locale", "localedef",
    "logger", "logname", "ls", "lsb_release", "lscpu", "ltrace", "lua", "lzma", "m4", "make",
    "mawk", "md5sum", "meson", "mkdir", "mkfifo", "mknod", "mksh", "mktemp", "mold", "more",
    "mount", "mountpoint", "mv", "nasm", "nawk", "nc", "netcat", "nice", "ninja", "nl", "nm",
    "nohup", "nproc", "nsenter", "numfmt", "nvcc", "objcopy", "objdump", "ocaml", "od", "openssl",
    "pacman", "paste", "patch", "patchelf", "pathchk", "perl", "pgrep", "php", "pinky", "pip",
    "pip3", "pkg-config", "pkgconf", "pkill", "pr", "printenv", "printf", "ps", "ptx", "pwd",
    "python", "python2", "python3", "python3-config", "ranlib", "readelf", "readlink", "realpath",
    "rev", "rgrep", "rm", "rmdir", "rpm", "rsync", "ruby", "runcon", "runuser", "rustc", "rustdoc",
    "rustup", "samu", "scons", "scp", "sdiff", "sed", "seq", "setsid", "sftp", "sh", "sha1sum",
    "sha224sum", "sha256sum", "sha384sum", "sha512sum", "shred", "shuf", "size", "sleep", "sort",
    "split", "ssh", "ssh-add", "ssh-agent", "ssh-keygen", "stat", "stdbuf", "strace", "strings",
    "strip", "stty", "su", "sudo", "sum", "swift", "swiftc", "sync", "systemctl", "tac", "tail",
    "tar", "taskset", "tcc", "tcsh", "tee", "test", "timeout", "top", "toybox", "tput", "tr",
    "true", "truncate", "tset", "tsort", "tty", "umount", "uname", "unexpand", "uniq", "unlink",
    "unshare", "unxz", "unzip", "unzstd", "uptime", "users", "vdir", "vi", "wc", "wget", "who",
    "whoami", "xargs", "xxd", "xz", "xzcat", "yacc", "yasm", "yes", "yum", "zcat", "zgrep", "zip",
    "zsh", "zstd", "zstdcat",
];

/// Compilers and interpreters that distributions install with a version after the name.
const VERSIONED: [&str; 19] = [
    "c++",
    "cc",
    "clang",
    "clang++",
    "cpp",
    "g++",
    "gcc",
    "gcc-ar",
    "gcc-nm",
    "gcc-ranlib",
    "gcov",
    "gfortran",
    "go",
    "ld.lld",
    "lld",
    "lua",
    "perl",
    "python",
    "ruby",
];

/// Parts of a toolchain that is named by its target, `x86_64-linux-gnu-`.
const OF_TARGETS: [&str; 18] = [
    "addr2line",
    "ar",
    "as",
    "c++",
    "c++filt",
    "cc",
    "clang",
    "clang++",
    "cpp",
    "g++",
    "gcc",
    "gfortran",
    "ld",
    "nm",
    "objcopy",
    "objdump",
    "ranlib",
    "strip",
];

/// Where the name of a target begins.
const PROCESSORS: [&str; 10] =
    ["aarch64", "arm", "i386", "i486", "i586", "i686", "loongarch", "powerpc", "riscv", "x86_64"];

/// Whether a package may have a program of this name.
pub fn may_offer(package: &str, name: &str) -> bool {
    match OWNED.iter().find(|(owned, _)| *owned == name) {
        Some((_, owners)) => owners.contains(&package),
        None => !is_of_system(name),
    }
}

fn is_of_system(name: &str) -> bool {
    if SYSTEM.binary_search(&name).is_ok() || name.starts_with("ld.") || name.starts_with("llvm-") {
        return true;
    }
    let plain = without_version(name);
    if plain.len() < name.len() && VERSIONED.contains(&plain) {
        return true;
    }
    PROCESSORS.iter().any(|processor| name.starts_with(processor))
        && OF_TARGETS.iter().any(|tool| plain.strip_suffix(tool).is_some_and(|target| target.ends_with('-')))
}

/// `gcc` of `gcc-12`, `python` of `python3.11`.
fn without_version(name: &str) -> &str {
    let plain = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    if plain.len() == name.len() { name } else { plain.strip_suffix('-').unwrap_or(plain) }
}

#[cfg(test)]
mod tests;
