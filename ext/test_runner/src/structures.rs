//! Objects that files might change, compared after each file by their structures and the words of
//! their properties. In: an array of objects, with their values. Out: which ones have changed by
//! then. An added, removed or redefined property, another prototype and `Object.freeze` all give an
//! object another structure, but for a property that is added to a dictionary, which has another
//! word then; an assignment changes a word. To compare the properties themselves takes far longer:
//! js/internal/test_files/reuse.js does it where words are not found.

use std::cell::{OnceCell, RefCell};

use rusk_jsc::{
    Call, Dictionaries, DictionaryKind, Exception, Object, Outcome, PropertyLayout, PropertyWords, Root,
    Scope, Value,
};
use rusk_runtime::bindings::{add, add_fast};

thread_local! {
    static WATCHED: RefCell<Vec<Watched>> = const { RefCell::new(Vec::new()) };
    static MODULES: RefCell<Vec<Watched>> = const { RefCell::new(Vec::new()) };
    static GLOBAL: RefCell<Option<PropertyWords>> = const { RefCell::new(None) };
    static DICTIONARIES: OnceCell<Option<Dictionaries>> = const { OnceCell::new() };
    static LAYOUT: OnceCell<Option<PropertyLayout>> = const { OnceCell::new() };
}

struct Watched {
    object: Root,
    structure: u32,
    /// `None`: only the structure is compared.
    words: Option<PropertyWords>,
}

/// Adds them to the binding.
pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "structureOf", of)?;
    add_fast(scope, binding, "structureOfGlobal", of_global)?;
    add(scope, binding, "watchGlobal", watch_global)?;
    add(scope, binding, "isSameGlobal", is_same_global)?;
    add(scope, binding, "watchStructures", watch)?;
    add(scope, binding, "watchAgain", watch_again)?;
    add(scope, binding, "changedStructures", changed)?;
    add(scope, binding, "watchModules", watch_modules)?;
    add(scope, binding, "changedModules", changed_modules)?;
    add(scope, binding, "clearModules", clear_modules)
}

/// That of a dictionary which tells nothing, or whose properties are not compared.
const NONE: u32 = 0;

/// What stands for the structure of a dictionary that tells all but new properties.
const DICTIONARY: f64 = -1.0;

/// Argument: an object. Out: its structure, `DICTIONARY`, or 0; `undefined`: this engine's are not
/// known.
fn of<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let Some(dictionaries) = dictionaries(scope) else { return Ok(scope.undefined()) };
    let object = call.argument(scope, 0);
    let structure = match dictionaries.kind(scope, object) {
        Some(DictionaryKind::None) => object.structure_id(scope).map_or(0.0, f64::from),
        Some(DictionaryKind::Cacheable) => DICTIONARY,
        Some(DictionaryKind::Uncacheable) | None => f64::from(NONE),
    };
    Ok(scope.number(structure))
}

/// Out: the structure of the global object, if it shows all changes but those of values and new
/// properties; else 0.
fn of_global<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let structure = dictionaries(scope).and_then(|dictionaries| dictionaries.of_global(scope));
    Ok(scope.number(f64::from(structure.unwrap_or(NONE))))
}

/// Arguments: values of the own data properties of the global object, the number of its accessors.
/// Out: the indexes of the values that are not compared from now on; `undefined`: none is.
fn watch_global<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let values = call.argument(scope, 0).as_object(scope);
    let accessors = call.argument(scope, 1).to_number(scope)? as usize;
    let words = match (values, layout(scope)) {
        (Some(values), Some(layout)) => {
            PropertyWords::take_global(scope, layout, &elements(scope, values)?, accessors)
        }
        _ => None,
    };
    let missing = match &words {
        Some(words) => indexes(scope, words.missing())?,
        None => scope.undefined(),
    };
    GLOBAL.set(words);
    Ok(missing)
}

/// Out: whether the global object has the structure and the words that it had.
fn is_same_global<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let is_same =
        GLOBAL.with_borrow(|global| global.as_ref().is_some_and(|words| words.are_same_of_global(scope)));
    Ok(scope.boolean(is_same))
}

/// Arguments: an array of objects; for each, an array of the values of its own data properties or
/// `undefined`; for each, the number of its accessors. Out: for each, the indexes of the values
/// that are not compared from now on, `null` if none is, `undefined` if its structure is not
/// either; for all `undefined`: this engine's structures are not known.
fn watch<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    clear();
    let watched = take(scope, call)?;
    let compared = compared(scope, watched.as_deref());
    WATCHED.set(watched.unwrap_or_default());
    compared
}

