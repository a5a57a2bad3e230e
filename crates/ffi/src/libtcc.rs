//! TinyCC as a library (`libtcc.so`), opened at the first use, which compiles C within the process.
//! In: source files and options. Out: addresses of functions, until the program is dropped, or the
//! compiler's messages. Declared by hand after its `libtcc.h`. One compilation at a time: older
//! releases have a global state.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem;
use std::ptr::NonNull;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::system_library::SystemLibrary;

/// Names of the library, the newest first.
const NAMES: [&CStr; 3] = [c"libtcc.so", c"libtcc.so.1", c"libtcc.so.0"];

/// `TCC_OUTPUT_MEMORY`.
const OUTPUT_MEMORY: c_int = 1;
/// `TCC_RELOCATE_AUTO`, which newer releases do not take any more, and then ignore.
const RELOCATE_AUTO: usize = 1;

/// `TCCState`.
#[repr(C)]
struct RawState {
    _private: [u8; 0],
}

type State = *mut RawState;
type Report = unsafe extern "C" fn(*mut c_void, *const c_char);
type WithText = unsafe extern "C" fn(State, *const c_char) -> c_int;

/// The library's functions.
struct Libtcc {
    new: unsafe extern "C" fn() -> State,
    delete: unsafe extern "C" fn(State),
    set_error_func: unsafe extern "C" fn(State, *mut c_void, Report),
    /// Without a result in older releases.
    set_options: WithText,
    set_output_type: unsafe extern "C" fn(State, c_int) -> c_int,
    add_include_path: WithText,
    add_library: WithText,
    define_symbol: unsafe extern "C" fn(State, *const c_char, *const c_char),
    add_file: WithText,
    relocate: unsafe extern "C" fn(State, *mut c_void) -> c_int,
    get_symbol: unsafe extern "C" fn(State, *const c_char) -> *mut c_void,
}

/// What to compile.
#[derive(Debug, Default)]
pub struct CompileRequest {
    pub sources: Vec<String>,
    pub includes: Vec<String>,
    pub libraries: Vec<String>,
    /// Names with their values.
    pub defines: Vec<(String, String)>,
    pub flags: Vec<String>,
}

/// A compiled program, whose functions can be called until it is dropped.
pub struct CompiledProgram {
    state: NonNull<RawState>,
    library: &'static Libtcc,
}

static COMPILING: Mutex<()> = Mutex::new(());

impl Libtcc {
    fn get() -> Option<&'static Libtcc> {
        static LIBRARY: OnceLock<Option<Libtcc>> = OnceLock::new();
        LIBRARY.get_or_init(Libtcc::open).as_ref()
    }

    fn open() -> Option<Libtcc> {
        let library = SystemLibrary::open(&NAMES)?;
        let find = |name| library.find(name);
        // SAFETY: the functions have these types by `libtcc.h`.
        unsafe {
            Some(Libtcc {
                new: mem::transmute::<*mut c_void, unsafe extern "C" fn() -> State>(find(c"tcc_new")?),
                delete: mem::transmute::<*mut c_void, unsafe extern "C" fn(State)>(find(c"tcc_delete")?),
                set_error_func: mem::transmute::<*mut c_void, unsafe extern "C" fn(State, *mut c_void, Report)>(
                    find(c"tcc_set_error_func")?,
                ),
                set_options: mem::transmute::<*mut c_void, WithText>(find(c"tcc_set_options")?),
                set_output_type: mem::transmute::<*mut c_void, unsafe extern "C" fn(State, c_int) -> c_int>(
                    find(c"tcc_set_output_type")?,
                ),
                add_include_path: mem::transmute::<*mut c_void, WithText>(find(c"tcc_add_include_path")?),
                add_library: mem::transmute::<*mut c_void, WithText>(find(c"tcc_add_library")?),
                define_symbol: mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(State, *const c_char, *const c_char),
                >(find(c"tcc_define_symbol")?),
                add_file: mem::transmute::<*mut c_void, WithText>(find(c"tcc_add_file")?),
                relocate: mem::transmute::<*mut c_void, unsafe extern "C" fn(State, *mut c_void) -> c_int>(
                    find(c"tcc_relocate")?,
                ),
                get_symbol: mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(State, *const c_char) -> *mut c_void,
                >(find(c"tcc_get_symbol")?),
            })
        }
    }
}

