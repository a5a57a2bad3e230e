//! Heap snapshots: all cells that a collection finds alive, and what refers to what. Out: the JSON
//! of WebKit's Web Inspector (`HeapSnapshotBuilder.cpp` describes it). Uses the unstable ABI of
//! release 2.50: the engine's heap agent, which is made for an inspector of ours that has nothing
//! but a VM. Absent: other releases, whose inspectors have more methods; samples of allocations,
//! which the engine does not take.

use std::ffi::{CStr, c_void};
use std::mem;
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::engine::{Version, engine};
use crate::scope::Scope;
use crate::symbols::{Opaque, RawGroup};
use crate::value::Value;

/// `Inspector::FrontendRouter::create()`.
const CREATE_ROUTER: &CStr = c"_ZN9Inspector14FrontendRouter6createEv";
/// `Inspector::BackendDispatcher::create(WTF::Ref<Inspector::FrontendRouter>&&)`.
const CREATE_DISPATCHER: &CStr = c"_ZN9Inspector17BackendDispatcher6createEON3WTF3RefINS_14FrontendRouterENS1_12RawPtrTraitsIS3_EENS1_21DefaultRefDerefTraitsIS3_EEEE";
/// `Inspector::InspectorHeapAgent::InspectorHeapAgent(Inspector::AgentContext&)`.
const CREATE_AGENT: &CStr = c"_ZN9Inspector18InspectorHeapAgentC1ERNS_12AgentContextE";
/// `Inspector::InspectorHeapAgent::snapshot()`.
const SNAPSHOT: &CStr = c"_ZN9Inspector18InspectorHeapAgent8snapshotEv";

/// The release whose `InspectorEnvironment` has the methods of [`METHODS`].
const RELEASE: [Version; 2] =
    [Version { major: 2, minor: 50, micro: 0 }, Version { major: 2, minor: 50, micro: u32::MAX }];

/// Room for the engine's agent, which has 15 words.
const AGENT_WORDS: usize = 64;

type CreateRouter = unsafe extern "C" fn(*mut Reference);
type CreateDispatcher = unsafe extern "C" fn(*mut Reference, *mut Reference);
type CreateAgent = unsafe extern "C" fn(*mut usize, *const AgentContext);
type Snapshot = unsafe extern "C" fn(*mut Answer, *mut usize);

/// A `WTF::Ref`.
type Reference = *mut Opaque;

/// `std::expected` of a time and a string, or of an error's text.
#[repr(C)]
struct Answer {
    text: *mut Opaque,
    seconds: f64,
    /// Of the variant: 0 is the value.
    index: u8,
}

/// `Inspector::AgentContext`.
#[repr(C)]
struct AgentContext {
    environment: *const Environment,
    /// Not used by snapshots.
    injected_scripts: *const c_void,
    router: Reference,
    dispatcher: Reference,
}

/// `Inspector::InspectorEnvironment`.
#[repr(C)]
struct Environment {
    methods: *const Methods,
    stopwatch: Stopwatch,
    group: RawGroup,
}

/// `WTF::Stopwatch`, of which only times are read.
#[repr(C)]
struct Stopwatch {
    references: usize,
    elapsed_seconds: f64,
    started: f64,
}

type Method = unsafe extern "C" fn(*const Environment) -> *const c_void;

#[repr(C)]
struct Methods {
    destructors: [Method; 2],
    developer_extras_enabled: Method,
    can_access: unsafe extern "C" fn(*const Environment) -> bool,
    handlers: [Method; 2],
    frontend_initialized: Method,
    execution_stopwatch: Method,
    debugger: Method,
    vm: Method,
}

static METHODS: Methods = Methods {
    destructors: [nothing; 2],
    developer_extras_enabled: nothing,
    can_access: always,
    handlers: [nothing; 2],
    frontend_initialized: nothing,
    execution_stopwatch: stopwatch,
    debugger: nothing,
    vm,
};

