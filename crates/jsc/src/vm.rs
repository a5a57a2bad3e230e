//! VM: one heap, one thread, one turn at a time. In: the engine. Out: turns, in which values are
//! valid; contexts; what the engine waits for. At the end of the outermost turn the engine runs its
//! microtasks. Absent: when a turn is due.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::marker::PhantomData;
use std::os::fd::BorrowedFd;
use std::panic;
use std::ptr;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use crate::buffer_contents;
use crate::code_cache::CodeCacheState;
use crate::construct_bytes::ConstructBytes;
use crate::engine::{Engine, symbols};
use crate::error_stack::ErrorStacks;
use crate::exception::Constructors;
use crate::host_function::{self, HostFunctions};
use crate::layout::Layout;
use crate::main_context::{MainContext, PollSet};
use crate::native::Natives;
use crate::object_kind::Kinds;
use crate::owning_function::OwningFunctions;
use crate::promise::enqueue::{self, Microtasks};
use crate::promise::handled::IsHandled;
use crate::promise::microtasks::{self, Drain};
use crate::property_writer::PropertyWriter;
use crate::root::Root;
use crate::scope::Scope;
use crate::string::fast;
use crate::symbols::{RawClass, RawGlobal, RawGroup};
use crate::termination;
use crate::wasm_memory;
use crate::wasm_module;

thread_local! {
    /// The VM of this thread, for callbacks. A second one is refused.
    static CURRENT: Cell<*const Shared> = const { Cell::new(ptr::null()) };
}

/// A heap and its thread. Dropping it frees everything that JavaScript held; remaining handles
/// become inert.
pub struct Vm {
    shared: Rc<Shared>,
    main: MainContext,
}

/// A further global object with globals of its own; the heap is shared.
pub struct Context {
    shared: Rc<Shared>,
    global: RawGlobal,
    /// Its global object, if the context is owned by an object of JavaScript.
    watched: OnceCell<crate::root::Weak>,
}

/// How garbage is collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gc {
    /// When the engine schedules it, soon.
    Soon,
    /// A full collection, before the call returns.
    Now,
}

/// State of a VM, shared by its scopes and handles.
pub(crate) struct Shared {
    pub group: RawGroup,
    /// The first context: that of turns.
    global: Cell<RawGlobal>,
    pub natives: Natives,
    pub constructors: RefCell<Option<Constructors>>,
    pub fast: Option<fast::Writer>,
    layout: OnceCell<Option<Layout>>,
    pub kinds: OnceCell<Option<Kinds>>,
    /// Makes a typed array of a view that the public API does not know; `None`: it could not be
    /// created.
    pub view_script: RefCell<Option<Root>>,
    /// A function of the first global object that does nothing.
    ignore_rejection: RefCell<Option<Root>>,
    pub is_handled: OnceCell<Option<IsHandled>>,
    pub drain: OnceCell<Option<Drain>>,
    pub enqueue: OnceCell<Option<Microtasks>>,
    pub host_functions: OnceCell<Option<HostFunctions>>,
    pub owning_functions: OnceCell<Option<OwningFunctions>>,
    pub property_writer: OnceCell<Option<PropertyWriter>>,
    pub buffers: OnceCell<Option<buffer_contents::BufferLayout>>,
    pub construct_bytes: OnceCell<Option<ConstructBytes>>,
    pub code_cache: CodeCacheState,
    pub modules: OnceCell<wasm_module::ModuleLayout>,
    pub wasm_memories: OnceCell<wasm_memory::MemoryLayout>,
    pub termination: OnceCell<Arc<termination::Target>>,
    pub stacks: ErrorStacks,
    this: Weak<Shared>,
    /// Contexts that are not dropped yet.
    contexts: RefCell<Vec<RawGlobal>>,
    is_alive: Cell<bool>,
    /// Nesting depth of turns and callbacks.
    depth: Cell<u32>,
    /// While bytes are borrowed by Rust, nothing may run that could free them.
    is_entry_forbidden: Cell<bool>,
    /// A panic of a callback, which cannot unwind through JavaScript.
    panic: RefCell<Option<Box<dyn Any + Send>>>,
    _one_thread: PhantomData<*const ()>,
}

