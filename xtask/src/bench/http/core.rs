//! `bench serve-static`, `bench serve-handler`: the core of `Bun.serve` without an engine: a static
//! response, or a handler in Rust for each request, until the process is killed. In: nothing. Out:
//! the port, on a line. What it takes per request bounds what `Bun.serve` can take.

use std::rc::Rc;

use rusk_base::sys::socket::SocketAddr;
use rusk_http_server::{
    Event, Limits, ListenOptions, ResponseHead, Route, RouteTable, RouteTarget, Server, StaticResponse,
    listen,
};

const BODY: &[u8] = b"Hello, World!";
/// As `Response` has it for a string.
const FIELDS: &[u8] = b"Content-Type: text/plain;charset=utf-8\r\n";

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Responder {
    Route,
    Handler,
}

#[allow(clippy::print_stdout, reason = "the caller waits for it")]
pub fn serve(responder: Responder) -> Result<(), String> {
    let head = ResponseHead { fields: FIELDS, ..ResponseHead::default() };
    let response = Rc::new(StaticResponse::new(&head, BODY.to_vec(), None));
    let mut routes = RouteTable::default();
    if responder == Responder::Route {
        routes.add(Route { path: "/static", method: None, target: RouteTarget::Static(response) });
    }
    let options = ListenOptions::Inet {
        host: Some("127.0.0.1".to_owned()),
        port: 0,
        reuse_port: false,
        is_ipv6_only: false,
    };
    let listener = listen(&options).map_err(|error| format!("{}: {}", error.call, error.errno))?;
    let mut server = Server::new(listener, routes, Limits::default()).map_err(|error| error.to_string())?;
    let Some(SocketAddr::Inet(address)) = server.local_addr() else { return Err("no address".to_owned()) };
    println!("{}", address.port());
    loop {
        server.poll(None).map_err(|error| error.to_string())?;
        while let Some(event) = server.next_event() {
            if let Event::Request { id, .. } = event {
                server.respond(id, &head, BODY);
            }
        }
        server.flush();
    }
}
