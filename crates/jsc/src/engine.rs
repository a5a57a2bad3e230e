//! Loads JavaScriptCore's shared library and configures it, once per process. In: [`Options`]. Out:
//! the [`Engine`], or why it is not available. Options are set by the engine's own functions and
//! not by environment variables, so child processes do not inherit them.

mod prelink_cache;

use std::ffi::{CStr, CString, OsStr, c_int, c_void};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::buffer_contents;
use crate::code_cache;
use crate::construct_bytes::ConstructBytes;
use crate::host_function::HostFunctions;
use crate::main_context::MainThread;
use crate::owning_function::OwningFunctions;
use crate::promise::enqueue;
use crate::promise::handled;
use crate::promise::microtasks::Drain;
use crate::property_writer::PropertyAbi;
use crate::string::fast::{self, Fast};
use crate::symbols::Symbols;
use crate::wasm_memory;
use crate::wasm_module;

/// Library names, the newest API first. Both are the same engine, built for different versions of
/// WebKitGTK's web view, which is not used here.
const LIBRARIES: [&CStr; 2] = [c"libjavascriptcoregtk-6.0.so.1", c"libjavascriptcoregtk-4.1.so.0"];

/// Library directories of distributions. A name that the linker does not find costs eighty system
/// calls, a path one.
const DIRECTORIES: [&str; 3] = [
    #[cfg(target_arch = "x86_64")]
    "/usr/lib/x86_64-linux-gnu",
    #[cfg(target_arch = "aarch64")]
    "/usr/lib/aarch64-linux-gnu",
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    "/usr/local/lib",
    "/usr/lib64",
    "/usr/lib",
];

/// The oldest release that has all functions used here.
pub const OLDEST: Version = Version { major: 2, minor: 46, micro: 0 };

/// The signal that suspends a thread while the collector scans its stack. The engine's default,
/// SIGUSR1, is used by programs; SIGPWR is only sent by init.
const COLLECTOR_SIGNAL: c_int = libc::SIGPWR;

static ENGINE: OnceLock<Engine> = OnceLock::new();
static LOADING: Mutex<()> = Mutex::new(());

/// The engine, loaded and configured. It stays loaded until the process ends.
pub struct Engine {
    pub(crate) symbols: Symbols,
    pub(crate) fast: Option<Fast>,
    pub(crate) is_handled: Option<handled::IsHandledFunction>,
    pub(crate) main_thread: Option<MainThread>,
    pub(crate) drain: Option<Drain>,
    pub(crate) enqueue: Option<enqueue::EnqueueMicrotask>,
    pub(crate) host_functions: Option<HostFunctions>,
    pub(crate) owning_functions: Option<OwningFunctions>,
    pub(crate) properties: Option<PropertyAbi>,
    pub(crate) contents: Option<buffer_contents::BufferAbi>,
    pub(crate) construct_bytes: Option<ConstructBytes>,
    pub(crate) code_cache: Option<code_cache::CodeCacheAbi>,
    pub(crate) modules: Option<wasm_module::WasmModuleAbi>,
    pub(crate) wasm_memories: Option<wasm_memory::WasmMemoryAbi>,
    identity: Option<String>,
    library: Library,
    version: Version,
}

/// A dlopen(3) handle, which is never closed.
struct Library(*mut c_void);

// SAFETY: dlsym(3) may be called with a handle from any thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

/// Configuration of the engine; the first [`Engine::load`] of a process decides.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Path or name to load instead of the default names.
    pub library: Option<PathBuf>,
    /// Load by name, because the environment configures the linker (`LD_LIBRARY_PATH`); else the
    /// directories of distributions are tried first.
    pub uses_linker_search: bool,
    /// Cache directory for prelinked copies of the library, which load faster; `None`: the library
    /// itself is loaded.
    pub prelink_dir: Option<PathBuf>,
    pub unstable_abi: UnstableAbi,
    /// Options of the engine, without the prefix `JSC_`. Unknown ones are ignored.
    pub settings: Vec<(&'static CStr, Setting)>,
}

/// Whether the unstable ABI may be used: internal functions and memory layouts, each of which is
/// verified by a probe before it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnstableAbi {
    #[default]
    WhenVerified,
    Never,
}

/// The value of an option, in the option's own type; GLib rejects another type with a warning.
#[derive(Clone, Copy, Debug)]
pub enum Setting {
    Flag(bool),
    /// A signed option, as nearly all are.
    Number(i32),
    /// An unsigned option.
    Count(u32),
    Bytes(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub micro: u32,
}

/// Why the engine is not available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// None of these could be opened; the dlerror(3) message of the last.
    NotFound {
        tried: Vec<String>,
        dlerror: String,
    },
    TooOld {
        found: Version,
        oldest: Version,
    },
    MissingFunction {
        function: &'static str,
    },
}

