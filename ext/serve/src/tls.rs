//! TLS of a server: several certificates, chosen by the name that the client asks for. In: native
//! contexts of `node:tls` and their names. Out: an acceptor of the server core. Absent: reading
//! keys and certificates (`node:tls`).

use std::rc::Rc;

use rusk_ext_tls::{ContextHandle, find_context};
use rusk_http_server::{Protocols, TlsAcceptor};
use rusk_jsc::{Exception, Object, Scope};
use rusk_openssl::tls::{Connection, Role};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{map_array, string_list};

use crate::servers;

/// ALPN in wire format, best first: what the server speaks.
fn wire_protocols(protocols: Protocols) -> &'static [u8] {
    match (protocols.http1, protocols.http2) {
        (true, true) => b"\x02h2\x08http/1.1",
        (false, true) => b"\x02h2",
        (_, false) => b"\x08http/1.1",
    }
}

/// A certificate, and the name that it is for.
struct NamedContext {
    /// A host name, or `*.` and a domain; empty: only as the default.
    name: String,
    handle: Rc<ContextHandle>,
}

/// How clients are checked.
#[derive(Clone, Copy)]
struct ClientCheck {
    /// A certificate is asked for.
    is_requested: bool,
    /// Without a trusted one the connection is refused.
    is_required: bool,
}

pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: server, contexts, of which the first is the default, their names, whether a
    // certificate of the client is asked for, and whether it is required.
    add(scope, binding, "setTls", |scope, call| {
        let handles =
            map_array(scope, call.argument(scope, 1), |scope, value| Ok(find_context(scope, value)))?;
        let names = string_list(scope, call.argument(scope, 2))?;
        let pairs = names.into_iter().zip(handles);
        let contexts: Vec<NamedContext> =
            pairs.filter_map(|(name, handle)| Some(NamedContext { name, handle: handle? })).collect();
        let check = ClientCheck {
            is_requested: call.argument(scope, 3).is_truthy(scope),
            is_required: call.argument(scope, 4).is_truthy(scope),
        };
        if let Some(entry) = servers::of_call(scope, call)
            && !contexts.is_empty()
        {
            let mut server = entry.server.borrow_mut();
            let protocols = wire_protocols(server.protocols());
            server.set_tls(acceptor(contexts, check, protocols));
        }
        Ok(scope.undefined())
    })
}

fn acceptor(contexts: Vec<NamedContext>, check: ClientCheck, protocols: &'static [u8]) -> TlsAcceptor {
    let contexts = Rc::new(contexts);
    let default = Rc::clone(&contexts[0].handle);
    TlsAcceptor {
        accept: Box::new(move || {
            let mut connection = Connection::new(&default.0.borrow(), Role::Server).ok()?;
            connection.set_verification(check.is_requested, check.is_required);
            connection.set_protocols(protocols);
            connection.pause_for_certificate();
            Some(connection)
        }),
        select: Box::new(move |connection, name| {
            if let Some(found) = find_named(&contexts, name, |context| &context.name) {
                // Where it fails, the handshake goes on with the default.
                let _ = connection.use_context(&found.handle.0.borrow());
            }
        }),
        admit: Box::new(move |connection| !check.is_required || connection.verify_failure().is_none()),
    }
}

/// What is for a host name: an exact name before one with `*`, the last of several, as in bun and
/// `addContext` of `node:tls`.
fn find_named<'c, T>(list: &'c [T], host: &str, name_of: impl Fn(&T) -> &str) -> Option<&'c T> {
    let last = |is_wildcard| {
        list.iter().rev().find(|one| {
            let name = name_of(one);
            name.starts_with("*.") == is_wildcard && is_for(name, host)
        })
    };
    last(false).or_else(|| last(true))
}

/// A dot at the end of a name has no meaning.
fn is_for(pattern: &str, name: &str) -> bool {
    let [pattern, name] = [pattern, name].map(|name| name.strip_suffix('.').unwrap_or(name));
    match pattern.strip_prefix("*.") {
        Some(domain) => name.split_once('.').is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(domain)),
        None => !pattern.is_empty() && pattern.eq_ignore_ascii_case(name),
    }
}

#[cfg(test)]
mod tests;
