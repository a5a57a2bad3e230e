//! Objects that files might change, compared after each file by their structures and the words of
//! their properties. In: an array of objects, with their values. Out: which ones have changed by
//! then. An added, removed or redefined property, another prototype and `Object.freeze` all give an
//! object another structure; an assignment changes a word. To compare the properties themselves
//! takes far longer: js/internal/test_files/reuse.js does it where words are not found.

use std::cell::{OnceCell, RefCell};

use rusk_jsc::{
    Call, Dictionaries, Exception, Object, Outcome, PropertyLayout, PropertyWords, Root, Scope, Value,
};

thread_local! {
    static WATCHED: RefCell<Vec<Watched>> = const { RefCell::new(Vec::new()) };
    static MODULES: RefCell<Vec<Watched>> = const { RefCell::new(Vec::new()) };
    static DICTIONARIES: OnceCell<Option<Dictionaries>> = const { OnceCell::new() };
    static LAYOUT: OnceCell<Option<PropertyLayout>> = const { OnceCell::new() };
}

struct Watched {
    object: Root,
    structure: u32,
    /// `None`: only the structure is compared.
    words: Option<PropertyWords>,
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

/// Out: the structure of the global object, if it shows all changes but those of values and new
/// properties; else 0.
pub fn of_global<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let structure = dictionaries(scope).and_then(|dictionaries| dictionaries.of_global(scope));
    Ok(scope.number(f64::from(structure.unwrap_or(NONE))))
}

/// Arguments: an array of objects; for each, an array of the values of its own data properties or
/// `undefined`; for each, the number of its accessors. Out: the indexes of those whose values are
/// compared from now on; `undefined`: this engine's structures are not known.
pub fn watch<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    clear();
    let watched = take(scope, call)?;
    let compared = compared(scope, watched.as_deref());
    WATCHED.set(watched.unwrap_or_default());
    compared
}

/// The same for objects of modules, which are watched besides.
pub fn watch_modules<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let watched = take(scope, call)?;
    let compared = compared(scope, watched.as_deref());
    MODULES.with_borrow_mut(|modules| modules.extend(watched.into_iter().flatten()));
    compared
}

/// Forgets the objects of modules.
pub fn clear_modules<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    MODULES.take();
    Ok(scope.undefined())
}

fn take<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<Vec<Watched>>, Exception<'s>> {
    let [objects, values, accessors] = std::array::from_fn(|index| call.argument(scope, index));
    let (Some(objects), Some(values), Some(accessors), Some(dictionaries)) =
        (objects.as_object(scope), values.as_object(scope), accessors.as_object(scope), dictionaries(scope))
    else {
        return Ok(None);
    };
    let one = |index| {
        scope.with_nested_scope(|scope| {
            Watched::take(scope, dictionaries, [objects, values, accessors], index).ok()
        })
    };
    Ok((0..length(scope, objects)?).map(one).collect())
}

fn compared<'s>(scope: &'s Scope, watched: Option<&[Watched]>) -> Outcome<'s> {
    let Some(watched) = watched else { return Ok(scope.undefined()) };
    let compared = watched.iter().enumerate().filter(|(_, one)| one.words.is_some());
    let compared: Vec<Value<'_>> = compared.map(|(index, _)| scope.number(index as f64)).collect();
    scope.array(&compared).map(Object::value)
}

fn length<'s>(scope: &'s Scope, array: Object<'_>) -> Result<u32, Exception<'s>> {
    Ok(array.property(scope, "length")?.to_number(scope)? as u32)
}

fn elements<'s>(scope: &'s Scope, array: Object<'_>) -> Result<Vec<Value<'s>>, Exception<'s>> {
    (0..length(scope, array)?).map(|index| array.element(scope, index)).collect()
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

fn layout(scope: &Scope) -> Option<PropertyLayout> {
    LAYOUT.with(|layout| *layout.get_or_init(|| PropertyLayout::probe(scope)))
}

/// Out: the indexes of those that have changed since the last call. Values of these are not
/// compared any more.
pub fn changed<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    WATCHED.with_borrow_mut(|watched| changed_of(scope, watched))
}

/// The same for objects of modules.
pub fn changed_modules<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    MODULES.with_borrow_mut(|watched| changed_of(scope, watched))
}

fn changed_of<'s>(scope: &'s Scope, watched: &mut [Watched]) -> Outcome<'s> {
    let mut indexes = Vec::new();
    for (index, one) in watched.iter_mut().enumerate() {
        if one.has_changed(scope) {
            indexes.push(scope.number(index as f64));
        }
    }
    scope.array(&indexes).map(Object::value)
}

impl Watched {
    fn take<'s>(
        scope: &'s Scope,
        dictionaries: Dictionaries,
        [objects, values, accessors]: [Object<'_>; 3],
        index: u32,
    ) -> Result<Watched, Exception<'s>> {
        let object = objects.element(scope, index)?;
        let structure = structure_of(scope, dictionaries, object);
        let own = values.element(scope, index)?.as_object(scope).filter(|_| structure != NONE);
        let words = match (own, object.as_object(scope), layout(scope)) {
            (Some(own), Some(object), Some(layout)) => {
                let accessors = accessors.element(scope, index)?.to_number(scope)? as usize;
                PropertyWords::take(scope, layout, object, &elements(scope, own)?, accessors)
            }
            _ => None,
        };
        Ok(Watched { object: Root::new(scope, object), structure, words })
    }

    fn has_changed(&mut self, scope: &Scope) -> bool {
        if self.structure == NONE {
            return false;
        }
        let object = self.object.borrow(scope);
        let structure = object.structure_id(scope).unwrap_or(NONE);
        let has_same_values = match (&self.words, object.as_object(scope)) {
            (Some(words), Some(object)) => words.are_same(scope, object),
            _ => true,
        };
        let has_changed = structure != self.structure || !has_same_values;
        if has_changed {
            (self.structure, self.words) = (structure, None);
        }
        has_changed
    }
}

/// Whether a global object is being watched.
pub fn are_watched() -> bool {
    WATCHED.with_borrow(|watched| !watched.is_empty())
}

/// Forgets all objects: their global object is about to end.
pub fn clear() {
    WATCHED.take();
    MODULES.take();
}
