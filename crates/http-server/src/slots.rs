//! Connections of a server by number. In: a connection. Out: its slot, which is reused, and a
//! generation that grows with every request, so that a late answer never reaches another request.

use crate::connection::Connection;
use crate::server::RequestId;

#[derive(Default)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

#[derive(Default)]
struct Slot {
    generation: u32,
    connection: Option<Box<Connection>>,
}

impl Slots {
    pub fn insert(&mut self, connection: Connection) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        self.slots[number as usize].connection = Some(Box::new(connection));
        number
    }

    pub fn remove(&mut self, slot: u32) -> Option<Box<Connection>> {
        let connection = self.slots.get_mut(slot as usize)?.connection.take()?;
        self.next_generation(slot);
        self.free.push(slot);
        Some(connection)
    }

    pub fn connection(&self, slot: u32) -> Option<&Connection> {
        self.slots.get(slot as usize)?.connection.as_deref()
    }

    pub fn connection_mut(&mut self, slot: u32) -> Option<&mut Connection> {
        self.slots.get_mut(slot as usize)?.connection.as_deref_mut()
    }

    /// The request that the connection is at.
    pub fn id(&self, slot: u32) -> RequestId {
        let generation = self.slots.get(slot as usize).map_or(0, |slot| slot.generation);
        RequestId { slot, generation }
    }

    pub fn is_current(&self, id: RequestId) -> bool {
        self.slots.get(id.slot as usize).is_some_and(|slot| slot.generation == id.generation)
    }

    /// IDs of the last request become invalid.
    pub fn next_generation(&mut self, slot: u32) {
        if let Some(slot) = self.slots.get_mut(slot as usize) {
            slot.generation = slot.generation.wrapping_add(1);
        }
    }

    pub fn numbers(&self) -> Vec<u32> {
        let all = self.slots.iter().enumerate();
        all.filter(|(_, slot)| slot.connection.is_some()).map(|(number, _)| number as u32).collect()
    }

    pub fn count(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
