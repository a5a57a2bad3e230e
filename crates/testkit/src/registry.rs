//! An npm registry on loopback. In: packages declared in code or in a directory of JSON files. Out:
//! packuments with `ETag` and `Cache-Control`, tarballs, a record of what was asked, and faults on
//! demand. Publishing, dist-tags and users as in `api.rs`. Over HTTP/1.1, or over TLS and HTTP/2.

mod api;
mod fault;
mod http;
mod http2_fault;
mod pack;
mod package;
pub mod secure;
mod signing;
mod sigstore;

pub use fault::Fault;
pub use http::Request;
pub use http2_fault::Http2Fault;
pub use package::Package;

use fault::Faults;
use http::Answer;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use tokio_rustls::rustls::ServerConfig;

/// Connections served at once; the next one is closed unanswered. Clients under test open at most
/// 64, and `bench load` runs 32 of them at once.
const CONNECTIONS_MAX: usize = 64 * 40;

/// A running registry; stopped when dropped.
pub struct Server {
    shared: Arc<SharedRegistry>,
    url: String,
    port: u16,
    acceptor: Option<JoinHandle<()>>,
}

struct SharedRegistry {
    packages: BTreeMap<String, Package>,
    /// `http://127.0.0.1:port/`, written into packuments.
    url: String,
    tls: Option<Arc<ServerConfig>>,
    stopped: AtomicBool,
    state: Mutex<RegistryState>,
}

#[derive(Default)]
struct RegistryState {
    requests: Vec<Request>,
    faults: Faults,
    /// The required `Authorization` header.
    authorization: Option<String>,
    max_age_s: u32,
    open: BTreeMap<u64, TcpStream>,
    /// Packages that were published or changed since the start.
    published: BTreeMap<String, Package>,
    users: api::Users,
}

impl Server {
    /// Serves these packages on a free port of 127.0.0.1.
    pub fn start(packages: impl IntoIterator<Item = Package>) -> Server {
        Server::start_with(packages, None)
    }

    /// As `start`, over TLS and HTTP/2, with the certificate of [`secure::CERTIFICATE`].
    pub fn start_secure(packages: impl IntoIterator<Item = Package>) -> Server {
        Server::start_with(packages, Some(Arc::new(secure::tls_config(&[b"h2"]))))
    }

