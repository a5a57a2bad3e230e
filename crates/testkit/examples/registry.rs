//! Serves a directory of packages until its input ends: to look at with other package managers.

use rusk_testkit::registry::Server;
use std::io::Read;
use std::path::Path;

#[allow(clippy::print_stdout, reason = "its answer")]
fn main() {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "fixtures/registry".to_owned());
    let server = Server::of_directory(Path::new(&folder));
    println!("{}", server.url());
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    for request in server.requests() {
        println!("{} {}", request.method, request.path);
    }
}
