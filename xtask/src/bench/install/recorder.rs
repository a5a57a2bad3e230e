//! Recorder: a registry proxy that fetches from the real registry what nginx does not have, stores
//! it in `target/recorded`, and responds. In: requests on loopback, one per connection. Out: files;
//! packuments have tarball URLs of the local registry. Absent from timed runs. All tools resolve
//! against the recorded packuments from then on.

use super::registry::{self, RECORDER};
use rusk_npm::credential::default_registry;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Concurrent fetches; more have to wait.
const FETCHES_MAX: usize = 16;
/// A request line and headers; those of the tools have a few hundred bytes.
const HEAD_BYTES_MAX: u64 = 64 * 1024;
const SHORT_FORM: &str = "application/vnd.npm.install-v1+json";

/// A running recorder, stopped when dropped.
pub struct Recorder {
    stopped: Arc<AtomicBool>,
    acceptor: Option<JoinHandle<()>>,
}

impl Recorder {
    pub fn start() -> Result<Recorder, String> {
        let listener = TcpListener::bind(("127.0.0.1", RECORDER)).map_err(|error| error.to_string())?;
        let stopped = Arc::new(AtomicBool::new(false));
        let slots = Arc::new(Semaphore { taken: Mutex::new(0), freed: Condvar::new() });
        let acceptor = std::thread::spawn({
            let stopped = Arc::clone(&stopped);
            move || {
                for stream in listener.incoming().map_while(Result::ok) {
                    if stopped.load(Ordering::Relaxed) {
                        return;
                    }
                    let slots = Arc::clone(&slots);
                    std::thread::spawn(move || serve(stream, &slots));
                }
            }
        });
        Ok(Recorder { stopped, acceptor: Some(acceptor) })
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Wakes the accepting thread, which then sees the stop flag.
        let _ = TcpStream::connect(("127.0.0.1", RECORDER));
        let _ = self.acceptor.take().map(JoinHandle::join);
    }
}

/// Limits concurrent fetches.
struct Semaphore {
    taken: Mutex<usize>,
    freed: Condvar,
}

impl Semaphore {
    fn with<T>(&self, work: impl FnOnce() -> T) -> T {
        let lock = || self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = lock();
        while *taken >= FETCHES_MAX {
            taken = self.freed.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken += 1;
        drop(taken);
        let done = work();
        *lock() -= 1;
        self.freed.notify_one();
        done
    }
}

/// What is requested: a path below the registry's URL, and which form of a packument.
#[derive(Debug, PartialEq, Eq)]
struct PackageRequest {
    path: String,
    is_short: bool,
}

fn serve(mut stream: TcpStream, slots: &Semaphore) {
    let Some(request) = read_head(&stream).and_then(|head| parse(&head)) else {
        let _ = stream.write_all(b"HTTP/1.0 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        return;
    };
    let (status, body) = match slots.with(|| record(&request, &registry::directory())) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let head = format!("HTTP/1.0 {status}\r\nContent-Length: {}\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

fn read_head(stream: &TcpStream) -> Option<String> {
    let mut head = String::new();
    let mut reader = BufReader::new(std::io::Read::take(stream, HEAD_BYTES_MAX));
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    Some(head)
}

/// `None` for what an install does not request: another method, a path with `..`, a search.
fn parse(head: &str) -> Option<PackageRequest> {
    let mut arguments = head.lines().next()?.split(' ');
    let (method, target) = (arguments.next()?, arguments.next()?);
    let path = target.strip_prefix('/')?.replace("%2f", "/").replace("%2F", "/").replace("%40", "@");
    let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['%', '?', '\\']);
    let is_tarball = path.contains("/-/") && path.ends_with(".tgz");
    let parts = path.split('/').count();
    let is_packument = parts == 1 || (parts == 2 && path.starts_with('@'));
    if method != "GET" || !path.split('/').all(plain) || !(is_tarball || is_packument) {
        return None;
    }
    let accepts =
        head.lines().find(|line| line.to_ascii_lowercase().starts_with("accept:")).unwrap_or_default();
    Some(PackageRequest { path, is_short: !is_tarball && accepts.contains(SHORT_FORM) })
}

impl PackageRequest {
    fn is_tarball(&self) -> bool {
        self.path.ends_with(".tgz")
    }

    fn file(&self, recorded: &Path) -> PathBuf {
        match (self.is_tarball(), self.is_short) {
            (true, _) => recorded.join("tarballs").join(&self.path),
            (false, true) => recorded.join("short").join(format!("{}.json", self.path)),
            (false, false) => recorded.join("full").join(format!("{}.json", self.path)),
        }
    }
}

/// Fetches and stores one file; returns its bytes.
fn record(request: &PackageRequest, recorded: &Path) -> Result<Vec<u8>, String> {
    let file = request.file(recorded);
    let body = fetch(request)?;
    if request.is_tarball() {
        write_atomic(&file, &body)?;
        return Ok(body);
    }
    let text = String::from_utf8(body).map_err(|_| format!("{}: not UTF-8", request.path))?;
    let text = localized(&text, default_registry());
    write_atomic(&file.with_extension("json.gz"), &rusk_testkit::tarball::gzip(text.as_bytes()))?;
    write_atomic(&file, text.as_bytes())?;
    Ok(text.into_bytes())
}

/// By `curl`, which knows the system's certificates and proxies.
fn fetch(request: &PackageRequest) -> Result<Vec<u8>, String> {
    let path = match request.is_tarball() {
        true => request.path.clone(),
        false => request.path.replace('/', "%2f"),
    };
    let accept = if request.is_short { SHORT_FORM } else { "application/json" };
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--fail", "--location", "--compressed", "--retry", "3"]);
    curl.args(["--max-time", "240", "--header", &format!("Accept: {accept}")]);
    curl.arg(format!("{}/{path}", default_registry().trim_end_matches('/')));
    let ended = curl.output().map_err(|error| format!("curl: {error}"))?;
    match ended.status.success() {
        true => Ok(ended.stdout),
        false => Err(format!("{}: {}", request.path, String::from_utf8_lossy(&ended.stderr).trim())),
    }
}

/// A packument with tarball URLs of the local registry: replaces the prefix of every string that
/// begins with the real registry's URL.
fn localized(packument: &str, upstream: &str) -> String {
    let host = upstream.trim_end_matches('/').trim_start_matches("https:");
    let local = format!("\"{}", registry::url());
    ["https:", "http:"]
        .iter()
        .fold(packument.to_owned(), |text, scheme| text.replace(&format!("\"{scheme}{host}/"), &local))
}

/// Two requests may fetch the same file; both write the same bytes.
pub fn write_atomic(file: &Path, bytes: &[u8]) -> Result<(), String> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let message = |error: std::io::Error| format!("{}: {error}", file.display());
    std::fs::create_dir_all(file.parent().expect("a file has a directory")).map_err(message)?;
    let staged = file.with_extension(format!("part-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    std::fs::write(&staged, bytes).map_err(message)?;
    std::fs::rename(&staged, file).map_err(message)
}

#[cfg(test)]
mod tests;