impl Vm {
    /// Creates the VM of the calling thread, which it cannot leave.
    ///
    /// # Panics
    /// If this thread has one already.
    pub fn new(engine: &'static Engine) -> Vm {
        assert!(CURRENT.get().is_null(), "a thread has one VM");
        // The engine uses the thread's main context when a VM is created.
        let main = MainContext::of_thread();
        let symbols = symbols();
        // SAFETY: a new group with one context; `Shared` owns and releases both.
        let (group, global) = unsafe {
            let group = (symbols.JSContextGroupCreate)();
            (group, make_global(group, ptr::null_mut()))
        };
        if let Some(main_thread) = engine.main_thread {
            main_thread.register_current_thread();
        }
        let shared = Rc::new_cyclic(|this| Shared {
            group,
            global: Cell::new(global),
            natives: Natives::new(),
            constructors: RefCell::default(),
            fast: engine.fast.as_ref().and_then(|fast| fast.writer(symbols, group, global)),
            layout: OnceCell::new(),
            kinds: OnceCell::new(),
            view_script: RefCell::default(),
            ignore_rejection: RefCell::default(),
            is_handled: OnceCell::new(),
            drain: OnceCell::new(),
            enqueue: OnceCell::new(),
            host_functions: OnceCell::new(),
            owning_functions: OnceCell::new(),
            property_writer: OnceCell::new(),
            buffers: OnceCell::new(),
            construct_bytes: OnceCell::new(),
            code_cache: CodeCacheState::default(),
            modules: OnceCell::new(),
            wasm_memories: OnceCell::new(),
            termination: OnceCell::new(),
            stacks: ErrorStacks::new(),
            this: this.clone(),
            contexts: RefCell::default(),
            is_alive: Cell::new(true),
            depth: Cell::new(0),
            is_entry_forbidden: Cell::new(false),
            panic: RefCell::default(),
            _one_thread: PhantomData,
        });
        CURRENT.set(Rc::as_ptr(&shared));
        let vm = Vm { shared, main };
        vm.turn(|scope| {
            vm.shared.constructors.replace(Some(Constructors::of(scope)));
            let layout = vm.shared.fast.as_ref().and_then(|_| Layout::probe(scope));
            vm.shared.layout.get_or_init(|| layout);
            vm.shared.host_functions.get_or_init(|| host_function::verify(scope));
            vm.shared.drain.get_or_init(|| microtasks::verify(scope));
            vm.shared.enqueue.get_or_init(|| enqueue::verify(scope));
        });
        vm
    }

    /// Runs `body` in the VM's first context. When the outermost turn ends, microtasks run until
    /// the queue is empty.
    ///
    /// # Panics
    /// With the panic of a callback, and while bytes are borrowed
    /// ([`crate::ArrayBuffer::with_bytes_mut`]).
    pub fn turn<R>(&self, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        self.shared.turn(self.shared.global(), body)
    }

    /// Runs `body` in another context of this VM.
    ///
    /// # Panics
    /// As [`Vm::turn`], and when the context is of another VM.
    pub fn turn_in_context<R>(&self, context: &Context, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        assert!(Rc::ptr_eq(&self.shared, &context.shared), "the context is of this VM");
        self.shared.turn(context.global, body)
    }

    /// Creates a global object.
    pub fn context(&self) -> Context {
        Context::of_class(&self.shared, ptr::null_mut())
    }

    /// Makes a new global object the VM's first one. The one before is garbage once no root and no
    /// microtask refers to it; compiled code of both is shared.
    ///
    /// # Panics
    /// Within a turn.
    pub fn replace_global(&self) {
        assert!(!self.shared.is_entered(), "the global object of a turn stays");
        self.turn(|scope| {
            // A global object refers to its callback by a strong handle, and a function to its
            // global object: with one of its own it would never be collected.
            let mut ignore = self.shared.ignore_rejection.borrow_mut();
            let ignore = ignore.get_or_insert_with(|| {
                let ignore = scope.function("ignoreRejection", |scope, _| Ok(scope.undefined()));
                Root::new(scope, ignore.object().value())
            });
            let ignore = ignore.value(scope).as_object(scope).expect("it is a function");
            let is_set = scope.set_rejection_function(ignore).is_ok();
            debug_assert!(is_set, "it takes any function");
        });
        // SAFETY: the group is alive. `Shared` owned the context before, and owns the new one.
        unsafe {
            let before = self.shared.global.replace(make_global(self.shared.group, ptr::null_mut()));
            (symbols().JSGlobalContextRelease)(before);
        }
        self.shared.stacks.clear();
        self.shared.view_script.take();
        self.turn(|scope| self.shared.constructors.replace(Some(Constructors::of(scope))));
    }

