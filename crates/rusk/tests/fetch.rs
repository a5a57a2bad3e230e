//! `fetch` over loopback: a server that answers by the path, a program that prints what it got.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::process::Command;
use std::thread;

use rusk_base::sys::socket::{self, SocketAddr};

/// "what was zipped"
const ZIPPED: &[u8] = &[
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 207, 72, 44, 81, 40, 79, 44, 86, 168, 202, 44, 40, 72, 77, 1, 0,
    212, 28, 80, 102, 15, 0, 0, 0,
];

const PROGRAM: &str = r#"
const [, port, closed] = process.argv;
const base = `http://127.0.0.1:${port}`;
async function show(name, job) {
  try {
    console.log(name, await job());
  } catch (error) {
    console.log(name, error.name, error.message, error.cause?.code ?? error.cause?.message);
  }
}
const stream = (pieces) => new ReadableStream({
  pull(controller) {
    if (pieces.length === 0) controller.close();
    else controller.enqueue(new TextEncoder().encode(pieces.shift()));
  },
});
(async () => {
  await show('text', async () => { const r = await fetch(`${base}/echo#part`); return [r.status, r.statusText, r.url === `${base}/echo`, await r.text(), r.bodyUsed].join(); });
  await show('post', async () => (await fetch(`${base}/echo`, { method: 'post', body: 'a body', headers: { authorization: 'me' } })).text());
  await show('stream', async () => (await fetch(`${base}/echo`, { method: 'POST', duplex: 'half', body: stream(['one-', 'two']) })).text());
  await show('zipped', async () => (await fetch(`${base}/zipped`)).text());
  await show('redirect', async () => { const r = await fetch(`${base}/there`, { method: 'POST', body: 'x', headers: { authorization: 'me' } }); return [r.redirected, r.url === `${base}/echo`, await r.text()].join(); });
  await show('elsewhere', async () => (await fetch(`${base}/elsewhere`, { headers: { authorization: 'me' } })).text());
  await show('manual', async () => (await fetch(`${base}/there`, { redirect: 'manual' })).status);
  await show('refused redirect', () => fetch(`${base}/there`, { redirect: 'error' }));
  await show('round and round', () => fetch(`${base}/round`));
  await show('cut', async () => (await fetch(`${base}/cut`)).text());
  await show('closed', () => fetch(`http://127.0.0.1:${closed}/`));
  await show('no HTTP', () => fetch(`${base}/none`));
  await show('abort', () => { const abort = new AbortController(); setTimeout(() => abort.abort(), 5); return fetch(`${base}/silent`, { signal: abort.signal }); });
  await show('abort in the middle', async () => { const abort = new AbortController(); const r = await fetch(`${base}/half`, { signal: abort.signal }); setTimeout(() => abort.abort(new Error('enough')), 5); return r.text(); });
  await show('pieces', async () => { let bytes = 0; for await (const piece of (await fetch(`${base}/large`)).body) bytes += piece.length; return bytes; });
  // Nobody reads it, so the program ends.
  await show('unread', async () => (await fetch(`${base}/half`)).status);
})();
"#;

const EXPECTED: &str = "\
text 200,Fine,true,GET /echo  ,true
post POST /echo me a body
stream POST /echo  4;one-;3;two;0;;
zipped what was zipped
redirect true,true,GET /echo me 
elsewhere GET /echo  
manual 302
refused redirect TypeError fetch failed unexpected redirect
round and round TypeError fetch failed redirect count exceeded
cut TypeError terminated UND_ERR_SOCKET
closed TypeError fetch failed ECONNREFUSED
no HTTP TypeError fetch failed HPE_INVALID_CONSTANT
abort AbortError This operation was aborted undefined
abort in the middle Error enough undefined
pieces 3000000
unread 200
";

#[test]
fn programs_fetch_over_http() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    // Bound, so that no other process gets the port, and no process listens.
    let silent = socket::open(socket::Family::Inet).expect("a socket");
    let address = SocketAddr::parse_ip("127.0.0.1", 0).expect("an address");
    socket::bind(silent.as_fd(), &address, socket::BindOptions::default()).expect("a port is free");
    let Ok(SocketAddr::Inet(closed)) = socket::local_addr(silent.as_fd()) else { panic!("it is bound") };
    let closed = closed.port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || serve(stream.expect("somebody came"), port));
        }
    });
    let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
        .args(["-e", PROGRAM, &port.to_string(), &closed.to_string()])
        .output()
        .expect("rusk starts");
    let (found, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.is_empty(), "{}\n{found}{said}", output.status);
    assert_eq!(found, EXPECTED);
}

/// Requests of one connection, until its end.
fn serve(mut stream: TcpStream, port: u16) {
    let mut reader = BufReader::new(stream.try_clone().expect("a descriptor more"));
    while let Some((line, authorization, body)) = request(&mut reader) {
        let mut words = line.split(' ');
        let method = words.next().expect("a line has one");
        let path = words.next().expect("and this");
        let echo = format!("{method} {path} {authorization} {body}");
        let answer = match path {
            "/echo" => answer("200 Fine", &[], echo.as_bytes()),
            "/zipped" => answer("200 OK", &["content-encoding: gzip"], ZIPPED),
            "/there" => answer("302 Found", &["location: /echo"], b"over there"),
            "/elsewhere" => {
                // Another origin by its name alone.
                answer("302 Found", &[&format!("location: http://localhost:{port}/echo")], b"")
            }
            "/round" => answer("302 Found", &["location: /round"], b""),
            "/cut" => b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf".to_vec(),
            "/half" => b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf".to_vec(),
            "/large" => answer("200 OK", &[], &vec![b'x'; 3_000_000]),
            "/none" => b"no such thing\r\n\r\n".to_vec(),
            _ => Vec::new(),
        };
        // The client may have gone.
        let _ = stream.write_all(&answer);
        if matches!(path, "/cut" | "/none") {
            return;
        }
    }
}

fn answer(status: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// The first line, who asks, the body; one in pieces as it came, with semicolons for ends of lines.
fn request(reader: &mut impl BufRead) -> Option<(String, String, String)> {
    let mut line = || {
        let mut line = String::new();
        let count = reader.read_line(&mut line).ok()?;
        (count > 0).then(|| line.trim_end().to_owned())
    };
    let first = line()?;
    let headers: Vec<String> = std::iter::from_fn(|| line().filter(|line| !line.is_empty())).collect();
    let value = |name: &str| {
        let found = headers.iter().find_map(|header| header.strip_prefix(name)?.strip_prefix(": "));
        found.map(str::to_owned)
    };
    let mut body = String::new();
    if value("transfer-encoding").is_some() {
        while !body.ends_with("0;;") {
            body += &line()?;
            body.push(';');
        }
    } else if let Some(length) = value("content-length") {
        let mut bytes = vec![0; length.parse().expect("a number")];
        reader.read_exact(&mut bytes).ok()?;
        body = String::from_utf8(bytes).expect("text was sent");
    }
    Some((first, value("authorization").unwrap_or_default(), body))
}
