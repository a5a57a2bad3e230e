//! Cache of prelinked copies of the engine's library and of the C++ library below it
//! ([`crate::prelink`]). In: a cache directory, the path of the engine. Out: the files to load
//! instead. A copy belongs to one file: with another inode, size or time it is not used. Copies are
//! made once so many starts went without them that this cost as much time as making them. Absent:
//! whether copies are wanted; the caller decides.

use std::ffi::{CStr, CString, c_void};
use std::fmt::Write as _;
use std::fs::{self, DirBuilder, Metadata, OpenOptions};
use std::io::Write as _;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::prelink::{Library, Omissions};

/// Making the copies takes some 50 ms, and saves 5 ms per start. A failure is retried after twice
/// as many starts.
const STARTS_MIN: u64 = 8;

/// Engines that share a directory: several releases, sysroots, hosts.
const ENGINES_MAX: usize = 4;

/// The page cache stores one write in one folio, and maps folios of 2 MiB as a whole, so a single
/// write would make all of the engine resident. It maps this much around a page fault in any case.
const CHUNK_BYTES: usize = 64 << 10;

/// List of the copies, one per line: path of the original, its identity, name of the copy. Written
/// last.
const LIST: &str = "libraries";

/// Its size is the number of starts without copies.
const STARTS: &str = "starts";

/// Needed libraries that can be omitted if only functions of `SPARED` are called in them.
const OMITTED_LIBRARIES: [&str; 3] = ["libgio-2.0.so.0", "libsystemd.so.0", "libz.so.1"];

/// Functions that are only called by the remote inspector, the sockets of the web view, D-Bus
/// (real-time threads, sandboxes) and the journal (memory pressure, logs of the web view). The C
/// functions that are used here never reach them. Checked in release 2.50, the callers found in the
/// library itself.
const UNUSED_FUNCTIONS: [&str; 27] = [
    "g_application_get_application_id",
    "g_application_get_default",
    "g_application_id_is_valid",
    "g_cancellable_cancel",
    "g_cancellable_is_cancelled",
    "g_cancellable_new",
    "g_dbus_error_quark",
    "g_dbus_node_info_ref",
    "g_dbus_node_info_unref",
    "g_dbus_proxy_call_sync",
    "g_dbus_proxy_get_cached_property",
    "g_dbus_proxy_new_for_bus_sync",
    "g_inet_socket_address_get_port",
    "g_io_error_quark",
    "g_resources_lookup_data",
    "g_socket_client_connect_to_host_async",
    "g_socket_client_connect_to_host_finish",
    "g_socket_client_new",
    "g_socket_connectable_to_string",
    "g_socket_connection_get_socket",
    "g_socket_create_source",
    "g_socket_listener_add_address",
    "g_socket_receive",
    "g_socket_send",
    "g_socket_service_new",
    "g_socket_set_blocking",
    "sd_journal_send_with_location",
];

/// The C++ library has thousands of references to its own symbols, too.
const CPP: &str = "libstdc++.so.6";

/// The copies of an engine, in the order in which to open them; the engine is the last one.
pub fn find(directory: &Path, engine: &Path) -> Option<Vec<CString>> {
    let engine_dir = directory.join(identity(engine)?);
    let list = fs::read_to_string(engine_dir.join(LIST)).ok()?;
    if !is_ours(&fs::symlink_metadata(&engine_dir).ok()?) {
        return None;
    }
    list.lines().map(|line| find_copy(&engine_dir, line)).collect()
}

fn find_copy(engine_dir: &Path, line: &str) -> Option<CString> {
    let [path, wanted, name] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let (original, copy) = (fs::metadata(path).ok()?, engine_dir.join(name));
    let found = fs::symlink_metadata(&copy).ok()?;
    // A copy is as long as its original, so a truncated one is detected.
    let is_valid = identity_of(&original) == wanted
        && found.is_file()
        && is_ours(&found)
        && found.len() == original.len();
    is_valid.then(|| CString::new(copy.as_os_str().as_bytes()).ok())?
}

/// Counts a start without copies. `library`: handle of the engine; `is_read`: its source was
/// reviewed.
pub fn count_start(directory: &Path, engine: &Path, library: *mut c_void, is_read: bool) {
    let Some(engine_dir) = identity(engine).map(|identity| directory.join(identity)) else { return };
    // A failure to count or to make copies is ignored: they are an optimization.
    let starts = count(&engine_dir).unwrap_or(0);
    if starts >= STARTS_MIN && starts.is_power_of_two() {
        let _ = create_copies(&engine_dir, engine, library, is_read);
        remove_others(directory, &engine_dir);
    }
}

fn count(engine_dir: &Path) -> std::io::Result<u64> {
    let open = || OpenOptions::new().append(true).create(true).mode(0o600).open(engine_dir.join(STARTS));
    let mut file = match open() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            DirBuilder::new().recursive(true).mode(0o700).create(engine_dir)?;
            open()?
        }
        opened => opened?,
    };
    file.write_all(b".")?;
    Ok(file.metadata()?.len())
}

