//! TLS, HTTP/2 and proxy tunnels, against a server with a self-signed certificate.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rusk_testkit::project::Project;
use rusk_testkit::registry::secure::{CERTIFICATE, tls_config};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio_rustls::TlsAcceptor;

use super::server::{Reply, Server};
use super::{client, latest, name, packument, problem, uncached};
use rusk_npm::credential::Credential;

use crate::{Arrival, CertificateVerification, Proxies, Settings, TlsOptions};

/// A TLS server that responds with the protocol's version as the dist-tag `latest`; `/down`
/// redirects to http.
struct Secure {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Secure {
    fn start(protocols: &[&[u8]]) -> Secure {
        let config = tls_config(protocols);
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        let (stop, stopped) = oneshot::channel();
        let (sender, receiver) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.spawn(async move {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
                sender.send(listener.local_addr().expect("bound")).expect("the test listens");
                let acceptor = TlsAcceptor::from(Arc::new(config));
                while let Ok((stream, _)) = listener.accept().await {
                    counted.fetch_add(1, Ordering::SeqCst);
                    tokio::spawn(serve(acceptor.clone(), stream));
                }
            });
            let _ = runtime.block_on(stopped);
        });
        let address = receiver.recv().expect("it listens");
        Secure { address, connections, stop: Some(stop), thread: Some(thread) }
    }

    fn url(&self) -> String {
        format!("https://{}/", self.address)
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn serve(acceptor: TlsAcceptor, stream: TcpStream) {
    let Ok(stream) = acceptor.accept(stream).await else { return };
    let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    let (stream, service) = (TokioIo::new(stream), service_fn(response));
    let _ = match http2 {
        true => {
            hyper::server::conn::http2::Builder::new(TokioExecutor::new())
                .serve_connection(stream, service)
                .await
        }
        false => hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await,
    };
}

async fn response(request: Request<Incoming>) -> hyper::Result<Response<Full<Bytes>>> {
    if request.uri().path() == "/down" {
        let mut response = Response::new(Full::default());
        *response.status_mut() = hyper::StatusCode::FOUND;
        response.headers_mut().insert("location", "http://127.0.0.1:9/".parse().expect("a header"));
        return Ok(response);
    }
    let version = if request.version() == Version::HTTP_2 { "2.0.0" } else { "1.1.0" };
    Ok(Response::new(Full::from(format!(r#"{{"dist-tags":{{"latest":"{version}"}}}}"#))))
}

/// Trusts the server's certificate, in place of the system's root certificates.
fn trusting(registry: &str) -> Settings {
    let tls =
        TlsOptions { system_roots: false, ca_pems: vec![CERTIFICATE.to_owned()], ..TlsOptions::default() };
    Settings { tls, ..uncached(registry) }
}

#[test]
fn the_best_protocol_of_both_sides_is_spoken() {
    let check = |protocols: &[&[u8]], expected: &str| {
        let server = Secure::start(protocols);
        assert_eq!(latest(packument(trusting(&server.url()), "left")), expected);
    };
    check(&[b"h2", b"http/1.1"], "2.0.0");
    check(&[b"http/1.1"], "1.1.0");
    check(&[], "1.1.0");
}

#[test]
fn streams_share_few_connections() {
    let server = Secure::start(&[b"h2"]);
    let client = client(trusting(&server.url()));
    client.connect();
    for number in 0..200 {
        client.request_packument(&name(&format!("p{number}")));
    }
    let mut arrived = 0;
    while let Some(arrival) = client.next() {
        if let Arrival::Packument { result, .. } = arrival {
            assert_eq!(latest(result), "2.0.0");
            arrived += 1;
        }
    }
    assert_eq!(arrived, 200);
    let connections = server.connections.load(Ordering::SeqCst);
    assert!(connections <= 6, "{connections} connections");
}

#[test]
fn an_unknown_certificate_is_refused_at_once() {
    let server = Secure::start(&[b"h2"]);
    let problem = problem(packument(uncached(&server.url()), "left"));
    assert_eq!(problem.code(), "tls", "{problem}");
    assert!(problem.to_string().contains("cafile"), "{problem}");
    assert_eq!(server.connections.load(Ordering::SeqCst), 1);
}

#[test]
fn certificates_come_from_files_too() {
    let server = Secure::start(&[b"h2"]);
    let project = Project::with(&[("ca.pem", CERTIFICATE), ("empty.pem", "nothing here")]);
    let with = |file: &str| Settings {
        tls: TlsOptions {
            system_roots: false,
            ca_files: vec![project.path().join(file)],
            ..TlsOptions::default()
        },
        ..trusting(&server.url())
    };
    assert_eq!(latest(packument(with("ca.pem"), "left")), "2.0.0");
    assert_eq!(problem(packument(with("empty.pem"), "left")).code(), "bad-certificates");
    assert_eq!(problem(packument(with("missing.pem"), "left")).code(), "bad-certificates");
    let no_roots = TlsOptions { system_roots: false, ..TlsOptions::default() };
    let settings = Settings { tls: no_roots, ..uncached(&server.url()) };
    assert_eq!(problem(packument(settings, "left")).code(), "bad-certificates");
}

#[test]
fn checks_can_be_turned_off() {
    let server = Secure::start(&[b"h2"]);
    let tls = TlsOptions { verification: CertificateVerification::Off, ..TlsOptions::default() };
    let settings = Settings { tls, ..uncached(&server.url()) };
    assert_eq!(latest(packument(settings, "left")), "2.0.0");
}

#[test]
fn a_silent_handshake_times_out() {
    let silent = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let mut settings = trusting(&format!("https://{}/", silent.local_addr().expect("bound")));
    settings.limits.connect = std::time::Duration::from_millis(60);
    settings.limits.attempts = 1;
    let problem = problem(packument(settings, "left"));
    assert!(problem.message().starts_with("waited 0.06 s for a connection from `127.0.0.1`"), "{problem}");
}

#[test]
fn credentials_are_not_carried_down_to_http() {
    let server = Secure::start(&[b"h2"]);
    let mut settings = trusting(&server.url());
    settings.limits.attempts = 1;
    assert_eq!(
        problem(packument(settings.clone(), "down")).code(),
        "unreachable",
        "without any it may go there"
    );
    let token = Credential::Bearer("secret".to_owned());
    settings.credentials = vec![(format!("//{}/", server.address), token)];
    assert_eq!(problem(packument(settings, "down")).code(), "bad-redirect");
}

#[test]
fn a_tunnel_is_requested_with_connect() {
    let server = Secure::start(&[b"h2"]);
    let target = server.address;
    let proxy = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let address = proxy.local_addr().expect("bound");
    let thread = std::thread::spawn(move || tunnel(&proxy, target));
    let mut settings = trusting("https://registry.test/");
    settings.proxies = Proxies { https: Some(format!("http://us:pw@{address}")), ..Proxies::default() };
    assert_eq!(latest(packument(settings, "left")), "2.0.0");
    let head = thread.join().expect("it carried");
    assert!(head.starts_with("CONNECT registry.test:443 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("Proxy-Authorization: Basic dXM6cHc=\r\n"), "{head}");
}

/// Accepts one CONNECT and forwards bytes both ways until the client closes.
fn tunnel(proxy: &std::net::TcpListener, target: SocketAddr) -> String {
    use std::io::{Read, Write};
    let (mut near, _) = proxy.accept().expect("the client comes");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        near.read_exact(&mut byte).expect("a whole head");
        head.push(byte[0]);
    }
    near.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").expect("it listens");
    let far = std::net::TcpStream::connect(target).expect("it is there");
    let (mut near_in, mut far_out) = (near.try_clone().expect("a copy"), far.try_clone().expect("a copy"));
    let upward = std::thread::spawn(move || {
        let _ = std::io::copy(&mut near_in, &mut far_out);
        let _ = far_out.shutdown(std::net::Shutdown::Both);
    });
    let _ = std::io::copy(&mut &far, &mut near);
    upward.join().expect("it ends with the client");
    String::from_utf8(head).expect("text")
}

#[test]
fn a_proxy_that_refuses_is_named() {
    let proxy = Server::start(|_| Reply::new("407 Proxy Authentication Required", &[], ""));
    let mut settings = trusting("https://registry.test/");
    settings.proxies = Proxies { https: Some(format!("http://{}", proxy.authority())), ..Proxies::default() };
    let problem = problem(packument(settings, "left"));
    assert_eq!(problem.code(), "proxy");
    assert!(problem.to_string().contains("407"), "{problem}");
    assert_eq!(proxy.received().len(), 1);
}
