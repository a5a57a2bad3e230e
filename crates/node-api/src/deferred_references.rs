//! References that addons give up on other threads. In: calls of `napi_reference_unref` and
//! `napi_delete_reference` away from the runtime's thread. Out: the same, later, on that thread.
//! Node-API forbids such calls, but Node survives them, and published addons (`@parcel/watcher`)
//! depend on it. Absent: all other functions, which have no use for an answer that comes later.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rusk_jsc::Scope;

use crate::instance::Instance;
use crate::references::Reference;

#[derive(Clone, Copy)]
pub enum ReferenceChange {
    Unref,
    Delete,
}

/// Changes in the order of the calls.
#[derive(Default)]
pub struct DeferredReferences {
    /// Addresses of references, which only the runtime's thread looks up.
    changes: Mutex<Vec<(ReferenceChange, usize)>>,
    has_changes: AtomicBool,
}

impl DeferredReferences {
    /// On any thread.
    pub fn push(&self, change: ReferenceChange, reference: *const Reference) {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner).push((change, reference.addr()));
        self.has_changes.store(true, Ordering::Release);
    }

    #[inline]
    pub fn has_changes(&self) -> bool {
        self.has_changes.load(Ordering::Acquire)
    }

    /// On the runtime's thread.
    pub fn apply(&self, instance: &Instance, scope: &Scope) {
        if !self.has_changes.swap(false, Ordering::AcqRel) {
            return;
        }
        let changes = std::mem::take(&mut *self.changes.lock().unwrap_or_else(PoisonError::into_inner));
        for (change, address) in changes {
            match change {
                ReferenceChange::Delete => {
                    instance.references.delete(instance, address);
                }
                ReferenceChange::Unref => {
                    if let Some(reference) = instance.references.find(address) {
                        reference.subtract(scope);
                    }
                }
            }
        }
    }
}
