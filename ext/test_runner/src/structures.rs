//! Structures of functions that files might change, compared after each file. In: an array of
//! functions. Out: their structures, and which ones are others by then. An added, removed or
//! redefined property, another prototype and `Object.freeze` all give an object another structure;
//! to compare the properties themselves takes far longer. Absent: values of properties, which
//! js/internal/test_files/reuse.js compares.

use std::cell::RefCell;

use rusk_jsc::{Call, Object, Outcome, Root, Scope, Value};

thread_local! {
    static WATCHED: RefCell<Vec<Watched>> = const { RefCell::new(Vec::new()) };
}

struct Watched {
    function: Root,
    structure: u32,
}

/// Argument: an array. Out: the structure of each element; `undefined`: this engine's are not
/// known.
pub fn watch<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    clear();
    let Some(functions) = call.argument(scope, 0).as_object(scope) else { return Ok(scope.undefined()) };
    let count = functions.property(scope, "length")?.to_number(scope)? as u32;
    let mut watched = Vec::with_capacity(count as usize);
    for index in 0..count {
        let function = functions.element(scope, index)?;
        let Some(structure) = function.structure_id(scope) else { return Ok(scope.undefined()) };
        watched.push(Watched { function: Root::new(scope, function), structure });
    }
    let structures: Vec<Value<'_>> =
        watched.iter().map(|one| scope.number(f64::from(one.structure))).collect();
    WATCHED.set(watched);
    scope.array(&structures).map(Object::value)
}

/// Out: the indexes of those whose structure is another one than at the last call.
pub fn changed<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let mut indexes = Vec::new();
    WATCHED.with_borrow_mut(|watched| {
        for (index, one) in watched.iter_mut().enumerate() {
            let structure = one.function.borrow(scope).structure_id(scope);
            if structure != Some(one.structure) {
                one.structure = structure.unwrap_or_default();
                indexes.push(scope.number(index as f64));
            }
        }
    });
    scope.array(&indexes).map(Object::value)
}

/// Whether a global object is being watched.
pub fn are_watched() -> bool {
    WATCHED.with_borrow(|watched| !watched.is_empty())
}

/// Forgets the functions, whose global object is about to end.
pub fn clear() {
    WATCHED.take();
}
