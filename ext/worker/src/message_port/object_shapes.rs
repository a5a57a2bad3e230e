//! Object shapes: lists of property names with an id in the process, so that messages need not
//! contain the names. In: the names of objects that are sent often, as JSON. Out: an id, and in any
//! thread the names of an id. Absent: the compiled readers and writers
//! (`js/internal/messaging/object_shapes.js`).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rusk_jsc::{Exception, Object, Scope};

use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::{string_argument, u32_argument};

/// Objects used as dictionaries have any number of names; those are written out.
const SHAPES_MAX: usize = 4096;
/// Limit of one list of names.
const NAMES_BYTES_MAX: usize = 4096;

#[derive(Default)]
struct Shapes {
    ids: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

static SHAPES: LazyLock<Mutex<Shapes>> = LazyLock::new(Mutex::default);

pub(super) fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "shapeId", |scope, call| {
        let names = string_argument(scope, call, 0)?;
        Ok(scope.number(id_of(&names).map_or(-1.0, f64::from)))
    })?;
    add_fast(scope, binding, "shapeNames", |scope, call| {
        let shapes = SHAPES.lock().unwrap_or_else(PoisonError::into_inner);
        let names = shapes.names.get(u32_argument(scope, call, 0)? as usize).cloned();
        drop(shapes);
        Ok(names.map_or(scope.undefined(), |names| scope.string(&names)))
    })?;
    // Source text of ours, with the names as string literals.
    add(scope, binding, "compileShape", |scope, call| {
        scope.evaluate(&string_argument(scope, call, 0)?, "node:internal/messaging/shape", 1)
    })
}

/// `None`: a limit is reached.
fn id_of(names: &str) -> Option<u32> {
    let mut shapes = SHAPES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(number) = shapes.ids.get(names) {
        return Some(*number);
    }
    if shapes.names.len() == SHAPES_MAX || names.len() > NAMES_BYTES_MAX {
        return None;
    }
    let number = u32::try_from(shapes.names.len()).ok()?;
    let names = Arc::<str>::from(names);
    shapes.names.push(Arc::clone(&names));
    shapes.ids.insert(names, number);
    Some(number)
}
