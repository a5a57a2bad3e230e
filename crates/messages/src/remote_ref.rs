//! Reference to a value of another thread. The receiver may read the value; it is dropped by the
//! thread that owns it.

use std::any::Any;

use crate::Notifier;

pub struct RemoteRef {
    /// Set until the drop.
    value: Option<Box<dyn Any + Send>>,
    bytes: usize,
    owner: Notifier,
}

impl RemoteRef {
    /// `bytes`: approximate memory that the value holds.
    pub fn new(value: Box<dyn Any + Send>, bytes: usize, owner: Notifier) -> RemoteRef {
        RemoteRef { value: Some(value), bytes, owner }
    }

    pub fn value(&self) -> &(dyn Any + Send) {
        self.value.as_deref().expect("set until the drop")
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for RemoteRef {
    fn drop(&mut self) {
        if let Some(value) = self.value.take() {
            self.owner.return_to_owner(value, self.bytes);
        }
    }
}
