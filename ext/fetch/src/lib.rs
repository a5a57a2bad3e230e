//! `internalBinding('fetch_client')`: requests and their answers, by `rusk-http`. In: a request,
//! pieces of its body. Out: what happened, told to a function. The network's thread begins with the
//! first request. An exchange keeps the program going until it has ended or somebody says that it
//! need not. Absent: what is sent and what an answer means; that is `fetch`'s.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::{Rc, Weak};

use rusk_http::{
    CertificateVerification, Client, ClientError, Event, Exchange, Request, RequestBody, TimeoutPhase,
    TlsOptions,
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

struct Http {
    client: Client,
    watch: OnceCell<IoHandle>,
    under_way: RefCell<HashMap<u64, Rc<UnderWay>>>,
    /// Exchanges that keep the program going.
    kept: Cell<usize>,
}

struct UnderWay {
    /// None when it was given up.
    exchange: RefCell<Option<Exchange>>,
    listener: Root,
    is_kept: Cell<bool>,
    http: Weak<Http>,
}

/// What JavaScript holds.
struct Held(Rc<UnderWay>);

rusk_runtime::extension!("fetch", [("fetch_client", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "event", event::ALL)?;
    let http: OnceCell<Rc<Http>> = OnceCell::new();
    // method, whether it is https, state, port, path, names and values of headers by turns, body,
    // whether to unpack, function. A body: undefined, bytes, or how many bytes will come, -1 where
    // that is unknown.
    add(scope, binding, "begin", move |scope, call| {
        let http = match http.get() {
            Some(http) => http,
            None => {
                let begun = Http::begin().map_err(|error| {
                    Exception::new(
                        scope,
                        ErrorKind::Error,
                        &format!("the network's thread does not begin: {error}"),
                    )
                })?;
                http.get_or_init(|| begun)
            }
        };
        let request = request(scope, call)?;
        let listener = Root::new(scope, call.argument(scope, 8));
        Ok(scope.native(Held(http.exchange(request, listener))).value())
    })?;
    add(scope, binding, "write", |scope, call| {
        let piece = bytes_or_utf8(scope, call.argument(scope, 1))?;
        with(scope, call, |exchange| exchange.write(piece));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "end", |scope, call| {
        with(scope, call, Exchange::end);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "taken", |scope, call| {
        let count = u32_argument(scope, call, 1)? as usize;
        with(scope, call, |exchange| exchange.release_capacity(count));
        Ok(scope.undefined())
    })?;
    add(scope, binding, "close", |scope, call| {
        if let Some(held) = held(scope, call) {
            held.0.close();
        }
        Ok(scope.undefined())
    })?;
    add(scope, binding, "setRef", |scope, call| {
        if let Some(held) = held(scope, call) {
            held.0.keep(call.argument(scope, 1).is_truthy(scope));
        }
        Ok(scope.undefined())
    })?;
    Ok(binding)
}

fn held<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Rc<Held>> {
    call.argument(scope, 0).as_object(scope)?.as_native(scope)
}

fn with<'s>(scope: &'s Scope, call: &Call<'s>, work: impl FnOnce(&mut Exchange)) {
    let Some(held) = held(scope, call) else { return };
    if let Some(exchange) = held.0.exchange.borrow_mut().as_mut() {
        work(exchange);
    }
}

fn request<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Request, Exception<'s>> {
    let list = string_list(scope, call.argument(scope, 5))?;
    // Values are bytes, one a letter.
    let latin = |text: &String| text.chars().map(|letter| letter as u8).collect();
    let headers = list.chunks_exact(2).map(|pair| (pair[0].clone(), latin(&pair[1]))).collect();
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
    })
}

/// As Node reads the environment.
fn trust(state: &RuntimeState) -> TlsOptions {
    let variable = |name: &str| state.program.environment.get(name).filter(|value| !value.is_empty());
    let checks = match variable("NODE_TLS_REJECT_UNAUTHORIZED").is_some_and(|value| value == "0") {
        true => CertificateVerification::Off,
        false => CertificateVerification::Strict,
    };
    let files = variable("NODE_EXTRA_CA_CERTS").map(PathBuf::from).into_iter().collect();
    TlsOptions { ca_files: files, verification: checks, ..TlsOptions::default() }
}

