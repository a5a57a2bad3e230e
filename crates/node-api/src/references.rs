//! References, wraps and type tags: what addons hold of objects, and attach to them. In: values.
//! Out: references that keep a value alive or not; the data of an object; finalizers of objects
//! that were collected. Wraps and tags are found by the address of the object, which the collector
//! never moves; an entry whose object is dead counts for nothing. Absent: when finalizers run
//! ([`crate::finalizers`]).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use rusk_jsc::{Kind, Object, Root, Scope, Value, Weak};

use crate::abi::{EnvPointer, Foreign, TypeTag};
use crate::env::Env;
use crate::finalizers::Finalizer;
use crate::instance::{Instance, Operation};

/// A reference of an addon (`napi_ref`), or of the runtime to an object with data.
pub struct Reference {
    pub env: EnvPointer,
    count: Cell<u32>,
    value: RefCell<ReferenceValue>,
    pub data: Foreign,
    pub finalizer: Cell<Option<Finalizer>>,
    /// Most references have none, and are in no list that deletion must search.
    has_finalizer: bool,
    /// The runtime deletes it once its object is gone.
    is_owned: bool,
    /// Address of the object, if it is a wrap.
    wrapped: Cell<Option<usize>>,
}

enum ReferenceValue {
    Strong(Root),
    Weak(Weak),
    /// A `WeakRef` of a symbol.
    WeakSymbol(Root),
    Gone,
}

/// What a new reference is made with.
pub struct ReferenceOptions {
    pub env: EnvPointer,
    pub count: u32,
    pub data: Foreign,
    pub finalizer: Option<Finalizer>,
    pub is_owned: bool,
}

type ByAddress<T> = RefCell<HashMap<usize, T, BuildHasherDefault<AddressHasher>>>;

/// The references of a runtime.
#[derive(Default)]
pub struct References {
    /// By their own address, which is what addons have.
    all: ByAddress<Rc<Reference>>,
    /// By the address of the object.
    wraps: ByAddress<Rc<Reference>>,
    tags: ByAddress<(Weak, TypeTag)>,
    /// Those whose death has consequences.
    tracked: RefCell<Vec<Rc<Reference>>>,
}

/// Addresses are multiples of 16, and differ in the bits above.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_usize(usize::from(*byte)));
    }

    fn write_usize(&mut self, word: usize) {
        self.0 = (self.0 ^ word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(20);
    }
}

impl Reference {
    /// The value, if it is alive.
    pub fn value<'s>(&self, scope: &'s Scope) -> Option<Value<'s>> {
        match &*self.value.borrow() {
            ReferenceValue::Strong(root) => Some(root.value(scope)),
            ReferenceValue::Weak(weak) => weak.object(scope).map(Object::value),
            ReferenceValue::WeakSymbol(root) => {
                let instance = Instance::current()?;
                let found = instance.call_js(scope, Operation::Deref, &[root.value(scope)]).ok()?;
                (!found.is_undefined(scope)).then_some(found)
            }
            ReferenceValue::Gone => None,
        }
    }

    pub fn is_alive(&self, scope: &Scope) -> bool {
        match &*self.value.borrow() {
            ReferenceValue::Strong(_) | ReferenceValue::WeakSymbol(_) => true,
            ReferenceValue::Weak(weak) => weak.is_alive(scope),
            ReferenceValue::Gone => false,
        }
    }

    pub fn count(&self) -> u32 {
        self.count.get()
    }

    /// Adds one; the new count, and 0 if the value is gone.
    pub fn add(&self, scope: &Scope) -> u32 {
        let Some(value) = self.value(scope) else { return 0 };
        self.count.set(self.count.get().saturating_add(1));
        if self.count.get() == 1 {
            self.value.replace(ReferenceValue::Strong(Root::new(scope, value)));
        }
        self.count.get()
    }

    /// Takes one away; the new count.
    pub fn subtract(&self, scope: &Scope) -> u32 {
        let Some(value) = self.value(scope) else { return 0 };
        if self.count.get() == 0 {
            return 0;
        }
        self.count.set(self.count.get() - 1);
        if self.count.get() == 0 {
            let weak = weak_value(scope, value);
            drop(self.value.replace(weak));
        }
        self.count.get()
    }
}

/// A registered symbol is never collected; other primitive values are dropped, as in Node.
fn weak_value(scope: &Scope, value: Value<'_>) -> ReferenceValue {
    match (value.as_object(scope), value.kind(scope)) {
        (Some(object), _) => ReferenceValue::Weak(Weak::new(scope, object)),
        (None, Kind::Symbol) => weak_symbol(scope, value),
        (None, _) => ReferenceValue::Gone,
    }
}

fn weak_symbol(scope: &Scope, value: Value<'_>) -> ReferenceValue {
    let instance = Instance::current();
    let made = instance.and_then(|instance| instance.call_js(scope, Operation::WeakSymbol, &[value]).ok());
    match made.filter(|made| made.as_object(scope).is_some()) {
        Some(weak) => ReferenceValue::WeakSymbol(Root::new(scope, weak)),
        None => ReferenceValue::Strong(Root::new(scope, value)),
    }
}

fn address(object: Object<'_>) -> usize {
    object.value().word().addr()
}

impl References {
    pub fn create(&self, scope: &Scope, value: Value<'_>, options: ReferenceOptions) -> Rc<Reference> {
        let held = match options.count {
            0 => weak_value(scope, value),
            _ => ReferenceValue::Strong(Root::new(scope, value)),
        };
        let reference = Rc::new(Reference {
            env: options.env,
            count: Cell::new(options.count),
            value: RefCell::new(held),
            data: options.data,
            finalizer: Cell::new(options.finalizer),
            has_finalizer: options.finalizer.is_some(),
            is_owned: options.is_owned,
            wrapped: Cell::default(),
        });
        self.all.borrow_mut().insert(Rc::as_ptr(&reference).addr(), Rc::clone(&reference));
        if options.finalizer.is_some() {
            self.tracked.borrow_mut().push(Rc::clone(&reference));
        }
        reference
    }

