//! Tests of API requests against a registry on loopback.

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Fault, Package, Server};

use super::{ApiMethod, ApiRequest};
use crate::Arrival;
use crate::tests::{client, name, settings};

fn login(server: &Server) -> ApiRequest {
    ApiRequest {
        method: ApiMethod::Put,
        url: format!("{}-/user/org.couchdb.user:ann", server.url()),
        body: Some(br#"{"name":"ann","password":"secret"}"#.to_vec()),
        headers: vec![("npm-auth-type", "legacy".to_owned())],
        subject: "the login".to_owned(),
    }
}

#[test]
fn a_request_has_its_method_headers_and_body() {
    let (server, project) = (Server::start([]), Project::new());
    let response = client(settings(server.url(), &project)).call(login(&server)).expect("the server answers");
    assert_eq!((response.status, response.authorized), (201, false));
    assert!(String::from_utf8_lossy(&response.body).contains("token-of-ann"));
    let requests = server.requests();
    let [request] = requests.as_slice() else { panic!("one request, found {requests:?}") };
    assert_eq!(request.method, "PUT");
    assert_eq!(request.header("npm-auth-type"), Some("legacy"));
    assert_eq!(request.header("content-type"), Some("application/json"));
}

#[test]
fn a_write_is_not_sent_again() {
    let (server, project) = (Server::start([]), Project::new());
    let path = "/-/user/org.couchdb.user:ann";
    server.fail(path, Fault::Status(503), 1);
    let response = client(settings(server.url(), &project)).call(login(&server)).expect("the server answers");
    assert_eq!((response.status, server.count(path)), (503, 1));
}

#[test]
fn a_read_is_tried_again() {
    let (server, project) = (Server::start([]), Project::new());
    server.fail("/-/whoami", Fault::Status(503), 1);
    let request = ApiRequest::get(format!("{}-/whoami", server.url()), "the user".to_owned());
    let response = client(settings(server.url(), &project)).call(request).expect("the server answers");
    assert_eq!((response.status, server.count("/-/whoami")), (401, 2));
}

#[test]
fn the_network_thread_takes_over_the_connections_of_calls() {
    let (server, project) = (Server::start([Package::new("left").version("1.0.0", "{}")]), Project::new());
    let client = client(settings(server.url(), &project));
    let whoami = || ApiRequest::get(format!("{}-/whoami", server.url()), "the user".to_owned());
    for _ in 0..2 {
        assert_eq!(client.call(whoami()).expect("the server answers").status, 401);
    }
    assert!(client.request_packument(&name("left")).is_none(), "nothing is cached");
    let found = std::iter::from_fn(|| client.next()).find_map(|arrival| match arrival {
        Arrival::Packument { result, .. } => Some(result.expect("the server answers")),
        _ => None,
    });
    assert!(found.flatten().is_some());
    assert_eq!(client.call(whoami()).expect("the server answers").status, 401);
}
