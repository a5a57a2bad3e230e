//! What Node-API has in one runtime: environments, references, finalizers, cleanup hooks, and the
//! functions of JavaScript that it calls. In: a runtime. Out: found from the runtime's thread;
//! ended with the runtime. Absent: loading of files ([`crate::load`]).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ffi::{CString, c_void};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusk_jsc::{Exception, Function, Object, Root, Scope, Value, with_vm_of_thread};
use rusk_runtime::LoopHandle;

use crate::async_work::WorkContexts;
use crate::classes::Classes;
use crate::cleanup_hooks::CleanupHooks;
use crate::deferred_references::DeferredReferences;
use crate::env::Env;
use crate::finalizers::{FinalizerQueue, ForeignFinalizers};
use crate::names::Names;
use crate::references::References;
use crate::threadsafe_functions::ThreadsafeFunctions;
use crate::uv::UvState;

/// What Node-API has in one runtime.
pub struct Instance {
    /// `None`: the runtime has ended. Environments keep the instance, and must not keep its loop.
    handle: RefCell<Option<LoopHandle>>,
    operations: RefCell<Vec<Root>>,
    /// Freed with the instance: addons keep pointers.
    #[expect(clippy::vec_box, reason = "addons have the addresses")]
    envs: RefCell<Vec<Box<Env>>>,
    pub names: Names,
    pub classes: Classes,
    pub references: References,
    pub deferred: DeferredReferences,
    pub queue: FinalizerQueue,
    pub foreign: Arc<ForeignFinalizers>,
    pub hooks: CleanupHooks,
    pub threadsafe: ThreadsafeFunctions,
    pub uv: UvState,
    pub work_contexts: WorkContexts,
    external_memory: Cell<i64>,
    is_closing: Cell<bool>,
}

thread_local! {
    static INSTANCE: RefCell<Option<Rc<Instance>>> = const { RefCell::new(None) };
    /// Set by the collector, which may be on another thread, while the VM of this one is alive.
    static HAS_COLLECTED: AtomicBool = const { AtomicBool::new(false) };
}

/// Defines the functions of `internal/addons/helpers` that are called here.
macro_rules! operations {
    ($($variant:ident = $name:literal,)*) => {
        /// A function of JavaScript.
        #[derive(Clone, Copy, Debug)]
        pub enum Operation {
            $($variant,)*
        }

        const OPERATIONS: &[&str] = &[$($name,)*];
    };
}

operations! {
    MakeFunction = "makeFunction",
    AddPrototype = "addPrototype",
    CreateInstance = "createInstance",
    CreateBrand = "createBrand",
    CreateBranded = "createBranded",
    HasBrand = "hasBrand",
    DefineValue = "defineValue",
    DefineAccessor = "defineAccessor",
    CreateError = "createError",
    PropertyNames = "propertyNames",
    AllPropertyNames = "allPropertyNames",
    HasOwn = "hasOwn",
    ToObject = "toObject",
    ToText = "toText",
    SetPrototype = "setPrototype",
    CreateArray = "createArray",
    Freeze = "freeze",
    Seal = "seal",
    CreateDate = "createDate",
    DateValue = "dateValue",
    SymbolFor = "symbolFor",
    BigintFromWords = "bigintFromWords",
    BigintToWords = "bigintToWords",
    IsArrayBuffer = "isArrayBuffer",
    IsSharedArrayBuffer = "isSharedArrayBuffer",
    CreateSharedArrayBuffer = "createSharedArrayBuffer",
    BytesOfBuffer = "bytesOfBuffer",
    IsDetached = "isDetached",
    Detach = "detach",
    CreateTypedArray = "createTypedArray",
    ViewInfo = "viewInfo",
    CreateDataView = "createDataView",
    CreateBuffer = "createBuffer",
    AllocateBuffer = "allocateBuffer",
    RefuseSize = "refuseSize",
    BufferClass = "bufferClass",
    ByteArrayClass = "byteArrayClass",
    FixBytes = "fixBytes",
    IsPromise = "isPromise",
    IsError = "isError",
    CreateWithProperties = "createWithProperties",
    AsyncInit = "asyncInit",
    AsyncDestroy = "asyncDestroy",
    AsyncEnter = "asyncEnter",
    AsyncLeave = "asyncLeave",
    Uncaught = "uncaught",
    InstanceOf = "instanceOf",
    CallOn = "callOn",
    PlainCaller = "plainCaller",
    CallInDomain = "callInDomain",
    WeakSymbol = "weakSymbol",
    Deref = "deref",
    MarkUntransferable = "markUntransferable",
    UncaughtPolicy = "uncaughtPolicy",
}

