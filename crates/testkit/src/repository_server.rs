//! Server on loopback with one repository, as GitHub has them: the request for its files leads to
//! another host. In: the tarball. Out: the address, and the requests with their credentials.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// `user/repo`, with the branch `next`. It lives as long as the process.
pub struct RepositoryServer {
    pub url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl RepositoryServer {
    pub fn start(tarball: Vec<u8>) -> RepositoryServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let request = answer(stream, &tarball, port);
                seen.lock().unwrap_or_else(PoisonError::into_inner).extend(request);
            }
        });
        RepositoryServer { url: format!("http://127.0.0.1:{port}"), requests }
    }

    /// Paths, each with the credentials that came with it.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn answer(mut stream: TcpStream, tarball: &[u8], port: u16) -> Option<String> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers = lines.take_while(|line| !line.is_empty());
    let mut tokens = headers
        .filter_map(|line| Some(line.to_ascii_lowercase().strip_prefix("authorization: ")?.to_owned()));
    let request = format!("{path} {}", tokens.next().unwrap_or_default());
    tokens.for_each(drop);
    let (head, body): (String, &[u8]) = match path.as_str() {
        "/repos/user/repo/tarball" | "/repos/user/repo/tarball/next" => {
            // Another name of this machine, so that it is another host.
            (format!("302 Found\r\nLocation: http://localhost:{port}/files"), b"")
        }
        "/files" => ("200 OK".to_owned(), tarball),
        _ => ("404 Not Found".to_owned(), b""),
    };
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).ok()?;
    Some(request)
}
