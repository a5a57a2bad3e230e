//! Extension: a feature of the runtime as one value. It has a name, native bindings, JavaScript
//! files and what it does at fixed points of the event loop. Absent: which extensions a runtime
//! has; that is one list, in the crate `extensions`.

use rusk_jsc::{Exception, Object, Scope};

use crate::builtins::Builtin;
use crate::state::RuntimeState;

/// Makes the object of native functions that `internalBinding(name)` returns.
pub type MakeBinding = for<'s> fn(&'s Scope, &RuntimeState) -> Result<Object<'s>, Exception<'s>>;

/// A feature of the runtime.
pub struct Extension {
    /// The name of its directory.
    pub name: &'static str,
    /// Native bindings by name. Each is made when it is first requested.
    pub bindings: &'static [(&'static str, MakeBinding)],
    /// JavaScript files, as `rusk-extension-build` embeds them.
    pub builtins: &'static [Builtin],
    /// Called after each callback with its ticks and microtasks, and before anything that ends or
    /// stops the process.
    pub after_callback: Option<fn()>,
    /// Called when the program has ended by itself, after 'exit'.
    pub on_end: Option<fn(&Scope)>,
    /// Called when the runtime is dropped, before its handles are removed.
    pub on_close: Option<fn(&RuntimeState)>,
}

impl Extension {
    /// An extension without anything, to be completed with struct update syntax.
    pub const EMPTY: Extension = Extension {
        name: "",
        bindings: &[],
        builtins: &[],
        after_callback: None,
        on_end: None,
        on_close: None,
    };
}

/// Defines `EXTENSION` of a crate: its name, the bindings, and the JavaScript files that its build
/// script embedded.
#[macro_export]
macro_rules! extension {
    ($name:literal, [$(($binding:literal, $make:path)),* $(,)?] $(, $field:ident: $value:expr)* $(,)?) => {
        mod embedded_builtins {
            include!(concat!(env!("OUT_DIR"), "/builtins.rs"));
        }

        /// This feature as the runtime takes it.
        #[allow(clippy::needless_update, reason = "some extensions have all hooks")]
        pub static EXTENSION: $crate::Extension = $crate::Extension {
            name: $name,
            bindings: &[$(($binding, $make as $crate::MakeBinding)),*],
            builtins: embedded_builtins::BUILTINS,
            $($field: Some($value),)*
            ..$crate::Extension::EMPTY
        };
    };
}
