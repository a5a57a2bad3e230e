//! Bytes of a stream that is no stream handle, such as the clear text of TLS, for a consumer in
//! Rust. In: an object that JavaScript passes from one binding to another. Out: chunks. Absent: the
//! end of the stream and errors, which go to its own listener.

use std::rc::Rc;

use rusk_jsc::{Exception, Scope, Value};

/// Gets a chunk. Returns it if it is for the listener of the stream.
pub type ByteConsumer = dyn for<'s> Fn(&'s Scope, Vec<u8>) -> Result<Option<Vec<u8>>, Exception<'s>>;

pub trait ByteSource {
    /// Replaces the consumer of chunks; `None`: the listener gets all.
    fn set_consumer(&self, consumer: Option<Rc<ByteConsumer>>);
}

/// The native object that JavaScript holds.
pub struct ByteSourceHandle(pub Rc<dyn ByteSource>);

/// `None`: the value is no such object.
pub fn find<'s>(scope: &'s Scope, value: Value<'s>) -> Option<Rc<dyn ByteSource>> {
    let handle: Rc<ByteSourceHandle> = value.as_object(scope)?.as_native(scope)?;
    Some(Rc::clone(&handle.0))
}
