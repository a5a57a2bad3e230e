//! Receivers of methods: which objects the constructor of a class made (`napi_define_class`). In: a
//! receiver. Out: whether the method takes it, as V8's `Signature` decides. Without the check a
//! program could have a method read what another class has wrapped.
//!
//! A constructor gives each object a brand, that of a private method of JavaScript, which programs
//! can neither see nor forge. The engine keeps brands in structures, so that all objects of a
//! structure have the same ones; the answer is kept with the structure's ID until a collection,
//! after which another structure may have the ID. Absent: getters and setters, whose receivers Node
//! does not check either.

use std::cell::{Cell, RefCell};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use rusk_jsc::{Exception, Root, Scope, Value};

use crate::instance::{Instance, Operation};

/// The classes of a runtime.
#[derive(Default)]
pub struct Classes {
    /// What makes and knows branded objects, by number.
    brands: RefCell<Vec<Option<Root>>>,
    free: RefCell<Vec<usize>>,
    dead: Arc<DeadClasses>,
    /// Collections that were noticed.
    collections: Cell<u32>,
}

/// Numbers of classes whose functions were all collected, on any thread.
#[derive(Default)]
struct DeadClasses(Mutex<Vec<usize>>);

/// A class, as long as one of its functions is alive.
pub struct Class {
    number: usize,
    dead: Arc<DeadClasses>,
}

/// The receivers that a method takes.
pub struct Signature {
    class: Arc<Class>,
    /// The structure ID that was found to have the brand, and the number of collections then.
    accepted: Cell<Option<(u32, u32)>>,
}

impl Classes {
    /// A new class.
    pub fn add<'s>(&self, instance: &Instance, scope: &'s Scope) -> Result<Arc<Class>, Exception<'s>> {
        self.free_dead();
        let brand = Root::new(scope, instance.call_js(scope, Operation::CreateBrand, &[])?);
        let mut brands = self.brands.borrow_mut();
        let number = self.free.borrow_mut().pop().unwrap_or(brands.len());
        if number == brands.len() {
            brands.push(None);
        }
        brands[number] = Some(brand);
        Ok(Arc::new(Class { number, dead: Arc::clone(&self.dead) }))
    }

    /// What the engine knows of structures is out of date.
    pub fn note_collection(&self) {
        self.collections.set(self.collections.get().wrapping_add(1));
    }

    fn free_dead(&self) {
        let dead = mem::take(&mut *self.dead.0.lock().unwrap_or_else(PoisonError::into_inner));
        let mut brands = self.brands.borrow_mut();
        let freed: Vec<Option<Root>> = dead.iter().map(|number| brands[*number].take()).collect();
        self.free.borrow_mut().extend(dead);
        drop(brands);
        drop(freed);
    }

    fn brand<'s>(&self, scope: &'s Scope, class: &Class) -> Value<'s> {
        let brands = self.brands.borrow();
        let brand = brands.get(class.number).and_then(Option::as_ref);
        brand.map_or_else(|| scope.undefined(), |brand| brand.value(scope))
    }

    pub fn clear(&self) {
        drop(self.brands.take());
    }
}

impl Class {
    /// The function of JavaScript that brands.
    pub fn brand<'s>(&self, instance: &Instance, scope: &'s Scope) -> Value<'s> {
        instance.classes.brand(scope, self)
    }

    /// What the constructor gets as `this`.
    pub fn create_instance<'s>(
        &self,
        instance: &Instance,
        scope: &'s Scope,
        new_target: Value<'s>,
    ) -> Result<Value<'s>, Exception<'s>> {
        let brand = self.brand(instance, scope);
        instance.call_js(scope, Operation::CreateBranded, &[brand, new_target])
    }
}

impl Drop for Class {
    fn drop(&mut self) {
        self.dead.0.lock().unwrap_or_else(PoisonError::into_inner).push(self.number);
    }
}

impl Signature {
    pub fn new(class: &Arc<Class>) -> Signature {
        Signature { class: Arc::clone(class), accepted: Cell::new(None) }
    }

    /// Whether the constructor of the class made the receiver.
    #[inline]
    pub fn accepts(&self, instance: &Instance, scope: &Scope, this: Value<'_>) -> bool {
        let seen = this.structure_id(scope).map(|id| (id, instance.classes.collections.get()));
        if seen.is_some() && seen == self.accepted.get() {
            return true;
        }
        let is_accepted = self.has_brand(instance, scope, this);
        if is_accepted {
            self.accepted.set(seen);
        }
        is_accepted
    }

    #[cold]
    fn has_brand(&self, instance: &Instance, scope: &Scope, this: Value<'_>) -> bool {
        let brand = self.class.brand(instance, scope);
        let answer = instance.call_js(scope, Operation::HasBrand, &[brand, this]);
        answer.is_ok_and(|answer| answer.is_truthy(scope))
    }
}
