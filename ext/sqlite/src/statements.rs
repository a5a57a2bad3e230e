//! Statements: prepare, bind, run, read rows.

use rusk_jsc::{Call, Exception, Outcome, Scope, Value};
use rusk_sqlite::{SqliteError, Statement, StepResult};

use crate::state::{self, OpenStatement, SqliteState, busy};
use crate::values::{OwnedValue, Reading};

/// Runs to the next row. The statement is borrowed meanwhile.
fn next<'s>(
    scope: &'s Scope,
    state: &SqliteState,
    statement: &OpenStatement,
) -> Result<StepResult, Exception<'s>> {
    let stepped = statement.try_borrow_mut().map_err(|_| busy(scope))?.step();
    // Hooks and window functions throw where SQLite sees no error.
    let thrown = state.thrown.take();
    match (stepped, thrown) {
        (_, Some(thrown)) => {
            rewind(statement);
            Err(thrown.value(scope).into())
        }
        (Ok(step), None) => Ok(step),
        (Err(error), None) => {
            rewind(statement);
            Err(state.exception(scope, &error))
        }
    }
}

fn rewind(statement: &OpenStatement) {
    if let Ok(mut statement) = statement.try_borrow_mut() {
        statement.reset();
    }
}

/// The current row, as an array.
fn row<'s>(
    scope: &'s Scope,
    state: &SqliteState,
    statement: &Statement,
    reading: Reading,
) -> Result<Value<'s>, Exception<'s>> {
    let mut columns = Vec::with_capacity(statement.column_count() as usize);
    for index in 0..statement.column_count() {
        columns.push(reading.value(scope, state, statement.column(index))?);
    }
    scope.array(&columns).map(|array| array.value())
}

/// Arguments: a database, SQL, flags. Out: a number, or 0 if there is no statement, and the SQL
/// after it.
pub fn prepare<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let state = state::get();
    let connection = state.database(scope, call)?;
    let sql = call.argument(scope, 1).to_rust_string(scope)?;
    let flags = call.argument(scope, 2).to_number(scope)? as u32;
    let prepared =
        Statement::prepare(&connection, &sql, flags).map_err(|error| state.exception(scope, &error))?;
    let id = prepared.statement.map_or(0, |statement| state.add_statement(statement));
    let rest = scope.string(&sql[prepared.consumed..]);
    scope.array(&[scope.number(id.into()), rest]).map(|pair| pair.value())
}

/// Argument: a statement. Out: the names of its columns, the names of its parameters (`null` for
/// those without one), whether it changes nothing.
pub fn describe<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let statement = state::get().statement(scope, call)?;
    let statement = statement.try_borrow().map_err(|_| busy(scope))?;
    let columns: Vec<Value<'_>> =
        (0..statement.column_count()).map(|index| scope.string(&statement.column_name(index))).collect();
    let parameters: Vec<Value<'_>> = (1..=statement.parameter_count())
        .map(|index| statement.parameter_name(index).map_or(scope.null(), |name| scope.string(&name)))
        .collect();
    let parts = [
        scope.array(&columns)?.value(),
        scope.array(&parameters)?.value(),
        scope.boolean(statement.is_readonly()),
    ];
    scope.array(&parts).map(|array| array.value())
}

/// Arguments: a statement, an array of values. What has no value becomes NULL. It begins anew.
pub fn bind<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let state = state::get();
    let open = state.statement(scope, call)?;
    let mut values = Vec::new();
    if let Some(array) = call.argument(scope, 1).as_object(scope) {
        let count = array.property(scope, "length")?.to_number(scope)? as u32;
        for index in 0..count {
            values.push(OwnedValue::of(scope, array.element(scope, index)?)?);
        }
    }
    let mut statement = open.try_borrow_mut().map_err(|_| busy(scope))?;
    statement.reset();
    statement.clear_bindings();
    let bound: Result<(), SqliteError> =
        (1..).zip(&values).try_for_each(|(index, value)| statement.bind(index, value.borrow()));
    drop(statement);
    bound.map_err(|error| state.exception(scope, &error))?;
    Ok(scope.undefined())
}