    /// Drops all closures and values that JavaScript holds; their objects stay, and do nothing.
    pub fn clear_natives(&self) {
        self.shared.natives.renew();
    }

    pub fn collect(&self, when: Gc) {
        self.turn(|scope| scope.collect(when));
    }

    /// Ready when another thread has work for the engine.
    pub fn waker(&self) -> BorrowedFd<'_> {
        self.main.waker()
    }

    /// Updates how long the engine can wait; call it before every wait.
    pub fn prepare(&self, poll_set: &mut PollSet) {
        self.main.prepare(poll_set);
    }

    /// Runs what is due after a wait: compiled WebAssembly, finalizers, timers of the collector.
    /// `is_woken`: its waker or a watched descriptor was ready ([`PollSet::watch`]). Ends as a turn
    /// does. Returns whether anything was due.
    pub fn dispatch(&self, poll_set: &mut PollSet, is_woken: bool) -> bool {
        self.turn(|_| self.main.dispatch(poll_set, is_woken))
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The number of closures and native values that are not finalized yet.
    pub fn natives(&self) -> usize {
        self.shared.natives.count()
    }
}

/// Creates a global object. By default the engine captures the native stack of exceptions for an
/// inspector and symbolizes it, which takes some 10 µs per function; that is disabled.
///
/// # Safety
/// The group is alive, and so is the class during the call, if it is not null.
unsafe fn make_global(group: RawGroup, class: RawClass) -> RawGlobal {
    // SAFETY: guaranteed by the caller, who owns the new context.
    unsafe {
        let global = (symbols().JSGlobalContextCreateInGroup)(group, class);
        (symbols().JSGlobalContextSetIncludesNativeCallStackWhenReportingExceptions)(global, false);
        global
    }
}

impl Drop for Vm {
    fn drop(&mut self) {
        let shared = &self.shared;
        assert!(shared.depth.get() == 0, "a turn borrows its VM");
        shared.is_alive.set(false);
        if let Some(termination) = shared.termination.get() {
            termination.detach();
        }
        shared.code_cache.release_scripts();
        let contexts = shared.contexts.take();
        // SAFETY: each was made by this VM and is released once: `is_alive` keeps handles from
        // doing it. This is the VM's thread, no scope is left, and so no value.
        unsafe {
            for context in contexts {
                (symbols().JSGlobalContextRelease)(context);
            }
            (symbols().JSGlobalContextRelease)(shared.global());
            (symbols().JSContextGroupRelease)(shared.group);
            shared.code_cache.release();
        }
        CURRENT.set(ptr::null());
        shared.natives.clear();
    }
}

impl Context {
    /// `class`: of the global object, alive during the call, or null.
    pub(crate) fn of_class(shared: &Shared, class: RawClass) -> Context {
        // SAFETY: the group is alive; the new context is owned by `Context`, or by `Shared` if that
        // lives longer.
        let global = unsafe { make_global(shared.group, class) };
        shared.contexts.borrow_mut().push(global);
        Context { shared: shared.share(), global, watched: OnceCell::new() }
    }

    /// # Panics
    /// If an object owned it ([`Scope::context_into_object`]) and was collected.
    pub(crate) fn raw(&self, scope: &Scope) -> RawGlobal {
        let is_there = self.watched.get().is_none_or(|watched| watched.object(scope).is_some());
        assert!(is_there, "the object that keeps a context is there while it is used");
        self.global
    }

    /// Makes it garbage collected, as any object. `watched`: its global object, which the scope
    /// roots.
    pub(crate) fn make_collectable(&self, watched: crate::root::Weak) {
        if self.watched.set(watched).is_ok() {
            self.shared.contexts.borrow_mut().retain(|context| *context != self.global);
            // SAFETY: made by this VM, which is alive, and no longer in its list.
            unsafe { (symbols().JSGlobalContextRelease)(self.global) };
        }
    }
}

impl Scope {
    /// Creates a global object in this scope's VM.
    pub fn create_context(&self) -> Context {
        Context::of_class(self.shared(), ptr::null_mut())
    }

