//! Loads addons (`process.dlopen`). In: a file. Out: what its register function returns, or why it
//! cannot be loaded, before any of its code runs. Both ways to register are known: the exported
//! function `napi_register_module_v1`, and a constructor that calls `napi_module_register`. A file
//! may be loaded several times, and in several runtimes. Absent: unloading.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use rusk_jsc::{Exception, Scope, Value};

use crate::abi::{DEFAULT_VERSION, EXPERIMENTAL, EnvPointer, Handle, VERSION};
use crate::elf;
use crate::instance::Instance;

type Register = unsafe extern "C" fn(EnvPointer, Handle) -> Handle;

/// `napi_module`.
#[repr(C)]
pub struct NapiModule {
    version: c_int,
    flags: c_uint,
    filename: *const c_char,
    register: Option<Register>,
    name: *const c_char,
    private: *mut c_void,
    reserved: [*mut c_void; 4],
}

/// An addon that is loaded into the process.
#[derive(Clone, Copy)]
pub struct Addon {
    register: Option<Register>,
    version: i32,
}

/// Why a file cannot be loaded.
#[derive(Debug, PartialEq, Eq)]
pub enum LoadError {
    /// It needs functions that are not there; these are some of them.
    Missing { symbols: Vec<String>, uses: MissingApi },
    /// The message of dlerror(3).
    Dlopen(String),
    /// It registers nothing.
    NoRegister,
    /// It was built for a version of Node-API that is not known.
    Version(i32),
}

/// Which interface the missing functions are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingApi {
    /// V8's or Node's C++ classes.
    Cpp,
    /// libuv.
    Uv,
    /// Node-API itself, newer than this.
    NodeApi,
}

/// Addons by their handle of dlopen(3): a constructor runs only once.
static REGISTERED: Mutex<Option<HashMap<usize, usize>>> = Mutex::new(None);

thread_local! {
    /// What a constructor has registered during dlopen(3).
    static REGISTERING: Cell<usize> = const { Cell::new(0) };
}

#[unsafe(no_mangle)]
extern "C" fn napi_module_register(module: *const NapiModule) {
    REGISTERING.set(module.expose_provenance());
}

/// Loads a file into the process. `flags`: those of dlopen(3).
pub fn open(path: &Path, flags: i32) -> Result<Addon, LoadError> {
    check_symbols(path)?;
    let name = CString::new(path.as_os_str().as_bytes())
        .map_err(|_| LoadError::Dlopen("a path without NUL was expected".to_owned()))?;
    REGISTERING.set(0);
    // SAFETY: the constructors of the addon run, as the program asks for.
    let library = unsafe { libc::dlopen(name.as_ptr(), flags) };
    if library.is_null() {
        return Err(LoadError::Dlopen(dl_error()));
    }
    match registered(library.addr()) {
        Some(register) => Ok(Addon { register, version: version_of(library)? }),
        None => {
            // SAFETY: the handle is open.
            let found = unsafe { libc::dlsym(library, c"napi_register_module_v1".as_ptr()) };
            if found.is_null() {
                return Err(LoadError::NoRegister);
            }
            // SAFETY: Node-API gives the function of this name this type.
            let register = unsafe { std::mem::transmute::<*mut c_void, Register>(found) };
            Ok(Addon { register: Some(register), version: version_of(library)? })
        }
    }
}

/// What the constructor has registered, now or when it ran.
fn registered(library: usize) -> Option<Option<Register>> {
    let mut all = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    let all = all.get_or_insert_default();
    let now = REGISTERING.replace(0);
    if now != 0 {
        all.insert(library, now);
    }
    let module = std::ptr::with_exposed_provenance::<NapiModule>(*all.get(&library)?);
    // SAFETY: a static variable of the addon, which is never unloaded.
    Some(unsafe { (*module).register })
}

fn version_of(library: *mut c_void) -> Result<i32, LoadError> {
    // SAFETY: the handle is open.
    let found = unsafe { libc::dlsym(library, c"node_api_module_get_api_version_v1".as_ptr()) };
    let version = match found.is_null() {
        true => DEFAULT_VERSION,
        // SAFETY: Node-API gives the function of this name this type.
        false => unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> i32>(found)() },
    };
    match version {
        EXPERIMENTAL => Ok(version),
        _ if version <= VERSION as i32 => Ok(version.max(DEFAULT_VERSION)),
        _ => Err(LoadError::Version(version)),
    }
}

fn dl_error() -> String {
    // SAFETY: called at once, on the thread whose dlopen failed; the message ends in NUL.
    unsafe {
        let message = libc::dlerror();
        if message.is_null() { String::new() } else { CStr::from_ptr(message).to_string_lossy().into_owned() }
    }
}

/// The number of missing symbols that a message shows.
const SHOWN: usize = 3;

/// Refuses a file that would end the process at its first call of what is not here.
fn check_symbols(path: &Path) -> Result<(), LoadError> {
    let Ok(file) = File::open(path) else { return Ok(()) };
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let read = &mut |offset: u64, size: u64| {
        if offset.checked_add(size)? > length {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(size).ok()?];
        file.read_exact_at(&mut bytes, offset).ok()?;
        Some(bytes)
    };
    let names = elf::undefined_symbols(read).unwrap_or_default();
    for (uses, is_of) in APIS {
        let missing = names.iter().filter(|name| is_of(name) && !is_here(name));
        let symbols: Vec<String> = missing.take(SHOWN).cloned().collect();
        if !symbols.is_empty() {
            return Err(LoadError::Missing { symbols, uses: *uses });
        }
    }
    Ok(())
}

/// Whether a symbol belongs to an API.
type SymbolTest = fn(&str) -> bool;

/// Whose names begin how.
const APIS: &[(MissingApi, SymbolTest)] = &[
    (MissingApi::Cpp, |name| {
        let prefixes = ["_ZN2v8", "_ZNK2v8", "_ZTVN2v8", "_ZTIN2v8", "_ZN4node", "_ZNK4node", "_ZTIN4node"];
        name == "node_module_register" || prefixes.iter().any(|prefix| name.starts_with(prefix))
    }),
    (MissingApi::Uv, |name| name.starts_with("uv_")),
    (MissingApi::NodeApi, |name| name.starts_with("napi_") || name.starts_with("node_api_")),
];

/// Whether the program, or a library that is loaded, has the symbol.
fn is_here(name: &str) -> bool {
    // SAFETY: the name ends in NUL.
    CString::new(name).is_ok_and(|name| !unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }.is_null())
}

/// Registers a loaded addon in this runtime; `exports`: what it adds to. Out: its exports.
pub fn register<'s>(
    scope: &'s Scope,
    instance: &Rc<Instance>,
    addon: Addon,
    file_url: &str,
    exports: Value<'s>,
) -> Result<Value<'s>, Exception<'s>> {
    let Some(register) = addon.register else {
        let text = "Module has no declared entry point.";
        return Err(Exception::new(scope, rusk_jsc::ErrorKind::Error, text));
    };
    let file_url = CString::new(file_url).unwrap_or_default();
    let pointer = instance.add_env(file_url, addon.version);
    // SAFETY: environments are freed when the runtime ends.
    let env = unsafe { &*pointer };
    // SAFETY: the addon's own function.
    let returned = env.call_out(scope, || unsafe { register(env.pointer(), Handle::of(exports)) })?;
    Ok(returned.value(scope).unwrap_or(exports))
}
