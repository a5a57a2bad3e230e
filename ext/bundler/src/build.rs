//! `internalBinding('bundler')`: runs a build on a thread of its own. In: options, files, a
//! function that takes its events. Out: an object to answer requests with. The loop stays free; a
//! build that waits for plugins alone does not keep it alive.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use rusk_bundler::{
    Answer, BuildTarget, BundleOptions, ExecutableSettings, Loader, PluginContents, PluginFailure,
    PluginRequest, PluginResolution, Plugins, Reply, SpecifierResolver,
};
use rusk_jsc::{Call, ErrorKind, Exception, Object, Outcome, Root, Scope, Value};
use rusk_npm::json::{self, Dialect};
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{bytes_or_utf8, optional_string_argument, string_argument, u32_argument};
use rusk_runtime::{Pending, RuntimeState};

use crate::events::{BuildEvent, EventQueue};
use crate::options;
use crate::output::BuildResult;

/// The bundler parses and prints recursively. Reserved only: untouched pages take no memory.
const STACK_BYTES: usize = 1 << 30;

/// A build as the loop's thread sees it.
struct Build {
    events: EventQueue,
    /// JavaScript: (kind, request, ...).
    on_event: Root,
    plugins: Option<Arc<Plugins>>,
    replies: RefCell<HashMap<u32, PendingReply>>,
    next_request: Cell<u32>,
    is_ref: Cell<bool>,
    pending: RefCell<Option<Pending>>,
}

enum PendingReply {
    Resolve(Reply<PluginResolution>),
    Load(Reply<PluginContents>),
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "start", start)?;
    add(scope, binding, "serverPlugins", server_plugins)?;
    add(scope, binding, "resolver", resolver)?;
    add(scope, binding, "isLoader", |scope, call| {
        let name = string_argument(scope, call, 0)?;
        Ok(scope.boolean(Loader::of_name(&name).is_some()))
    })?;
    Ok(binding)
}

/// Arguments: options as JSON, files (path, bytes or text, path, ...), the function for events.
fn start<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let text = string_argument(scope, call, 0)?;
    let refuse = |message: String| Exception::new(scope, ErrorKind::Type, &message);
    let node = json::parse(&text, Dialect::Strict).map_err(|error| refuse(error.to_string()))?;
    let mut options = options::options(&node, files(scope, call.argument(scope, 1))?);
    options.macro_program = Some(PathBuf::from(&RuntimeState::current().program.exec_path));
    let (resolve, load) = (options::filters(&node, "onResolve"), options::filters(&node, "onLoad"));
    let (resolve, load) = (resolve.map_err(refuse)?, load.map_err(refuse)?);
    let events = EventQueue::default();
    if !resolve.is_empty() || !load.is_empty() {
        let requests = events.clone();
        let push = move |request| requests.push(BuildEvent::Request(request));
        options.plugins = Some(Arc::new(Plugins::new(resolve, load, Box::new(push))));
    }
    let build = Rc::new(Build {
        events,
        on_event: Root::new(scope, call.argument(scope, 2)),
        plugins: options.plugins.clone(),
        replies: RefCell::default(),
        next_request: Cell::new(0),
        is_ref: Cell::new(true),
        pending: RefCell::default(),
    });
    build.wait();
    run(options, options::executable(&node), build.events.clone());
    build.handle(scope)
}

thread_local! {
    /// Plugins of servers, by number. Numbers are not used again.
    static SERVERS: RefCell<Vec<Option<Arc<Plugins>>>> = const { RefCell::new(Vec::new()) };
}

/// The plugins of a server in this program.
#[must_use]
pub fn plugins_of_server(number: usize) -> Option<Arc<Plugins>> {
    SERVERS.with_borrow(|servers| servers.get(number).cloned().flatten())
}

/// Arguments: filters as JSON, the function for requests. Out: the object to answer with, which has
/// the number that `internalBinding('dev_server')` takes, and `close`. Plugins do not keep the loop
/// alive.
fn server_plugins<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let text = string_argument(scope, call, 0)?;
    let refuse = |message: String| Exception::new(scope, ErrorKind::Type, &message);
    let node = json::parse(&text, Dialect::Strict).map_err(|error| refuse(error.to_string()))?;
    let (resolve, load) = (options::filters(&node, "onResolve"), options::filters(&node, "onLoad"));
    let (resolve, load) = (resolve.map_err(refuse)?, load.map_err(refuse)?);
    let events = EventQueue::default();
    let requests = events.clone();
    let push = move |request| requests.push(BuildEvent::Request(request));
    let plugins = Arc::new(Plugins::new(resolve, load, Box::new(push)));
    let number = SERVERS.with_borrow_mut(|servers| {
        servers.push(Some(Arc::clone(&plugins)));
        servers.len() - 1
    });
    let build = Rc::new(Build {
        events,
        on_event: Root::new(scope, call.argument(scope, 1)),
        plugins: Some(plugins),
        replies: RefCell::default(),
        next_request: Cell::new(0),
        is_ref: Cell::new(false),
        pending: RefCell::default(),
    });
    build.wait();
    let handle = build.handle(scope)?;
    if let Some(object) = handle.as_object(scope) {
        let own = Rc::clone(&build);
        object.set_property(scope, "number", scope.number(number as f64))?;
        add(scope, object, "close", move |scope, _| {
            drop(SERVERS.with_borrow_mut(|servers| servers.get_mut(number).and_then(Option::take)));
            own.events.push(BuildEvent::Done(BuildResult::failed(Vec::new())));
            Ok(scope.undefined())
        })?;
    }
    Ok(handle)
}

