//! `internalBinding('net')`: how sockets of streams are made and find each other. In: families,
//! places, options; sockets are pipes, whose other functions are
//! `internalBinding('stream_handle')`'s. Out: sockets, places, errnos less than 0; what a socket's
//! function is called with. Absent: names of hosts, datagrams.

use std::cell::RefCell;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::Duration;

use rusk_base::sys::socket::{self, BindOptions, Family, SocketAddr};
use rusk_base::sys::{self, Errno, Mode, OFlags};
use rusk_jsc::{Call, Exception, Object, Outcome, Scope};

use rusk_ext_io::stream_handle::{Pipe, event, find, found};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{errno, id, int, negative, text};

thread_local! {
    /// Room for one descriptor more: where a program has as many as it may, whoever comes can be
    /// let in and sent away, and does not wait for ever while the loop is told of it again and
    /// again.
    static SPARE: RefCell<Option<OwnedFd>> = const { RefCell::new(None) };
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "open", |scope, call| {
        let made = socket::open(family(int(scope, call, 0)?)).map(Pipe::of_socket);
        Ok(made.map_or_else(|error| scope.number(negative(error)), |pipe| pipe.show(scope).value()))
    })?;
    add(scope, natives, "bind", |scope, call| {
        let (place, flags) = (place(scope, call)?, id(scope, call, 3)?);
        let sharing = BindOptions { is_ipv6_only: flags & 1 != 0, reuse_port: flags & 2 != 0 };
        errno(scope, on(scope, call, place, |pipe, place| socket::bind(pipe.fd(), &place, sharing)))
    })?;
    add(scope, natives, "listen", |scope, call| {
        let backlog = int(scope, call, 1)?;
        errno(
            scope,
            found(scope, call).and_then(|pipe| {
                socket::listen(pipe.fd(), backlog)?;
                SPARE.with_borrow_mut(keep_spare);
                pipe.whenever_readable(come)
            }),
        )
    })?;
    add(scope, natives, "connect", |scope, call| {
        let place = place(scope, call)?;
        errno(
            scope,
            on(scope, call, place, |pipe, place| {
                socket::connect(pipe.fd(), &place)?;
                pipe.when_writable(|scope, pipe| {
                    let status = socket::take_error(pipe.fd()).map_or_else(negative, |()| 0.0);
                    pipe.tell(scope, event::CONNECTED, scope.number(status))
                })
            }),
        )
    })?;
    add(scope, natives, "ownPlace", |scope, call| show(scope, call, socket::local_addr))?;
    add(scope, natives, "peerPlace", |scope, call| show(scope, call, socket::peer_addr))?;
    add(scope, natives, "setNoDelay", |scope, call| {
        let is_wanted = call.argument(scope, 1).is_truthy(scope);
        errno(scope, found(scope, call).and_then(|pipe| socket::set_no_delay(pipe.fd(), is_wanted)))
    })?;
    add(scope, natives, "setKeepAlive", |scope, call| {
        let (is_wanted, seconds) = (call.argument(scope, 1).is_truthy(scope), id(scope, call, 2)?);
        let after = is_wanted.then(|| Duration::from_secs(seconds.into()));
        errno(scope, found(scope, call).and_then(|pipe| socket::set_keep_alive(pipe.fd(), after)))
    })?;
    add(scope, natives, "setTrafficClass", |scope, call| {
        let class = int(scope, call, 1)? as u8;
        errno(scope, found(scope, call).and_then(|pipe| socket::set_traffic_class(pipe.fd(), class)))
    })?;
    add(scope, natives, "trafficClass", |scope, call| {
        let class = found(scope, call).and_then(|pipe| socket::traffic_class(pipe.fd()));
        Ok(scope.number(class.map_or_else(negative, f64::from)))
    })?;
    add(scope, natives, "breakOff", |scope, call| {
        errno(scope, found(scope, call).and_then(|pipe| socket::reset_on_close(pipe.fd())))
    })?;
    Ok(natives)
}

/// By the numbers of js/internal/net/handle.js.
fn family(number: i32) -> Family {
    match number {
        4 => Family::Inet,
        6 => Family::Inet6,
        _ => Family::Unix,
    }
}

/// The second and third argument: an address and its port, or a path and nothing. `None`: it is no
/// address.
fn place<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<SocketAddr>, Exception<'s>> {
    let address = text(scope, call, 1)?;
    if call.argument(scope, 2).is_undefined(scope) {
        return Ok(Some(SocketAddr::Unix(address.into_bytes())));
    }
    Ok(SocketAddr::parse_ip(&address, int(scope, call, 2)? as u16))
}

fn on<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    place: Option<SocketAddr>,
    body: impl FnOnce(Rc<Pipe>, SocketAddr) -> sys::Result<()>,
) -> sys::Result<()> {
    // A path that is too long is as wrong as any other.
    body(found(scope, call)?, place.ok_or(Errno::INVAL)?)
        .map_err(|error| if error == Errno::NAMETOOLONG { Errno::INVAL } else { error })
}

/// Somebody has come. One a turn, so that what each leaves is done before the next.
fn come<'s>(scope: &'s Scope, server: &Pipe) -> Result<(), Exception<'s>> {
    match accept(server).map(Pipe::of_socket) {
        Ok(pipe) => server.tell(scope, event::CONNECTION, pipe.show(scope).value()),
        // Another of those that share the place was faster, or whoever came has gone.
        Err(Errno::AGAIN | Errno::CONNABORTED) => Ok(()),
        Err(error) => server.tell(scope, event::CONNECTION, scope.number(negative(error))),
    }
}

fn accept(server: &Pipe) -> sys::Result<OwnedFd> {
    SPARE.with_borrow_mut(|spare| {
        let answer = socket::accept(server.fd());
        if matches!(answer, Err(Errno::MFILE | Errno::NFILE)) && spare.take().is_some() {
            drop(socket::accept(server.fd()));
            keep_spare(spare);
        }
        answer
    })
}

fn keep_spare(spare: &mut Option<OwnedFd>) {
    if spare.is_none() {
        *spare =
            sys::openat(sys::CWD, "/dev/null", OFlags::RDONLY, Mode::empty()).map(|fd| fd.into_std()).ok();
    }
}

/// `[address, port, family]` or the text of a path, or an errno less than 0.
fn show<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    ask: impl FnOnce(BorrowedFd<'_>) -> sys::Result<SocketAddr>,
) -> Outcome<'s> {
    let Some(pipe) = find(scope, call) else { return Ok(scope.number(negative(Errno::BADF))) };
    match ask(pipe.fd()) {
        Ok(SocketAddr::Inet(address)) => {
            let family = if address.is_ipv4() { 4.0 } else { 6.0 };
            let parts = [
                scope.string(&address.ip().to_string()),
                scope.number(address.port().into()),
                scope.number(family),
            ];
            Ok(scope.array(&parts)?.value())
        }
        Ok(SocketAddr::Unix(path)) => Ok(scope.string(&String::from_utf8_lossy(&path))),
        Err(error) => Ok(scope.number(negative(error))),
    }
}