impl Http {
    fn begin() -> std::io::Result<Rc<Http>> {
        let state = RuntimeState::current();
        let http = Rc::new(Http {
            client: Client::start(trust(&state))?,
            watch: OnceCell::new(),
            under_way: RefCell::default(),
            kept: Cell::new(0),
        });
        let own = Rc::downgrade(&http);
        let watch = state.handle.add_io(http.client.waker()?, Readiness::READ, move |scope, _| {
            own.upgrade().map_or(Ok(()), |http| http.deliver(scope))
        })?;
        watch.unref();
        let _ = http.watch.set(watch);
        Ok(http)
    }

    fn exchange(self: &Rc<Http>, request: Request, listener: Root) -> Rc<UnderWay> {
        let exchange = self.client.send(request);
        let number = exchange.id;
        let under_way = Rc::new(UnderWay {
            exchange: RefCell::new(Some(exchange)),
            listener,
            is_kept: Cell::new(false),
            http: Rc::downgrade(self),
        });
        self.under_way.borrow_mut().insert(number, Rc::clone(&under_way));
        under_way.keep(true);
        under_way
    }

    fn deliver<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        // The descriptor is ready as long as something is there to be taken.
        let Ok(events) = self.client.take_events() else { return Ok(()) };
        for (number, event) in events {
            let is_last = matches!(event, Event::End | Event::Error(_));
            let Some(under_way) = self.under_way.borrow().get(&number).cloned() else { continue };
            if is_last {
                under_way.close();
            }
            let listener = under_way.listener.value(scope).as_function(scope).expect("JavaScript passes one");
            listener.call(scope, &told(scope, event)?)?;
        }
        Ok(())
    }
}

impl UnderWay {
    /// Nobody is told of it any more.
    fn close(&self) {
        self.keep(false);
        let Some(exchange) = self.exchange.take() else { return };
        if let Some(http) = self.http.upgrade() {
            http.under_way.borrow_mut().remove(&exchange.id);
        }
    }

    fn keep(&self, is_kept: bool) {
        let Some(http) = self.http.upgrade() else { return };
        let is_under_way = self.exchange.borrow().is_some();
        if self.is_kept.replace(is_kept && is_under_way) == (is_kept && is_under_way) {
            return;
        }
        let watch = http.watch.get().expect("it is set as the client begins");
        match is_kept {
            true => {
                http.kept.set(http.kept.get() + 1);
                watch.r#ref();
            }
            false => {
                http.kept.set(http.kept.get() - 1);
                if http.kept.get() == 0 {
                    watch.unref();
                }
            }
        }
    }
}

/// A number and what belongs to it.
fn told<'s>(scope: &'s Scope, event: Event) -> Result<Vec<Value<'s>>, Exception<'s>> {
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
        Event::Error(failure) => {
            let mut list = vec![number(event::ERROR)];
            list.extend(why(scope, failure));
            list
        }
    })
}

/// A word for the kind of failure, and what is known of it.
fn why(scope: &Scope, failure: ClientError) -> Vec<Value<'_>> {
    let number = |number: i32| scope.number(number.into());
    match failure {
        ClientError::Connect(refusals) => {
            let mut list = vec![scope.string("connect")];
            for (address, errno) in refusals {
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
            vec![scope.string("broken"), number(errno), scope.string(if is_write { "write" } else { "read" })]
        }
        ClientError::Closed => vec![scope.string("closed")],
        ClientError::Protocol(cause) => vec![scope.string("protocol"), scope.string(&cause)],
        ClientError::Tls { code, cause } => {
            vec![scope.string("tls"), scope.string(code), scope.string(&cause)]
        }
        ClientError::Certificates(cause) => vec![scope.string("certificates"), scope.string(&cause)],
        ClientError::Encoding { message, code } => {
            vec![scope.string("encoding"), scope.string(message), number(code)]
        }
        ClientError::TimedOut(wait) => vec![
            scope.string("timeout"),
            scope.string(match wait {
                TimeoutPhase::Connect => "connect",
                TimeoutPhase::Head => "head",
                TimeoutPhase::Body => "body",
            }),
        ],
    }
}
