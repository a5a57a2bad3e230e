//! The registry of a run: nginx on loopback, which serves what `target/recorded` holds. In: that
//! folder and where to listen. Out: an address; the server ends when this is dropped, and when
//! xtask is killed. While a recording is made, what is not there yet is asked of the
//! [`recorder`](super::recorder).

use crate::{files, process};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Where tools find the registry. It stands in lockfiles and packuments, so it is the same in every
/// run.
pub const PORT: u16 = 4890;
/// Where nginx listens while the brake stands in front.
pub const UPSTREAM_PORT: u16 = 4891;
/// Where what is not recorded yet is asked for.
pub const RECORDER: u16 = 4892;

/// From the start to the first connection.
const START_LIMIT: Duration = Duration::from_secs(5);

/// What every tool is told.
pub fn url() -> String {
    format!("http://127.0.0.1:{PORT}/")
}

/// Where recorded and generated packages stand.
pub fn directory() -> PathBuf {
    files::target().join("recorded")
}

/// What is done about a file that is not there.
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
        // nginx would outlive an xtask that is killed.
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

/// nginx as it is found on PATH or where Debian puts it.
pub fn program() -> Result<PathBuf, String> {
    let candidates = [PathBuf::from("nginx"), PathBuf::from("/usr/sbin/nginx")];
    let found = candidates.into_iter().find(|program| process::run(Command::new(program).arg("-v")).is_ok());
    found.ok_or_else(|| "no nginx: run `sudo apt-get install nginx-light`".to_owned())
}

/// One process, no log; packuments as they were packed when they were recorded, with the registry's
/// own five minutes of age.
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