impl Engine {
    /// Loads the library, or returns the engine that is loaded already.
    pub fn load(options: &Options) -> Result<&'static Engine, EngineError> {
        let _one_at_a_time = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = ENGINE.get() {
            return Ok(engine);
        }
        let engine = open(options)?;
        Ok(ENGINE.get_or_init(|| engine))
    }

    pub fn version(&self) -> Version {
        self.version
    }

    /// Identity of the library file, which changes when the file is replaced or modified. `None`:
    /// it was loaded by name.
    pub fn identity(&self) -> Option<&str> {
        self.identity.as_deref()
    }

    /// The address of a symbol, or null.
    pub(crate) fn find(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the handle is open and never closed; the name ends in NUL.
        unsafe { libc::dlsym(self.library.0, name.as_ptr()) }
    }

    /// Whether the unstable ABI is used.
    pub fn uses_unstable_abi(&self) -> bool {
        self.fast.is_some()
    }
}

/// The function table. The engine is loaded wherever a value, a string or a VM exists.
#[inline]
pub(crate) fn symbols() -> &'static Symbols {
    &engine().symbols
}

#[inline]
pub(crate) fn engine() -> &'static Engine {
    ENGINE.get().expect("all that abi the engine was made by it")
}

fn open(options: &Options) -> Result<Engine, EngineError> {
    let OpenLibrary { library, unprelinked, identity } = open_library(options)?;
    // SAFETY: the handle is open and never closed; the name ends in NUL.
    let find = |name: &CStr| unsafe { libc::dlsym(library, name.as_ptr()) };
    // SAFETY: the library is JavaScriptCore by its name or by the caller's choice; GLib is one of
    // its dependencies.
    let symbols = unsafe { Symbols::load(find) };
    let symbols =
        symbols.map_err(|function| too_old(find).unwrap_or(EngineError::MissingFunction { function }))?;
    let version = version(&symbols);
    if version < OLDEST {
        return Err(EngineError::TooOld { found: version, oldest: OLDEST });
    }
    if let (Some(directory), Some(path)) = (&options.prelink_dir, unprelinked) {
        prelink_cache::count_start(directory, &path, library, fast::is_read(version));
    }
    configure(&symbols, &options.settings);
    let fast = match options.unstable_abi {
        UnstableAbi::WhenVerified => fast::find(&symbols, version, find),
        UnstableAbi::Never => None,
    };
    let is_handled = fast.as_ref().and_then(|_| handled::find(find));
    let main_thread = MainThread::find(find);
    let drain = fast.as_ref().and_then(|_| Drain::find(find));
    let enqueue = fast.as_ref().and_then(|_| enqueue::EnqueueMicrotask::find(find));
    let host_functions = fast.as_ref().and_then(|_| HostFunctions::find(find));
    let owning_functions = fast.as_ref().and_then(|_| OwningFunctions::find(find));
    let properties = fast.as_ref().and_then(|_| PropertyAbi::find(find));
    let contents = fast.as_ref().and_then(|_| buffer_contents::BufferAbi::find(find));
    let construct_bytes = fast.as_ref().and_then(|_| ConstructBytes::find(find));
    let code_cache = fast.as_ref().and_then(|_| code_cache::CodeCacheAbi::find(version, find));
    let modules = fast.as_ref().and_then(|_| wasm_module::WasmModuleAbi::find(find));
    let wasm_memories = fast.as_ref().and_then(|_| wasm_memory::WasmMemoryAbi::find(find));
    let library = Library(library);
    Ok(Engine {
        symbols,
        fast,
        is_handled,
        main_thread,
        drain,
        enqueue,
        host_functions,
        owning_functions,
        properties,
        contents,
        construct_bytes,
        code_cache,
        modules,
        wasm_memories,
        identity,
        library,
        version,
    })
}

/// A loaded library.
struct OpenLibrary {
    library: *mut c_void,
    /// Path of the library, if no prelinked copy was loaded.
    unprelinked: Option<PathBuf>,
    identity: Option<String>,
}

fn default_paths() -> impl Iterator<Item = PathBuf> {
    let names = LIBRARIES.map(|name| OsStr::from_bytes(name.to_bytes()));
    DIRECTORIES.iter().flat_map(move |directory| names.map(|name| Path::new(directory).join(name)))
}

fn open_named(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the constructors that run are those of a system library.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
    (!library.is_null()).then_some(library)
}

