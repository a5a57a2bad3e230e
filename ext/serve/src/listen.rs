//! Starting and stopping servers, and what is known of them.

use std::rc::Rc;
use std::time::Duration;

use rusk_base::sys;
use rusk_base::sys::socket::SocketAddr;
use rusk_http_server::{Limits, ListenOptions, Protocols, RouteTable, Server, listen};
use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope, Value};
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::{negative_errno, optional_string_argument, string_argument, u32_argument};
use rusk_runtime::{Readiness, RuntimeState};

use crate::{flag, servers};

pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: host or undefined, port, path or undefined, flags, the function that takes events.
    // Returns the number of the server, or [errno, the call that was refused].
    add(scope, binding, "listen", start)?;
    // Arguments: server, whether it speaks HTTP/1.1, whether it speaks HTTP/2. Before `setTls`.
    add(scope, binding, "setVersions", |scope, call| {
        let protocols = Protocols {
            http1: call.argument(scope, 1).is_truthy(scope),
            http2: call.argument(scope, 2).is_truthy(scope),
        };
        if let Some(entry) = servers::of_call(scope, call) {
            entry.server.borrow_mut().set_protocols(protocols);
        }
        Ok(scope.undefined())
    })?;
    // Arguments: server, idle timeout in milliseconds, limit of a body in bytes.
    add(scope, binding, "setLimits", |scope, call| {
        let (timeout_ms, body_bytes) =
            (call.argument(scope, 1).to_number(scope)?, call.argument(scope, 2).to_number(scope)?);
        if let Some(entry) = servers::of_call(scope, call) {
            entry.server.borrow_mut().set_limits(Limits {
                idle_timeout: Duration::from_millis(timeout_ms as u64),
                body_bytes_max: body_bytes as u64,
                ..Limits::default()
            });
        }
        Ok(scope.undefined())
    })?;
    // Arguments: server, whether requests in flight are aborted.
    add(scope, binding, "stop", |scope, call| {
        let is_abrupt = call.argument(scope, 1).is_truthy(scope);
        if let Some(entry) = servers::of_call(scope, call) {
            let mut server = entry.server.borrow_mut();
            if is_abrupt { server.stop_now() } else { server.stop() }
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "remove", |scope, call| {
        servers::remove(call.argument(scope, 0).to_number(scope)? as usize);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "closeIdle", |scope, call| {
        let closed = servers::of_call(scope, call).map_or(0, |entry| entry.server.borrow_mut().close_idle());
        Ok(scope.number(closed as f64))
    })?;
    add(scope, binding, "setRef", |scope, call| {
        let is_ref = call.argument(scope, 1).is_truthy(scope);
        if let Some(entry) = servers::of_call(scope, call)
            && let Some(io) = &*entry.io.borrow()
        {
            if is_ref { io.r#ref() } else { io.unref() }
        }
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "inFlight", |scope, call| {
        let count = servers::of_call(scope, call).map_or(0, |entry| entry.server.borrow().in_flight());
        Ok(scope.number(count as f64))
    })?;
    // [address, port], a path, or undefined.
    add(scope, binding, "localAddress", |scope, call| {
        let address = servers::of_call(scope, call).and_then(|entry| entry.server.borrow().local_addr());
        address_value(scope, address)
    })?;
    // Removes the file of a Unix socket.
    add(scope, binding, "unlink", |scope, call| {
        let path = string_argument(scope, call, 0)?;
        let _ = sys::unlinkat(sys::CWD, path.as_str());
        Ok(scope.undefined())
    })?;
    add(scope, binding, "peerAddress", |scope, call| {
        let address = servers::with_request(scope, call, |server, id| server.peer_addr(id)).flatten();
        address_value(scope, address)
    })
}

fn start<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (host, path) = (optional_string_argument(scope, call, 0)?, optional_string_argument(scope, call, 2)?);
    let flags = u32_argument(scope, call, 3)?;
    let options = match path {
        Some(path) => ListenOptions::Unix(path.into_bytes()),
        None => ListenOptions::Inet {
            host,
            port: u32_argument(scope, call, 1)? as u16,
            reuse_port: flags & flag::REUSE_PORT != 0,
            is_ipv6_only: flags & flag::IPV6_ONLY != 0,
        },
    };
    let refused = |errno, name: &str| {
        let parts = [scope.number(negative_errno(errno)), scope.string(name)];
        scope.array(&parts).map(Object::value)
    };
    let listener = match listen(&options) {
        Ok(listener) => listener,
        Err(error) => return refused(error.errno, error.call),
    };
    let made = Server::new(listener, RouteTable::default(), Limits::default());
    let server = match made {
        Ok(server) => server,
        Err(errno) => return refused(errno, "epoll_create1"),
    };
    let poll_fd = match server.poll_fd() {
        Ok(fd) => Rc::new(fd),
        Err(errno) => return refused(errno, "fcntl"),
    };
    let number = servers::insert(server, Root::new(scope, call.argument(scope, 4)));
    let entry = servers::find(number).expect("it was inserted just now");
    let runner = Rc::downgrade(&entry);
    let added = RuntimeState::current().handle.add_io(poll_fd, Readiness::READ, move |scope, _| match runner
        .upgrade()
    {
        Some(entry) => entry.run(scope),
        None => Ok(()),
    });
    match added {
        Ok(io) => *entry.io.borrow_mut() = Some(io),
        Err(errno) => return refused(errno, "epoll_ctl"),
    }
    Ok(scope.number(number as f64))
}

fn address_value<'s>(scope: &'s Scope, address: Option<SocketAddr>) -> Outcome<'s> {
    Ok(match address {
        None => scope.undefined(),
        Some(SocketAddr::Unix(path)) => scope.string(&String::from_utf8_lossy(&path)),
        Some(SocketAddr::Inet(address)) => {
            let parts: [Value<'s>; 2] =
                [scope.string(&address.ip().to_string()), scope.number(address.port().into())];
            scope.array(&parts)?.value()
        }
    })
}
