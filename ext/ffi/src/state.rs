//! State of `bun:ffi` in one runtime: slots for arguments and results, prepared functions,
//! libraries, callbacks. It is the thread's, as the VM is, so that a call finds it quickly.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rusk_ffi::{ARGUMENTS_MAX, CompiledProgram, DirectEntries, DirectEntry, Function, Library, Stubs};
use rusk_jsc::{Exception, Object, Root, Scope, SharedU32Array};
use rusk_runtime::RuntimeState;

use crate::callbacks::{OpenCallback, Receiver};
use crate::stubs::{self, OpenStub};

rusk_runtime::shared_constants! {
    /// Slots of eight bytes.
    pub mod layout: u32 {
        ARGUMENTS_MAX = super::ARGUMENTS_MAX as u32,
        /// Where a result is.
        RESULT = super::ARGUMENTS_MAX as u32,
        /// Whose first word says that a callback has thrown.
        THROWN = super::ARGUMENTS_MAX as u32 + 1,
    }
}

/// Words of four bytes: two per argument, two for the result, two for what was thrown.
const WORDS: usize = 2 * (ARGUMENTS_MAX + 2);

pub struct FfiState {
    slots: SharedU32Array<WORDS>,
    /// By their index in JavaScript; `None`: released.
    pub functions: RefCell<Vec<Option<Rc<Function>>>>,
    pub stubs: Stubs,
    /// By the index of their function.
    pub open_stubs: RefCell<HashMap<u32, OpenStub>>,
    /// Whether there are direct calls.
    pub direct_entries: Cell<Option<DirectEntries>>,
    /// By the index of their function.
    pub open_entries: RefCell<HashMap<u32, DirectEntry>>,
    pub libraries: RefCell<Vec<Option<Library>>>,
    pub compiled: RefCell<Vec<Option<CompiledProgram>>>,
    pub callbacks: RefCell<HashMap<u32, OpenCallback>>,
    pub next_callback: Cell<u32>,
    /// Callbacks that were closed while C code may be in one of them.
    pub closed: RefCell<Vec<OpenCallback>>,
    /// Nesting depth of callbacks that run.
    pub depth: Cell<u32>,
    /// What a callback has thrown, for the function that called it.
    thrown: RefCell<Option<Root>>,
    pub receiver: RefCell<Option<Rc<Receiver>>>,
}

thread_local! {
    static STATE: RefCell<Option<Rc<FfiState>>> = const { RefCell::new(None) };
}

/// Makes the state of this thread's runtime. Out: the slots, as a `Uint32Array`.
pub fn open<'s>(scope: &'s Scope) -> Result<Object<'s>, Exception<'s>> {
    RuntimeState::current().change_process();
    let (slots, array) = SharedU32Array::new(scope)?;
    let state = FfiState {
        slots,
        functions: RefCell::default(),
        stubs: Stubs::new(stubs::HANDLERS),
        open_stubs: RefCell::default(),
        direct_entries: Cell::new(None),
        open_entries: RefCell::default(),
        libraries: RefCell::default(),
        compiled: RefCell::default(),
        callbacks: RefCell::default(),
        next_callback: Cell::new(1),
        closed: RefCell::default(),
        depth: Cell::new(0),
        thrown: RefCell::default(),
        receiver: RefCell::default(),
    };
    STATE.set(Some(Rc::new(state)));
    Ok(array)
}

/// The state, if `bun:ffi` was loaded.
pub fn find() -> Option<Rc<FfiState>> {
    STATE.with_borrow(Clone::clone)
}

/// For the binding's functions.
pub fn get() -> Rc<FfiState> {
    find().expect("the binding was made")
}

/// The runtime ends: no callback can run any more. Libraries stay open, as in C.
pub fn close(_: &RuntimeState) {
    if let Some(state) = STATE.take() {
        if let Some(receiver) = state.receiver.take() {
            receiver.close();
        }
        // C code may still run in them, or hold their addresses, in threads of its own.
        std::mem::forget(state.compiled.take());
        for (_, callback) in state.callbacks.borrow_mut().drain() {
            callback.leak();
        }
    }
}

impl FfiState {
    pub fn read(&self, slot: usize) -> u64 {
        u64::from(self.slots.load(2 * slot)) | u64::from(self.slots.load(2 * slot + 1)) << 32
    }

    pub fn write(&self, slot: usize, word: u64) {
        self.slots.store(2 * slot, word as u32);
        self.slots.store(2 * slot + 1, (word >> 32) as u32);
    }

    /// The first exception is the one that the program sees.
    pub fn set_thrown(&self, scope: &Scope, exception: Exception<'_>) {
        self.thrown.borrow_mut().get_or_insert_with(|| Root::new(scope, exception.value()));
        self.set_has_thrown(true);
    }

    /// For code of stubs, and for JavaScript.
    fn set_has_thrown(&self, has_thrown: bool) {
        self.stubs.set_thrown(has_thrown);
        self.slots.store(2 * layout::THROWN as usize, u32::from(has_thrown));
    }

    /// Throws what a callback has thrown.
    pub fn rethrow<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        if self.thrown.borrow().is_none() {
            return Ok(());
        }
        let root = self.thrown.take();
        self.set_has_thrown(false);
        Err(root.map_or_else(|| scope.undefined(), |root| root.value(scope)).into())
    }
}
