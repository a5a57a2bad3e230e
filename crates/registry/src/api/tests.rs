//! Tests of API requests against a registry on loopback.

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Fault, Server};

use super::{ApiMethod, ApiRequest};
use crate::tests::{client, settings};

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
