//! Whether a promise has a handler, which the engine knows and has no public function for. In: a
//! promise that the engine itself named. Out: the answer, or that there is none: where private
//! paths are off, or where looks at promises of our own find things not to be what they are taken
//! for.

use std::ffi::{CStr, c_void};

use crate::engine::engine;
use crate::object::Object;
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::symbols::{RawGroup, RawObject};

/// `JSC::JSPromise::isHandled(JSC::VM&) const`. Up to 2.50; since then it is nowhere but where it
/// is asked.
const IS_HANDLED: &CStr = c"_ZNK3JSC9JSPromise9isHandledERNS_2VME";

pub(crate) type Ask = unsafe extern "C" fn(RawObject, RawGroup) -> bool;

/// Where the answer comes from.
#[derive(Clone, Copy)]
pub(crate) enum IsHandled {
    Function(Ask),
    /// A bit of the promise's cell.
    Bit {
        offset: usize,
        bit: u8,
    },
}

/// As much of a promise's cell is looked at, behind its header: what it is, and its state.
const HEADER_BYTES: usize = 8;
const CELL_BYTES: usize = 32;

/// The function, not yet believed.
pub(crate) fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<Ask> {
    let address = find(IS_HANDLED);
    // SAFETY: the mangled name says the types of the arguments; `verify` sees whether the answer is
    // one.
    (!address.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, Ask>(address) })
}

impl IsHandled {
    /// `promise` is one of the engine's own class.
    pub fn ask(self, scope: &Scope, promise: Object<'_>) -> bool {
        match self {
            // SAFETY: a value of the C interface is the object's address, the group is the VM, its
            // lock is held.
            IsHandled::Function(ask) => unsafe { ask(promise.raw(), scope.shared().group) },
            // SAFETY: within the cell of a promise, which a scope keeps and this thread's VM alone
            // changes.
            IsHandled::Bit { offset, bit } => unsafe { *promise.raw().cast::<u8>().add(offset) & bit != 0 },
        }
    }
}

/// The way of this engine, if it tells promises without a handler from the same with one, settled
/// or not.
pub(crate) fn verify(scope: &Scope) -> Option<IsHandled> {
    engine().fast.as_ref()?;
    let way = match engine().is_handled {
        Some(ask) => IsHandled::Function(ask),
        None => probe(scope)?,
    };
    let tells = |is_rejected| {
        let promise = sample(scope, is_rejected)?;
        let before = way.ask(scope, promise);
        handle(scope, promise)?;
        Some(!before && way.ask(scope, promise))
    };
    (tells(false)? && tells(true)?).then_some(way)
}

/// The one bit by which a promise that was rejected differs from itself, once it has a handler.
fn probe(scope: &Scope) -> Option<IsHandled> {
    let promise = sample(scope, true)?;
    let look = || peek::<CELL_BYTES>(promise.raw().cast_const().cast());
    let before = look()?;
    handle(scope, promise)?;
    let after = look()?;
    let mut changed = (HEADER_BYTES..CELL_BYTES).filter(|at| before[*at] != after[*at]);
    let (offset, others) = (changed.next()?, changed.next());
    let bit = before[offset] ^ after[offset];
    (others.is_none() && bit.is_power_of_two() && after[offset] & bit != 0)
        .then_some(IsHandled::Bit { offset, bit })
}

fn sample(scope: &Scope, is_rejected: bool) -> Option<Object<'_>> {
    let deferred = scope.promise().ok()?;
    if is_rejected {
        deferred.reject.call(scope, &[]).ok()?;
    }
    Some(deferred.promise)
}

fn handle(scope: &Scope, promise: Object<'_>) -> Option<()> {
    let then = promise.property(scope, "then").ok()?.as_function(scope)?;
    let nothing = scope.function("nothing", |scope, _| Ok(scope.undefined()));
    let handlers = [nothing.object().value(), nothing.object().value()];
    then.call_on(scope, promise, &handlers).ok().map(|_| ())
}
