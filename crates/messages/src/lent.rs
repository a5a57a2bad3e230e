//! A thing that belongs to a thread and is lent to others: they may look at it, and it is dropped
//! at home.

use std::any::Any;

use crate::Address;

pub struct Lent {
    /// There until it is dropped.
    thing: Option<Box<dyn Any + Send>>,
    weight: usize,
    home: Address,
}

impl Lent {
    /// `weight`: about as many bytes as it keeps.
    pub fn new(thing: Box<dyn Any + Send>, weight: usize, home: Address) -> Lent {
        Lent { thing: Some(thing), weight, home }
    }

    pub fn thing(&self) -> &(dyn Any + Send) {
        self.thing.as_deref().expect("it is there until the drop")
    }

    pub fn weight(&self) -> usize {
        self.weight
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(thing) = self.thing.take() {
            self.home.give_back(thing, self.weight);
        }
    }
}
