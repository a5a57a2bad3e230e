//! Heap statistics. In: a scope. Out: the engine's own counts.

mod heap_counters;

use heap_counters::HeapCounters;

use crate::engine::symbols;
use crate::object::Object;
use crate::scope::Scope;

/// The result of `JSGetMemoryUsageStatistics`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryStatistics {
    /// In use, as last counted.
    pub heap_bytes: u64,
    /// Reserved from the system.
    pub capacity_bytes: u64,
    /// Outside of the heap, owned by objects in it: buffers, long strings.
    pub extra_bytes: u64,
    pub objects: u64,
    /// Objects held alive by roots.
    pub protected: u64,
    pub globals: u64,
}

/// The part of it that is cheap to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapStatistics {
    /// In use, as last counted, including `extra`.
    pub used: u64,
    /// Reserved from the system.
    pub capacity: u64,
    /// Outside of the heap, owned by objects in it.
    pub extra: u64,
}

impl MemoryStatistics {
    fn heap(&self) -> HeapStatistics {
        HeapStatistics { used: self.heap_bytes, capacity: self.capacity_bytes, extra: self.extra_bytes }
    }
}

impl Scope {
    /// As [`Self::memory_statistics`], but takes a microsecond where the engine's own counters were
    /// found.
    pub fn heap_statistics(&self) -> HeapStatistics {
        let group = self.shared().group;
        match HeapCounters::verified(group, || self.memory_statistics()) {
            // SAFETY: the VM of this scope, which is alive and locked.
            Some(counts) => unsafe { counts.read(group) },
            None => self.memory_statistics().heap(),
        }
    }

    /// Iterates over every object.
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
