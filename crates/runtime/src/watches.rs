//! What happens outside and is told inside: a descriptor that is ready, work that is done. In: a
//! [`Handle`] of the loop. Out: callbacks in turns of their own, with ticks and microtasks behind
//! each. Absent: what it means to JavaScript.

use std::any::Any;
use std::os::fd::OwnedFd;
use std::rc::Rc;

use rusk_base::sys;
use rusk_jsc::{Exception, Scope};

use crate::descriptors::{Number, Readiness};
use crate::runtime::Handle;

/// A descriptor in the loop; dropped, it is there no more.
pub struct Watch {
    handle: Handle,
    number: Number,
}

impl Handle {
    /// Calls `callback` whenever the descriptor is ready, until the watch is dropped. It keeps the
    /// loop going. `EPERM`: the descriptor is of a file; that is for [`Handle::work`].
    pub fn watch(
        &self,
        fd: Rc<OwnedFd>,
        wanted: Readiness,
        callback: impl for<'s> Fn(&'s Scope, Readiness) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<Watch> {
        let number = self.inner().descriptors.add(fd, wanted, Rc::new(callback))?;
        Ok(Watch { handle: self.clone(), number })
    }

    /// Whoever is called because a descriptor is ready has not taken all that is there: it is
    /// called again in another turn.
    pub fn tell_more(&self) {
        self.inner().descriptors.tell_more();
    }

    /// Does `job` on another thread, then calls `then` with what it gave. It keeps the loop going
    /// until then. A panic of the job goes on in the loop.
    pub fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
        then: impl for<'s> FnOnce(&'s Scope, T) -> Result<(), Exception<'s>> + 'static,
    ) {
        let job = Box::new(move || -> Box<dyn Any + Send> { Box::new(job()) });
        self.inner().pool.begin(
            job,
            Box::new(move |scope, result| {
                let result = result.downcast::<T>().expect("the job gives what was said");
                then(scope, *result)
            }),
        );
    }
}

impl Watch {
    /// It tells that something has ended: what else is ready is told before.
    pub fn tell_end(&self) {
        self.handle.inner().descriptors.set_end(self.number);
    }

    /// Lets the loop end although this is there.
    pub fn unref(&self) {
        self.handle.inner().descriptors.set_kept(self.number, false);
    }

    pub fn r#ref(&self) {
        self.handle.inner().descriptors.set_kept(self.number, true);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.handle.inner().descriptors.remove(self.number);
    }
}
