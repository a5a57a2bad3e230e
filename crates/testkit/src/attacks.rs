//! Projects that hostile packages attack: what the attacks want to reach, and the approvals of each
//! package manager. In: a directory. Out: a project, a home, a process, sockets. The package `evil`
//! is hostile, `victim` is not.

pub mod packages;

use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use crate::files;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    Given,
    None,
}

/// `more`: dependencies besides the two packages.
pub fn manifest(approval: Approval, more: &str) -> String {
    let trusted = match approval {
        Approval::Given => r#", "trustedDependencies": ["evil"], "allowScripts": { "evil": true }"#,
        Approval::None => "",
    };
    format!(r#"{{ "name": "app", "dependencies": {{ "evil": "1", "victim": "1"{more} }}{trusted} }}"#)
}

pub fn approve_for_pnpm(tool: &str, project: &Path, approval: Approval) -> Result<(), String> {
    if tool != "pnpm" {
        return Ok(());
    }
    let builds = if approval == Approval::Given { "true" } else { "false" };
    files::write(&project.join("pnpm-workspace.yaml"), &format!("allowBuilds:\n  evil: {builds}\n"))
}

/// What attacks want to reach.
pub struct AttackedUser {
    pub project: PathBuf,
    pub home: PathBuf,
    /// In place of the installer, which an attack could stop.
    process: Child,
    tcp: TcpListener,
    udp: UdpSocket,
    _sockets: (UnixListener, UnixDatagram),
}

impl AttackedUser {
    pub fn new(work: &Path) -> Result<AttackedUser, String> {
        let failed = |error: std::io::Error| error.to_string();
        let (project, home) = (work.join("project"), work.join("home"));
        for file in [".npmrc", ".ssh/id_rsa", ".bashrc"] {
            files::write(&home.join(file), "; a secret")?;
        }
        std::fs::create_dir_all(&project).map_err(failed)?;
        let sockets = (
            UnixListener::bind(home.join("socket")).map_err(failed)?,
            UnixDatagram::bind(home.join("datagrams")).map_err(failed)?,
        );
        Ok(AttackedUser {
            process: Command::new("sleep").arg("60").spawn().map_err(failed)?,
            tcp: TcpListener::bind("127.0.0.1:0").map_err(failed)?,
            udp: UdpSocket::bind("127.0.0.1:0").map_err(failed)?,
            _sockets: sockets,
            project,
            home,
        })
    }

    pub fn fill(&self, commands: &str) -> String {
        let port = |address: std::io::Result<std::net::SocketAddr>| {
            address.map(|address| address.port()).unwrap_or_default().to_string()
        };
        commands
            .replace("@HOME@", &self.home.display().to_string())
            .replace("@PROJECT@", &self.project.display().to_string())
            .replace("@PORT@", &port(self.tcp.local_addr()))
            .replace("@UDP@", &port(self.udp.local_addr()))
            .replace("@PID@", &self.process.id().to_string())
    }
}

impl Drop for AttackedUser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        for dir in ["/tmp", "/dev/shm"] {
            let _ = std::fs::remove_dir_all(format!("{dir}/rusk-evil-{}", self.process.id()));
            let _ = std::fs::remove_file(format!("{dir}/rusk-evil-{}", self.process.id()));
        }
    }
}
