//! Where a place in what the engine evaluated stands in the file. In: file, line, column, as the engine's stacks have them. Out: the
//! place in the source; `undefined` where they are the same. Absent: whose stack it is.

use std::cell::RefCell;
use std::collections::HashMap;

use rusk_jsc::{Exception, Object, Scope};

use super::{Host, add, object};

thread_local! {
    /// UTF-16 units of ours before the first line of a file, by what stacks call it.
    static HEADS: RefCell<HashMap<String, u32>> = RefCell::default();
}

/// What stands before the first line of a file.
pub(super) fn note_head(file: &str, units: u32) {
    HEADS.with_borrow_mut(|heads| heads.insert(file.to_owned(), units));
}

pub(super) fn make<'s>(scope: &'s Scope, _: &Host) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "original", |scope, call| {
        let file = call.argument(scope, 0).to_text(scope)?;
        let (line, column) =
            (call.argument(scope, 1).to_number(scope)?, call.argument(scope, 2).to_number(scope)?);
        let head = HEADS.with_borrow(|heads| heads.get(&file).copied());
        let Some(head) = head.map(f64::from).filter(|head| line == 1.0 && column > *head) else {
            return Ok(scope.undefined());
        };
        let place = [call.argument(scope, 0), scope.number(line), scope.number(column - head)];
        scope.array(&place).map(Object::value)
    })?;
    Ok(natives)
}