impl CompiledProgram {
    /// `None`: there is no TinyCC here. The error is its messages.
    pub fn compile(request: &CompileRequest) -> Option<Result<CompiledProgram, String>> {
        let library = Libtcc::get()?;
        let mut messages = String::new();
        let one_at_a_time = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: no arguments.
        let state = NonNull::new(unsafe { (library.new)() })?;
        let program = CompiledProgram { state, library };
        let is_built = program.build(request, &mut messages).is_some();
        // Dropping a program takes the lock.
        drop(one_at_a_time);
        Some(if is_built { Ok(program) } else { Err(messages) })
    }

    /// `None`: the messages say why. Each string is copied by the library.
    fn build(&self, request: &CompileRequest, messages: &mut String) -> Option<()> {
        let (library, state) = (self.library, self.state.as_ptr());
        let sink = std::ptr::from_mut(messages).cast::<c_void>();
        // SAFETY: the state is alive; `report` gets the sink during this call only.
        unsafe { (library.set_error_func)(state, sink, report) };
        for flag in &request.flags {
            // SAFETY: a string with a NUL. Whether a flag is unknown is said by messages.
            unsafe { (library.set_options)(state, CString::new(&**flag).ok()?.as_ptr()) };
        }
        // SAFETY: the state is alive.
        if unsafe { (library.set_output_type)(state, OUTPUT_MEMORY) } < 0 {
            return None;
        }
        for (name, value) in &request.defines {
            let (name, value) = (CString::new(&**name).ok()?, CString::new(&**value).ok()?);
            // SAFETY: strings with a NUL.
            unsafe { (library.define_symbol)(state, name.as_ptr(), value.as_ptr()) };
        }
        self.add_all(library.add_include_path, &request.includes)?;
        self.add_all(library.add_file, &request.sources)?;
        self.add_all(library.add_library, &request.libraries)?;
        // SAFETY: all was added; the library allocates the memory itself.
        let relocated = unsafe { (library.relocate)(state, std::ptr::without_provenance_mut(RELOCATE_AUTO)) };
        // SAFETY: as above; the sink is not used any more.
        unsafe { (library.set_error_func)(state, std::ptr::null_mut(), ignore) };
        (relocated >= 0).then_some(())
    }

    fn add_all(&self, add: WithText, strings: &[String]) -> Option<()> {
        for text in strings {
            let text = CString::new(&**text).ok()?;
            // SAFETY: the state is alive, and the text has a NUL.
            if unsafe { add(self.state.as_ptr(), text.as_ptr()) } < 0 {
                return None;
            }
        }
        Some(())
    }

    /// The address of a function.
    pub fn symbol(&self, name: &str) -> Option<usize> {
        let name = CString::new(name).ok()?;
        // SAFETY: the state is alive, and the name has a NUL.
        let address = unsafe { (self.library.get_symbol)(self.state.as_ptr(), name.as_ptr()) };
        (!address.is_null()).then(|| address.expose_provenance())
    }
}

impl Drop for CompiledProgram {
    fn drop(&mut self) {
        let _one_at_a_time = COMPILING.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: made by `tcc_new`, deleted once.
        unsafe { (self.library.delete)(self.state.as_ptr()) };
    }
}

/// Called by the library with a message.
unsafe extern "C" fn report(sink: *mut c_void, message: *const c_char) {
    // SAFETY: the sink of `build`, which nothing else uses during its call; a string with a NUL.
    let (messages, message) = unsafe { (&mut *sink.cast::<String>(), CStr::from_ptr(message)) };
    messages.push_str(&message.to_string_lossy());
    messages.push('\n');
}

unsafe extern "C" fn ignore(_: *mut c_void, _: *const c_char) {}
