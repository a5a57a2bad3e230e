//! Finds the engine's library, opens it and sets it up, once a process. In: [`Options`]. Out: the
//! [`Engine`], or why there is none. The options reach the engine by its own functions, not by the
//! environment, so no child sees them.

mod prelink_cache;

use std::ffi::{CStr, CString, OsStr, c_int, c_void};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::buffer_contents;
use crate::code_cache;
use crate::host_function::Host;
use crate::main_context::MainThread;
use crate::promise::enqueue;
use crate::promise::handled;
use crate::promise::microtasks::Drain;
use crate::string::fast::{self, Fast};
use crate::symbols::Symbols;
use crate::wasm_memory;
use crate::wasm_module;

/// The newest interface first; each is the same engine, built for another version of the web view
/// that we do not use.
const LIBRARIES: [&CStr; 2] = [c"libjavascriptcoregtk-6.0.so.1", c"libjavascriptcoregtk-4.1.so.0"];

/// Where distributions have libraries. A name that the linker does not find costs it eighty system
/// abi, a path one.
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

/// The oldest release whose engine does what we ask of it.
pub const OLDEST: Version = Version { major: 2, minor: 46, micro: 0 };

/// The signal that stops a thread while the collector reads its stack. Programs use SIGUSR1, the
/// engine's own choice, for themselves; SIGPWR comes from init alone.
const COLLECTOR_SIGNAL: c_int = libc::SIGPWR;

static ENGINE: OnceLock<Engine> = OnceLock::new();
static LOADING: Mutex<()> = Mutex::new(());

/// The engine, open and set up. It stays until the process ends.
pub struct Engine {
    pub(crate) symbols: Symbols,
    pub(crate) fast: Option<Fast>,
    pub(crate) is_handled: Option<handled::Ask>,
    pub(crate) main_thread: Option<MainThread>,
    pub(crate) drain: Option<Drain>,
    pub(crate) enqueue: Option<enqueue::EntryPoints>,
    pub(crate) host: Option<Host>,
    pub(crate) contents: Option<buffer_contents::EntryPoints>,
    pub(crate) code_cache: Option<code_cache::EntryPoints>,
    pub(crate) modules: Option<wasm_module::EntryPoints>,
    pub(crate) wasm_memories: Option<wasm_memory::EntryPoints>,
    identity: Option<String>,
    library: Library,
    version: Version,
}

/// The open library, which is never closed.
struct Library(*mut c_void);

// SAFETY: a handle that any thread may look names up in.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

/// How the engine is to be; the first [`Engine::load`] of a process decides.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Instead of the names that are tried.
    pub library: Option<PathBuf>,
    /// The linker searches first, because somebody told it where; else the folders of distributions
    /// are looked at.
    pub uses_linker_search: bool,
    /// A folder in which copies of the library are kept that open in less time; `None`: the library
    /// itself is opened.
    pub prelink_dir: Option<PathBuf>,
    pub unstable_abi: UnstableAbi,
    /// The engine's own options, without `JSC_`. One that the engine does not have is passed over.
    pub settings: Vec<(&'static CStr, Setting)>,
}

/// Whether what the engine does not promise may be used where a test at the start finds it as
/// expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnstableAbi {
    #[default]
    WhenVerified,
    Never,
}

/// The value of an option, in the option's own type; GLib refuses another one, and says so.
#[derive(Clone, Copy, Debug)]
pub enum Setting {
    Flag(bool),
    /// Of a signed option, as nearly all are.
    Number(i32),
    Bytes(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub micro: u32,
}

/// Why there is no engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// None of these could be opened; what the linker said of the last.
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
    /// Opens the library, or gives the engine that is open already.
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

    /// The file of the library: replaced or changed, it is another one. `None`: the linker has
    /// searched for it.
    pub fn identity(&self) -> Option<&str> {
        self.identity.as_deref()
    }

    /// The address of a name; null: there is none.
    pub(crate) fn find(&self, name: &CStr) -> *mut c_void {
        // SAFETY: the handle is open and never closed; the name ends in NUL.
        unsafe { libc::dlsym(self.library.0, name.as_ptr()) }
    }

    /// Whether texts take the short way into and out of the engine.
    pub fn uses_unstable_abi(&self) -> bool {
        self.fast.is_some()
    }
}

/// The table of functions; there is one wherever a value, a text or a VM is.
pub(crate) fn symbols() -> &'static Symbols {
    &engine().symbols
}

pub(crate) fn engine() -> &'static Engine {
    ENGINE.get().expect("all that abi the engine was made by it")
}