/// Argument: options as JSON. Out: a function (specifier, directory, isRequired) that returns path,
/// isExternal and sideEffects, or undefined.
fn resolver<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let text = string_argument(scope, call, 0)?;
    let refuse = |message: String| Exception::new(scope, ErrorKind::Type, &message);
    let node = json::parse(&text, Dialect::Strict).map_err(|error| refuse(error.to_string()))?;
    let resolver = SpecifierResolver::new(&options::options(&node, Vec::new()));
    let holder = object(scope)?;
    add(scope, holder, "resolve", move |scope, call| {
        let (specifier, directory) = (string_argument(scope, call, 0)?, string_argument(scope, call, 1)?);
        let is_required = call.argument(scope, 2).is_truthy(scope);
        let Some(found) = resolver.resolve(Path::new(&directory), &specifier, is_required) else {
            return Ok(scope.undefined());
        };
        let parts =
            [scope.string(&found.path), scope.boolean(found.is_external), scope.boolean(found.side_effects)];
        Ok(scope.array(&parts)?.value())
    })?;
    holder.property(scope, "resolve")
}

fn files<'s>(scope: &'s Scope, list: Value<'s>) -> Result<Vec<(String, Vec<u8>)>, Exception<'s>> {
    let Some(list) = list.as_object(scope) else { return Ok(Vec::new()) };
    let count = list.property(scope, "length")?.to_number(scope)? as u32;
    let pair = |index: u32| -> Result<(String, Vec<u8>), Exception<'s>> {
        let path = list.element(scope, 2 * index)?.to_rust_string(scope)?;
        Ok((path, bytes_or_utf8(scope, list.element(scope, 2 * index + 1)?)?))
    };
    (0..count / 2).map(pair).collect()
}

/// Starts the build's thread, which ends with an event.
fn run(options: BundleOptions, executable: Option<ExecutableSettings>, events: EventQueue) {
    let failed = events.clone();
    let program = PathBuf::from(&RuntimeState::current().program.exec_path);
    let body = move || {
        let (options, executable) = match executable {
            Some(_) if options.target == BuildTarget::Browser => {
                match rusk_bundler::standalone_options(options) {
                    Ok(options) => (options, None),
                    Err(problem) => {
                        return events.push(BuildEvent::Done(BuildResult::failed(vec![problem.into()])));
                    }
                }
            }
            executable => (options, executable),
        };
        if let Some(settings) = executable {
            events.push(BuildEvent::Done(BuildResult::of_executable(options, &settings, &program)));
            return;
        }
        let result = match rusk_bundler::bundle(&options) {
            Ok(bundle) => BuildResult::of_bundle(bundle, &options.destination),
            Err(errors) => BuildResult::failed(errors),
        };
        events.push(BuildEvent::Done(result));
    };
    let started = thread::Builder::new().name("rusk-build".to_owned()).stack_size(STACK_BYTES).spawn(body);
    if let Err(error) = started {
        failed.push(BuildEvent::Done(BuildResult::failed(vec![rusk_bundler::no_thread(&error)])));
    }
}

impl Build {
    /// Has [`Build::dispatch`] called when there are events.
    fn wait(self: &Rc<Build>) {
        let state = RuntimeState::current();
        let pool = state.handle.thread_pool();
        let own = Rc::clone(self);
        let (pending, completer) = pool.pending(Box::new(move |scope, _| own.dispatch(scope)));
        pool.set_ref(&pending, self.is_ref.get());
        self.pending.replace(Some(pending));
        self.events.wait(completer);
    }

