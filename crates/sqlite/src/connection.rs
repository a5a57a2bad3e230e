//! Connections to databases. In: a path, flags. Out: a connection, closed when it and its
//! statements are dropped.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::rc::Rc;

use crate::error::{SqliteError, c_string, lossy};
use crate::library::{open, symbols};
use crate::symbols::{Raw, Text};

const OK: c_int = 0;
/// `SQLITE_DESERIALIZE_FREEONCLOSE`, `RESIZEABLE`, `READONLY`.
const FREE_ON_CLOSE: c_uint = 1;
const RESIZEABLE: c_uint = 2;
const READ_ONLY: c_uint = 4;

/// `SQLITE_OPEN_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenFlags(pub i32);

/// A connection.
pub struct Connection {
    raw: Raw,
    hook: RefCell<Option<Box<Hook>>>,
}

/// What changed a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowChange {
    Insert,
    Update,
    Delete,
}

/// A change, the schema, the table, the row.
type Hook = Rc<dyn Fn(RowChange, &str, &str, i64)>;

/// The argument of `sqlite3_file_control`.
pub enum ControlArgument<'a> {
    None,
    Integer(i32),
    /// What the operation reads or writes.
    Bytes(&'a mut [u8]),
}

impl Connection {
    /// Opens a database; an empty path is a temporary one, `:memory:` one in memory.
    pub fn open(path: &Path, OpenFlags(flags): OpenFlags) -> Result<Rc<Connection>, SqliteError> {
        let library = open().map_err(SqliteError::without_library)?;
        let path = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| SqliteError::misuse("the path contains a NUL"))?;
        let mut raw = ptr::null_mut();
        // SAFETY: a path with a NUL; there is a connection afterwards, also on failure, unless
        // there is no memory.
        let code = unsafe { (library.sqlite3_open_v2)(path.as_ptr(), &raw mut raw, flags, ptr::null()) };
        if raw.is_null() {
            return Err(SqliteError::of_code(code));
        }
        let connection = Connection { raw, hook: RefCell::default() };
        if code != OK {
            return Err(SqliteError::of(raw, code));
        }
        // SAFETY: an open connection.
        unsafe { (library.sqlite3_extended_result_codes)(raw, 1) };
        Ok(Rc::new(connection))
    }

    /// A database in memory, of the bytes of a file.
    pub fn deserialize(bytes: &[u8], is_readonly: bool) -> Result<Rc<Connection>, SqliteError> {
        const READ_WRITE_CREATE: i32 = 2 | 4;
        let connection = Connection::open(Path::new(":memory:"), OpenFlags(READ_WRITE_CREATE))?;
        let length = bytes.len() as i64;
        // SAFETY: memory of the library, of that size, which it frees, also on failure.
        let code = unsafe {
            let memory = (symbols().sqlite3_malloc64)(bytes.len().max(1) as u64).cast::<u8>();
            if memory.is_null() {
                return Err(SqliteError::misuse("there is no memory for the database"));
            }
            memory.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            let flags = FREE_ON_CLOSE | if is_readonly { READ_ONLY } else { RESIZEABLE };
            (symbols().sqlite3_deserialize)(connection.raw, c"main".as_ptr(), memory, length, length, flags)
        };
        if code == OK { Ok(connection) } else { Err(SqliteError::of(connection.raw, code)) }
    }

    /// The bytes of a database, as its file has them.
    pub fn serialize(&self, schema: &str) -> Result<Vec<u8>, SqliteError> {
        let schema = c_string(schema)?;
        let mut length = 0;
        // SAFETY: an open connection; what it returns is copied, then freed as the library asks.
        unsafe {
            let memory = (symbols().sqlite3_serialize)(self.raw, schema.as_ptr(), &raw mut length, 0);
            match usize::try_from(length) {
                // An empty database has no bytes.
                Ok(0) => Ok(Vec::new()),
                Ok(length) if !memory.is_null() => {
                    let copy = std::slice::from_raw_parts(memory, length).to_vec();
                    (symbols().sqlite3_free)(memory.cast());
                    Ok(copy)
                }
                _ => Err(SqliteError::misuse("the database cannot be serialized")),
            }
        }
    }

    pub(crate) fn raw(&self) -> Raw {
        self.raw
    }

    /// An error of preparing a statement, with its place where the library tells it.
    pub(crate) fn error_with_offset(&self, code: c_int) -> SqliteError {
        SqliteError { offset: crate::library::error_offset(self.raw), ..SqliteError::of(self.raw, code) }
    }

    pub fn is_in_transaction(&self) -> bool {
        // SAFETY: an open connection.
        unsafe { (symbols().sqlite3_get_autocommit)(self.raw) == 0 }
    }

    /// Rows that statements changed since it was opened, those of triggers, too.
    pub fn total_changes(&self) -> i32 {
        // SAFETY: an open connection.
        unsafe { (symbols().sqlite3_total_changes)(self.raw) }
    }

    /// Rows that the last statement inserted, updated or deleted itself.
    pub fn changes(&self) -> i32 {
        // SAFETY: an open connection.
        unsafe { (symbols().sqlite3_changes)(self.raw) }
    }

    pub fn last_insert_rowid(&self) -> i64 {
        // SAFETY: an open connection.
        unsafe { (symbols().sqlite3_last_insert_rowid)(self.raw) }
    }

    /// Loads an extension, which is code of the program's own choice.
    pub fn load_extension(&self, file: &str, entry: Option<&str>) -> Result<(), SqliteError> {
        let (file, entry) = (c_string(file)?, entry.map(c_string).transpose()?);
        let mut message: *mut c_char = ptr::null_mut();
        // SAFETY: an open connection; strings that end in NUL; the message is copied, then freed as
        // the library asks. Loading is forbidden again afterwards.
        unsafe {
            let library = symbols();
            (library.sqlite3_enable_load_extension)(self.raw, 1);
            let entry = entry.as_deref().map_or(ptr::null(), CStr::as_ptr);
            let code = (library.sqlite3_load_extension)(self.raw, file.as_ptr(), entry, &raw mut message);
            (library.sqlite3_enable_load_extension)(self.raw, 0);
            if code == OK {
                return Ok(());
            }
            let error = SqliteError { message: lossy(message), code, offset: None };
            (library.sqlite3_free)(message.cast());
            Err(error)
        }
    }

    /// The result code of an operation on a database's file.
    pub fn file_control(
        &self,
        schema: Option<&str>,
        operation: i32,
        argument: ControlArgument<'_>,
    ) -> Result<i32, SqliteError> {
        let schema = schema.map(c_string).transpose()?;
        let schema: Text = schema.as_deref().map_or(ptr::null(), CStr::as_ptr);
        let mut argument = argument;
        let argument: *mut c_void = match &mut argument {
            ControlArgument::None => ptr::null_mut(),
            ControlArgument::Integer(value) => ptr::from_mut(value).cast(),
            ControlArgument::Bytes(bytes) => bytes.as_mut_ptr().cast(),
        };
        // SAFETY: an open connection. What an operation reads is the program's to know, as it is
        // for a program in C.
        Ok(unsafe { (symbols().sqlite3_file_control)(self.raw, schema, operation, argument) })
    }

    /// Reports changes of rows, until another hook or none replaces it. A hook must not use the
    /// connection.
    pub fn set_update_hook(&self, hook: Option<Hook>) {
        let hook = hook.map(Box::new);
        let data = hook.as_deref().map_or(ptr::null_mut(), |hook| ptr::from_ref(hook).cast_mut().cast());
        let callback = hook.is_some().then_some(tell_change as unsafe extern "C" fn(_, _, _, _, _));
        // SAFETY: an open connection; the box lives until the hook is replaced or the connection is
        // dropped.
        unsafe { (symbols().sqlite3_update_hook)(self.raw, callback, data) };
        let before = self.hook.replace(hook);
        drop(before);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: opened by `open`, closed once; its statements were dropped before, because they
        // hold it.
        unsafe { (symbols().sqlite3_close_v2)(self.raw) };
    }
}

unsafe extern "C" fn tell_change(data: *mut c_void, operation: c_int, schema: Text, table: Text, row: i64) {
    /// `SQLITE_DELETE`, `SQLITE_INSERT`.
    const DELETE: c_int = 9;
    const INSERT: c_int = 18;
    let change = match operation {
        INSERT => RowChange::Insert,
        DELETE => RowChange::Delete,
        _ => RowChange::Update,
    };
    // SAFETY: the box of `set_update_hook`; a hook may replace itself, so it is kept; strings that
    // end in NUL.
    unsafe {
        let hook = Rc::clone(&*data.cast::<Hook>());
        hook(change, &lossy(schema), &lossy(table), row);
    }
}
