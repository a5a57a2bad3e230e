//! TCP and Unix stream sockets: `internalBinding('net')`. Creates, binds, connects sockets, accepts
//! connections, queries and sets socket options, as libuv's `uv_tcp_t` and `uv_pipe_t` do. In: a
//! family, a socket address, options. Out: a `StreamHandle`, a socket address, or a negative errno;
//! its events go to the listener of `internalBinding('stream_handle')`. Absent: name resolution
//! (`dns.rs`), datagrams (`udp.rs`).

use std::cell::RefCell;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::rc::Rc;
use std::time::Duration;

use rusk_base::sys::socket::{self, BindOptions, Family, SocketAddr};
use rusk_base::sys::{self, Errno, Mode, OFlags};
use rusk_jsc::{Call, Exception, Object, Outcome, Scope};

use rusk_ext_io::stream_handle::{StreamHandle, event, find, find_or_badf};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::{add_constants, uv};
use rusk_runtime::values::{errno_result, i32_argument, negative_errno, string_argument, u32_argument};

thread_local! {
    /// A file descriptor in reserve, as libuv's `emfile_fd`. When the process has reached its limit
    /// of descriptors (EMFILE), it is closed so that the pending connection can be accepted and
    /// closed. Otherwise the listening socket would stay readable and the event loop would spin.
    static SPARE_FD: RefCell<Option<OwnedFd>> = const { RefCell::new(None) };
}

rusk_runtime::shared_constants! {
    /// Address families of sockets.
    mod family: i32 {
        UNIX = 1,
        IPV4 = 4,
        IPV6 = 6,
    }
}

rusk_runtime::shared_constants! {
    /// Flags of `bind`: `IPV6_V6ONLY` and `SO_REUSEPORT`, as `uv_tcp_flags`.
    mod bind_flag: u32 {
        IPV6ONLY = 1,
        REUSEPORT = 2,
    }
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "family", family::ALL)?;
    add_constants(scope, binding, "uv", uv::ALL)?;
    add_constants(scope, binding, "bindFlag", bind_flag::ALL)?;
    add(scope, binding, "open", |scope, call| {
        let opened = socket::open(to_family(i32_argument(scope, call, 0)?)).map(StreamHandle::from_socket);
        Ok(opened
            .map_or_else(|error| scope.number(negative_errno(error)), |handle| handle.show(scope).value()))
    })?;
    add(scope, binding, "bind", |scope, call| {
        let (address, flags) = (socket_address(scope, call)?, u32_argument(scope, call, 3)?);
        let options = BindOptions {
            is_ipv6_only: flags & bind_flag::IPV6ONLY != 0,
            reuse_port: flags & bind_flag::REUSEPORT != 0,
        };
        errno_result(
            scope,
            with_address(scope, call, address, |handle, address| {
                socket::bind(handle.fd(), &address, options)
            }),
        )
    })?;
    add(scope, binding, "listen", |scope, call| {
        let backlog = i32_argument(scope, call, 1)?;
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|handle| {
                socket::listen(handle.fd(), backlog)?;
                SPARE_FD.with_borrow_mut(refill_spare);
                handle.on_readable(on_connection)
            }),
        )
    })?;
    add(scope, binding, "connect", connect)?;
    add(scope, binding, "getsockname", |scope, call| return_address(scope, call, socket::local_addr))?;
    add(scope, binding, "getpeername", |scope, call| return_address(scope, call, socket::peer_addr))?;
    add_options(scope, binding)?;
    Ok(binding)
}

/// Starts to connect; the result is emitted as `CONNECTED`.
fn connect<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let address = socket_address(scope, call)?;
    errno_result(
        scope,
        with_address(scope, call, address, |handle, address| {
            socket::connect(handle.fd(), &address)?;
            handle.once_writable(|scope, handle| {
                let status = socket::take_error(handle.fd()).map_or_else(negative_errno, |()| 0.0);
                handle.emit(scope, event::CONNECTED, scope.number(status))
            })
        }),
    )
}

