//! The targets of TLS: records of a peer for a server and a client, certificates and sessions.

use rusk_openssl::Certificate;
use rusk_openssl::tls::{
    Answer, Connection, Event, Protocol, Question, Role, Session, TlsContext, TlsStep, pem_certificates,
};

const CERTIFICATE: &[u8] = include_bytes!("../../../openssl/tests/tls/certificate.pem");
const KEY: &[u8] = include_bytes!("../../../openssl/tests/tls/key.pem");
/// Calls for one input; a valid peer needs fewer.
const STEPS_MAX: usize = 64;
/// Flights of a side in the longest handshake.
const FLIGHTS_MAX: usize = 4;

thread_local! {
    static CONTEXT: TlsContext = context();
}

fn context() -> TlsContext {
    let mut context = TlsContext::new(Protocol::Any, (0, 0)).expect("libssl is installed");
    context.add_certificate(CERTIFICATE).expect("a valid certificate");
    context.add_key(KEY, None).expect("its key");
    context
}

/// Records of a peer: neither side accepts clear text before a handshake, nor works after an error.
pub fn records(input: &[u8]) {
    CONTEXT.with(|context| {
        for role in [Role::Server, Role::Client] {
            let mut connection = Connection::new(context, role).expect("memory");
            connection.report_sessions();
            connection.pause_for_certificate();
            connection.set_protocols(b"\x02h2\x08http/1.1");
            connection.receive(input.to_vec());
            converse(&mut connection);
        }
    });
}

fn converse(connection: &mut Connection) {
    let mut clear = Vec::with_capacity(1 << 15);
    for _ in 0..STEPS_MAX {
        let step = connection.read(&mut clear, &mut |_: Question<'_>| Answer::None);
        assert!(clear.is_empty() || connection.is_established());
        let is_paused = continue_handshake(connection);
        match step {
            TlsStep::Failed(_) => {
                assert!(!connection.is_established());
                return;
            }
            TlsStep::Ended => return,
            TlsStep::Waiting if !is_paused => return,
            TlsStep::Waiting | TlsStep::Done(_) => clear.clear(),
        }
    }
}

fn continue_handshake(connection: &mut Connection) -> bool {
    let mut is_paused = false;
    while let Some(event) = connection.next_event() {
        match event {
            Event::ClientHello { .. } => connection.continue_hello(),
            Event::CertificateNeeded { .. } => connection.continue_certificate(),
            _ => continue,
        }
        is_paused = true;
    }
    is_paused
}

/// PEM and DER: what is accepted is written and read again.
pub fn certificates(input: &[u8]) {
    if let Ok(session) = Session::of_der(input) {
        CONTEXT.with(|context| {
            let mut client = Connection::new(context, Role::Client).expect("memory");
            client.set_session(&session);
            let _step = client.handshake(&mut |_: Question<'_>| Answer::None);
        });
    }
    let mut all = pem_certificates(input).unwrap_or_default();
    all.extend(Certificate::of_der(input));
    for certificate in all {
        let der = certificate.der().expect("it was parsed");
        assert!(Certificate::of_der(&der).is_ok());
        let _entries = (certificate.subject_entries(), certificate.issuer_entries());
        let _text = (certificate.subject(), certificate.valid_from(), certificate.valid_to());
        let _self_signed = certificate.is_issued_by(&certificate);
        if let Ok(key) = certificate.public_key() {
            let _valid = certificate.is_signed_by(&key);
        }
    }
}

/// What a client and a server send, up to the end of the handshake.
pub fn flights() -> Vec<Vec<u8>> {
    let mut all = vec![b"GET / HTTP/1.1\r\n\r\n".to_vec()];
    for version in [0x0303, 0x0304] {
        let mut context = context();
        context.set_max_version(version);
        let mut client = Connection::new(&context, Role::Client).expect("memory");
        let mut server = Connection::new(&context, Role::Server).expect("memory");
        client.set_server_name("localhost");
        let (mut of_client, mut of_server) = (Vec::new(), Vec::new());
        for _ in 0..FLIGHTS_MAX {
            server.receive(flight(&mut client, &mut of_client));
            client.receive(flight(&mut server, &mut of_server));
        }
        all.extend([of_client, of_server]);
    }
    all
}

/// Runs one side, and records what it sends.
fn flight(side: &mut Connection, sent: &mut Vec<u8>) -> Vec<u8> {
    let _step = side.handshake(&mut |_: Question<'_>| Answer::None);
    let bytes = std::mem::take(side.output());
    sent.extend_from_slice(&bytes);
    bytes
}

/// A certificate as PEM and as DER.
pub fn pem() -> Vec<Vec<u8>> {
    let der = pem_certificates(CERTIFICATE).expect("libssl is installed");
    let der = der.iter().filter_map(|certificate| certificate.der().ok());
    std::iter::once(CERTIFICATE.to_vec()).chain(der).collect()
}
