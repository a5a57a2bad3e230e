//! HTTP client of `fetch`: `internalBinding('fetch_client')`, by `rusk-http`. In: a request, chunks
//! of its body. Out: events, passed to a listener. The client's thread starts with the first
//! request. An exchange keeps the event loop alive until it has ended or is unref'd. Absent: the
//! semantics of `fetch`.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use rusk_http::{
    CertificateVerification, Client, ClientError, Event, Exchange, HttpVersions, Request, RequestBody,
    TimeoutPhase, TlsOptions,
};
use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Kind, Object, Root, Scope, Value};

use rusk_runtime::IoHandle;
use rusk_runtime::Readiness;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{bytes_or_utf8, string_argument, string_list, u32_argument};

rusk_runtime::shared_constants! {
    /// Events of an exchange.
    mod event: f64 {
        /// The request body can take more.
        DRAIN = 0.0,
        /// status, reason, header fields
        HEAD = 1.0,
        DATA = 2.0,
        END = 3.0,
        ERROR = 4.0,
    }
}

rusk_runtime::shared_constants! {
    /// Versions of HTTP that a request may use.
    mod version: f64 {
        ANY = 0.0,
        HTTP1 = 1.0,
        HTTP2 = 2.0,
    }
}

struct FetchClient {
    client: Client,
    io_handle: OnceCell<IoHandle>,
    exchanges: RefCell<HashMap<u64, Rc<ActiveExchange>>>,
    /// The number of exchanges that are ref'd.
    ref_count: Cell<usize>,
}

struct ActiveExchange {
    /// `None` after close.
    exchange: RefCell<Option<Exchange>>,
    /// `None` after the last event: it leads to the handle, which leads back here.
    listener: RefCell<Option<Rc<Root>>>,
    is_ref: Cell<bool>,
    client: Weak<FetchClient>,
}

/// The native object that JavaScript holds.
struct ExchangeHandle(Rc<ActiveExchange>);