    /// The reference that an addon has, by its address; `None`: it was deleted.
    pub fn find(&self, address: usize) -> Option<Rc<Reference>> {
        self.all.borrow().get(&address).cloned()
    }

    /// Deletes a reference of an addon. Its finalizer does not run any more.
    pub fn delete(&self, instance: &Instance, address: usize) -> bool {
        let Some(reference) = self.all.borrow_mut().remove(&address) else { return false };
        if !reference.has_finalizer {
            return true;
        }
        reference.finalizer.set(None);
        instance.queue.cancel(&reference);
        if reference.wrapped.get().is_none() {
            self.tracked.borrow_mut().retain(|other| !Rc::ptr_eq(other, &reference));
        }
        true
    }

    /// Deletes a reference that belongs to the runtime, after its finalizer.
    pub fn forget_owned(&self, reference: &Rc<Reference>) {
        if reference.is_owned {
            self.all.borrow_mut().remove(&Rc::as_ptr(reference).addr());
        }
    }

    /// Attaches data to an object; false: it has some.
    pub fn wrap(&self, scope: &Scope, object: Object<'_>, reference: &Rc<Reference>) -> bool {
        let mut wraps = self.wraps.borrow_mut();
        let key = address(object);
        if wraps.get(&key).is_some_and(|wrap| wrap.is_alive(scope)) {
            return false;
        }
        reference.wrapped.set(Some(key));
        wraps.insert(key, Rc::clone(reference));
        if reference.finalizer.get().is_none() {
            self.tracked.borrow_mut().push(Rc::clone(reference));
        }
        true
    }

    pub fn has_wrap(&self, scope: &Scope, object: Object<'_>) -> bool {
        self.wraps.borrow().get(&address(object)).is_some_and(|wrap| wrap.is_alive(scope))
    }

    pub fn unwrap(&self, scope: &Scope, object: Object<'_>) -> Option<Foreign> {
        let wraps = self.wraps.borrow();
        let found = wraps.get(&address(object)).filter(|wrap| wrap.is_alive(scope))?;
        Some(found.data)
    }

    /// Removes the data of an object; its finalizer does not run.
    pub fn remove_wrap(&self, scope: &Scope, object: Object<'_>) -> Option<Foreign> {
        let removed = self.wraps.borrow_mut().remove(&address(object))?;
        if !removed.is_alive(scope) {
            return None;
        }
        removed.wrapped.set(None);
        removed.finalizer.set(None);
        self.tracked.borrow_mut().retain(|other| !Rc::ptr_eq(other, &removed));
        self.forget_owned(&removed);
        Some(removed.data)
    }

    /// Tags an object; false: it is tagged.
    pub fn tag(&self, scope: &Scope, object: Object<'_>, tag: TypeTag) -> bool {
        if self.tag_of(scope, object).is_some() {
            return false;
        }
        self.tags.borrow_mut().insert(address(object), (Weak::new(scope, object), tag));
        true
    }

    pub fn tag_of(&self, scope: &Scope, object: Object<'_>) -> Option<TypeTag> {
        let tags = self.tags.borrow();
        tags.get(&address(object)).filter(|(weak, _)| weak.is_alive(scope)).map(|(_, tag)| *tag)
    }

    /// Finds objects that were collected. Basic finalizers run here, others are queued.
    pub fn sweep(&self, instance: &Rc<Instance>, scope: &Scope) {
        self.tags.borrow_mut().retain(|_, (weak, _)| weak.is_alive(scope));
        let mut dead = Vec::new();
        self.tracked.borrow_mut().retain(|reference| {
            let is_alive = reference.is_alive(scope);
            if !is_alive {
                dead.push(Rc::clone(reference));
            }
            is_alive
        });
        for reference in dead {
            self.bury(&reference);
            match reference.finalizer.take() {
                None => self.forget_owned(&reference),
                Some(finalizer) => {
                    let is_basic = finalizer.env.env().is_some_and(Env::is_experimental);
                    if is_basic {
                        finalizer.run_basic(scope);
                        self.forget_owned(&reference);
                    } else {
                        instance.queue.push(instance, finalizer, Some(reference));
                    }
                }
            }
        }
    }

    /// Its object is gone.
    fn bury(&self, reference: &Rc<Reference>) {
        drop(reference.value.replace(ReferenceValue::Gone));
        let Some(key) = reference.wrapped.take() else { return };
        let mut wraps = self.wraps.borrow_mut();
        if wraps.get(&key).is_some_and(|wrap| Rc::ptr_eq(wrap, reference)) {
            wraps.remove(&key);
        }
    }

    /// Runs the finalizers of an environment that ends, the newest first.
    pub fn close(&self, scope: &Scope, env: &Env) {
        let is_its = |reference: &Rc<Reference>| reference.env == env.pointer();
        loop {
            let index = self.tracked.borrow().iter().rposition(is_its);
            let Some(index) = index else { return };
            let reference = self.tracked.borrow_mut().remove(index);
            if let Some(finalizer) = reference.finalizer.take() {
                finalizer.run(scope);
            }
            self.forget_owned(&reference);
        }
    }

    pub fn clear(&self) {
        let all = (self.all.take(), self.wraps.take(), self.tags.take(), self.tracked.take());
        drop(all);
    }
}