impl Instance {
    /// Begins Node-API in this runtime; `operations`: the exports of `internal/addons/helpers`.
    pub fn begin<'s>(
        scope: &'s Scope,
        handle: LoopHandle,
        operations: Object<'s>,
    ) -> Result<Rc<Instance>, Exception<'s>> {
        scope.enable_fast_properties();
        let mut roots = Vec::with_capacity(OPERATIONS.len());
        for name in OPERATIONS {
            let operation = operations.property(scope, *name)?;
            operation.as_function(scope).expect("the operations are functions");
            roots.push(Root::new(scope, operation));
        }
        let instance = Rc::new(Instance {
            handle: RefCell::new(Some(handle)),
            operations: RefCell::new(roots),
            envs: RefCell::default(),
            names: Names::default(),
            classes: Classes::default(),
            references: References::default(),
            deferred: DeferredReferences::default(),
            queue: FinalizerQueue::default(),
            foreign: Arc::new(ForeignFinalizers::default()),
            hooks: CleanupHooks::default(),
            threadsafe: ThreadsafeFunctions::default(),
            uv: UvState::default(),
            work_contexts: WorkContexts::default(),
            external_memory: Cell::new(0),
            is_closing: Cell::new(false),
        });
        HAS_COLLECTED.with(|flag| {
            let flag = std::ptr::from_ref(flag).cast_mut().cast::<c_void>();
            // SAFETY: a thread-local variable without a destructor outlives the thread's VM; the
            // callback only stores to it.
            unsafe { scope.on_collected(note_collection, flag) };
        });
        INSTANCE.set(Some(Rc::clone(&instance)));
        Ok(instance)
    }

    /// That of this thread's runtime, if it has loaded an addon.
    pub fn current() -> Option<Rc<Instance>> {
        INSTANCE.with_borrow(Option::clone)
    }

    /// Whether this is its runtime's thread. It may be called on any.
    pub fn is_current(&self) -> bool {
        INSTANCE.with_borrow(|current| {
            current.as_ref().is_some_and(|current| std::ptr::eq(&raw const **current, self))
        })
    }

    /// A new environment, for one addon.
    pub fn add_env(self: &Rc<Self>, file_url: CString, version: i32) -> *const Env {
        let env = Box::new(Env::new(Rc::clone(self), file_url, version));
        let pointer: *const Env = &raw const *env;
        self.hooks.add_env(env.pointer());
        self.envs.borrow_mut().push(env);
        pointer
    }

    /// The runtime's loop, until it ends.
    pub fn handle(&self) -> Option<LoopHandle> {
        self.handle.borrow().clone()
    }

    pub fn can_run_js(&self) -> bool {
        !self.is_closing.get()
    }

    /// Bytes of addons outside of the heap, as they say; the new sum.
    pub fn adjust_external_memory(&self, change: i64) -> i64 {
        self.external_memory.set(self.external_memory.get().saturating_add(change));
        self.external_memory.get()
    }

    pub fn js_function<'s>(&'s self, scope: &'s Scope, operation: Operation) -> Function<'s> {
        let word = self.operations.borrow()[operation as usize].borrow(scope).word();
        // SAFETY: the roots are dropped when the runtime has ended, and so after the scope; `begin`
        // has looked that they are functions.
        unsafe { Function::from_word(word) }
    }

    pub fn call_js<'s>(
        &self,
        scope: &'s Scope,
        operation: Operation,
        arguments: &[Value<'_>],
    ) -> Result<Value<'s>, Exception<'s>> {
        self.js_function(scope, operation).call(scope, arguments)
    }

    /// Finds what was collected since the last time: basic finalizers run, others are queued.
    #[inline]
    pub fn sweep_if_collected(self: &Rc<Self>, scope: &Scope) {
        if self.is_due() {
            self.sweep(scope);
        }
    }

    /// Whether something was collected, or another thread has given up a reference.
    #[inline]
    fn is_due(&self) -> bool {
        HAS_COLLECTED.with(|flag| flag.load(Ordering::Acquire))
            || self.foreign.has_dead()
            || self.deferred.has_changes()
    }

    #[cold]
    #[inline(never)]
    fn sweep(self: &Rc<Self>, scope: &Scope) {
        self.deferred.apply(self, scope);
        if HAS_COLLECTED.with(|flag| flag.swap(false, Ordering::AcqRel)) {
            self.classes.note_collection();
            self.references.sweep(self, scope);
        }
        for finalizer in self.foreign.take_dead() {
            self.queue.push(self, finalizer, None);
        }
    }

    /// Ends all environments: nothing of the program runs any more.
    fn close(self: &Rc<Self>, scope: &Scope) {
        if self.is_closing.replace(true) {
            return;
        }
        self.hooks.run(self, scope);
        for finalizer in self.foreign.take_all() {
            finalizer.run(scope);
        }
    }

    /// Ends one environment.
    pub fn close_env(self: &Rc<Self>, scope: &Scope, env: &Env) {
        env.is_closing.set(true);
        self.queue.run_all(self, scope);
        // They may use what the addon frees with its instance data.
        for finalizer in self.foreign.take_of(env.pointer()) {
            finalizer.run(scope);
        }
        self.references.close(scope, env);
        let data = env.instance_data.borrow_mut().take();
        if let Some(data) = data {
            data.run(scope);
        }
    }
}