    fn start_with(packages: impl IntoIterator<Item = Package>, tls: Option<Arc<ServerConfig>>) -> Server {
        let (listener, port) = listen();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://127.0.0.1:{port}/");
        let packages = packages.into_iter().map(|package| (package.name().to_owned(), package)).collect();
        let state = Mutex::new(RegistryState { max_age_s: 300, ..RegistryState::default() });
        let shared = Arc::new(SharedRegistry {
            packages,
            url: url.clone(),
            tls,
            stopped: AtomicBool::new(false),
            state,
        });
        let acceptor = {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || accept(&listener, &shared))
        };
        Server { shared, url, port, acceptor: Some(acceptor) }
    }

    /// Serves every `*.json` of a directory; the format is described at [`Package::parse`].
    pub fn of_directory(folder: &Path) -> Server {
        Server::start(Package::read_directory_packages(folder))
    }

    /// `http://127.0.0.1:port/`, or with https.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A `.npmrc` that names this registry.
    pub fn npmrc(&self) -> String {
        format!("registry={}\n", self.url)
    }

    /// `sha512-…` of a tarball as it is served, for lockfiles written by a test.
    #[track_caller]
    pub fn integrity(&self, name: &str, version: &str) -> String {
        let package = self.shared.packages.get(name).unwrap_or_else(|| panic!("no package `{name}`"));
        package.integrity(version).unwrap_or_else(|| panic!("no version {version} of `{name}`")).to_owned()
    }

    /// The requests so far, in order of arrival.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.state().requests.clone()
    }

    /// How often a path was requested: `/left`, `/left/-/left-1.0.0.tgz`, `/@scope/ui`.
    pub fn count(&self, path: &str) -> usize {
        self.shared.state().requests.iter().filter(|request| request.path == path).count()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.shared.state().requests.clear();
    }

    /// Spoils the next `times` answers for a path.
    pub fn fail(&self, path: &str, fault: Fault, times: usize) {
        self.shared.state().faults.add(path, fault, times);
    }

    /// Forgets faults that have not happened.
    pub fn forget_faults(&self) {
        self.shared.state().faults = Faults::default();
    }

    /// Responds with 401 to requests without this `Authorization` header.
    pub fn require_authorization(&self, header: &str) {
        self.shared.state().authorization = Some(header.to_owned());
    }

    /// `Cache-Control: max-age` of packuments from now on; 300 at first.
    pub fn set_max_age_s(&self, seconds: u32) {
        self.shared.state().max_age_s = seconds;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        for stream in self.shared.state().open.values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        // Wakes the acceptor, which then sees that it should stop.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

impl SharedRegistry {
    fn state(&self) -> MutexGuard<'_, RegistryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn package(&self, name: &str) -> Option<Package> {
        let published = self.state().published.get(name).cloned();
        published.or_else(|| self.packages.get(name).cloned())
    }

    fn publish(&self, package: Package) {
        self.state().published.insert(package.name().to_owned(), package);
    }

    fn answer(&self, request: &Request) -> Answer {
        let (authorization, max_age_s) = {
            let mut state = self.state();
            state.requests.push(request.clone());
            (state.authorization.clone(), state.max_age_s)
        };
        if authorization.is_some() && request.header("authorization") != authorization.as_deref() {
            return Answer::json(401, r#"{"error":"authentication is required"}"#);
        }
        if let Some(answer) = api::answer(self, request) {
            return answer;
        }
        if request.method != "GET" {
            return Answer::json(405, r#"{"error":"no such API"}"#);
        }
        match request.path.split_once("/-/") {
            Some((name, file)) => self.tarball(name.trim_start_matches('/'), file),
            None => self.packument(request, max_age_s),
        }
    }

    fn packument(&self, request: &Request, max_age_s: u32) -> Answer {
        let version = request.path.rsplit_once('/').and_then(|(name, version)| {
            self.package(name.trim_start_matches('/'))?.version_document(version, &self.url)
        });
        if let Some(document) = version {
            return Answer::json(200, &document);
        }
        let Some(package) = self.package(request.path.trim_start_matches('/')) else {
            return Answer::json(404, r#"{"error":"Not found"}"#);
        };
        let short = request.header("accept").is_some_and(|accept| accept.contains(package::ABBREVIATED));
        let body = package.packument(&self.url, short);
        let etag = format!("\"{}\"", pack::sha1_hex(body.as_bytes()));
        let unchanged = request.header("if-none-match") == Some(&etag);
        let mut answer = if unchanged { Answer::new(304, Vec::new()) } else { Answer::new(200, body.into()) };
        answer.header("content-type", if short { package::ABBREVIATED } else { "application/json" });
        answer.header("etag", &etag);
        answer.header("cache-control", &format!("public, max-age={max_age_s}"));
        if !unchanged && request.header("accept-encoding").is_some_and(|accepted| accepted.contains("gzip")) {
            answer.body = pack::gzip(&answer.body);
            answer.header("content-encoding", "gzip");
        }
        answer
    }

    fn tarball(&self, name: &str, file: &str) -> Answer {
        let unscoped = name.rsplit('/').next().unwrap_or(name);
        let version =
            file.strip_suffix(".tgz").and_then(|stem| stem.strip_prefix(unscoped)?.strip_prefix('-'));
        let package = self.package(name);
        let tarball = version.and_then(|version| package.as_ref()?.tarball(version));
        let Some(tarball) = tarball else { return Answer::json(404, r#"{"error":"Not found"}"#) };
        let mut answer = Answer::new(200, tarball.to_vec());
        answer.header("content-type", "application/octet-stream");
        answer.header("cache-control", "public, immutable, max-age=31557600");
        answer
    }
}

/// A port of five digits, which takes as much space in a binary file as what stands for it there.
fn listen() -> (TcpListener, u16) {
    const PORT_MIN: u16 = 10_000;
    loop {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has a free port");
        let port = listener.local_addr().expect("a bound socket has an address").port();
        if port >= PORT_MIN {
            return (listener, port);
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<SharedRegistry>) {
    for (number, stream) in (0_u64..).zip(listener.incoming()) {
        if shared.stopped.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let Ok(copy) = stream.try_clone() else { continue };
        let mut state = shared.state();
        if state.open.len() >= CONNECTIONS_MAX {
            continue;
        }
        state.open.insert(number, copy);
        drop(state);
        let shared = Arc::clone(shared);
        std::thread::spawn(move || {
            serve(&stream, &shared);
            shared.state().open.remove(&number);
        });
    }
}

/// Answers the requests of one connection until the client closes it or a fault ends it.
fn serve(stream: &TcpStream, shared: &SharedRegistry) {
    let _ = stream.set_read_timeout(Some(http::IDLE_MAX));
    let _ = stream.set_nodelay(true);
    if let Some(tls) = &shared.tls {
        let _ = secure::serve(stream, tls, shared);
        let _ = stream.shutdown(Shutdown::Both);
        return;
    }
    let mut reader = BufReader::new(stream);
    while let Some(request) = http::read_request(&mut reader) {
        let answer = shared.answer(&request);
        let fault = shared.state().faults.take(&request.path);
        let written = match fault {
            Some(fault) => fault.write(answer, stream),
            None => answer.write(stream),
        };
        if written.is_err() || shared.stopped.load(Ordering::SeqCst) {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}

#[cfg(test)]
mod tests;