fn open(options: &Options) -> Result<Engine, EngineError> {
    let OpenLibrary { library, unprelinked, identity } = open_library(options)?;
    // SAFETY: the handle is open and never closed; the name ends in NUL.
    let find = |name: &CStr| unsafe { libc::dlsym(library, name.as_ptr()) };
    // SAFETY: the library is JavaScriptCore by its name or by the caller's word; GLib is among what
    // it brings along.
    let symbols = unsafe { Symbols::load(find) };
    let symbols =
        symbols.map_err(|function| too_old(find).unwrap_or(EngineError::MissingFunction { function }))?;
    let version = version(&symbols);
    if version < OLDEST {
        return Err(EngineError::TooOld { found: version, oldest: OLDEST });
    }
    if let (Some(folder), Some(path)) = (&options.prelink_dir, unprelinked) {
        prelink_cache::note(folder, &path, library, fast::is_read(version));
    }
    configure(&symbols, &options.settings);
    let fast = match options.unstable_abi {
        UnstableAbi::WhenVerified => fast::find(&symbols, version, find),
        UnstableAbi::Never => None,
    };
    let is_handled = fast.as_ref().and_then(|_| handled::find(find));
    let main_thread = MainThread::find(find);
    let drain = fast.as_ref().and_then(|_| Drain::find(find));
    let enqueue = fast.as_ref().and_then(|_| enqueue::EntryPoints::find(find));
    let host = fast.as_ref().and_then(|_| Host::find(find));
    let contents = fast.as_ref().and_then(|_| buffer_contents::EntryPoints::find(find));
    let code_cache = fast.as_ref().and_then(|_| code_cache::EntryPoints::find(version, find));
    let modules = fast.as_ref().and_then(|_| wasm_module::EntryPoints::find(find));
    let wasm_memories = fast.as_ref().and_then(|_| wasm_memory::EntryPoints::find(find));
    let library = Library(library);
    Ok(Engine {
        symbols,
        fast,
        is_handled,
        main_thread,
        drain,
        enqueue,
        host,
        contents,
        code_cache,
        modules,
        wasm_memories,
        identity,
        library,
        version,
    })
}

/// What was opened.
struct OpenLibrary {
    library: *mut c_void,
    /// The library itself, where there is no copy of it.
    unprelinked: Option<PathBuf>,
    identity: Option<String>,
}

fn default_paths() -> impl Iterator<Item = PathBuf> {
    let names = LIBRARIES.map(|name| OsStr::from_bytes(name.to_bytes()));
    DIRECTORIES.iter().flat_map(move |folder| names.map(|name| Path::new(folder).join(name)))
}

fn open_named(name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the library's constructors are those of a library of the distribution.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
    (!library.is_null()).then_some(library)
}

/// A library where it usually is, or its copies.
fn open_default(path: &Path, copies: Option<&Path>) -> Option<OpenLibrary> {
    if let Some(copies) = copies.and_then(|folder| prelink_cache::find(folder, path)) {
        // All are opened, in this order; the engine, which comes last, then finds the others there.
        let opened: Option<Vec<_>> = copies.iter().map(|copy| open_named(copy)).collect();
        if let Some(library) = opened.and_then(|opened| opened.last().copied()) {
            return Some(OpenLibrary { library, unprelinked: None, identity: prelink_cache::identity(path) });
        }
    }
    let library = open_named(&CString::new(path.as_os_str().as_bytes()).ok()?)?;
    Some(OpenLibrary { library, unprelinked: Some(path.to_owned()), identity: prelink_cache::identity(path) })
}

fn open_library(options: &Options) -> Result<OpenLibrary, EngineError> {
    let asked =
        options.library.as_ref().map(|path| CString::new(path.as_os_str().as_bytes()).unwrap_or_default());
    let names: Vec<&CStr> = asked.as_deref().map_or_else(|| LIBRARIES.to_vec(), |name| vec![name]);
    if asked.is_none()
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
    // SAFETY: read at once, on the thread whose dlopen failed.
    let message = unsafe { libc::dlerror() };
    let dlerror = match message.is_null() {
        true => String::new(),
        // SAFETY: the linker's text ends in NUL and holds until its next call.
        false => unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned(),
    };
    Err(EngineError::NotFound { tried, dlerror })
}

/// What a library without all functions says its version is, when that explains it.
fn too_old(find: impl Fn(&CStr) -> *mut c_void) -> Option<EngineError> {
    let number = |name: &CStr| {
        let address = find(name);
        // SAFETY: by this name GLib's interface of the engine has a function without arguments that
        // returns a `guint`.
        (!address.is_null())
            .then(|| unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> u32>(address)() })
    };
    let (major, minor) = (number(c"jsc_get_major_version")?, number(c"jsc_get_minor_version")?);
    let found = Version { major, minor, micro: number(c"jsc_get_micro_version")? };
    (found < OLDEST).then_some(EngineError::TooOld { found, oldest: OLDEST })
}

fn version(symbols: &Symbols) -> Version {
    // SAFETY: they take nothing and touch nothing.
    unsafe {
        Version {
            major: (symbols.jsc_get_major_version)(),
            minor: (symbols.jsc_get_minor_version)(),
            micro: (symbols.jsc_get_micro_version)(),
        }
    }
}

/// Before the first VM: afterwards the engine's options are read-only memory.
fn configure(symbols: &Symbols, settings: &[(&'static CStr, Setting)]) {
    // SAFETY: no VM is there yet, and `LOADING` keeps other threads out.
    unsafe { (symbols.JSConfigureSignalForGC)(COLLECTOR_SIGNAL) };
    // A variable of the user's says more than we do.
    let is_ours = |name: &CStr| std::env::var_os(format!("JSC_{}", name.to_string_lossy())).is_none();
    for (name, setting) in settings.iter().filter(|(name, _)| is_ours(name)) {
        // SAFETY: as above; the name ends in NUL. An unknown name changes nothing.
        unsafe {
            match setting {
                Setting::Flag(value) => (symbols.jsc_options_set_boolean)(name.as_ptr(), c_int::from(*value)),
                Setting::Number(value) => (symbols.jsc_options_set_int)(name.as_ptr(), *value),
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