unsafe extern "C" fn note_collection(_: *const c_void, flag: *mut c_void) {
    // SAFETY: the flag of `Instance::begin`.
    unsafe { &*flag.cast::<AtomicBool>() }.store(true, Ordering::Release);
}

/// Runs after each callback of the loop.
pub fn after_callback() {
    let Some(instance) = Instance::current() else { return };
    if instance.is_due() && instance.can_run_js() {
        with_vm_of_thread(|scope| instance.sweep_if_collected(scope));
    }
}

/// Runs cleanup hooks and finalizers when the program has ended.
pub fn close(scope: &Scope) {
    if let Some(instance) = Instance::current() {
        instance.close(scope);
    }
}

/// The runtime is about to be dropped.
pub fn end() {
    let Some(instance) = Instance::current() else { return };
    with_vm_of_thread(|scope| instance.close(scope));
    INSTANCE.set(None);
    instance.references.clear();
    instance.names.clear();
    instance.classes.clear();
    instance.uv.clear();
    // The borrows end before anything is dropped.
    let owned = (instance.operations.take(), instance.handle.take());
    drop(owned);
    instance.queue.clear();
    let envs = instance.envs.take();
    drop(instance);
    keep_ended(envs);
}

/// Environments whose runtime has ended.
static ENDED: Mutex<VecDeque<EndedEnv>> = Mutex::new(VecDeque::new());
/// Those that are kept: their size is about a kibibyte.
const ENDED_MAX: usize = 1024;

struct EndedEnv(#[expect(dead_code, reason = "addons have its address")] Box<Env>);

// SAFETY: `Env::end` has dropped what belongs to the thread of its runtime.
unsafe impl Send for EndedEnv {}

/// Addons may still have the pointers, on threads of their own, and their calls are refused: so the
/// memory stays while a thousand other environments end.
#[expect(clippy::vec_box, reason = "addons have the addresses")]
fn keep_ended(envs: Vec<Box<Env>>) {
    let mut ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
    for mut env in envs {
        env.end();
        ended.push_back(EndedEnv(env));
    }
    let excess = ended.len().saturating_sub(ENDED_MAX);
    let oldest: Vec<EndedEnv> = ended.drain(..excess).collect();
    drop(ended);
    drop(oldest);
}
