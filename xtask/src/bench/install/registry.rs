//! Local registry: nginx on loopback, which serves `target/recorded`. In: that directory and a
//! port. Out: a URL; the server ends when this is dropped, and when xtask is killed. During a
//! recording, requests for missing files go to the [`recorder`](super::recorder).

use crate::{files, process};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The port that tools connect to. It is part of URLs in lockfiles and packuments, so it never
/// changes.
pub const PORT: u16 = 4890;
/// Where nginx listens while the throttling proxy has [`PORT`].
pub const UPSTREAM_PORT: u16 = 4891;
/// The port of the recorder.
pub const RECORDER: u16 = 4892;

/// From the start to the first connection.
const START_LIMIT: Duration = Duration::from_secs(5);

/// The registry URL that every tool is configured with.
pub fn url() -> String {
    format!("http://127.0.0.1:{PORT}/")
}

/// The directory of recorded and generated packages.
pub fn directory() -> PathBuf {
    files::target().join("recorded")
}

/// How a request for a missing file is handled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OnMissing {
    NotFound,
    Record,
}

/// A running nginx.
pub struct Registry {
    server: Child,
}

impl Registry {
    pub fn start(port: u16, missing: OnMissing) -> Result<Registry, String> {
        let top = files::target().join("nginx");
        files::empty(&top.join("tmp"))?;
        let configuration = top.join("nginx.conf");
        files::write(&configuration, &render(&directory(), port, missing))?;
        // Otherwise nginx would outlive an xtask that is killed.
        let mut command = Command::new("setpriv");
        command
            .args(["--pdeathsig", "KILL"])
            .arg(program()?)
            .arg("-p")
            .arg(&top)
            .arg("-c")
            .arg(&configuration);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = command.spawn().map_err(|error| format!("setpriv nginx: {error}"))?;
        let mut registry = Registry { server };
        registry.wait_until_it_listens(port, &top)?;
        Ok(registry)
    }

    fn wait_until_it_listens(&mut self, port: u16, top: &Path) -> Result<(), String> {
        let started = Instant::now();
        loop {
            let ended = self.server.try_wait().map_err(|error| error.to_string())?;
            if ended.is_some() || started.elapsed() > START_LIMIT {
                let message = files::find(&top.join("error.log")).unwrap_or_default();
                return Err(format!("nginx does not listen on {port}: {message}"));
            }
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// nginx from PATH, or from Debian's path.
pub fn program() -> Result<PathBuf, String> {
    let candidates = [PathBuf::from("nginx"), PathBuf::from("/usr/sbin/nginx")];
    let found = candidates.into_iter().find(|program| process::run(Command::new(program).arg("-v")).is_ok());
    found.ok_or_else(|| "no nginx: run `sudo apt-get install nginx-light`".to_owned())
}

/// One process, no log. Packuments are compressed when they are recorded, and expire after five
/// minutes as those of the real registry do.
fn render(recorded: &Path, port: u16, missing: OnMissing) -> String {
    let otherwise = match missing {
        OnMissing::NotFound => "=404",
        OnMissing::Record => "@record",
    };
    let recorded = recorded.display();
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    format!(
        r#"{user}
daemon off;
master_process off;
pid nginx.pid;
error_log error.log;
worker_rlimit_nofile 16384;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path tmp;
    proxy_temp_path tmp;
    fastcgi_temp_path tmp;
    uwsgi_temp_path tmp;
    scgi_temp_path tmp;
    sendfile on;
    tcp_nodelay on;
    keepalive_timeout 300s;
    keepalive_requests 1000000;
    types {{ }}
    map $http_accept $form {{
        default full;
        ~application/vnd\.npm\.install-v1\+json short;
    }}
    server {{
        listen 127.0.0.1:{port} backlog=4096;
        root {recorded};
        location ~ "/-/[^/]+\.tgz$" {{
            default_type application/octet-stream;
            add_header Cache-Control "public, immutable, max-age=31557600";
            try_files /tarballs$uri {otherwise};
        }}
        location ~ "^/(@[^/]+/)?[^/]+$" {{
            rewrite ^ /$form$uri.json last;
        }}
        location /short/ {{
            internal;
            default_type application/vnd.npm.install-v1+json;
            add_header Cache-Control "public, max-age=300";
            add_header Vary "Accept-Encoding, Accept";
            gzip_static on;
            try_files $uri {otherwise};
        }}
        location /full/ {{
            internal;
            default_type application/json;
            add_header Cache-Control "public, max-age=300";
            add_header Vary "Accept-Encoding, Accept";
            gzip_static on;
            try_files $uri {otherwise};
        }}
        location = /-/npm/v1/security/advisories/bulk {{
            default_type application/json;
            return 200 "{{}}";
        }}
        location @record {{
            proxy_pass http://127.0.0.1:{RECORDER}$request_uri;
            proxy_read_timeout 300s;
        }}
    }}
}}
"#
    )
}

#[cfg(test)]
mod tests;
