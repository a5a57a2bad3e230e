//! What our JavaScript asks of Rust, by name: one file a name. In: `native('fs')` in a file of js/.
//! Out: an object of functions. Each is made when it is first asked for. Absent: what programs see;
//! that is JavaScript's.

mod atomics;
mod block_list;
mod buffer;
mod builtins;
mod bun;
mod channel;
mod child_process;
mod console;
mod crypto;
mod datagram;
mod dns;
mod encoding;
mod fs;
mod http;
mod http_messages;
mod loader;
mod messages;
mod net;
mod os;
mod pipe;
mod positions;
mod process;
mod text_formats;
mod transpiler;
mod tty;
mod types;
pub mod url;
mod values;
mod vm;
mod worker;
mod zlib;

use std::cell::{Cell, OnceCell, RefCell};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use rusk_base::sys;
use rusk_base::timeline::process_phases::PhaseGuard;
use rusk_jsc::{Call, Exception, Function, Object, Outcome, Scope};
use rusk_transpile::Cache;

use crate::builtins::Builtins;
use crate::code::Codes;
use crate::environment::SharedEnvironment;
use crate::error_words::in_v8;
use crate::hooks::Hooks;
use crate::open_files::OpenFiles;
use crate::program::Program;
use crate::queues::Kept;
use crate::runtime::Handle;
use crate::times::Times;
use crate::worker::Seat;

pub(crate) use channel::send_due;

type Make = for<'s> fn(&'s Scope, &Host) -> Result<Object<'s>, Exception<'s>>;

const NATIVES: &[(&str, Make)] = &[
    ("atomics", atomics::make),
    ("block_list", block_list::make),
    ("buffer", buffer::make),
    ("builtins", builtins::make),
    ("bun", bun::make),
    ("channel", channel::make),
    ("child_process", child_process::make),
    ("console", console::make),
    ("crypto", crypto::make),
    ("datagram", datagram::make),
    ("dns", dns::make),
    ("encoding", encoding::make),
    ("fs", fs::make),
    ("http", http::make),
    ("http_messages", http_messages::make),
    ("loader", loader::make),
    ("messages", messages::make),
    ("net", net::make),
    ("os", os::make),
    ("pipe", pipe::make),
    ("positions", positions::make),
    ("process", process::make),
    ("text_formats", text_formats::make),
    ("transpiler", transpiler::make),
    ("tty", tty::make),
    ("types", types::make),
    ("url", url::make),
    ("vm", vm::make),
    ("worker", worker::make),
    ("zlib", zlib::make),
];

/// What natives stand on.
pub(crate) struct Host {
    pub handle: Handle,
    pub program: Program,
    pub builtins: Builtins,
    /// What was transpiled before.
    pub scripts: Option<Cache>,
    /// What the engine made of scripts before.
    pub codes: Option<Codes>,
    /// Where the program is now.
    pub current_dir: RefCell<PathBuf>,
    /// Whether AsyncLocalStorage was asked for: files that are read from then on keep their context
    /// across `await`.
    pub keeps_context: Cell<bool>,
    pub hooks: Hooks,
    /// Ends the process, or whatever the program is in.
    pub on_exit: Box<dyn Fn(i32)>,
    pub on_begin: Cell<Option<Box<dyn Fn()>>>,
    /// Until the program begins.
    pub loading: Cell<Option<PhaseGuard>>,
    /// Hears of each file that the program is made of.
    pub on_read: Box<dyn Fn(&str)>,
    pub times: Times,
    /// What keeps the loop going, in numbers.
    pub kept: OnceCell<Kept>,
    /// Variables that other threads see too.
    pub environment: RefCell<Option<Arc<SharedEnvironment>>>,
    pub files: OpenFiles,
    /// Of a worker.
    pub seat: Option<Seat>,
}