/// The same for objects of modules, which are watched besides.
fn watch_modules<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let watched = take(scope, call)?;
    let compared = compared(scope, watched.as_deref());
    MODULES.with_borrow_mut(|modules| modules.extend(watched.into_iter().flatten()));
    compared
}

/// Forgets the objects of modules.
fn clear_modules<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    MODULES.take();
    Ok(scope.undefined())
}

fn take<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<Vec<Watched>>, Exception<'s>> {
    let [objects, values, accessors] = std::array::from_fn(|index| call.argument(scope, index));
    let (Some(objects), Some(values), Some(accessors)) =
        (objects.as_object(scope), values.as_object(scope), accessors.as_object(scope))
    else {
        return Ok(None);
    };
    let one = |index| {
        scope.with_nested_scope(|scope| {
            let own = values.element(scope, index).ok()?.as_object(scope);
            let accessors = accessors.element(scope, index).ok()?.to_number(scope).ok()? as usize;
            Watched::take(scope, objects.element(scope, index).ok()?, own, accessors)
        })
    };
    Ok((0..length(scope, objects)?).map(one).collect())
}

/// Arguments: the index of an object that has changed, and its values and the number of its
/// accessors as they are now. Out: as for one of [`watch`].
fn watch_again<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = call.argument(scope, 0).to_number(scope)? as usize;
    let own = call.argument(scope, 1).as_object(scope);
    let accessors = call.argument(scope, 2).to_number(scope)? as usize;
    WATCHED.with_borrow_mut(|watched| {
        let Some(one) = watched.get_mut(index) else { return Ok(scope.undefined()) };
        let object = one.object.value(scope);
        let Some(again) = Watched::take(scope, object, own, accessors) else { return Ok(scope.undefined()) };
        *one = again;
        missing(scope, one)
    })
}

fn compared<'s>(scope: &'s Scope, watched: Option<&[Watched]>) -> Outcome<'s> {
    let Some(watched) = watched else { return Ok(scope.undefined()) };
    let all: Vec<Value<'_>> = watched.iter().map(|one| missing(scope, one)).collect::<Result<_, _>>()?;
    scope.array(&all).map(Object::value)
}

fn missing<'s>(scope: &'s Scope, watched: &Watched) -> Outcome<'s> {
    match &watched.words {
        Some(words) => indexes(scope, words.missing()),
        None if watched.structure == NONE => Ok(scope.undefined()),
        None => Ok(scope.null()),
    }
}

fn indexes<'s>(scope: &'s Scope, indexes: &[usize]) -> Outcome<'s> {
    let indexes: Vec<Value<'_>> = indexes.iter().map(|index| scope.number(*index as f64)).collect();
    scope.array(&indexes).map(Object::value)
}

fn length<'s>(scope: &'s Scope, array: Object<'_>) -> Result<u32, Exception<'s>> {
    Ok(array.property(scope, "length")?.to_number(scope)? as u32)
}

fn elements<'s>(scope: &'s Scope, array: Object<'_>) -> Result<Vec<Value<'s>>, Exception<'s>> {
    (0..length(scope, array)?).map(|index| array.element(scope, index)).collect()
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
fn changed<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    WATCHED.with_borrow_mut(|watched| changed_of(scope, watched))
}

/// The same for objects of modules.
fn changed_modules<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
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
    /// `own`: the values of its data properties, if they are to be compared.
    fn take(scope: &Scope, object: Value<'_>, own: Option<Object<'_>>, accessors: usize) -> Option<Watched> {
        let kind = dictionaries(scope)?.kind(scope, object).unwrap_or(DictionaryKind::Uncacheable);
        let own = own.filter(|_| kind != DictionaryKind::Uncacheable);
        let words = match (own, object.as_object(scope), layout(scope)) {
            (Some(own), Some(object), Some(layout)) => {
                PropertyWords::take(scope, layout, object, &elements(scope, own).ok()?, accessors)
            }
            _ => None,
        };
        let tells_all = kind == DictionaryKind::None || words.is_some();
        let structure = object.structure_id(scope).filter(|_| tells_all).unwrap_or(NONE);
        Some(Watched { object: Root::new(scope, object), structure, words })
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
    GLOBAL.take();
}
