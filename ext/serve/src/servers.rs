//! Servers of a thread by number, and how the event loop drives them. In: a readable epoll
//! instance. Out: one call of JavaScript for all events that are ready; it takes them one by one by
//! `next`. A server whose requests are all answered without JavaScript makes no call.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use rusk_http_server::{Event, RequestId, RouteTable, Server};
use rusk_jsc::{Call, Exception, Root, Scope, SharedU32Array};
use rusk_runtime::{IoHandle, RuntimeState};

use crate::word;

/// Words that `next` fills in.
pub const WORDS: usize = word::ALL.len();

/// 2^32: a request's number is its slot times this, plus its generation. Slots are fewer than 2^20,
/// so a number of JavaScript holds it.
const SLOT_FACTOR: f64 = 4_294_967_296.0;

/// How often a server with much to do is polled before the loop has its turn: a round costs less
/// than a turn of the loop, and timers wait for no more than this.
const ROUNDS_MAX: usize = 4;

pub struct ServerEntry {
    pub server: RefCell<Server>,
    /// Routes that are being added.
    pub new_routes: RefCell<RouteTable>,
    /// The registration in the event loop.
    pub io: RefCell<Option<IoHandle>>,
    /// The event for which JavaScript is called.
    first: Cell<Option<Event>>,
    /// The JavaScript function that takes all events.
    pub run: Root,
}

thread_local! {
    /// Servers of this thread's runtime. Numbers of stopped servers are not used again.
    static SERVERS: RefCell<Vec<Option<Rc<ServerEntry>>>> = const { RefCell::new(Vec::new()) };
    static SHARED_WORDS: RefCell<Option<SharedU32Array<WORDS>>> = const { RefCell::new(None) };
}

pub fn set_words(words: SharedU32Array<WORDS>) {
    SHARED_WORDS.set(Some(words));
}

pub fn store(index: usize, value: u32) {
    SHARED_WORDS.with_borrow(|words| {
        if let Some(words) = words {
            words.store(index, value);
        }
    });
}

/// Returns the number of the server.
pub fn insert(server: Server, run: Root) -> usize {
    let entry = ServerEntry {
        server: RefCell::new(server),
        new_routes: RefCell::default(),
        io: RefCell::default(),
        first: Cell::new(None),
        run,
    };
    SERVERS.with_borrow_mut(|servers| {
        servers.push(Some(Rc::new(entry)));
        servers.len() - 1
    })
}

pub fn remove(number: usize) {
    let entry = SERVERS.with_borrow_mut(|servers| servers.get_mut(number).and_then(Option::take));
    drop(entry);
}

pub fn find(number: usize) -> Option<Rc<ServerEntry>> {
    SERVERS.with_borrow(|servers| servers.get(number).cloned().flatten())
}

/// The server in a call's first argument.
pub fn of_call<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<ServerEntry>> {
    let number = call.argument(scope, 0).to_number(scope).ok()?;
    find(number as usize)
}

/// Runs `body` with the server in a call's first argument and the request in its second one.
pub fn with_request<'s, R>(
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl FnOnce(&mut Server, RequestId) -> R,
) -> Option<R> {
    let entry = of_call(scope, call)?;
    let id = request_of_number(call.argument(scope, 1).to_number(scope).ok()?);
    let mut server = entry.server.borrow_mut();
    Some(body(&mut server, id))
}

pub fn number_of_request(id: RequestId) -> f64 {
    f64::from(id.slot) * SLOT_FACTOR + f64::from(id.generation)
}

fn request_of_number(number: f64) -> RequestId {
    let slot = (number / SLOT_FACTOR).floor();
    RequestId { slot: slot as u32, generation: (number - slot * SLOT_FACTOR) as u32 }
}

impl ServerEntry {
    /// The epoll instance of the server is ready.
    pub fn run<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        for _ in 0..ROUNDS_MAX {
            let mut server = self.server.borrow_mut();
            // It only fails for arguments that are out of range.
            let _ = server.poll(Some(Duration::ZERO));
            let (event, is_busy) = (server.next_event(), server.is_busy());
            if event.is_none() {
                server.flush();
            }
            drop(server);
            if event.is_some() {
                self.first.set(event);
                let run = self.run.value(scope).as_function(scope).expect("js/internal/serve passes one");
                if !run.call(scope, &[])?.is_truthy(scope) {
                    break;
                }
                self.server.borrow_mut().flush();
            }
            if !is_busy {
                break;
            }
        }
        Ok(())
    }

    pub fn next(&self) -> Option<Event> {
        self.first.take().or_else(|| self.server.borrow_mut().next_event())
    }
}

/// After each callback: writes what was answered in it.
pub fn flush_all() {
    SERVERS.with_borrow(|servers| {
        for entry in servers.iter().flatten() {
            if let Ok(mut server) = entry.server.try_borrow_mut() {
                server.flush();
            }
        }
    });
}

/// The runtime ends.
pub fn close_all(_: &RuntimeState) {
    drop(SERVERS.take());
    SHARED_WORDS.set(None);
}
