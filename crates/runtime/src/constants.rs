//! Constants that a binding shares with its JavaScript (event codes, flags): declared once in Rust,
//! read in JavaScript as an object of the binding. No number is written twice.

use rusk_jsc::{Exception, Object, Scope};

use crate::bindings::object;

/// Names and values.
pub type Constants = &'static [(&'static str, f64)];

/// Declares a module of numeric constants and `ALL`, the list of them for [`add_constants`].
#[macro_export]
macro_rules! shared_constants {
    (
        $(#[$module_doc:meta])*
        $visibility:vis mod $module:ident: $type:ty { $($(#[$doc:meta])* $name:ident = $value:expr),+ $(,)? }
    ) => {
        $(#[$module_doc])*
        $visibility mod $module {
            $($(#[$doc])* pub const $name: $type = $value;)+
            pub const ALL: $crate::constants::Constants = &[$((stringify!($name), $name as f64)),+];
        }
    };
}

shared_constants! {
    /// Negative errnos that JavaScript returns itself, by the names of Node's
    /// `internalBinding('uv')`.
    pub mod uv: i32 {
        UV_EBADF = -rusk_base::sys::Errno::BADF.raw_os_error(),
        UV_EPIPE = -rusk_base::sys::Errno::PIPE.raw_os_error(),
        UV_ECANCELED = -rusk_base::sys::Errno::CANCELED.raw_os_error(),
    }
}

/// The constants as an object.
pub fn constants<'s>(scope: &'s Scope, all: Constants) -> Result<Object<'s>, Exception<'s>> {
    let object = object(scope)?;
    for (name, value) in all {
        object.set_property(scope, *name, scope.number(*value))?;
    }
    Ok(object)
}

/// Adds the constants to a binding, as an object of this name.
pub fn add_constants<'s>(
    scope: &'s Scope,
    binding: Object<'s>,
    name: &str,
    all: Constants,
) -> Result<(), Exception<'s>> {
    binding.set_property(scope, name, constants(scope, all)?.value())
}
