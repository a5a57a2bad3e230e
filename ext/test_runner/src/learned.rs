//! What test files of this process have used, so that later ones find it in a new global object
//! before they begin: then it is no change of that. In: ids of builtins, names of global properties.
//! Out: both. Absent: which ones (js/internal/test_files/reuse.js).

use std::cell::RefCell;
use std::collections::BTreeSet;

use rusk_jsc::{Call, Exception, Object, Outcome, Scope};

thread_local! {
    /// Ids, then names.
    static LEARNED: RefCell<[BTreeSet<String>; 2]> = RefCell::default();
}

/// Arguments: arrays of ids and of names.
pub fn learn<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    for kind in 0..2 {
        if let Some(array) = call.argument(scope, kind).as_object(scope) {
            let new = strings(scope, array)?;
            LEARNED.with_borrow_mut(|learned| learned[kind].extend(new));
        }
    }
    Ok(scope.undefined())
}

/// Out: arrays of ids and of names.
pub fn learned<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let [ids, names] = LEARNED.with_borrow(|learned| {
        learned.each_ref().map(|all| {
            let all: Vec<_> = all.iter().map(|one| scope.string(one)).collect();
            scope.array(&all).map(Object::value)
        })
    });
    scope.array(&[ids?, names?]).map(Object::value)
}

fn strings<'s>(scope: &'s Scope, array: Object<'s>) -> Result<Vec<String>, Exception<'s>> {
    let length = array.property(scope, "length")?.to_number(scope)? as u32;
    (0..length).map(|index| array.element(scope, index)?.to_rust_string(scope)).collect()
}
