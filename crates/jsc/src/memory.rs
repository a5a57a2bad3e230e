//! How much the heap holds. In: a scope. Out: numbers as the engine counts them.

mod heap_counters;

use heap_counters::HeapCounters;

use crate::engine::symbols;
use crate::object::Object;
use crate::scope::Scope;

/// What `JSGetMemoryUsageStatistics` tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryStatistics {
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

/// What of it costs nothing to ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapStatistics {
    /// In use, by the last count, with `extra`.
    pub used: u64,
    /// Taken from the system.
    pub capacity: u64,
    /// Outside of the heap, held by objects in it.
    pub extra: u64,
}

impl MemoryStatistics {
    fn heap(&self) -> HeapStatistics {
        HeapStatistics { used: self.heap_bytes, capacity: self.capacity_bytes, extra: self.extra_bytes }
    }
}

impl Scope {
    /// As [`Self::memory_statistics`], in a microsecond where the engine's own counts were found.
    pub fn heap_statistics(&self) -> HeapStatistics {
        let group = self.shared().group;
        match HeapCounters::verified(group, || self.memory_statistics()) {
            // SAFETY: the VM of this scope, which is alive and locked.
            Some(counts) => unsafe { counts.read(group) },
            None => self.memory_statistics().heap(),
        }
    }

    /// Looks at every object.
    pub fn memory_statistics(&self) -> MemoryStatistics {
        // SAFETY: the context is alive, its lock held.
        let object = unsafe { (symbols().JSGetMemoryUsageStatistics)(self.context()) };
        if object.is_null() {
            return MemoryStatistics::default();
        }
        let object = Object::from_raw(self, object);
        let number = |name| {
            let value = object.property(self, name).and_then(|value| value.to_number(self));
            value.map_or(0, |number| number as u64)
        };
        MemoryStatistics {
            heap_bytes: number("heapSize"),
            capacity_bytes: number("heapCapacity"),
            extra_bytes: number("extraMemorySize"),
            objects: number("objectCount"),
            protected: number("protectedObjectCount"),
            globals: number("globalObjectCount"),
        }
    }
}
