//! C API of SQLite, declared by hand and loaded by name. In: an open library. Out: a table of
//! function pointers, or the name that is missing.
//!
//! Source: the documentation of the C interface, `sqlite3.h`. All functions are in every release
//! since 3.36.
#![allow(non_snake_case)]

use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};

/// An opaque type of the library.
#[repr(C)]
pub struct Opaque {
    _private: [u8; 0],
}

pub type Raw = *mut Opaque;
pub type Text = *const c_char;
/// Frees what the library was given.
pub type Destructor = Option<unsafe extern "C" fn(*mut c_void)>;
/// `xFunc`, `xStep` and `xInverse` of a function: its call, its arguments.
pub type FunctionCallback = Option<unsafe extern "C" fn(Raw, c_int, *mut Raw)>;
/// `xFinal` and `xValue`.
pub type ResultCallback = Option<unsafe extern "C" fn(Raw)>;
/// What was registered, the operation, schema, table, row.
pub type UpdateCallback = Option<unsafe extern "C" fn(*mut c_void, c_int, Text, Text, i64)>;

/// One row per function: its name in the library and its type. Each row becomes a field, filled by
/// `load`.
macro_rules! table {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        pub struct Symbols {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Symbols {
            /// The first name for which `find` returns null is the error.
            ///
            /// # Safety
            /// The address that `find` returns for a name is that function of the library, and
            /// stays loaded.
            pub unsafe fn load(find: impl Fn(&CStr) -> *mut c_void) -> Result<Symbols, &'static str> {
                Ok(Symbols {
                    $($name: {
                        let name = concat!(stringify!($name), "\0");
                        let name = CStr::from_bytes_with_nul(name.as_bytes()).expect("one NUL, at the end");
                        let address = find(name);
                        if address.is_null() {
                            return Err(stringify!($name));
                        }
                        // SAFETY: the caller guarantees the address, the row the type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(address) }
                    },)*
                })
            }
        }
    };
}

table! {
    sqlite3_libversion_number() -> c_int;
    sqlite3_open_v2(Text, *mut Raw, c_int, Text) -> c_int;
    sqlite3_close_v2(Raw) -> c_int;
    sqlite3_extended_result_codes(Raw, c_int) -> c_int;
    sqlite3_errmsg(Raw) -> Text;
    sqlite3_errstr(c_int) -> Text;
    sqlite3_get_autocommit(Raw) -> c_int;
    sqlite3_changes(Raw) -> c_int;
    sqlite3_total_changes(Raw) -> c_int;
    sqlite3_last_insert_rowid(Raw) -> i64;
    sqlite3_enable_load_extension(Raw, c_int) -> c_int;
    sqlite3_load_extension(Raw, Text, Text, *mut *mut c_char) -> c_int;
    sqlite3_file_control(Raw, Text, c_int, *mut c_void) -> c_int;
    sqlite3_serialize(Raw, Text, *mut i64, c_uint) -> *mut c_uchar;
    sqlite3_deserialize(Raw, Text, *mut c_uchar, i64, i64, c_uint) -> c_int;
    sqlite3_malloc64(u64) -> *mut c_void;
    sqlite3_free(*mut c_void);
    sqlite3_update_hook(Raw, UpdateCallback, *mut c_void) -> *mut c_void;
    sqlite3_create_window_function(Raw, Text, c_int, c_int, *mut c_void, FunctionCallback, ResultCallback, ResultCallback, FunctionCallback, Destructor) -> c_int;
    sqlite3_create_function_v2(Raw, Text, c_int, c_int, *mut c_void, FunctionCallback, FunctionCallback, ResultCallback, Destructor) -> c_int;

    sqlite3_prepare_v3(Raw, Text, c_int, c_uint, *mut Raw, *mut Text) -> c_int;
    sqlite3_finalize(Raw) -> c_int;
    sqlite3_step(Raw) -> c_int;
    sqlite3_reset(Raw) -> c_int;
    sqlite3_clear_bindings(Raw) -> c_int;
    sqlite3_stmt_readonly(Raw) -> c_int;
    sqlite3_expanded_sql(Raw) -> *mut c_char;
    sqlite3_bind_parameter_count(Raw) -> c_int;
    sqlite3_bind_parameter_name(Raw, c_int) -> Text;
    sqlite3_bind_null(Raw, c_int) -> c_int;
    sqlite3_bind_int64(Raw, c_int, i64) -> c_int;
    sqlite3_bind_double(Raw, c_int, f64) -> c_int;
    sqlite3_bind_text64(Raw, c_int, Text, u64, Destructor, c_uchar) -> c_int;
    sqlite3_bind_blob64(Raw, c_int, *const c_void, u64, Destructor) -> c_int;
    sqlite3_column_count(Raw) -> c_int;
    sqlite3_column_name(Raw, c_int) -> Text;
    sqlite3_column_decltype(Raw, c_int) -> Text;
    sqlite3_column_type(Raw, c_int) -> c_int;
    sqlite3_column_int64(Raw, c_int) -> i64;
    sqlite3_column_double(Raw, c_int) -> f64;
    sqlite3_column_text(Raw, c_int) -> *const c_uchar;
    sqlite3_column_blob(Raw, c_int) -> *const c_void;
    sqlite3_column_bytes(Raw, c_int) -> c_int;

    sqlite3_user_data(Raw) -> *mut c_void;
    sqlite3_aggregate_context(Raw, c_int) -> *mut c_void;
    sqlite3_value_type(Raw) -> c_int;
    sqlite3_value_int64(Raw) -> i64;
    sqlite3_value_double(Raw) -> f64;
    sqlite3_value_text(Raw) -> *const c_uchar;
    sqlite3_value_blob(Raw) -> *const c_void;
    sqlite3_value_bytes(Raw) -> c_int;
    sqlite3_result_null(Raw);
    sqlite3_result_int64(Raw, i64);
    sqlite3_result_double(Raw, f64);
    sqlite3_result_text64(Raw, Text, u64, Destructor, c_uchar);
    sqlite3_result_blob64(Raw, *const c_void, u64, Destructor);
    sqlite3_result_error(Raw, Text, c_int);
}
