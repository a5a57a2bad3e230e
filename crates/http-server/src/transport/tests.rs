//! Tests of `transport`.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;

use rusk_openssl::tls::{Protocol, Role, TlsContext};

use super::*;

fn context() -> TlsContext {
    let pem = |name: &str| {
        std::fs::read(format!("{}/../openssl/tests/tls/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    let mut context = TlsContext::new(Protocol::Any, (0, 0)).unwrap();
    context.add_certificate(&pem("certificate.pem")).unwrap();
    context.add_key(&pem("key.pem"), None).unwrap();
    context.set_ticket_keys(&[7; 48]).unwrap();
    context
}

/// A server's transport, the client, and the names that clients have asked for.
fn connected(is_admitted: bool) -> (Transport, UnixStream, TlsConnection, Rc<RefCell<Vec<String>>>) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    theirs.set_nonblocking(true).unwrap();
    let names = Rc::new(RefCell::new(Vec::new()));
    let (context, asked) = (context(), Rc::clone(&names));
    let acceptor = Rc::new(TlsAcceptor {
        accept: Box::new(move || {
            let mut connection = TlsConnection::new(&context, Role::Server).ok()?;
            connection.pause_for_certificate();
            Some(connection)
        }),
        select: Box::new(move |_, name| asked.borrow_mut().push(name.to_owned())),
        admit: Box::new(move |_| is_admitted),
    });
    let transport = Transport::accept_tls(OwnedFd::from(ours).into(), &acceptor).unwrap();
    let mut client =
        TlsConnection::new(&TlsContext::new(Protocol::Any, (0, 0)).unwrap(), Role::Client).unwrap();
    client.set_server_name("localhost");
    (transport, theirs, client, names)
}

/// Moves bytes between client and server. Out: clear text at the client and at the server, and the
/// server's error.
fn exchange(
    server: &mut Transport,
    socket: &mut UnixStream,
    client: &mut TlsConnection,
) -> (Vec<u8>, Vec<u8>, Option<Errno>) {
    let (mut at_client, mut at_server) = (Vec::new(), Vec::new());
    let mut buffer = vec![0; 64 * 1024];
    for _ in 0..50 {
        at_client.reserve(RECORD_BYTES);
        while matches!(client.read(&mut at_client, &mut |_| Answer::None), TlsStep::Done(_)) {
            at_client.reserve(RECORD_BYTES);
        }
        let output = std::mem::take(client.output());
        socket.write_all(&output).unwrap();
        match server.read(&mut buffer) {
            Ok(count) => at_server.extend_from_slice(&buffer[..count]),
            Err(Errno::AGAIN) => {}
            Err(errno) => return (at_client, at_server, Some(errno)),
        }
        server.write_encrypted().unwrap();
        let mut bytes = vec![0; 64 * 1024];
        if let Ok(count) = socket.read(&mut bytes) {
            client.receive(bytes[..count].to_vec());
        }
    }
    (at_client, at_server, None)
}

#[test]
fn clear_text_goes_both_ways() {
    let (mut server, mut socket, mut client, names) = connected(true);
    assert_eq!(exchange(&mut server, &mut socket, &mut client), (Vec::new(), Vec::new(), None));
    assert!(client.is_established() && server.is_tls());
    assert_eq!(*names.borrow(), ["localhost"]);
    client.write(b"request");
    assert_eq!(server.write(b"answer"), Ok(6));
    let found = exchange(&mut server, &mut socket, &mut client);
    assert_eq!(found, (b"answer".to_vec(), b"request".to_vec(), None));
    server.shutdown().unwrap();
    exchange(&mut server, &mut socket, &mut client);
    assert!(client.is_ended());
}

#[test]
fn what_is_not_tls_and_who_is_not_admitted_is_refused() {
    let (mut server, mut socket, mut client, _) = connected(false);
    let (_, _, error) = exchange(&mut server, &mut socket, &mut client);
    assert_eq!(error, Some(Errno::ACCESS));
    let (mut server, mut socket, _, _) = connected(true);
    socket.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    assert_eq!(server.read(&mut vec![0; 1000]), Err(Errno::PROTO));
}

#[test]
fn without_tls_bytes_are_as_they_are() {
    let (ours, mut theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    let mut server = Transport::plain(OwnedFd::from(ours).into());
    theirs.write_all(b"abc").unwrap();
    let mut buffer = vec![0; 10];
    assert_eq!((server.read(&mut buffer), server.read(&mut buffer)), (Ok(3), Err(Errno::AGAIN)));
    assert_eq!((server.write(b"de"), server.has_output()), (Ok(2), false));
}
