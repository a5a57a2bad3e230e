//! `bun:sqlite`: databases. In: numbers of databases and statements, SQL, values. Out: rows as
//! arrays. Absent: the classes that programs see (js/internal/sqlite).

mod databases;
mod functions;
mod state;
mod statements;
mod values;

use rusk_jsc::{Exception, Object, Scope};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};

rusk_runtime::extension!("sqlite", [("sqlite", make)], on_close: state::close);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "setUp", state::set_up)?;
    add(scope, binding, "open", databases::open)?;
    add(scope, binding, "deserialize", databases::deserialize)?;
    add(scope, binding, "serialize", databases::serialize)?;
    add(scope, binding, "release", databases::release)?;
    add(scope, binding, "finalizeAll", databases::finalize_all)?;
    add(scope, binding, "inTransaction", databases::in_transaction)?;
    add(scope, binding, "loadExtension", databases::load_extension)?;
    add(scope, binding, "fileControl", databases::file_control)?;
    add(scope, binding, "setHook", functions::set_hook)?;
    add(scope, binding, "define", functions::define)?;
    add(scope, binding, "prepare", statements::prepare)?;
    add(scope, binding, "describe", statements::describe)?;
    add(scope, binding, "bind", statements::bind)?;
    add(scope, binding, "step", statements::step)?;
    add(scope, binding, "all", statements::all)?;
    add(scope, binding, "run", statements::run)?;
    add(scope, binding, "reset", statements::reset)?;
    add(scope, binding, "finalize", statements::finalize)?;
    add(scope, binding, "columnTypes", statements::column_types)?;
    add(scope, binding, "declaredTypes", statements::declared_types)?;
    add(scope, binding, "expandedSql", statements::expanded_sql)?;
    Ok(binding)
}
