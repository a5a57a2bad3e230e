//! Hash algorithms that OpenSSL alone has. In: a name. Out: a state; `None`: it does not have the
//! algorithm, or there is no library.

use rusk_openssl::DigestContext;

use super::algorithms::DigestState;

struct LibraryDigest {
    context: DigestContext,
    length: Option<usize>,
}

pub(super) fn create(name: &str, length: Option<usize>) -> Option<Box<dyn DigestState>> {
    let context = DigestContext::new(name).ok()?;
    Some(Box::new(LibraryDigest { context, length }))
}

impl DigestState for LibraryDigest {
    fn update(&mut self, bytes: &[u8]) {
        self.context.update(bytes);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        match self.length {
            Some(length) => self.context.finish_extended(length).unwrap_or_default(),
            None => self.context.finish(),
        }
    }

    fn copy(&self) -> Box<dyn DigestState> {
        let context = self.context.copy().expect("the library copies a state that it has");
        Box::new(LibraryDigest { context, length: self.length })
    }

    fn set_length(&mut self, length: Option<usize>) {
        self.length = length;
    }
}
