//! Shared libraries by number. In: names. Out: addresses of symbols; the linker's message as an
//! error.

use rusk_ffi::Library;
use rusk_jsc::{Call, ErrorKind, Exception, Outcome, Scope};

use crate::state;

/// Argument: a name or a path; `null`: the program itself. Out: a number.
pub fn open<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let name = call.argument(scope, 0);
    let name = if name.is_truthy(scope) { Some(name.to_rust_string(scope)?) } else { None };
    let library = Library::open(name.as_deref())
        .map_err(|message| Exception::new(scope, ErrorKind::Error, &message))?;
    let state = state::get();
    let mut libraries = state.libraries.borrow_mut();
    libraries.push(Some(library));
    Ok(scope.number((libraries.len() - 1) as f64))
}

/// Arguments: a number, a name. Out: the address, or `undefined`.
pub fn symbol<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = call.argument(scope, 0).to_number(scope)? as usize;
    let name = call.argument(scope, 1).to_rust_string(scope)?;
    let state = state::get();
    let libraries = state.libraries.borrow();
    let address = libraries.get(index).and_then(Option::as_ref).and_then(|library| library.symbol(&name));
    Ok(address.map_or_else(|| scope.undefined(), |address| scope.number(address as f64)))
}

/// Argument: a number. Its functions were released.
pub fn close<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = call.argument(scope, 0).to_number(scope)? as usize;
    let library = state::get().libraries.borrow_mut().get_mut(index).and_then(Option::take);
    if let Some(library) = library {
        library.close();
    }
    Ok(scope.undefined())
}
