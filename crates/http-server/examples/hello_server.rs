//! A server without an engine, to compare `Bun.serve` with: `hello_server PORT`. `/static` is a
//! static route, everything else is answered by a handler in Rust.

use std::rc::Rc;

use rusk_http_server::{
    Event, Limits, ListenOptions, ResponseHead, Route, RouteTable, RouteTarget, Server, StaticResponse,
    listen,
};

const FIELDS: &[u8] = b"Content-Type: text/plain;charset=UTF-8\r\n";
const BODY: &[u8] = b"Hello, World!";

fn main() {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(3000);
    let host = Some("127.0.0.1".to_owned());
    let options = ListenOptions::Inet { host, port, reuse_port: false, is_ipv6_only: false };
    let listener = listen(&options).expect("the port is free");
    let head = ResponseHead { fields: FIELDS, ..ResponseHead::default() };
    let mut routes = RouteTable::default();
    let target = RouteTarget::Static(Rc::new(StaticResponse::new(&head, BODY.to_vec(), None)));
    routes.add(Route { path: "/static", method: None, target });
    let mut server = Server::new(listener, routes, Limits::default()).expect("epoll is available");
    loop {
        server.poll(None).expect("the arguments are valid");
        while let Some(event) = server.next_event() {
            if let Event::Request { id, .. } = event {
                server.respond(id, &head, BODY);
            }
        }
        server.flush();
    }
}
