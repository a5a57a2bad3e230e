//! The library on a database in memory.

use std::path::Path;
use std::rc::Rc;

use crate::{
    Connection, FunctionCall, FunctionFlags, OpenFlags, RowChange, SqliteError, Statement, StepResult, Value,
};

const READ_WRITE_CREATE: OpenFlags = OpenFlags(2 | 4);

fn memory() -> Rc<Connection> {
    Connection::open(Path::new(":memory:"), READ_WRITE_CREATE).expect("a database in memory")
}

fn run(connection: &Rc<Connection>, sql: &str) -> Result<(), SqliteError> {
    let mut rest = sql;
    loop {
        let prepared = Statement::prepare(connection, rest, 0)?;
        let Some(mut statement) = prepared.statement else { return Ok(()) };
        while statement.step()? == StepResult::Row {}
        rest = &rest[prepared.consumed..];
    }
}

fn one_integer(connection: &Rc<Connection>, sql: &str) -> i64 {
    let prepared = Statement::prepare(connection, sql, 0).expect("it is SQL");
    let mut statement = prepared.statement.expect("a statement");
    assert_eq!(statement.step().expect("it runs"), StepResult::Row);
    let Value::Integer(found) = statement.column(0) else { panic!("no integer") };
    found
}

#[test]
fn values_of_every_kind_come_back() {
    let connection = memory();
    let prepared = Statement::prepare(&connection, "select ?, ?, $c, ?, ?; rest", 0).expect("it is SQL");
    assert_eq!(prepared.consumed, "select ?, ?, $c, ?, ?;".len());
    let mut statement = prepared.statement.expect("a statement");
    let values = [
        Value::Null,
        Value::Integer(i64::MIN),
        Value::Real(0.5),
        Value::Text(b"a\0b"),
        Value::Blob(&[0, 255]),
    ];
    for (index, value) in (1..).zip(values) {
        statement.bind(index, value).expect("it is bound");
    }
    assert_eq!(statement.step(), Ok(StepResult::Row));
    for (index, value) in (0..).zip(values) {
        assert_eq!(statement.column(index), value);
    }
    assert_eq!(statement.column(5), Value::Null);
    assert_eq!(statement.step(), Ok(StepResult::Done));
    assert_eq!((statement.parameter_count(), statement.parameter_name(3).as_deref()), (5, Some("$c")));
    statement.reset();
    assert_eq!(statement.bind(6, Value::Null).expect_err("there are five").code, 25);
}

#[test]
fn an_error_has_its_code_and_its_place() {
    let connection = memory();
    let error = Statement::prepare(&connection, "select ; x", 0).err().expect("it is no SQL");
    assert_eq!((error.code, error.message.as_str()), (1, "near \";\": syntax error"));
    run(&connection, "create table t(a unique); insert into t values (1)").expect("it runs");
    let error = run(&connection, "insert into t values (1)").expect_err("it is unique");
    assert_eq!((error.code, error.message.as_str()), (2067, "UNIQUE constraint failed: t.a"));
}

#[test]
fn databases_are_copied_through_bytes() {
    let connection = memory();
    run(&connection, "create table t(a); insert into t values (41), (42)").expect("it runs");
    let bytes = connection.serialize("main").expect("bytes");
    let copy = Connection::deserialize(&bytes, false).expect("a database");
    run(&copy, "delete from t where a = 41").expect("it runs");
    assert_eq!((one_integer(&copy, "select a from t"), copy.changes()), (42, 1));
    let copy = Connection::deserialize(&bytes, true).expect("a database");
    assert!(run(&copy, "delete from t").is_err());
}

#[test]
fn functions_and_aggregates_are_called() {
    let connection = memory();
    let flags = FunctionFlags::default();
    let twice = Rc::new(|_: FunctionCall, arguments: &[Value<'_>], give: &mut dyn FnMut(Value<'_>)| {
        match arguments {
            [Value::Integer(value)] => give(Value::Integer(2 * value)),
            _ => return Err("no integer".to_owned()),
        }
        Ok(())
    });
    connection.define_scalar("twice", Some(1), flags, twice).expect("it is defined");
    assert_eq!(one_integer(&connection, "select twice(21)"), 42);
    assert_eq!(run(&connection, "select twice('a')").expect_err("no integer").message, "no integer");
    let sums = std::cell::RefCell::new(std::collections::HashMap::<u64, i64>::new());
    let sum = Rc::new(move |call: FunctionCall, arguments: &[Value<'_>], give: &mut dyn FnMut(Value<'_>)| {
        let value = match arguments {
            [Value::Integer(value)] => *value,
            _ => 0,
        };
        let mut sums = sums.borrow_mut();
        match call {
            FunctionCall::Step(group) => *sums.entry(group).or_default() += value,
            FunctionCall::Inverse(group) => *sums.entry(group).or_default() -= value,
            FunctionCall::Value(group) => give(Value::Integer(sums.get(&group).copied().unwrap_or(-1))),
            FunctionCall::Final(group) => give(Value::Integer(sums.remove(&group).unwrap_or(-1))),
            FunctionCall::Scalar => return Err("an aggregate".to_owned()),
        }
        Ok(())
    });
    connection.define_aggregate("total_of", Some(1), flags, true, sum).expect("it is defined");
    run(&connection, "create table t(a, b); insert into t values (1, 1), (1, 2), (2, 4)").expect("it runs");
    let groups = "select sum(s * a) from (select a, total_of(b) as s from t group by a)";
    assert_eq!(one_integer(&connection, groups), 3 + 8);
    assert_eq!(one_integer(&connection, "select total_of(b) from t where a = 9"), -1);
    let window = "select max(s) from (select total_of(b) over (order by b rows 1 preceding) as s from t)";
    assert_eq!(one_integer(&connection, window), 6);
}

#[test]
fn a_hook_gets_every_change() {
    let connection = memory();
    run(&connection, "create table t(a)").expect("it runs");
    let reported = Rc::new(std::cell::RefCell::new(Vec::new()));
    let own = Rc::clone(&reported);
    connection.set_update_hook(Some(Rc::new(move |change, schema, table, row| {
        own.borrow_mut().push((change, format!("{schema}.{table}"), row));
    })));
    run(&connection, "insert into t values (1); update t set a = 2; delete from t where a = 2")
        .expect("it runs");
    connection.set_update_hook(None);
    run(&connection, "insert into t values (1)").expect("it runs");
    let expected = [RowChange::Insert, RowChange::Update, RowChange::Delete]
        .map(|change| (change, "main.t".to_owned(), 1));
    assert_eq!(*reported.borrow(), expected);
}

#[test]
fn a_statement_keeps_its_connection_open() {
    let connection = memory();
    let prepared = Statement::prepare(&connection, "select 1", 0).expect("it is SQL");
    let mut statement = prepared.statement.expect("a statement");
    drop(connection);
    assert_eq!(statement.step(), Ok(StepResult::Row));
    let broken = Connection::open(Path::new("/nowhere/at/all"), OpenFlags(1)).err().expect("there is none");
    assert_eq!((broken.code, broken.message.as_str()), (14, "unable to open database file"));
}
