//! Builtins that stay for the next file: those that files in this process have loaded. In: ids.
//! Out: the same ones for each new global object. Absent: which ones may stay
//! (js/internal/test_files/kept_builtins.js).

use std::cell::{Cell, RefCell};

use rusk_jsc::{Call, Object, Outcome, Scope, Value};

thread_local! {
    static IDS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static HAS_NEW: Cell<bool> = const { Cell::new(false) };
}

/// In the order in which they were loaded first.
pub fn ids<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let ids: Vec<Value<'_>> = IDS.with_borrow(|ids| ids.iter().map(|id| scope.string(id)).collect());
    scope.array(&ids).map(Object::value)
}

/// Argument: an array of ids.
pub fn keep<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let Some(array) = call.argument(scope, 0).as_object(scope) else { return Ok(scope.undefined()) };
    for index in 0..array.property(scope, "length")?.to_number(scope)? as u32 {
        let id = array.element(scope, index)?.to_rust_string(scope)?;
        IDS.with_borrow_mut(|ids| {
            if !ids.contains(&id) {
                ids.push(id);
                HAS_NEW.set(true);
            }
        });
    }
    Ok(scope.undefined())
}

/// Whether there are new ones since the last call: the next global object has them, and may be left
/// unchanged where this one was not.
pub fn take_has_new() -> bool {
    HAS_NEW.take()
}