/// Arguments: a statement, whether integers are BigInts, whether all is bytes. Out: the next row,
/// or `undefined`.
pub fn step<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let state = state::get();
    let statement = state.statement(scope, call)?;
    let reading = Reading::of(scope, [call.argument(scope, 1), call.argument(scope, 2)]);
    match next(scope, &state, &statement)? {
        StepResult::Row => row(scope, &state, &*statement.try_borrow().map_err(|_| busy(scope))?, reading),
        StepResult::Done => {
            rewind(&statement);
            Ok(scope.undefined())
        }
    }
}

/// Arguments as of [`step`]. Out: all rows.
pub fn all<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let state = state::get();
    let statement = state.statement(scope, call)?;
    let reading = Reading::of(scope, [call.argument(scope, 1), call.argument(scope, 2)]);
    let rows = scope.array(&[])?;
    let mut count = 0;
    while next(scope, &state, &statement)? == StepResult::Row {
        scope.with_nested_scope(|nested| {
            let statement = statement.try_borrow().map_err(|_| busy(scope))?;
            match row(nested, &state, &statement, reading) {
                Ok(row) => rows.set_element(scope, count, row),
                Err(thrown) => Err(Exception::from(scope.root(thrown.value()))),
            }
        })?;
        count += 1;
    }
    rewind(&statement);
    Ok(rows.value())
}

/// Arguments: a statement, whether integers are BigInts. Runs to the end. Out: how many rows it
/// changed, and the last row that was inserted.
pub fn run<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let state = state::get();
    let statement = state.statement(scope, call)?;
    let connection = std::rc::Rc::clone(statement.try_borrow().map_err(|_| busy(scope))?.connection());
    let before = connection.total_changes();
    while next(scope, &state, &statement)? == StepResult::Row {}
    rewind(&statement);
    // A statement that changes nothing leaves the count of the one before it.
    let changes = if connection.total_changes() == before { 0 } else { connection.changes() };
    let reading = Reading { safe_integers: call.argument(scope, 1).is_truthy(scope), raw: false };
    let row = rusk_sqlite::Value::Integer(connection.last_insert_rowid());
    let pair = [scope.number(changes.into()), reading.value(scope, &state, row)?];
    scope.array(&pair).map(|array| array.value())
}

/// Argument: a statement.
pub fn reset<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    rewind(&state::get().statement(scope, call)?);
    Ok(scope.undefined())
}

/// Argument: a statement; nothing happens if there is none of this number.
pub fn finalize<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let id = call.argument(scope, 0).to_number(scope)? as u32;
    let removed = state::get().statements.borrow_mut().remove(&id);
    drop(removed);
    Ok(scope.undefined())
}

/// Argument: a statement, which is run to its first row. Out: the types of its columns.
pub fn column_types<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    use rusk_sqlite::Value as SqlValue;
    let state = state::get();
    let open = state.statement(scope, call)?;
    rewind(&open);
    next(scope, &state, &open)?;
    let types: Vec<Value<'_>> = {
        let statement = open.try_borrow().map_err(|_| busy(scope))?;
        let name = |value| match value {
            SqlValue::Null => "NULL",
            SqlValue::Integer(_) => "INTEGER",
            SqlValue::Real(_) => "FLOAT",
            SqlValue::Text(_) => "TEXT",
            SqlValue::Blob(_) => "BLOB",
        };
        (0..statement.column_count()).map(|index| scope.string(name(statement.column(index)))).collect()
    };
    rewind(&open);
    scope.array(&types).map(|array| array.value())
}

/// Argument: a statement. Out: the types in `CREATE TABLE`; `null` for an expression.
pub fn declared_types<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let statement = state::get().statement(scope, call)?;
    let statement = statement.try_borrow().map_err(|_| busy(scope))?;
    let types: Vec<Value<'_>> = (0..statement.column_count())
        .map(|index| statement.declared_type(index).map_or(scope.null(), |text| scope.string(&text)))
        .collect();
    scope.array(&types).map(|array| array.value())
}

/// Argument: a statement. Out: its SQL with the values of its parameters.
pub fn expanded_sql<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let statement = state::get().statement(scope, call)?;
    let statement = statement.try_borrow().map_err(|_| busy(scope))?;
    Ok(scope.string(&statement.expanded_sql()))
}