    /// Opens a scope in another context of the VM, for a callback. Its values can be used anywhere
    /// in the VM.
    ///
    /// # Panics
    /// If the context is of another VM.
    pub fn with_context<R>(&self, context: &Context, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        assert!(std::ptr::eq(self.shared(), Rc::as_ptr(&context.shared)), "the context is of this VM");
        body(&Scope::new(self.shared(), context.raw(self)))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.shared.is_alive.get() || self.watched.get().is_some() {
            return;
        }
        self.shared.contexts.borrow_mut().retain(|context| *context != self.global);
        // SAFETY: made by this VM, which is alive, and no longer in its list.
        unsafe { (symbols().JSGlobalContextRelease)(self.global) };
    }
}

impl Shared {
    /// The VM of this thread, for calls by the engine.
    ///
    /// # Safety
    /// Called by the engine, so inside a turn, which borrows the `Vm` that owns the result.
    #[inline]
    pub unsafe fn current<'a>() -> Option<&'a Shared> {
        // SAFETY: set while the `Vm` is alive.
        unsafe { CURRENT.get().as_ref() }
    }

    /// A reference for a handle.
    pub fn share(&self) -> Rc<Shared> {
        self.this.upgrade().expect("`self` is in it")
    }

    /// The memory layout of values, if it was verified.
    #[inline]
    pub fn layout(&self) -> Option<&Layout> {
        self.layout.get()?.as_ref()
    }

    pub fn is_alive(&self) -> bool {
        self.is_alive.get()
    }

    /// The first context.
    pub fn global(&self) -> RawGlobal {
        self.global.get()
    }

    /// Whether a turn is running.
    pub fn is_entered(&self) -> bool {
        self.depth.get() != 0
    }

    /// Runs a turn, or a callback within one. `context` is of this VM.
    pub fn enter<R>(&self, context: RawGlobal, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        assert!(!self.is_entry_forbidden.get(), "the engine is not entered while its bytes are lent");
        let _lock = Lock::hold(self, context);
        let scope = Scope::new(self, context);
        body(&scope)
    }

    /// Runs a callback that the engine calls without releasing its lock.
    #[inline]
    pub fn enter_held<R>(&self, context: RawGlobal, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        struct Within<'a>(&'a Cell<u32>);
        impl Drop for Within<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() - 1);
            }
        }
        assert!(!self.is_entry_forbidden.get(), "the engine is not entered while its bytes are lent");
        self.depth.set(self.depth.get() + 1);
        let _within = Within(&self.depth);
        let scope = Scope::of_short_call(self, context);
        body(&scope)
    }

    fn turn<R>(&self, context: RawGlobal, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        let result = self.enter(context, body);
        if self.depth.get() == 0 {
            self.natives.sweep();
            if let Some(panic) = self.panic.take() {
                panic::resume_unwind(panic);
            }
        }
        result
    }

    /// Refuses to enter the engine while `body` runs.
    #[inline]
    pub fn forbid_entry<R>(&self, body: impl FnOnce() -> R) -> R {
        struct Forbidden<'a>(&'a Cell<bool>);
        impl Drop for Forbidden<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }
        assert!(!self.is_entry_forbidden.replace(true), "a loan is not nested");
        let _forbidden = Forbidden(&self.is_entry_forbidden);
        body()
    }

    /// Stores a panic until the outermost turn ends; the first one is kept.
    pub fn store_panic(&self, panic: Box<dyn Any + Send>) {
        self.panic.borrow_mut().get_or_insert(panic);
    }
}

/// The engine's lock. When the outermost one is released, the engine first runs its microtasks.
struct Lock<'a> {
    shared: &'a Shared,
    context: RawGlobal,
}

impl<'a> Lock<'a> {
    fn hold(shared: &'a Shared, context: RawGlobal) -> Lock<'a> {
        // SAFETY: the context is alive: it is of a VM that a turn borrows.
        unsafe { (symbols().JSLock)(context) };
        shared.depth.set(shared.depth.get() + 1);
        Lock { shared, context }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        if self.shared.depth.get() == 1
            && let Some(termination) = self.shared.termination.get()
        {
            // Microtasks run next, and the termination of one script does not end others.
            termination.reassert();
        }
        // SAFETY: held since `hold`, by this thread.
        unsafe { (symbols().JSUnlock)(self.context) };
        self.shared.depth.set(self.shared.depth.get() - 1);
    }
}

#[cfg(test)]
mod tests;
