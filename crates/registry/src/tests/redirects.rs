//! Redirects, and the credentials that are sent with them.

use super::server::{ReceivedRequest, Reply, Server};
use super::{LEFT, latest, packument, problem, tarball, uncached};
use rusk_npm::credential::Credential;

use crate::{Proxies, Settings};

fn token(text: &str) -> Credential {
    Credential::Bearer(text.to_owned())
}

fn authorizations(received: &[ReceivedRequest]) -> Vec<Option<&str>> {
    received.iter().map(|received| received.header("authorization")).collect()
}

#[test]
fn credentials_go_where_their_prefix_says() {
    let server = Server::start(|_| Reply::ok(LEFT));
    let mut settings = uncached(&format!("{}npm/", server.url()));
    settings.credentials = vec![(format!("//{}/npm/", server.authority()), token("secret"))];
    packument(settings.clone(), "left").expect("it is there");
    tarball(settings.clone(), &format!("{}npm/left.tgz", server.url())).expect("it is there");
    tarball(settings, &format!("{}elsewhere/left.tgz", server.url())).expect("it is there");
    assert_eq!(authorizations(&server.received()), [Some("Bearer secret"), Some("Bearer secret"), None]);
}

#[test]
fn a_redirect_on_the_same_host_keeps_them() {
    let server = Server::start(|received| match received.path() {
        "/left" => Reply::redirect("./moved/left"),
        _ => Reply::ok(LEFT),
    });
    let mut settings = uncached(&server.url());
    settings.credentials = vec![(format!("//{}/", server.authority()), token("secret"))];
    assert_eq!(latest(packument(settings, "left")), "1.0.0");
    let received = server.received();
    assert_eq!(received[1].path(), "/moved/left");
    assert_eq!(authorizations(&received), [Some("Bearer secret"), Some("Bearer secret")]);
}

#[test]
fn another_host_gets_none_and_neither_does_the_way_back() {
    let home = Server::start(|_| Reply::ok(LEFT));
    let back = format!("{}back", home.url());
    let storage = Server::start(move |_| Reply::redirect(&back));
    let away = format!("{}away", storage.url());
    let start = Server::start(move |_| Reply::redirect(&away));
    let mut settings = uncached(&start.url());
    for server in [&home, &storage, &start] {
        settings.credentials.push((format!("//{}/", server.authority()), token("secret")));
    }
    packument(settings, "left").expect("it is there");
    assert_eq!(authorizations(&start.received()), [Some("Bearer secret")]);
    assert_eq!(authorizations(&storage.received()), [None]);
    assert_eq!(authorizations(&home.received()), [None]);
}

#[test]
fn redirects_end() {
    let server = Server::start(|received| Reply::redirect(&format!("/{}", received.number)));
    assert_eq!(problem(packument(uncached(&server.url()), "left")).code(), "bad-redirect");
    assert_eq!(server.received().len(), 11);
}

#[test]
fn other_schemes_are_refused() {
    let server = Server::start(|_| Reply::redirect("file:///etc/passwd"));
    assert_eq!(problem(packument(uncached(&server.url()), "left")).code(), "bad-address");
}

#[test]
fn a_refusal_names_the_remedy_and_never_the_token() {
    let server = Server::start(|_| Reply::new("401 Unauthorized", &[], ""));
    let mut settings = uncached(&server.url());
    let without = problem(packument(settings.clone(), "left")).to_string();
    assert!(without.contains("hint: no credentials are configured"), "{without}");
    settings.credentials = vec![(format!("//{}/", server.authority()), token("secret"))];
    assert!(!format!("{settings:?}").contains("secret"));
    let with = problem(packument(settings.clone(), "left")).to_string();
    assert!(with.contains("hint: the credentials for this registry may have expired"), "{with}");
    settings.credentials = vec![(format!("//{}/", server.authority()), token("${NPM_TOKEN}"))];
    let unset = problem(packument(settings.clone(), "left")).to_string();
    assert!(unset.contains("`NPM_TOKEN` is not set"), "{unset}");
    let url = format!("http://user:secret@{}/x.tgz?token=secret", server.authority());
    let tarball = problem(tarball(settings, &url)).to_string();
    assert!(!with.contains("secret") && !tarball.contains("secret"), "{with} {tarball}");
}

#[test]
fn a_proxy_takes_whole_addresses_and_its_own_credentials() {
    let proxy = Server::start(|_| Reply::ok(LEFT));
    let mut settings = uncached("http://registry.test/npm/");
    settings.proxies =
        Proxies { http: Some(format!("http://us:pw@{}", proxy.authority())), ..Proxies::default() };
    assert_eq!(latest(packument(settings.clone(), "left")), "1.0.0");
    let received = proxy.received();
    assert_eq!(received[0].line, "GET http://registry.test/npm/left");
    assert_eq!(received[0].header("host"), Some("registry.test"));
    assert_eq!(received[0].header("proxy-authorization"), Some("Basic dXM6cHc="));

    let direct = Server::start(|_| Reply::ok(LEFT));
    let exceptions = vec!["127.0.0.1".to_owned()];
    let settings = Settings {
        registry: direct.url(),
        proxies: Proxies { exceptions, ..settings.proxies.clone() },
        ..settings
    };
    packument(settings, "left").expect("it is there");
    assert_eq!((proxy.received().len(), direct.received().len()), (1, 1));
    assert_eq!(direct.received()[0].header("proxy-authorization"), None);
}