rusk_runtime::extension!("fetch", [("fetch_client", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", event::ALL)?;
    add_constants(scope, binding, "version", version::ALL)?;
    let client: Rc<OnceCell<Rc<FetchClient>>> = Rc::default();
    let connecting = Rc::clone(&client);
    // Arguments: method, whether it is https, host, port, path, alternating names and values of
    // header fields, body, whether to decompress, listener, PEM to trust or undefined, version. The
    // body is undefined, bytes, or the length of a streamed body, -1 if unknown.
    add(scope, binding, "start", move |scope, call| {
        let client = started_client(scope, &client)?;
        let request = request(scope, call)?;
        let listener = Root::new(scope, call.argument(scope, 8));
        Ok(scope.native(ExchangeHandle(client.send(request, listener))).value())
    })?;
    // Arguments: whether it is https, host, port, PEM to trust or undefined.
    add(scope, binding, "preconnect", move |scope, call| {
        let client = started_client(scope, &connecting)?;
        let is_secure = call.argument(scope, 0).is_truthy(scope);
        let (host, port) = (string_argument(scope, call, 1)?, u32_argument(scope, call, 2)? as u16);
        client.client.preconnect(is_secure, host, port, secure_options(scope, call.argument(scope, 3))?);
        Ok(scope.undefined())
    })?;
    // The value of Accept-Encoding: the codings whose libraries are there.
    add(scope, binding, "acceptEncoding", |scope, _| Ok(scope.string(&rusk_http::accept_encoding())))?;
    add(scope, binding, "write", |scope, call| {
        let chunk = bytes_or_utf8(scope, call.argument(scope, 1))?;
        with_exchange(scope, call, |exchange| exchange.write(chunk));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "end", |scope, call| {
        with_exchange(scope, call, Exchange::end);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "releaseCapacity", |scope, call| {
        let count = u32_argument(scope, call, 1)? as usize;
        with_exchange(scope, call, |exchange| exchange.release_capacity(count));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "close", |scope, call| {
        if let Some(handle) = find(scope, call) {
            handle.0.close();
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "setRef", |scope, call| {
        if let Some(handle) = find(scope, call) {
            handle.0.set_ref(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    Ok(binding)
}

fn find<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<ExchangeHandle>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn with_exchange<'s>(scope: &'s Scope, call: &Call<'s>, body: impl FnOnce(&mut Exchange)) {
    let Some(handle) = find(scope, call) else { return };
    if let Some(exchange) = handle.0.exchange.borrow_mut().as_mut() {
        body(exchange);
    }
}

/// The client, whose thread starts with its first use.
fn started_client<'c, 's>(
    scope: &'s Scope,
    client: &'c OnceCell<Rc<FetchClient>>,
) -> Result<&'c Rc<FetchClient>, Exception<'s>> {
    if let Some(client) = client.get() {
        return Ok(client);
    }
    let started = FetchClient::start().map_err(|error| {
        let message = format!("the network's thread does not begin: {error}");
        Exception::new(scope, ErrorKind::Error, &message)
    })?;
    Ok(client.get_or_init(|| started))
}

fn request<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Request, Exception<'s>> {
    let list = string_list(scope, call.argument(scope, 5))?;
    // Values are ByteStrings: each code unit is a byte.
    let to_latin1 = |string: &String| string.chars().map(|character| character as u8).collect();
    let headers = list.chunks_exact(2).map(|pair| (pair[0].clone(), to_latin1(&pair[1]))).collect();
    let value = call.argument(scope, 6);
    let body = match value.kind(scope) {
        Kind::Undefined => RequestBody::None,
        Kind::Number => {
            let length = value.to_number(scope)?;
            RequestBody::Stream((length >= 0.0).then_some(length as u64))
        }
        _ => RequestBody::Full(bytes_or_utf8(scope, value)?),
    };
    Ok(Request {
        method: string_argument(scope, call, 0)?,
        is_secure: call.argument(scope, 1).is_truthy(scope),
        host: string_argument(scope, call, 2)?,
        port: u32_argument(scope, call, 3)? as u16,
        path_and_query: string_argument(scope, call, 4)?,
        headers,
        body,
        decompress: call.argument(scope, 7).is_truthy(scope),
        tls_options: secure_options(scope, call.argument(scope, 9))?,
        versions: match call.argument(scope, 10).to_number(scope)? {
            version::HTTP1 => HttpVersions::Http1,
            version::HTTP2 => HttpVersions::Http2,
            _ => HttpVersions::Any,
        },
    })
}

/// TLS options of a request: an array of PEM, the certificates to trust instead of the client's.
fn secure_options<'s>(scope: &'s Scope, value: Value<'s>) -> Result<Option<Arc<TlsOptions>>, Exception<'s>> {
    if value.as_object(scope).is_none() {
        return Ok(None);
    }
    let trust = tls_options(&RuntimeState::current());
    let ca_pems = string_list(scope, value)?;
    Ok(Some(Arc::new(TlsOptions { system_roots: false, ca_files: Vec::new(), ca_pems, ..trust })))
}

/// TLS options from the environment variables of Node.
fn tls_options(state: &RuntimeState) -> TlsOptions {
    let variable = |name: &str| state.program.environment.get(name).filter(|value| !value.is_empty());
    let checks = match variable("NODE_TLS_REJECT_UNAUTHORIZED").is_some_and(|value| value == "0") {
        true => CertificateVerification::Off,
        false => CertificateVerification::Strict,
    };
    let files = variable("NODE_EXTRA_CA_CERTS").map(PathBuf::from).into_iter().collect();
    TlsOptions { ca_files: files, verification: checks, ..TlsOptions::default() }
}

impl FetchClient {
    fn start() -> std::io::Result<Rc<FetchClient>> {
        let state = RuntimeState::current();
        let client = Rc::new(FetchClient {
            client: Client::start(tls_options(&state))?,
            io_handle: OnceCell::new(),
            exchanges: RefCell::default(),
            ref_count: Cell::new(0),
        });
        let weak = Rc::downgrade(&client);
        let io_handle = state.handle.add_io(client.client.waker()?, Readiness::READ, move |scope, _| {
            weak.upgrade().map_or(Ok(()), |client| client.emit_events(scope))
        })?;
        io_handle.unref();
        let _ = client.io_handle.set(io_handle);
        Ok(client)
    }

    fn send(self: &Rc<FetchClient>, request: Request, listener: Root) -> Rc<ActiveExchange> {
        let exchange = self.client.send(request);
        let id = exchange.id;
        let active = Rc::new(ActiveExchange {
            exchange: RefCell::new(Some(exchange)),
            listener: RefCell::new(Some(Rc::new(listener))),
            is_ref: Cell::new(false),
            client: Rc::downgrade(self),
        });
        self.exchanges.borrow_mut().insert(id, Rc::clone(&active));
        active.set_ref(true);
        active
    }

    fn emit_events<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        // The descriptor stays readable as long as there are events.
        let Ok(events) = self.client.take_events() else { return Ok(()) };
        for (id, event) in events {
            let is_last = matches!(event, Event::End | Event::Error(_));
            let Some(active) = self.exchanges.borrow().get(&id).cloned() else { continue };
            let Some(listener) = active.listener.borrow().clone() else { continue };
            if is_last {
                active.close();
            }
            let listener = listener.value(scope).as_function(scope).expect("JavaScript passes one");
            listener.call(scope, &event_arguments(scope, event)?)?;
        }
        Ok(())
    }
}

impl ActiveExchange {
    /// Cancels the exchange; no more events are emitted.
    fn close(&self) {
        self.set_ref(false);
        self.listener.take();
        let Some(exchange) = self.exchange.take() else { return };
        if let Some(client) = self.client.upgrade() {
            client.exchanges.borrow_mut().remove(&exchange.id);
        }
    }

    fn set_ref(&self, is_ref: bool) {
        let Some(client) = self.client.upgrade() else { return };
        let is_active = self.exchange.borrow().is_some();
        if self.is_ref.replace(is_ref && is_active) == (is_ref && is_active) {
            return;
        }
        let io_handle = client.io_handle.get().expect("start sets it");
        match is_ref {
            true => {
                client.ref_count.set(client.ref_count.get() + 1);
                io_handle.r#ref();
            }
            false => {
                client.ref_count.set(client.ref_count.get() - 1);
                if client.ref_count.get() == 0 {
                    io_handle.unref();
                }
            }
        }
    }
}

/// The arguments of the listener: the event and its values.
fn event_arguments<'s>(scope: &'s Scope, event: Event) -> Result<Vec<Value<'s>>, Exception<'s>> {
    let number = |number: f64| scope.number(number);
    Ok(match event {
        Event::Drain => vec![number(event::DRAIN)],
        Event::Head { status, reason, headers } => {
            let mut list = Vec::with_capacity(headers.len() * 2);
            for (name, value) in headers {
                let value: String = value.into_iter().map(char::from).collect();
                list.extend([scope.string(&name), scope.string(&value)]);
            }
            let headers = scope.array(&list)?.value();
            vec![number(event::HEAD), number(status.into()), scope.string(&reason), headers]
        }
        Event::Data(bytes) => vec![number(event::DATA), Bytes::from_vec(scope, bytes)?.value()],
        Event::End => vec![number(event::END)],
        Event::Error(error) => {
            let mut list = vec![number(event::ERROR)];
            list.extend(error_arguments(scope, error));
            list
        }
    })
}

/// The kind of the error and its details, for `toError` of js/web/fetch/transport.js.
fn error_arguments(scope: &Scope, error: ClientError) -> Vec<Value<'_>> {
    let number = |number: i32| scope.number(number.into());
    match error {
        ClientError::Connect(attempts) => {
            let mut list = vec![scope.string("connect")];
            for (address, errno) in attempts {
                list.extend([
                    scope.string(&address.ip().to_string()),
                    number(address.port().into()),
                    number(errno),
                ]);
            }
            list
        }
        ClientError::Lookup { is_temporary } => vec![scope.string("lookup"), scope.boolean(is_temporary)],
        ClientError::Io { errno, is_write } => {
            vec![scope.string("io"), number(errno), scope.string(if is_write { "write" } else { "read" })]
        }
        ClientError::Closed => vec![scope.string("closed")],
        ClientError::Stream { code } => vec![scope.string("stream"), scope.number(code.into())],
        ClientError::Http2Unsupported => vec![scope.string("unsupported")],
        ClientError::Session { code } => vec![scope.string("session"), scope.number(code.into())],
        ClientError::Protocol(cause) => vec![scope.string("protocol"), scope.string(&cause)],
        ClientError::Tls { code, cause } => {
            vec![scope.string("tls"), scope.string(&code), scope.string(&cause)]
        }
        ClientError::Certificates(cause) => vec![scope.string("certificates"), scope.string(&cause)],
        ClientError::Encoding { message, code } => {
            vec![scope.string("encoding"), scope.string(message), number(code)]
        }
        ClientError::TimedOut(phase) => vec![
            scope.string("timeout"),
            scope.string(match phase {
                TimeoutPhase::Connect => "connect",
                TimeoutPhase::Head => "head",
                TimeoutPhase::Body => "body",
            }),
        ],
    }
}
