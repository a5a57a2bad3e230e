//! Verdaccio on a port of loopback, with an empty storage and no uplink. In: a directory. Out: its
//! URL. It ends when the value is dropped.

use crate::{files, peers};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub const VERDACCIO: &str = "verdaccio@6.10.4";

/// It depends on a dist-tag, which not every mirror has: the version that the tag names.
const MANIFEST: &str = "{\"private\":true,\"overrides\":{\"node-fetch\":\"2.6.7\"}}\n";

/// Two users; `@closed` belongs to one of them.
const CONFIGURATION: &str = "\
storage: ./storage
auth:
  htpasswd:
    file: ./htpasswd
    max_users: 10
uplinks: {}
packages:
  '@closed/*':
    access: alice
    publish: alice
  '**':
    access: $all
    publish: $authenticated
log: { type: stdout, format: pretty, level: warn }
";

/// It starts in a second or two.
const START_MAX: Duration = Duration::from_secs(60);

pub struct Server {
    pub url: String,
    child: Child,
}

impl Server {
    /// Installs it if needed, and starts it with nothing in it. The directory keeps the tools
    /// alone.
    pub fn start(work: &Path) -> Result<Server, String> {
        let tools = work.join("tools");
        let programs = peers::install_into(&tools, MANIFEST, &[peers::NODE, VERDACCIO], "verdaccio")?;
        for directory in ["server", "homes", "files"] {
            files::empty(&work.join(directory))?;
        }
        let directory = work.join("server");
        files::write(&directory.join("config.yaml"), CONFIGURATION)?;
        let port = free_port()?;
        let mut command = Command::new(programs.join("node"));
        command.arg(programs.join("verdaccio").canonicalize().map_err(|error| error.to_string())?);
        command.args(["--config", "config.yaml", "--listen", &format!("127.0.0.1:{port}")]);
        command.current_dir(&directory).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("{VERDACCIO}: {error}"))?;
        let mut server = Server { url: format!("http://127.0.0.1:{port}/"), child };
        server.wait(port)?;
        Ok(server)
    }

    /// Until it answers.
    fn wait(&mut self, port: u16) -> Result<(), String> {
        let started = Instant::now();
        while started.elapsed() < START_MAX {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(format!("{VERDACCIO}: {status}"));
            }
            if ping(port).is_some_and(|answer| answer.starts_with("HTTP/1.1 200")) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err(format!("{VERDACCIO} does not answer after {} s", START_MAX.as_secs()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| error.to_string())?;
    listener.local_addr().map(|address| address.port()).map_err(|error| error.to_string())
}

fn ping(port: u16) -> Option<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    stream.write_all(b"GET /-/ping HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}
