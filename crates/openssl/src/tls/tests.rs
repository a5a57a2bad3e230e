//! Tests of `tls`.

use super::*;
use crate::SecretBytes;

fn quiet(_: Question<'_>) -> Answer {
    Answer::None
}

/// Moves bytes between both sides until neither has any.
fn exchange(client: &mut Connection, server: &mut Connection) -> (Vec<u8>, Vec<u8>) {
    let (mut at_client, mut at_server) = (Vec::with_capacity(65_536), Vec::with_capacity(65_536));
    for _ in 0..20 {
        while matches!(client.read(&mut at_client, &mut quiet), TlsStep::Done(_)) {}
        let bytes = std::mem::take(client.output());
        let is_quiet = bytes.is_empty();
        server.receive(bytes);
        while matches!(server.read(&mut at_server, &mut quiet), TlsStep::Done(_)) {}
        let bytes = std::mem::take(server.output());
        if is_quiet && bytes.is_empty() {
            break;
        }
        client.receive(bytes);
    }
    (at_client, at_server)
}

fn pair(max_version: i32) -> (Connection, Connection) {
    pair_with_keys(max_version, [7; 48])
}

fn pair_with_keys(max_version: i32, ticket_keys: [u8; 48]) -> (Connection, Connection) {
    let pem = |name: &str| std::fs::read(format!("{}/tests/tls/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let mut context = TlsContext::new(Protocol::Any, (0, max_version)).unwrap();
    context.add_certificate(&pem("certificate.pem")).unwrap();
    context.add_key(&pem("key.pem"), None).unwrap();
    context.set_ticket_keys(&ticket_keys).unwrap();
    let client = Connection::new(&TlsContext::new(Protocol::Any, (0, max_version)).unwrap(), Role::Client);
    (client.unwrap(), Connection::new(&context, Role::Server).unwrap())
}

#[test]
fn a_handshake_and_clear_text_each_way() {
    for version in [0x0303, 0x0304] {
        let (mut client, mut server) = pair(version);
        client.set_server_name("localhost");
        client.set_protocols(b"\x02h2\x08http/1.1");
        server.set_protocols(b"\x08http/1.1");
        exchange(&mut client, &mut server);
        assert!(client.is_established() && server.is_established());
        assert_eq!(client.selected_protocol().unwrap(), b"http/1.1");
        assert_eq!(server.server_name().unwrap(), "localhost");
        assert_eq!(client.verify_failure().unwrap().code, "DEPTH_ZERO_SELF_SIGNED_CERT");
        let long = vec![7_u8; 40_000];
        assert_eq!(client.write(&long), TlsStep::Done(40_000));
        assert_eq!(server.write(b"answer"), TlsStep::Done(6));
        let (at_client, at_server) = exchange(&mut client, &mut server);
        assert_eq!((at_client.as_slice(), at_server), (&b"answer"[..], long));
        client.shutdown();
        exchange(&mut client, &mut server);
        assert!(server.is_ended());
    }
}

#[test]
fn a_session_is_resumed() {
    let (mut client, mut server) = pair(0x0303);
    client.report_sessions();
    exchange(&mut client, &mut server);
    let mut saved = None;
    while let Some(event) = client.next_event() {
        if let Event::NewSession { der, .. } = event {
            saved = Some(der);
        }
    }
    let saved = saved.expect("a session");
    let [first, second] = [(), ()].map(|()| Session::of_der(&saved).expect("what the client saved"));
    assert_ne!(first.raw(), second.raw());
    assert_eq!(first.ticket(), second.ticket());
    assert!(Session::of_der(b"no session").is_err());
    for session in [first, second] {
        let (mut client, server) = pair_with_keys(0x0303, [1; 48]);
        assert!(client.set_session(&session));
        drop(server);
    }
}

#[test]
fn plain_text_is_refused() {
    let (_, mut server) = pair(0);
    server.receive(b"GET / HTTP/1.1\r\n\r\n".to_vec());
    let TlsStep::Failed(failure) = server.read(&mut Vec::with_capacity(64), &mut quiet) else { panic!() };
    assert_eq!(failure.entry.unwrap().code().unwrap(), "ERR_SSL_HTTP_REQUEST");
    assert!(failure.message.contains("http request"), "{}", failure.message);
}

#[test]
fn a_pause_waits_for_the_caller() {
    let (mut client, mut server) = pair(0);
    server.pause_for_certificate();
    exchange(&mut client, &mut server);
    assert!(!client.is_established());
    let events = std::iter::from_fn(|| server.next_event());
    assert!(events.into_iter().any(|event| matches!(event, Event::CertificateNeeded { .. })));
    server.continue_certificate();
    exchange(&mut client, &mut server);
    assert!(client.is_established());
}

#[test]
fn servers_with_the_same_ticket_keys_resume_each_others_sessions() {
    for version in [0x0303, 0x0304] {
        let resumes = |keys: [u8; 48], own: [u8; 48]| {
            let (mut client, mut server) = pair_with_keys(version, keys);
            client.report_sessions();
            exchange(&mut client, &mut server);
            let session = saved_session(&mut client).expect("a full handshake");
            let (mut client, mut server) = pair_with_keys(version, own);
            client.report_sessions();
            assert!(client.set_session(&Session::of_der(&session).unwrap()));
            exchange(&mut client, &mut server);
            assert!(client.is_established() && server.is_resumed() == client.is_resumed());
            // A session that was resumed keeps its ticket.
            assert_eq!(saved_session(&mut client).is_none(), client.is_resumed());
            client.is_resumed()
        };
        assert!(resumes([1; 48], [1; 48]));
        assert!(!resumes([1; 48], [2; 48]));
    }
}

fn saved_session(client: &mut Connection) -> Option<Vec<u8>> {
    let sessions = std::iter::from_fn(|| client.next_event()).filter_map(|event| match event {
        Event::NewSession { der, .. } => Some(der),
        _ => None,
    });
    sessions.last()
}

#[test]
fn a_shared_key_replaces_certificates() {
    let context = || {
        let mut context = TlsContext::new(Protocol::Any, (0, 0x0303)).unwrap();
        context.set_ciphers("PSK").unwrap();
        context
    };
    let mut client = Connection::new(&context(), Role::Client).unwrap();
    let mut server = Connection::new(&context(), Role::Server).unwrap();
    client.ask_for_psk();
    server.ask_for_psk();
    let mut answer = |question: Question<'_>| match question {
        Question::ClientPsk { .. } => {
            Answer::Psk { identity: "me".into(), key: SecretBytes::new(vec![1; 16]) }
        }
        Question::ServerPsk { identity: "me", .. } => {
            Answer::Psk { identity: String::new(), key: SecretBytes::new(vec![1; 16]) }
        }
        _ => Answer::None,
    };
    for _ in 0..4 {
        client.handshake(&mut answer);
        let bytes = std::mem::take(client.output());
        server.receive(bytes);
        server.handshake(&mut answer);
        let bytes = std::mem::take(server.output());
        client.receive(bytes);
    }
    assert!(client.is_established() && client.verify_failure().is_none());
}

#[test]
fn garbage_never_breaks_a_connection() {
    let (_, mut server) = pair(0);
    for seed in 0..200_u32 {
        let bytes: Vec<u8> =
            (0..64).map(|at| (seed.wrapping_mul(2_654_435_761).rotate_left(at) >> 3) as u8).collect();
        server.receive(bytes);
        server.read(&mut Vec::with_capacity(64), &mut quiet);
    }
    assert!(!server.is_established());
}
