//! Whether a promise has a handler (unstable ABI; there is no public function for it). In: a
//! promise of the engine's own class. Out: whether it has one; or nothing where the unstable ABI is
//! disabled or a probe of our own promises does not match.

use std::ffi::{CStr, c_void};

use crate::engine::engine;
use crate::object::Object;
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::symbols::{RawGroup, RawObject};

/// `JSC::JSPromise::isHandled(JSC::VM&) const`. Up to 2.50; later releases inline it.
const IS_HANDLED: &CStr = c"_ZNK3JSC9JSPromise9isHandledERNS_2VME";

pub(crate) type IsHandledFunction = unsafe extern "C" fn(RawObject, RawGroup) -> bool;

/// How the flag is read.
#[derive(Clone, Copy)]
pub(crate) enum IsHandled {
    Function(IsHandledFunction),
    /// A bit of the promise's cell.
    Bit {
        offset: usize,
        bit: u8,
    },
}

/// Size of the header, which has the cell type and the state, and of the part of the cell that is
/// compared.
const HEADER_BYTES: usize = 8;
const CELL_BYTES: usize = 32;

/// Looks the function up; it is not yet verified.
pub(crate) fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<IsHandledFunction> {
    let address = find(IS_HANDLED);
    // SAFETY: the mangled name contains the argument types; `verify` checks the result.
    (!address.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, IsHandledFunction>(address) })
}

impl IsHandled {
    /// `promise` must be of the engine's own class.
    pub fn query(self, scope: &Scope, promise: Object<'_>) -> bool {
        match self {
            // SAFETY: a value of the C API is the object's address and the context group is the VM,
            // whose lock is held.
            IsHandled::Function(query) => unsafe { query(promise.raw(), scope.shared().group) },
            // SAFETY: within the cell of a promise, which a scope roots and only this thread
            // changes.
            IsHandled::Bit { offset, bit } => unsafe { *promise.raw().cast::<u8>().add(offset) & bit != 0 },
        }
    }
}

/// The way that works on this engine, if it distinguishes promises with and without a handler,
/// settled or not.
pub(crate) fn verify(scope: &Scope) -> Option<IsHandled> {
    engine().fast.as_ref()?;
    let is_handled = match engine().is_handled {
        Some(query) => IsHandled::Function(query),
        None => probe(scope)?,
    };
    let distinguishes = |is_rejected| {
        let promise = probe_promise(scope, is_rejected)?;
        let before = is_handled.query(scope, promise);
        handle(scope, promise)?;
        Some(!before && is_handled.query(scope, promise))
    };
    (distinguishes(false)? && distinguishes(true)?).then_some(is_handled)
}

/// Finds the only bit of a rejected promise's cell that changes when it gets a handler.
fn probe(scope: &Scope) -> Option<IsHandled> {
    let promise = probe_promise(scope, true)?;
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

fn probe_promise(scope: &Scope, is_rejected: bool) -> Option<Object<'_>> {
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
