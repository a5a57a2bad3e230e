//! Policy of one program, and the jail that enforces it. In: what may be read and written, and
//! whether the network may be used. Out: a Landlock ruleset and a seccomp filter, made before the
//! program is started.

use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use rusk_base::Result;
use rusk_base::sys::landlock::{self, Restrictions, Ruleset};
use rusk_spawn::{Command, Limit};

use crate::filter::{self, NetworkGrant};
use crate::problem;
use crate::roots::{GrantedRoot, READ, SharedRoots};
use crate::supervisor::Supervisor;

/// Capabilities that programs of root's keep: files of a package may have any owner and mode.
/// Others would let root read other processes, or change the system.
const KEPT_CAPABILITIES: u64 = 1 << DAC_OVERRIDE | 1 << FOWNER;
const DAC_OVERRIDE: u32 = 1;
const FOWNER: u32 = 3;

/// What Landlock restricts: everything that this version of its interface knows.
const FILES: [(u32, u64); 4] =
    [(1, landlock::REFER - 1), (2, landlock::REFER), (3, landlock::TRUNCATE), (5, landlock::IOCTL_DEV)];
const ABI_NETWORK: u32 = 4;
const ABI_SCOPED: u32 = 6;
/// Before, `truncate(2)` is not restricted by Landlock.
pub const ABI_TRUNCATE: u32 = 3;

/// What a program may do besides what [`SharedRoots`] allow. Paths are absolute, and exist.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    pub readable: Vec<PathBuf>,
    /// Readable too. Devices cannot be made there.
    pub writable: Vec<PathBuf>,
    pub network: NetworkGrant,
}

/// An enforceable policy.
pub struct Jail {
    ruleset: Ruleset,
    filter: Vec<[u8; 8]>,
    /// Of connections, if some hosts are granted.
    supervisor: Option<Arc<Supervisor>>,
}

/// The kernel's version of Landlock, asked once.
pub fn kernel_abi() -> Option<u32> {
    static ABI: OnceLock<Option<u32>> = OnceLock::new();
    *ABI.get_or_init(landlock::abi)
}

impl Jail {
    pub fn new(shared: &SharedRoots, policy: &Policy) -> Result<Jail> {
        let abi = kernel_abi().ok_or_else(problem::no_landlock)?;
        let known = FILES.iter().filter(|(since, _)| *since <= abi).fold(0, |all, (_, rights)| all | rights);
        let network = match &policy.network {
            NetworkGrant::All => 0,
            // The supervisor, who connects to granted hosts, is not in the jail.
            _ if abi >= ABI_NETWORK => landlock::BIND_TCP | landlock::CONNECT_TCP,
            _ => 0,
        };
        let scoped = if abi >= ABI_SCOPED { landlock::ABSTRACT_UNIX_SOCKET | landlock::SIGNAL } else { 0 };
        let ruleset =
            Ruleset::new(Restrictions { files: known, network, scoped }, abi).map_err(problem::no_ruleset)?;
        for root in shared.iter() {
            ruleset.allow(root.as_fd(), root.rights & known).map_err(problem::no_ruleset)?;
        }
        let write = known & !(landlock::MAKE_CHAR | landlock::MAKE_BLOCK | landlock::IOCTL_DEV);
        let readable = policy.readable.iter().map(|path| (path, READ));
        for (path, rights) in readable.chain(policy.writable.iter().map(|path| (path, write))) {
            GrantedRoot::open(path, rights & known)
                .and_then(|root| ruleset.allow(root.as_fd(), root.rights))
                .map_err(|errno| problem::no_granted_path(path, errno))?;
        }
        let supervisor = match &policy.network {
            NetworkGrant::Hosts(grants) => Some(Arc::new(Supervisor::new(grants))),
            NetworkGrant::None | NetworkGrant::All => None,
        };
        Ok(Jail { ruleset, filter: filter::instructions(&policy.network, abi), supervisor })
    }

    /// Hosts to which connections were refused, where some are granted.
    pub fn refused_hosts(&self) -> Vec<String> {
        self.supervisor.as_deref().map(Supervisor::refused).unwrap_or_default()
    }

    /// Granted hosts that the program asked for, and that have no address for it.
    pub fn unresolved_hosts(&self) -> Vec<String> {
        self.supervisor.as_deref().map(Supervisor::unresolved).unwrap_or_default()
    }

    /// Confines what the command starts, once: in a session of its own, without privileges and core
    /// dumps.
    pub fn confine(&self, command: &mut Command) -> Result<()> {
        let ruleset = self.ruleset.as_fd().try_clone_to_owned().map_err(problem::no_descriptor)?;
        command
            .new_session()
            .parent_death_signal(libc::SIGKILL)
            .limit(Limit { resource: libc::RLIMIT_CORE, soft: 0, hard: 0 })
            .no_new_privileges()
            .capabilities(KEPT_CAPABILITIES)
            .landlock(ruleset);
        match &self.supervisor {
            None => command.seccomp(&self.filter),
            Some(supervisor) => command.seccomp_with_listener(&self.filter, supervisor.watch()?),
        };
        Ok(())
    }
}
