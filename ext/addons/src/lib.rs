//! Native addons: `internalBinding('addons')`. In: the path of a `.node` file. Out: its exports, or
//! why it cannot be loaded. The functions that addons call are `rusk-node-api`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusk_jsc::{Call, Exception, Object, Outcome, Scope};
use rusk_node_api::headers::{self, HeaderSettings};
use rusk_node_api::{FatalReport, Instance, LoadError, MissingApi};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::values::{i32_argument, string_argument};

rusk_runtime::extension!(
    "addons",
    [("addons", make)],
    after_callback: rusk_node_api::after_callback,
    on_end: rusk_node_api::close,
    on_close: on_close,
);

fn on_close(_: &RuntimeState) {
    rusk_node_api::end();
}

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_fast(scope, binding, "call", rusk_node_api::dispatch)?;
    add(scope, binding, "begin", begin)?;
    add(scope, binding, "load", load)?;
    add(scope, binding, "provideHeaders", provide_headers)?;
    // A value. Out: the address of an external in hexadecimal, or undefined.
    add(scope, binding, "externalAddress", |scope, call| {
        let address = rusk_node_api::external_address(scope, call.argument(scope, 0));
        Ok(address.map_or_else(|| scope.undefined(), |address| scope.string(&format!("{address:x}"))))
    })?;
    add(scope, binding, "setFatalReport", set_fatal_report)?;
    add(scope, binding, "isFirstRefusal", is_first_refusal)?;
    Ok(binding)
}

/// Arguments: the exports of `internal/addons/helpers`, the version of Node.
fn begin<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    if let Some(helpers) = call.argument(scope, 0).as_object(scope) {
        rusk_node_api::set_node_version(&string_argument(scope, call, 1)?);
        Instance::begin(scope, RuntimeState::current().handle.clone(), helpers)?;
    }
    Ok(scope.undefined())
}

/// Arguments: path, flags of dlopen(3), URL of the file, `module.exports`. Out: `['ok', exports]`,
/// or the kind of error and what belongs to it.
fn load<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (path, flags) = (string_argument(scope, call, 0)?, i32_argument(scope, call, 1)?);
    let url = string_argument(scope, call, 2)?;
    RuntimeState::current().change_process();
    let Some(instance) = Instance::current() else { return Ok(scope.undefined()) };
    let embedded = rusk_runtime::embedded_files().and_then(|files| files.kernel_path(path.as_bytes()));
    let path = embedded.and_then(|path| path.into_string().ok()).unwrap_or(path);
    let (kind, value) = match rusk_node_api::open(Path::new(&path), flags) {
        Ok(addon) => {
            let exports = call.argument(scope, 3);
            ("ok", rusk_node_api::register(scope, &instance, addon, &url, exports)?)
        }
        Err(LoadError::Missing { symbols, uses }) => {
            let kind = match uses {
                MissingApi::Cpp => "cpp",
                MissingApi::Uv => "uv",
                MissingApi::NodeApi => "node-api",
            };
            (kind, scope.string(&symbols.join(", ")))
        }
        Err(LoadError::Dlopen(message)) => ("dlopen", scope.string(&message)),
        Err(LoadError::NoRegister) => ("no-register", scope.undefined()),
        Err(LoadError::Version(version)) => ("version", scope.number(f64::from(version))),
    };
    Ok(scope.array(&[scope.string(kind), value])?.value())
}

/// Arguments: the version of Node, `process.config` as JSON. Out: the directory for node-gyp;
/// undefined if it cannot be written.
fn provide_headers<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (node_version, config) = (string_argument(scope, call, 0)?, string_argument(scope, call, 1)?);
    let settings = HeaderSettings { node_version: &node_version, config: &config };
    let state = RuntimeState::current();
    let provided = state.program.headers.as_deref().map(|directory| headers::provide(directory, settings));
    Ok(match provided {
        Some(Ok(top)) => scope.string(&top.to_string_lossy()),
        Some(Err(_)) | None => scope.undefined(),
    })
}

/// Files whose refusal was reported, by any thread.
static REFUSED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Argument: the path of an addon that is refused. Out: whether this process has not reported it.
fn is_first_refusal<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = string_argument(scope, call, 0)?;
    Ok(scope.boolean(REFUSED.lock().unwrap_or_else(PoisonError::into_inner).insert(path)))
}

/// Arguments: a report with placeholders, the directory, the file's name; without them fatal errors
/// write none.
fn set_fatal_report<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let report = match call.argument(scope, 0).is_undefined(scope) {
        true => None,
        false => Some(FatalReport {
            text: string_argument(scope, call, 0)?,
            directory: string_argument(scope, call, 1)?.into(),
            name: string_argument(scope, call, 2)?,
        }),
    };
    rusk_node_api::set_fatal_report(report);
    Ok(scope.undefined())
}
