//! Structures of objects that files might change, compared after each file. In: an array of
//! objects. Out: their structures, and which ones are others by then. An added, removed or
//! redefined property, another prototype and `Object.freeze` all give an object another structure;
//! to compare the properties themselves takes far longer. Absent: values of properties, which
//! js/internal/test_files/reuse.js compares.

use std::cell::{OnceCell, RefCell};

use rusk_jsc::{Call, Dictionaries, Object, Outcome, Root, Scope, Value};

thread_local! {
    static WATCHED: RefCell<Vec<Watched>> = const { RefCell::new(Vec::new()) };
    static DICTIONARIES: OnceCell<Option<Dictionaries>> = const { OnceCell::new() };
}

struct Watched {
    object: Root,
    structure: u32,
}

/// That of a dictionary tells nothing.
const NONE: u32 = 0;

/// Argument: an object. Out: its structure, or 0; `undefined`: this engine's are not known.
pub fn of<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    Ok(match dictionaries(scope) {
        Some(dictionaries) => {
            scope.number(f64::from(structure_of(scope, dictionaries, call.argument(scope, 0))))
        }
        None => scope.undefined(),
    })
}

/// Argument: an array of objects.
pub fn watch<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    clear();
    let (Some(objects), Some(dictionaries)) = (call.argument(scope, 0).as_object(scope), dictionaries(scope))
    else {
        return Ok(scope.undefined());
    };
    let count = objects.property(scope, "length")?.to_number(scope)? as u32;
    let mut watched = Vec::with_capacity(count as usize);
    for index in 0..count {
        let object = objects.element(scope, index)?;
        let structure = structure_of(scope, dictionaries, object);
        watched.push(Watched { object: Root::new(scope, object), structure });
    }
    WATCHED.set(watched);
    Ok(scope.undefined())
}

fn structure_of(scope: &Scope, dictionaries: Dictionaries, object: Value<'_>) -> u32 {
    match dictionaries.has(scope, object) {
        Some(false) => object.structure_id(scope).unwrap_or(NONE),
        _ => NONE,
    }
}

/// Those of this thread's VM.
fn dictionaries(scope: &Scope) -> Option<Dictionaries> {
    DICTIONARIES.with(|dictionaries| *dictionaries.get_or_init(|| Dictionaries::probe(scope)))
}

/// Out: the indexes of those whose structure is another one than at the last call.
pub fn changed<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let mut indexes = Vec::new();
    WATCHED.with_borrow_mut(|watched| {
        for (index, one) in watched.iter_mut().enumerate() {
            let structure = one.object.borrow(scope).structure_id(scope).unwrap_or(NONE);
            if one.structure != NONE && one.structure != structure {
                one.structure = structure;
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

/// Forgets the objects, whose global object is about to end.
pub fn clear() {
    WATCHED.take();
}
