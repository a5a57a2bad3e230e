//! Databases and statements of one runtime, by number. Numbers are not used again.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use rusk_jsc::{Call, ErrorKind, Exception, Outcome, Root, Scope, Value};
use rusk_runtime::RuntimeState;
use rusk_sqlite::{Connection, SqliteError, Statement};

/// A statement; borrowed mutably while SQLite runs it.
pub type OpenStatement = Rc<RefCell<Statement>>;

/// A database of the program.
pub enum OpenDatabase {
    Open(Rc<Connection>),
    /// Closed, with statements that may still be used.
    Closed(Weak<Connection>),
}

pub struct SqliteState {
    pub databases: RefCell<HashMap<u32, OpenDatabase>>,
    pub statements: RefCell<HashMap<u32, OpenStatement>>,
    next: Cell<u32>,
    /// Makes an error of a message, a code and an offset.
    make_error: Root,
    /// Makes a BigInt of digits.
    make_bigint: Root,
    /// What a function of the program has thrown, for the statement that called it.
    pub thrown: RefCell<Option<Root>>,
}

thread_local! {
    static STATE: RefCell<Option<Rc<SqliteState>>> = const { RefCell::new(None) };
}

/// Arguments: the functions that make errors and BigInts.
pub fn set_up<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let state = SqliteState {
        databases: RefCell::default(),
        statements: RefCell::default(),
        next: Cell::new(1),
        make_error: Root::new(scope, call.argument(scope, 0)),
        make_bigint: Root::new(scope, call.argument(scope, 1)),
        thrown: RefCell::default(),
    };
    STATE.set(Some(Rc::new(state)));
    Ok(scope.undefined())
}

/// For the binding's functions.
pub fn get() -> Rc<SqliteState> {
    STATE.with_borrow(Clone::clone).expect("it is set up first")
}

/// The runtime ends: statements first, then what they hold open.
pub fn close(_: &RuntimeState) {
    if let Some(state) = STATE.take() {
        let owned = (state.statements.take(), state.databases.take());
        drop(owned);
    }
}

impl SqliteState {
    pub fn add_database(&self, connection: Rc<Connection>) -> u32 {
        let id = self.next.replace(self.next.get() + 1);
        self.databases.borrow_mut().insert(id, OpenDatabase::Open(connection));
        id
    }

    pub fn add_statement(&self, statement: Statement) -> u32 {
        let id = self.next.replace(self.next.get() + 1);
        self.statements.borrow_mut().insert(id, Rc::new(RefCell::new(statement)));
        id
    }

    /// The database whose number is the first argument.
    pub fn database<'s>(&self, scope: &'s Scope, call: &Call<'s>) -> Result<Rc<Connection>, Exception<'s>> {
        let id = call.argument(scope, 0).to_number(scope)? as u32;
        match self.databases.borrow().get(&id) {
            Some(OpenDatabase::Open(connection)) => Ok(Rc::clone(connection)),
            _ => Err(closed(scope)),
        }
    }

    /// The statement whose number is the first argument.
    pub fn statement<'s>(&self, scope: &'s Scope, call: &Call<'s>) -> Result<OpenStatement, Exception<'s>> {
        let id = call.argument(scope, 0).to_number(scope)? as u32;
        self.statements.borrow().get(&id).cloned().ok_or_else(|| closed(scope))
    }

    /// What a function of the program has thrown, else SQLite's error.
    pub fn exception<'s>(&self, scope: &'s Scope, error: &SqliteError) -> Exception<'s> {
        if let Some(thrown) = self.thrown.take() {
            return thrown.value(scope).into();
        }
        let offset = error.offset.map_or(-1.0, f64::from);
        let arguments = [scope.string(&error.message), scope.number(error.code.into()), scope.number(offset)];
        let make = self.make_error.value(scope).as_function(scope).expect("a function was given");
        make.call(scope, &arguments).map_or_else(|thrown| thrown, Exception::from)
    }

    pub fn bigint<'s>(&self, scope: &'s Scope, value: i64) -> Result<Value<'s>, Exception<'s>> {
        let make = self.make_bigint.value(scope).as_function(scope).expect("a function was given");
        make.call(scope, &[scope.string(&value.to_string())])
    }
}

fn closed(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Error, "Database has closed")
}

/// A function of the program, called by a statement, uses that statement.
pub fn busy(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Error, "This statement is running")
}
