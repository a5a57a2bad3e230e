//! Names of programs that packages may not offer: shells, tools of scripts, compilers and build
//! tools, also with a version or a target (`gcc-12`, `x86_64-linux-gnu-gcc`). In: a package and a
//! name. Out: whether the package may have a program of that name. Absent: names as path
//! components.

/// Programs that shells and scripts call by name without meaning a dependency, and the packages
/// that are these programs. Anybody else's bin of that name is passed over: it would run in their
/// place.
const OWNED: &[(&str, &[&str])] = &[
    ("bazel", &["@bazel/bazelisk"]),
    ("bun", &["bun"]),
    ("bunx", &["bun"]),
    ("corepack", &["corepack"]),
    ("deno", &["deno"]),
    ("just", &["just-install", "rust-just"]),
    ("node", &["node"]),
    ("node-gyp", &["node-gyp", "@electron/node-gyp"]),
    ("nodejs", &[]),
    ("npm", &["npm"]),
    ("npx", &["npm", "npx"]),
    ("pnpm", &["pnpm", "@pnpm/exe"]),
    ("pnpx", &["pnpm", "@pnpm/exe"]),
    ("rusk", &["rusk"]),
    ("ruskx", &["rusk"]),
    ("touch", &["touch"]),
    ("which", &["which"]),
    ("yarn", &["yarn", "@yarnpkg/cli", "@yarnpkg/cli-dist"]),
    ("yarnpkg", &["yarn", "@yarnpkg/cli", "@yarnpkg/cli-dist"]),
    ("zig", &["zig", "@ziglang/cli"]),
];

/// As [`OWNED`], for programs of the system, which are in no package. Sorted.
#[rustfmt::skip]
const SYSTEM: [&str; 395] = [
    "R", "Rscript", "[", "aclocal", "addr2line", "ant", "apk", "apt", "apt-get", "ar", "arch", "as",
    "ash", "at", "autoconf", "autoheader", "automake", "autoreconf", "awk", "aws", "az", "b2sum",
    "base32", "base64", "basename", "basenc", "bash", "batch", "bison", "brew", "bsdtar", "bunzip2",
    "busybox", "bzcat", "bzip2", "c++", "c++filt", "c89", "c99", "cargo", "cat", "cc", "cc1",
    "cc1plus", "ccache", "chcon", "chgrp", "chmod", "chown", "chroot", "chrt", "cksum", "clang",
    "clang++", "clang-cl", "clang-cpp", "clear", "cmake", "cmp", "codesign", "collect2", "column",
    "comm", "conda", "cp", "cpack", "cpio", "cpp", "crontab", "csh", "csplit", "ctest", "curl",
    "cut", "dash", "date", "dd", "df", "diff", "diff3", "dig", "dir", "dircolors", "dirname",
    "distcc", "dnf", "doas", "docker", "docker-compose", "dotnet", "dpkg", "du", "dwp", "echo",
    "ed", "egrep", "elfedit", "emacs", "env", "ex", "expand", "expr", "factor", "false", "fgrep",
    "file", "find", "fish", "flex", "flock", "fmt", "fold", "g++", "gawk", "gcc", "gcc-ar",
    "gcc-nm", "gcc-ranlib", "gcloud", "gcov", "gdb", "gem", "getconf", "getent", "getopt",
    "gfortran", "gh", "ghc", "git", "git-receive-pack", "git-shell", "git-upload-archive",
    "git-upload-pack", "gmake", "go", "gofmt", "gperf", "gpg", "gpg-agent", "gpg2", "gpgconf",
    "gpgv", "gprof", "gradle", "grep", "groups", "gsutil", "gtar", "gunzip", "gzip", "head", "helm",
    "hexdump", "hg", "host", "hostid", "hostname", "iconv", "id", "ifconfig", "install", "ionice",
    "ip", "ipython", "jar", "java", "javac", "join", "jq", "julia", "kill", "killall", "ksh",
    "kubectl", "ld", "ldconfig", "ldd", "less", "lex", "libtool", "libtoolize", "link", "lld",
    "lldb", "ln", "locale", "localedef", "logger", "login", "logname", "ls", "lsb_release", "lscpu",
    "lsof", "ltrace", "lua", "lzma", "m4", "make", "man", "mawk", "md5sum", "meson", "mkdir",
    "mkfifo", "mknod", "mksh", "mktemp", "mold", "more", "mount", "mountpoint", "msbuild", "mv",
    "mvn", "mysql", "nano", "nasm", "nawk", "nc", "netcat", "newgrp", "nice", "ninja", "nl", "nm",
    "nohup", "nproc", "nsenter", "nslookup", "numfmt", "nvcc", "nvim", "objcopy", "objdump",
    "ocaml", "od", "openssl", "pacman", "pass", "passwd", "paste", "patch", "patchelf", "pathchk",
    "perl", "pgrep", "php", "pinentry", "ping", "pinky", "pip", "pip3", "pipx", "pkg-config",
    "pkgconf", "pkill", "podman", "poetry", "pr", "printenv", "printf", "ps", "psql", "ptx", "pwd",
    "python", "python2", "python3", "python3-config", "ranlib", "readelf", "readlink", "realpath",
    "redis-cli", "rev", "rgrep", "rm", "rmdir", "rpm", "rsync", "ruby", "runcon", "runuser",
    "rustc", "rustdoc", "rustfmt", "rustup", "samu", "scons", "scp", "screen", "sdiff", "security",
    "sed", "seq", "setsid", "sftp", "sh", "sha1sum", "sha224sum", "sha256sum", "sha384sum",
    "sha512sum", "shred", "shuf", "size", "sleep", "sort", "split", "sqlite3", "ss", "ssh",
    "ssh-add", "ssh-agent", "ssh-askpass", "ssh-keygen", "ssh-keyscan", "sshd", "stat", "stdbuf",
    "strace", "strings", "strip", "stty", "su", "sudo", "sum", "svn", "swift", "swiftc", "sync",
    "systemctl", "tac", "tail", "tar", "taskset", "tcc", "tclsh", "tcsh", "tee", "terraform",
    "test", "timeout", "tmux", "top", "toybox", "tput", "tr", "traceroute", "true", "truncate",
    "tset", "tsort", "tty", "umount", "uname", "unexpand", "uniq", "unlink", "unshare", "unxz",
    "unzip", "unzstd", "uptime", "useradd", "users", "vdir", "vi", "vim", "virtualenv", "visudo",
    "w", "wc", "wget", "who", "whoami", "wish", "xargs", "xcodebuild", "xcrun", "xdg-open", "xxd",
    "xz", "xzcat", "yacc", "yasm", "yes", "yum", "zcat", "zgrep", "zip", "zsh", "zstd", "zstdcat",
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

/// Beginnings of names that tools call by their parts.
const FAMILIES: [&str; 5] = ["ld.", "llvm-", "git-credential", "git-remote-", "pinentry-"];

/// Whether a package may have a program of this name.
pub fn may_offer(package: &str, name: &str) -> bool {
    match OWNED.iter().find(|(owned, _)| *owned == name) {
        Some((_, owners)) => owners.contains(&package),
        None => !is_of_system(name),
    }
}

fn is_of_system(name: &str) -> bool {
    if SYSTEM.binary_search(&name).is_ok() || FAMILIES.iter().any(|family| name.starts_with(family)) {
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
