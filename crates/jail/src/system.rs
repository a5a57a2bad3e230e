//! Programs and libraries of the system, which a jail may read. In: PATH, the user's home, the
//! project. Out: directories and files. A directory that contains the home or the project is
//! replaced by what is in it beside them: Landlock only allows. Absent: opening them.

use std::path::{Path, PathBuf};

use rusk_base::files;
use rusk_base::sys::FileType;

/// Programs, libraries, and facts of the kernel that runtimes read. Other processes in /proc are
/// protected by Landlock itself.
const DIRECTORIES: [&str; 18] = [
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/home/linuxbrew/.linuxbrew",
    "/proc",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/etc/alternatives",
    "/etc/ld.so.conf.d",
    "/etc/crypto-policies",
];

/// Settings of libraries and of name resolution. Not all of /etc: it has secrets, which root could
/// read.
const FILES: [&str; 28] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.preload",
    "/etc/ld-musl-x86_64.path",
    "/etc/ld-musl-aarch64.path",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/resolv.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/ssl/certs",
    "/etc/ssl/cert.pem",
    "/etc/ssl/openssl.cnf",
    "/etc/ca-certificates",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust/extracted",
    "/etc/localtime",
    "/etc/locale.alias",
    "/etc/timezone",
    "/etc/os-release",
    "/etc/lsb-release",
    "/etc/debian_version",
    "/etc/redhat-release",
    "/etc/alpine-release",
];

/// Settings of programs, within directories that are readable: as all of /etc, they have secrets.
const PRIVATE: [&str; 2] = ["/usr/local/etc", "/home/linuxbrew/.linuxbrew/etc"];

/// Directories of a toolchain beside its `bin`.
const TOOLCHAIN: [&str; 6] = ["bin", "lib", "lib64", "libexec", "include", "share"];

/// Version managers whose programs in PATH lead to their own directories: the directory of PATH,
/// and what else is needed, both relative to the home.
const VERSION_MANAGERS: [(&str, &str); 14] = [
    (".cargo/bin", ".rustup/toolchains"),
    (".cargo/bin", ".rustup/settings.toml"),
    (".volta/bin", ".volta/tools"),
    // Which version is meant is in a file, and how it is found in shell functions.
    (".pyenv/shims", ".pyenv/versions"),
    (".pyenv/shims", ".pyenv/libexec"),
    (".pyenv/shims", ".pyenv/version"),
    (".pyenv/shims", ".pyenv/plugins"),
    (".pyenv/shims", ".pyenv/pyenv.d"),
    (".rbenv/shims", ".rbenv/versions"),
    (".rbenv/shims", ".rbenv/libexec"),
    (".rbenv/shims", ".rbenv/version"),
    (".rbenv/shims", ".rbenv/plugins"),
    (".asdf/shims", ".asdf/installs"),
    (".local/share/mise/shims", ".local/share/mise/installs"),
];

/// Entries of one directory that are listed, to leave one of them out.
const ENTRIES_MAX: usize = 10_000;

/// What a jail's programs are found by, and what they must not find.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Directories of PATH.
    pub path: &'a [PathBuf],
    pub home: Option<&'a Path>,
    /// The project, whose files are not readable as a whole.
    pub project: &'a Path,
    /// Files of the user's with tokens, wherever they are.
    pub private: &'a [PathBuf],
}

/// All that a program needs to run.
pub fn readable_roots(surroundings: &Surroundings<'_>) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = DIRECTORIES.iter().chain(&FILES).map(PathBuf::from).collect();
    let absolute = surroundings.path.iter().filter(|directory| directory.is_absolute());
    for directory in absolute {
        roots.extend(toolchain(directory, surroundings));
    }
    roots.sort();
    roots.dedup();
    let own = surroundings.home.into_iter().chain([surroundings.project]).map(real_path);
    let private: Vec<PathBuf> = own.chain(private_settings(surroundings)).collect();
    let mut found: Vec<PathBuf> = roots.iter().flat_map(|root| without(root, &private)).collect();
    found.sort();
    found.dedup();
    found
}

/// Where tokens may be beside programs: `etc/npmrc` beside the `bin` of a Node, for all users, and
/// what the user named. What is not there needs no care, and no more rules.
fn private_settings(surroundings: &Surroundings<'_>) -> Vec<PathBuf> {
    let nodes = surroundings.path.iter().map(|directory| real_path(&directory.join("node")));
    let prefixes = nodes.filter_map(|node| Some(node.parent()?.parent()?.to_owned()));
    let npmrcs = prefixes.chain([PathBuf::from("/usr")]).map(|prefix| prefix.join("etc/npmrc"));
    let known = PRIVATE.iter().map(PathBuf::from).chain(surroundings.private.iter().cloned());
    let mut found: Vec<PathBuf> =
        npmrcs.chain(known).filter(|path| files::exists(path)).map(|path| real_path(&path)).collect();
    found.sort();
    found.dedup();
    found
}

/// A directory of PATH, and its toolchain. The home itself is none, and what it shares between
/// programs may have secrets.
fn toolchain(directory: &Path, surroundings: &Surroundings<'_>) -> Vec<PathBuf> {
    let real = real_path(directory);
    let mut found = vec![directory.to_owned(), real.clone()];
    let home = surroundings.home.map(real_path);
    for place in [directory, real.as_path()] {
        if !place.ends_with("bin") {
            continue;
        }
        let Some(prefix) = place.parent() else { continue };
        let is_shared = home.as_deref().is_some_and(|home| prefix == home || prefix == home.join(".local"));
        let names = TOOLCHAIN.iter().filter(|name| !is_shared || !["share", "include"].contains(*name));
        found.extend(names.map(|name| prefix.join(name)));
    }
    // Node is often a link to its own directory.
    let node = real_path(&directory.join("node"));
    if let Some(prefix) =
        node.parent().filter(|bin| bin.ends_with("bin") && **bin != *real).and_then(Path::parent)
    {
        found.extend(TOOLCHAIN.iter().map(|name| prefix.join(name)));
    }
    for (shims, needed) in VERSION_MANAGERS {
        if let Some(home) = surroundings.home.filter(|home| directory == home.join(shims)) {
            found.push(home.join(needed));
        }
    }
    found
}

/// The directory, or what is in it beside the private directories.
fn without(root: &Path, private: &[PathBuf]) -> Vec<PathBuf> {
    let real = real_path(root);
    // What is private as a whole, not only a part of it.
    if private.contains(&real) {
        return Vec::new();
    }
    if !private.iter().any(|path| path.starts_with(&real)) {
        return vec![root.to_owned()];
    }
    let Ok(entries) = files::read_directory(&real) else { return Vec::new() };
    // The target of a link needs a rule of its own.
    let entries = entries.into_iter().filter(|entry| entry.kind != FileType::Symlink).take(ENTRIES_MAX);
    let names = entries.filter_map(|entry| entry.name.into_string().ok());
    names.flat_map(|name| without(&real.join(name), private)).collect()
}

/// Without symbolic links, where it exists.
fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests;
