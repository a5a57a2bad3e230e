//! The names of objects' members, numbered once for the whole process, so that messages need not
//! spell them. In: the names of objects that are sent often, as JSON. Out: a number, and in another
//! thread the same names for it. Absent: what is made of them; js/internal/messaging/shapes.js
//! does.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rusk_jsc::{Exception, Object, Scope};

use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::{string_argument, u32_argument};

/// Objects that stand for tables have names without end; they are spelled out.
const SHAPES_MAX: usize = 4096;
/// Of one list of names.
const NAMES_BYTES_MAX: usize = 4096;

#[derive(Default)]
struct Shapes {
    numbers: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

static SHAPES: LazyLock<Mutex<Shapes>> = LazyLock::new(Mutex::default);

pub(super) fn add_all<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, natives, "shapeNumber", |scope, call| {
        let names = string_argument(scope, call, 0)?;
        Ok(scope.number(number(&names).map_or(-1.0, f64::from)))
    })?;
    add_fast(scope, natives, "shapeNames", |scope, call| {
        let shapes = SHAPES.lock().unwrap_or_else(PoisonError::into_inner);
        let found = shapes.names.get(u32_argument(scope, call, 0)? as usize).cloned();
        drop(shapes);
        Ok(found.map_or(scope.undefined(), |names| scope.string(&names)))
    })?;
    // Our own text, made of names in quotes.
    add(scope, natives, "compileShape", |scope, call| {
        scope.evaluate(&string_argument(scope, call, 0)?, "node:internal/messaging/shape", 1)
    })
}

/// `None`: there are enough of them.
fn number(names: &str) -> Option<u32> {
    let mut shapes = SHAPES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(number) = shapes.numbers.get(names) {
        return Some(*number);
    }
    if shapes.names.len() == SHAPES_MAX || names.len() > NAMES_BYTES_MAX {
        return None;
    }
    let number = u32::try_from(shapes.names.len()).ok()?;
    let names = Arc::<str>::from(names);
    shapes.names.push(Arc::clone(&names));
    shapes.numbers.insert(names, number);
    Some(number)
}