/// The agent of this process, which is never freed, and which one thread uses at a time.
struct Agent {
    snapshot: Snapshot,
    environment: Box<Environment>,
    agent: Box<[usize; AGENT_WORDS]>,
}

// SAFETY: the engine's agent knows no thread; it is used under a mutex.
unsafe impl Send for Agent {}

static AGENT: OnceLock<Option<Mutex<Agent>>> = OnceLock::new();

impl Agent {
    fn new() -> Option<Agent> {
        let engine = engine();
        if !engine.uses_unstable_abi() || !(RELEASE[0]..=RELEASE[1]).contains(&engine.version()) {
            return None;
        }
        let found = [CREATE_ROUTER, CREATE_DISPATCHER, CREATE_AGENT, SNAPSHOT].map(|name| engine.find(name));
        if found.iter().any(|address| address.is_null()) {
            return None;
        }
        let stopwatch = Stopwatch { references: 1, elapsed_seconds: 0.0, started: f64::NAN };
        let environment =
            Box::new(Environment { methods: &raw const METHODS, stopwatch, group: ptr::null() });
        let mut agent = Box::new([0; AGENT_WORDS]);
        // SAFETY: the mangled names contain the argument types; results with a destructor are
        // returned through memory of the caller. What is passed lives as long as the process,
        // because the agent does; the agent is smaller than its memory.
        let snapshot = unsafe {
            let create_router = mem::transmute::<*mut c_void, CreateRouter>(found[0]);
            let create_dispatcher = mem::transmute::<*mut c_void, CreateDispatcher>(found[1]);
            let create_agent = mem::transmute::<*mut c_void, CreateAgent>(found[2]);
            let [mut reference, mut dispatcher] = [ptr::null_mut(); 2];
            create_router(&raw mut reference);
            // The dispatcher takes the reference over.
            let router = reference;
            create_dispatcher(&raw mut dispatcher, &raw mut reference);
            let context = AgentContext {
                environment: &raw const *environment,
                injected_scripts: ptr::null(),
                router,
                dispatcher,
            };
            create_agent(agent.as_mut_ptr(), &raw const context);
            mem::transmute::<*mut c_void, Snapshot>(found[3])
        };
        Some(Agent { snapshot, environment, agent })
    }

    /// The string of a snapshot, with a reference that is the caller's.
    fn take(&mut self, group: RawGroup) -> Option<*mut Opaque> {
        self.environment.group = group;
        let mut answer = Answer { text: ptr::null_mut(), seconds: 0.0, index: u8::MAX };
        // SAFETY: the agent of this function, and memory for a result; the VM's lock is held.
        unsafe { (self.snapshot)(&raw mut answer, self.agent.as_mut_ptr()) };
        (answer.index == 0 && !answer.text.is_null()).then_some(answer.text)
    }
}

impl Scope {
    /// Collects all garbage, and describes what is alive, as the JSON text of Web Inspector.
    /// Identifiers of cells are those of earlier snapshots. `None`: this engine makes none.
    pub fn heap_snapshot(&self) -> Option<Value<'_>> {
        let shared = self.shared();
        let writer = shared.fast.as_ref()?;
        let agent = AGENT.get_or_init(|| Agent::new().map(Mutex::new)).as_ref()?;
        let text = agent.lock().unwrap_or_else(PoisonError::into_inner).take(shared.group)?;
        // SAFETY: the reference is passed on; the lock is held.
        Some(self.retain(unsafe { writer.value(text) }))
    }
}

unsafe extern "C" fn nothing(_: *const Environment) -> *const c_void {
    ptr::null()
}

unsafe extern "C" fn always(_: *const Environment) -> bool {
    true
}

unsafe extern "C" fn stopwatch(environment: *const Environment) -> *const c_void {
    // SAFETY: called by the engine for the environment of an agent.
    unsafe { (&raw const (*environment).stopwatch).cast() }
}

unsafe extern "C" fn vm(environment: *const Environment) -> *const c_void {
    // SAFETY: as above; the context group of the C API is the VM.
    unsafe { (*environment).group.cast() }
}