/// Functions that set and query socket options.
fn add_options<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "setNoDelay", |scope, call| {
        let is_enabled = call.argument(scope, 1).is_truthy(scope);
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|handle| socket::set_no_delay(handle.fd(), is_enabled)),
        )
    })?;
    add(scope, binding, "setKeepAlive", |scope, call| {
        let (is_enabled, seconds) = (call.argument(scope, 1).is_truthy(scope), u32_argument(scope, call, 2)?);
        let after = is_enabled.then(|| Duration::from_secs(seconds.into()));
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|handle| socket::set_keep_alive(handle.fd(), after)),
        )
    })?;
    add(scope, binding, "setTrafficClass", |scope, call| {
        let class = i32_argument(scope, call, 1)? as u8;
        errno_result(
            scope,
            find_or_badf(scope, call).and_then(|handle| socket::set_traffic_class(handle.fd(), class)),
        )
    })?;
    add(scope, binding, "trafficClass", |scope, call| {
        let class = find_or_badf(scope, call).and_then(|handle| socket::traffic_class(handle.fd()));
        Ok(scope.number(class.map_or_else(negative_errno, f64::from)))
    })?;
    add(scope, binding, "reset", |scope, call| {
        errno_result(scope, find_or_badf(scope, call).and_then(|handle| socket::reset_on_close(handle.fd())))
    })
}

fn to_family(number: i32) -> Family {
    match number {
        family::IPV4 => Family::Inet,
        family::IPV6 => Family::Inet6,
        _ => Family::Unix,
    }
}

/// The socket address in the second and third argument: an IP address and a port, or a path and
/// undefined. `None`: the IP address is malformed.
fn socket_address<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<SocketAddr>, Exception<'s>> {
    let address = string_argument(scope, call, 1)?;
    if call.argument(scope, 2).is_undefined(scope) {
        return Ok(Some(SocketAddr::Unix(address.into_bytes())));
    }
    Ok(SocketAddr::parse_ip(&address, i32_argument(scope, call, 2)? as u16))
}

fn with_address<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    address: Option<SocketAddr>,
    body: impl FnOnce(Rc<StreamHandle>, SocketAddr) -> sys::Result<()>,
) -> sys::Result<()> {
    // libuv reports a path that is too long as EINVAL.
    body(find_or_badf(scope, call)?, address.ok_or(Errno::INVAL)?)
        .map_err(|error| if error == Errno::NAMETOOLONG { Errno::INVAL } else { error })
}

/// Accepts a connection when the listening socket is readable. One for each call, so that the
/// microtasks of one connection run before the next is accepted.
fn on_connection<'s>(scope: &'s Scope, server: &StreamHandle) -> Result<(), Exception<'s>> {
    match accept(server).map(StreamHandle::from_socket) {
        Ok(handle) => server.emit(scope, event::CONNECTION, handle.show(scope).value()),
        // Another process that shares the socket accepted it first, or the peer has reset it.
        Err(Errno::AGAIN | Errno::CONNABORTED) => Ok(()),
        Err(error) => server.emit(scope, event::CONNECTION, scope.number(negative_errno(error))),
    }
}

fn accept(server: &StreamHandle) -> sys::Result<OwnedFd> {
    SPARE_FD.with_borrow_mut(|spare| {
        let result = socket::accept(server.fd());
        if matches!(result, Err(Errno::MFILE | Errno::NFILE)) && spare.take().is_some() {
            drop(socket::accept(server.fd()));
            refill_spare(spare);
            // The connection is dropped, and the program is not asked, as with libuv.
            return Err(Errno::AGAIN);
        }
        result
    })
}

fn refill_spare(spare: &mut Option<OwnedFd>) {
    if spare.is_none() {
        *spare =
            sys::openat(sys::CWD, "/dev/null", OFlags::RDONLY, Mode::empty()).map(|fd| fd.into_std()).ok();
    }
}

/// Returns `[address, port, family]`, the path of a Unix socket, or a negative errno.
fn return_address<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    query: impl FnOnce(BorrowedFd<'_>) -> sys::Result<SocketAddr>,
) -> Outcome<'s> {
    let Some(handle) = find(scope, call) else { return Ok(scope.number(negative_errno(Errno::BADF))) };
    match query(handle.fd()) {
        Ok(SocketAddr::Inet(address)) => {
            let family = if address.is_ipv4() { family::IPV4 } else { family::IPV6 };
            let parts = [
                scope.string(&address.ip().to_string()),
                scope.number(address.port().into()),
                scope.number(family.into()),
            ];
            Ok(scope.array(&parts)?.value())
        }
        Ok(SocketAddr::Unix(path)) => Ok(scope.string(&String::from_utf8_lossy(&path))),
        Err(error) => Ok(scope.number(negative_errno(error))),
    }
}