    /// Calls JavaScript for each event.
    fn dispatch<'s>(self: &Rc<Build>, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let events = self.events.take();
        let is_done = events.iter().any(|event| matches!(event, BuildEvent::Done(_)));
        self.pending.replace(None);
        if !is_done {
            self.wait();
        }
        for event in events {
            self.events.deliver();
            let arguments = match event {
                BuildEvent::Done(result) => {
                    let mut arguments = vec![scope.string("done")];
                    arguments.extend(result.into_arrays(scope)?);
                    arguments
                }
                BuildEvent::Request(request) => self.request(scope, request)?,
            };
            let function = self.on_event.value(scope).as_function(scope).expect("JavaScript passes one");
            function.call(scope, &arguments)?;
        }
        Ok(())
    }

    fn request<'s>(&self, scope: &'s Scope, request: PluginRequest) -> Result<Vec<Value<'s>>, Exception<'s>> {
        let id = self.next_request.get();
        self.next_request.set(id + 1);
        let (kind, filters, strings_of, reply) = match request {
            PluginRequest::Idle => return Ok(vec![scope.string("idle")]),
            PluginRequest::Resolve { specifier: one, filters, reply } => {
                let strings_of =
                    vec![one.specifier, one.importer, one.namespace, one.directory, one.kind.to_owned()];
                ("resolve", filters, strings_of, PendingReply::Resolve(reply))
            }
            PluginRequest::Load { module, filters, reply } => {
                let strings_of = vec![module.path, module.namespace, module.loader.name().to_owned()];
                ("load", filters, strings_of, PendingReply::Load(reply))
            }
        };
        self.replies.borrow_mut().insert(id, reply);
        let filters: Vec<Value<'_>> = filters.into_iter().map(|index| scope.number(index as f64)).collect();
        let mut arguments =
            vec![scope.string(kind), scope.number(f64::from(id)), scope.array(&filters)?.value()];
        arguments.extend(strings_of.iter().map(|text| scope.string(text)));
        Ok(arguments)
    }

    /// The object that JavaScript answers with.
    fn handle<'s>(self: &Rc<Build>, scope: &'s Scope) -> Outcome<'s> {
        let handle = object(scope)?;
        let own = Rc::clone(self);
        // (request, path or undefined, namespace, isExternal, sideEffects)
        add(scope, handle, "resolved", move |scope, call| own.resolved(scope, call))?;
        let own = Rc::clone(self);
        // (request, contents or undefined, loader, watched files with NUL between them)
        add(scope, handle, "loaded", move |scope, call| own.loaded(scope, call))?;
        let own = Rc::clone(self);
        // (request, plugin, message)
        add(scope, handle, "failed", move |scope, call| own.failed(scope, call))?;
        let own = Rc::clone(self);
        add(scope, handle, "isIdle", move |scope, _| {
            let waits = own.plugins.as_ref().is_some_and(|plugins| plugins.is_idle());
            Ok(scope.boolean(waits && own.events.is_delivered()))
        })?;
        let own = Rc::clone(self);
        add(scope, handle, "setRef", move |scope, call| {
            own.set_ref(call.argument(scope, 0).is_truthy(scope));
            Ok(scope.undefined())
        })?;
        Ok(handle.value())
    }

    fn set_ref(&self, is_ref: bool) {
        self.is_ref.set(is_ref);
        if let Some(pending) = &*self.pending.borrow() {
            RuntimeState::current().handle.thread_pool().set_ref(pending, is_ref);
        }
    }

    fn resolved<'s>(&self, scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
        let reply = self.replies.borrow_mut().remove(&u32_argument(scope, call, 0)?);
        let Some(PendingReply::Resolve(reply)) = reply else { return Ok(scope.undefined()) };
        let answer: Answer<PluginResolution> = match optional_string_argument(scope, call, 1)? {
            None => Ok(None),
            Some(path) => Ok(Some(PluginResolution {
                path,
                namespace: string_argument(scope, call, 2)?,
                is_external: call.argument(scope, 3).is_truthy(scope),
                side_effects: match call.argument(scope, 4) {
                    value if value.is_undefined(scope) => None,
                    value => Some(value.is_truthy(scope)),
                },
            })),
        };
        reply.send(answer);
        Ok(scope.undefined())
    }

    fn loaded<'s>(&self, scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
        let reply = self.replies.borrow_mut().remove(&u32_argument(scope, call, 0)?);
        let Some(PendingReply::Load(reply)) = reply else { return Ok(scope.undefined()) };
        let contents = call.argument(scope, 1);
        reply.send(match contents.is_undefined(scope) {
            true => Ok(None),
            false => {
                let bytes = bytes_or_utf8(scope, contents)?;
                let name = optional_string_argument(scope, call, 2)?;
                let watched = optional_string_argument(scope, call, 3)?.unwrap_or_default();
                let watched =
                    watched.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from).collect();
                let loader = name.and_then(|name| Loader::of_name(&name));
                Ok(Some(PluginContents { bytes, loader, watched }))
            }
        });
        Ok(scope.undefined())
    }

    fn failed<'s>(&self, scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
        let reply = self.replies.borrow_mut().remove(&u32_argument(scope, call, 0)?);
        let (plugin, message) = (string_argument(scope, call, 1)?, string_argument(scope, call, 2)?);
        let failure = PluginFailure { plugin, message };
        match reply {
            Some(PendingReply::Resolve(reply)) => reply.send(Err(failure)),
            Some(PendingReply::Load(reply)) => reply.send(Err(failure)),
            None => {}
        }
        Ok(scope.undefined())
    }
}
