//! Graphs of development servers by number. In: pages and changes, which are read on a thread of
//! the pool. Out: text, at once.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusk_bundler::{DevGraph, PageMessage};
use rusk_jsc::{Bytes, Call, Exception, Object, Root, Scope, Value};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::add;
use rusk_runtime::values::{string_argument, string_list, u32_argument};

use crate::options::{PageMode, options};

type SharedGraph = Arc<Mutex<DevGraph>>;

thread_local! {
    /// Numbers are not used again.
    static GRAPHS: RefCell<Vec<Option<SharedGraph>>> = const { RefCell::new(Vec::new()) };
}

/// The browser's part: registry, hot module replacement, overlay, connection.
const CLIENT: &str = concat!(
    "(() => {\n\"use strict\";\nconst helpers = (() => { const module = {}, require = () => decorators; const decorators = (() => { const module = {};\n",
    include_str!("../../../crates/runtime/js/internal/decorators.js"),
    "return module.exports; })();\n",
    include_str!("../../../crates/runtime/js/internal/transpiler_helpers.js"),
    "return module.exports; })();\n",
    include_str!("../client/registry.js"),
    include_str!("../client/refresh.js"),
    include_str!("../client/hot.js"),
    include_str!("../client/overlay.js"),
    include_str!("../client/socket.js"),
    include_str!("../client/main.js"),
    "})();\n",
);

pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: those of `options`. Returns the number of the graph.
    add(scope, binding, "create", |scope, call| {
        let graph = DevGraph::new(options(scope, call, 0, PageMode::Development)?);
        let number = GRAPHS.with_borrow_mut(|graphs| {
            graphs.push(Some(Arc::new(Mutex::new(graph))));
            graphs.len() - 1
        });
        Ok(scope.number(number as f64))
    })?;
    // Argument: the graph.
    add(scope, binding, "remove", |scope, call| {
        let number = u32_argument(scope, call, 0)? as usize;
        drop(GRAPHS.with_borrow_mut(|graphs| graphs.get_mut(number).and_then(Option::take)));
        Ok(scope.undefined())
    })?;
    // Arguments: the graph, the path of a page, callback. Calls it with the page's number.
    add(scope, binding, "openPage", |scope, call| {
        let Some(graph) = find(scope, call)? else { return Ok(scope.undefined()) };
        let path = PathBuf::from(string_argument(scope, call, 1)?);
        let callback = Root::new(scope, call.argument(scope, 2));
        RuntimeState::current().handle.queue_work(
            move || lock(&graph).open(&path),
            move |scope, number| call_back(scope, &callback, scope.number(number as f64)),
        );
        Ok(scope.undefined())
    })?;
    // Arguments: the graph, changed paths, callback. Calls it with an array of page numbers and
    // messages in turn.
    add(scope, binding, "update", |scope, call| {
        let Some(graph) = find(scope, call)? else { return Ok(scope.undefined()) };
        let paths = string_list(scope, call.argument(scope, 1))?;
        let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
        let callback = Root::new(scope, call.argument(scope, 2));
        RuntimeState::current().handle.queue_work(
            move || lock(&graph).update(&paths),
            move |scope, messages: Vec<PageMessage>| {
                let values: Vec<Value<'_>> = messages
                    .iter()
                    .flat_map(|message| [scope.number(message.page as f64), scope.string(&message.text)])
                    .collect();
                let list = scope.array(&values)?.value();
                call_back(scope, &callback, list)
            },
        );
        Ok(scope.undefined())
    })?;
    add_readers(scope, binding)
}

fn add_readers<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: the graph, the page.
    add(scope, binding, "html", |scope, call| text_of(scope, call, |graph, page| graph.html(page)))?;
    add(scope, binding, "stylesheet", |scope, call| {
        text_of(scope, call, |graph, page| graph.stylesheet(page).to_owned())
    })?;
    // Arguments: the graph, the page, settings of the browser's part as members of a JSON object.
    add(scope, binding, "script", |scope, call| {
        let settings = string_argument(scope, call, 2)?;
        text_of(scope, call, |graph, page| graph.script(page, CLIENT, &settings))
    })?;
    add(scope, binding, "scriptMap", |scope, call| {
        let settings = string_argument(scope, call, 2)?;
        text_of(scope, call, |graph, page| graph.script_map(page, CLIENT, &settings))
    })?;
    // Errors of a page as JSON lines; none: an empty string.
    add(scope, binding, "errors", |scope, call| {
        text_of(scope, call, |graph, page| {
            let errors = graph.page_errors(page);
            let lines = errors.iter().map(|error| error.to_problem().to_string());
            lines.collect::<Vec<_>>().join("\n")
        })
    })?;
    // Arguments: the graph, the name of an asset. Returns its bytes, or undefined.
    add(scope, binding, "asset", |scope, call| {
        let Some(graph) = find(scope, call)? else { return Ok(scope.undefined()) };
        let name = string_argument(scope, call, 1)?;
        let bytes = lock(&graph).asset(&name).map(<[u8]>::to_vec);
        match bytes {
            Some(bytes) => Ok(Bytes::from_vec(scope, bytes)?.value()),
            None => Ok(scope.undefined()),
        }
    })?;
    // Arguments: the graph, the name of a worker. Returns its file, or undefined.
    add(scope, binding, "workerFile", |scope, call| {
        let Some(graph) = find(scope, call)? else { return Ok(scope.undefined()) };
        let name = string_argument(scope, call, 1)?;
        let file = lock(&graph).worker(&name);
        Ok(file.map_or_else(|| scope.undefined(), |file| scope.string(&file.to_string_lossy())))
    })?;
    // Argument: the graph. Returns the count of its changes.
    add(scope, binding, "version", |scope, call| {
        let version = find(scope, call)?.map_or(0, |graph| lock(&graph).version());
        Ok(scope.number(f64::from(version)))
    })?;
    // Argument: the graph. Returns the directories to watch.
    add(scope, binding, "directories", |scope, call| {
        let directories = find(scope, call)?.map(|graph| lock(&graph).directories()).unwrap_or_default();
        let values: Vec<Value<'_>> =
            directories.iter().map(|path| scope.string(&path.to_string_lossy())).collect();
        Ok(scope.array(&values)?.value())
    })
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<SharedGraph>, Exception<'s>> {
    let number = u32_argument(scope, call, 0)? as usize;
    Ok(GRAPHS.with_borrow(|graphs| graphs.get(number).cloned().flatten()))
}

fn lock(graph: &SharedGraph) -> MutexGuard<'_, DevGraph> {
    graph.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Text of the page in a call's second argument.
fn text_of<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    read: impl FnOnce(&DevGraph, usize) -> String,
) -> Result<Value<'s>, Exception<'s>> {
    let Some(graph) = find(scope, call)? else { return Ok(scope.undefined()) };
    let page = u32_argument(scope, call, 1)? as usize;
    let text = read(&lock(&graph), page);
    Ok(scope.string(&text))
}

fn call_back<'s>(scope: &'s Scope, callback: &Root, value: Value<'s>) -> Result<(), Exception<'s>> {
    let function = callback.value(scope).as_function(scope).expect("JavaScript passes one");
    function.call(scope, &[value]).map(|_| ())
}

/// The runtime ends.
pub fn close_all(_: &RuntimeState) {
    drop(GRAPHS.take());
}