thread_local! {
    /// A VM is of one thread, so its host is the thread's; functions that capture nothing are the
    /// cheap ones.
    static HOST: RefCell<Option<Rc<Host>>> = const { RefCell::new(None) };
}

impl Host {
    pub fn enter(host: Host) -> Rc<Host> {
        let host = Rc::new(host);
        HOST.set(Some(Rc::clone(&host)));
        host
    }

    /// The host of the runtime on this thread.
    pub fn current() -> Rc<Host> {
        HOST.with_borrow(|host| host.clone()).expect("natives are called in a runtime")
    }

    /// The program is at its end: nothing of it runs any more.
    pub fn end(&self, scope: &Scope, code: i32) {
        self.keep_code(scope);
        self.exit(code);
    }

    /// Ends the program here and now.
    pub fn exit(&self, code: i32) {
        send_due();
        if self.seat.is_none() {
            self.handle.inner().workers.stop();
            sys::terminal::restore();
        }
        (self.on_exit)(code);
    }

    /// Before the program ends: what the engine made of its scripts is written down.
    pub fn keep_code(&self, scope: &Scope) {
        if let Some(codes) = &self.codes {
            codes.keep(scope);
        }
    }

    /// Nothing of the program runs behind its failure.
    pub fn before_failure(&self) {
        if self.seat.is_none() {
            self.handle.inner().workers.stop();
            sys::terminal::restore();
        }
    }

    /// The code that a worker ends with; `None`: it goes on, or the program is none.
    pub fn ending(&self) -> Option<i32> {
        self.seat.as_ref().and_then(|seat| seat.control.ending())
    }

    /// The program's first line is what runs next.
    pub fn begin(&self) {
        if let Some(on_begin) = self.on_begin.take() {
            self.loading.take();
            on_begin();
        }
    }

    pub fn leave() {
        HOST.set(None);
    }
}

/// The object of natives; `None`: there is none of this name.
fn make<'s>(scope: &'s Scope, name: &str) -> Result<Option<Object<'s>>, Exception<'s>> {
    let found = NATIVES.iter().find(|(own, _)| *own == name);
    found.map(|(_, make)| make(scope, &Host::current())).transpose()
}

/// A function of JavaScript that gives [`make`]'s object for a name, and `undefined` where there is
/// none.
pub(crate) fn maker(scope: &Scope) -> Function<'_> {
    scope.function("makeNative", |scope, call| {
        let name = call.argument(scope, 0).to_rust_string(scope)?;
        make(scope, &name).map(|made| made.map_or(scope.undefined(), Object::value))
    })
}

/// A function of JavaScript that is told what becomes of the stacks of the engine's own errors; it
/// answers whether this engine lets anybody say so.
pub(crate) fn translate_stacks(scope: &Scope) -> Function<'_> {
    scope.function("translateStacks", |scope, call| {
        let translate = call.argument(scope, 0).as_function(scope);
        Ok(scope.boolean(translate.is_some_and(|translate| scope.set_stack_translator(translate, in_v8))))
    })
}

/// An object without a prototype's members of its own.
pub(crate) fn object(scope: &Scope) -> Result<Object<'_>, Exception<'_>> {
    Ok(scope
        .evaluate_static("({ __proto__: null })", "node:internal/native")?
        .as_object(scope)
        .expect("it is one"))
}

/// Adds a function that is short and waits for nothing: it costs a fraction of any other to call.
pub(crate) fn add_short<'s, F>(
    scope: &'s Scope,
    object: Object<'s>,
    name: &str,
    body: F,
) -> Result<(), Exception<'s>>
where
    F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
{
    object.set_property(scope, name, scope.fast_function(name, body).value())
}

/// Adds a function.
pub(crate) fn add<'s, F>(
    scope: &'s Scope,
    object: Object<'s>,
    name: &str,
    body: F,
) -> Result<(), Exception<'s>>
where
    F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
{
    object.set_property(scope, name, scope.function(name, body).value())
}