fn create_copies(engine_dir: &Path, engine: &Path, library: *mut c_void, is_read: bool) -> Option<()> {
    let owner = |name: &str| owner(library, name);
    let read = Library::read(fs::read(engine).ok()?)?;
    let wanted: Vec<(String, Option<PathBuf>)> = read
        .undefined_symbols()?
        .into_iter()
        .map(|name| (owner(&name), name))
        .map(|(owner, name)| (name, owner))
        .collect();
    let omissions = if is_read { omissions(&wanted) } else { Omissions::default() };
    let mut list = String::new();
    let is_cpp = |owner: &&Path| owner.file_name().is_some_and(|name| name == CPP);
    if let Some(path) = wanted.iter().filter_map(|(_, owner)| owner.as_deref()).find(is_cpp)
        && let Some(bytes) =
            Library::read(fs::read(path).ok()?).and_then(|read| read.bind(&Omissions::default()))
    {
        write(engine_dir, path, &bytes, &mut list)?;
    }
    let bytes = match read.bind(&omissions) {
        Some(bytes) => bytes,
        // Prelinked, but with all its dependencies.
        None => Library::read(fs::read(engine).ok()?)?.bind(&Omissions::default())?,
    };
    write(engine_dir, engine, &bytes, &mut list)?;
    write_atomically(engine_dir, LIST, list.as_bytes())
}

/// Libraries that can be omitted because all functions needed of them are known to be unused.
fn omissions(wanted: &[(String, Option<PathBuf>)]) -> Omissions {
    let mut omissions = Omissions::default();
    for library in OMITTED_LIBRARIES {
        let is_owner = |owner: &Option<PathBuf>| {
            owner.as_deref().and_then(Path::file_name).is_some_and(|name| name == library)
        };
        let own: Vec<&String> =
            wanted.iter().filter(|(_, owner)| is_owner(owner)).map(|(name, _)| name).collect();
        if own.iter().all(|name| UNUSED_FUNCTIONS.contains(&name.as_str())) {
            omissions.libraries.push(library.to_owned());
            omissions.functions.extend(own.into_iter().cloned());
        }
    }
    omissions
}

/// Writes the copy of a library, and adds its line to the list.
fn write(engine_dir: &Path, path: &Path, bytes: &[u8], list: &mut String) -> Option<()> {
    let (path_str, name) = (path.to_str()?, path.file_name()?.to_str()?);
    if path_str.contains(['\t', '\n']) {
        return None;
    }
    // Read before the copy is written: a later change results in another identity.
    let original = fs::metadata(path).ok()?;
    if original.len() != bytes.len() as u64 {
        return None;
    }
    write_atomically(engine_dir, name, bytes)?;
    writeln!(list, "{path_str}\t{}\t{name}", identity_of(&original)).ok()
}

/// Renames a synced temporary file into place: a library that is truncated after a power failure
/// would crash.
fn write_atomically(engine_dir: &Path, name: &str, bytes: &[u8]) -> Option<()> {
    let temporary = engine_dir.join(format!(".{name}.{}", std::process::id()));
    let write = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
        bytes.chunks(CHUNK_BYTES).try_for_each(|chunk| file.write_all(chunk))?;
        file.sync_data()?;
        fs::rename(&temporary, engine_dir.join(name))
    };
    let written = write();
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.ok()
}

/// Removes copies of older engines; processes that have them mapped keep them.
fn remove_others(directory: &Path, engine_dir: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut others: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        })
        .filter(|(_, path)| path != engine_dir)
        .collect();
    others.sort();
    for (_, path) in others.iter().rev().skip(ENGINES_MAX - 1) {
        let _ = fs::remove_dir_all(path);
    }
}

/// Identity of a file, which changes when it is replaced or modified.
pub fn identity(path: &Path) -> Option<String> {
    fs::metadata(path).ok().map(|found| identity_of(&found))
}

fn identity_of(file: &Metadata) -> String {
    format!("{:x}-{:x}-{:x}.{:x}", file.ino(), file.len(), file.mtime(), file.mtime_nsec())
}

/// Whether only our user can have written the file.
fn is_ours(file: &Metadata) -> bool {
    // SAFETY: it takes no arguments and cannot fail.
    file.uid() == unsafe { libc::geteuid() } && file.mode() & 0o022 == 0
}

/// Path of the library that defines a symbol for the engine.
fn owner(library: *mut c_void, name: &str) -> Option<PathBuf> {
    let name = CString::new(name).ok()?;
    let mut found = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the handle is open and never closed, the names end in NUL; the result of dladdr is
    // valid as long as the library is loaded.
    unsafe {
        let address = libc::dlsym(library, name.as_ptr());
        if address.is_null() || libc::dladdr(address, found.as_mut_ptr()) == 0 {
            return None;
        }
        let file = found.assume_init().dli_fname;
        (!file.is_null()).then(|| PathBuf::from(std::ffi::OsStr::from_bytes(CStr::from_ptr(file).to_bytes())))
    }
}