/// Loads a library from its default path, or its prelinked copies.
fn open_default(path: &Path, copies: Option<&Path>) -> Option<OpenLibrary> {
    if let Some(copies) = copies.and_then(|directory| prelink_cache::find(directory, path)) {
        // Opened in this order: the engine is the last one, and then finds the others loaded.
        let opened: Option<Vec<_>> = copies.iter().map(|copy| open_named(copy)).collect();
        if let Some(library) = opened.and_then(|opened| opened.last().copied()) {
            return Some(OpenLibrary { library, unprelinked: None, identity: prelink_cache::identity(path) });
        }
    }
    let library = open_named(&CString::new(path.as_os_str().as_bytes()).ok()?)?;
    Some(OpenLibrary { library, unprelinked: Some(path.to_owned()), identity: prelink_cache::identity(path) })
}

fn open_library(options: &Options) -> Result<OpenLibrary, EngineError> {
    let requested =
        options.library.as_ref().map(|path| CString::new(path.as_os_str().as_bytes()).unwrap_or_default());
    let names: Vec<&CStr> = requested.as_deref().map_or_else(|| LIBRARIES.to_vec(), |name| vec![name]);
    if requested.is_none()
        && !options.uses_linker_search
        && let Some(opened) =
            default_paths().find_map(|path| open_default(&path, options.prelink_dir.as_deref()))
    {
        return Ok(opened);
    }
    if let Some(library) = names.iter().find_map(|name| open_named(name)) {
        return Ok(OpenLibrary { library, unprelinked: None, identity: None });
    }
    let tried = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    // SAFETY: called at once, on the thread whose dlopen failed.
    let message = unsafe { libc::dlerror() };
    let dlerror = match message.is_null() {
        true => String::new(),
        // SAFETY: the linker's message ends in NUL and is valid until its next call.
        false => unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned(),
    };
    Err(EngineError::NotFound { tried, dlerror })
}

/// The version of a library in which functions are missing, if it is too old.
fn too_old(find: impl Fn(&CStr) -> *mut c_void) -> Option<EngineError> {
    let number = |name: &CStr| {
        let address = find(name);
        // SAFETY: JavaScriptCoreGTK declares a function of this name without arguments that returns
        // a `guint`.
        (!address.is_null())
            .then(|| unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> u32>(address)() })
    };
    let (major, minor) = (number(c"jsc_get_major_version")?, number(c"jsc_get_minor_version")?);
    let found = Version { major, minor, micro: number(c"jsc_get_micro_version")? };
    (found < OLDEST).then_some(EngineError::TooOld { found, oldest: OLDEST })
}

fn version(symbols: &Symbols) -> Version {
    // SAFETY: they take no arguments and have no side effects.
    unsafe {
        Version {
            major: (symbols.jsc_get_major_version)(),
            minor: (symbols.jsc_get_minor_version)(),
            micro: (symbols.jsc_get_micro_version)(),
        }
    }
}

/// Must run before the first VM; afterwards the engine's options are read-only memory.
fn configure(symbols: &Symbols, settings: &[(&'static CStr, Setting)]) {
    // SAFETY: no VM exists yet, and `LOADING` excludes other threads.
    unsafe { (symbols.JSConfigureSignalForGC)(COLLECTOR_SIGNAL) };
    // An environment variable of the user takes precedence.
    let is_ours = |name: &CStr| std::env::var_os(format!("JSC_{}", name.to_string_lossy())).is_none();
    for (name, setting) in settings.iter().filter(|(name, _)| is_ours(name)) {
        // SAFETY: as above; the name ends in NUL. An unknown name has no effect.
        unsafe {
            match setting {
                Setting::Flag(value) => (symbols.jsc_options_set_boolean)(name.as_ptr(), c_int::from(*value)),
                Setting::Number(value) => (symbols.jsc_options_set_int)(name.as_ptr(), *value),
                Setting::Count(value) => (symbols.jsc_options_set_uint)(name.as_ptr(), *value),
                Setting::Bytes(value) => (symbols.jsc_options_set_size)(name.as_ptr(), *value),
            }
        };
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.micro)
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::NotFound { tried, .. } => {
                write!(f, "JavaScriptCore is not installed: cannot open `{}`", tried.join("`, nor `"))
            }
            EngineError::TooOld { found, oldest } => {
                write!(f, "JavaScriptCore {found} is too old, {oldest} is needed")
            }
            EngineError::MissingFunction { function } => {
                write!(f, "this build of JavaScriptCore lacks `{function}`")
            }
        }
    }
}

impl std::error::Error for EngineError {}
