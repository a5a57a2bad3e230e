//! How much the heap holds. In: a scope. Out: numbers as the engine counts them.

use crate::engine::symbols;
use crate::object::Object;
use crate::scope::Scope;

/// What `JSGetMemoryUsageStatistics` tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// In use, by the last count.
    pub heap_bytes: u64,
    /// Taken from the system.
    pub capacity_bytes: u64,
    /// Outside of the heap, held by objects in it: buffers, long strings.
    pub extra_bytes: u64,
    pub objects: u64,
    /// Objects that roots keep.
    pub protected: u64,
    pub globals: u64,
}

impl Scope {
    pub fn memory(&self) -> Memory {
        // SAFETY: the context is alive, its lock held.
        let object = unsafe { (symbols().JSGetMemoryUsageStatistics)(self.context()) };
        if object.is_null() {
            return Memory::default();
        }
        let object = Object::from_raw(self, object);
        let number = |name| {
            let value = object.property(self, name).and_then(|value| value.to_number(self));
            value.map_or(0, |number| number as u64)
        };
        Memory {
            heap_bytes: number("heapSize"),
            capacity_bytes: number("heapCapacity"),
            extra_bytes: number("extraMemorySize"),
            objects: number("objectCount"),
            protected: number("protectedObjectCount"),
            globals: number("globalObjectCount"),
        }
    }
}
