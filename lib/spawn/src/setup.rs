//! Process attributes that are set in a child before its program runs, besides arguments and fds.
//! In: the builder's calls. Out: actions.

use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;

use crate::child::Callback;
use crate::command::Command;
use crate::namespaces::Namespaces;
use crate::plan::{NO_TARGET, Plan};
use crate::step::Step;

/// The signals that are blocked in the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignalMask {
    /// None.
    #[default]
    Empty,
    /// Those that the spawning thread blocks.
    Inherit,
    /// Bit n - 1 stands for signal n.
    Blocked(u64),
}

/// The initial disposition of a signal in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    Default,
    Ignore,
    /// Ignored if this process ignores it.
    Inherit,
}

/// A resource limit, `RLIMIT_*` of libc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    pub resource: u32,
    pub soft: u64,
    pub hard: u64,
}

/// User and groups of the program; None leaves them unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    pub user: Option<u32>,
    pub group: Option<u32>,
    /// Supplementary groups.
    pub groups: Option<Vec<u32>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub namespaces: Namespaces,
    pub cgroup: Option<Arc<OwnedFd>>,
    /// Create one for the child.
    pub own_cgroup: bool,
    /// Set an environment variable that identifies the start.
    pub marks: bool,
    session: bool,
    process_group: Option<i32>,
    umask: Option<u32>,
    nice: Option<i32>,
    processors: Option<Vec<u64>>,
    parent_death: Option<i32>,
    /// A standard stream or passed fd of the child that is a terminal.
    controlling_terminal: Option<Arc<OwnedFd>>,
    foreground: Option<Arc<OwnedFd>>,
    pub credentials: Credentials,
    limits: Vec<Limit>,
    no_new_privileges: bool,
    /// Those to keep, bit n for capability n.
    capabilities: Option<u64>,
    landlock: Option<Arc<OwnedFd>>,
    callback: Option<(Callback, usize, Option<Arc<OwnedFd>>)>,
    dispositions: Vec<(i32, Disposition)>,
    mask: SignalMask,
    /// Instructions of 8 bytes.
    seccomp: Vec<u8>,
    /// Where the listener of the seccomp program is sent.
    seccomp_listener: Option<Arc<OwnedFd>>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            namespaces: Namespaces::default(),
            cgroup: None,
            own_cgroup: false,
            marks: false,
            session: false,
            process_group: None,
            umask: None,
            nice: None,
            processors: None,
            parent_death: None,
            controlling_terminal: None,
            foreground: None,
            credentials: Credentials::default(),
            limits: Vec::new(),
            no_new_privileges: false,
            capabilities: None,
            landlock: None,
            callback: None,
            // Rust's runtime ignores it; programs expect the default.
            dispositions: vec![(libc::SIGPIPE, Disposition::Default)],
            mask: SignalMask::Empty,
            seccomp: Vec::new(),
            seccomp_listener: None,
        }
    }
}

impl Command {
    /// `setsid(2)`: a new session without a controlling terminal.
    pub fn new_session(&mut self) -> &mut Command {
        self.setup.session = true;
        self
    }

    /// `setpgid(2)`: 0 creates a new group that the child leads.
    pub fn join_process_group(&mut self, group: i32) -> &mut Command {
        self.setup.process_group = Some(group);
        self
    }

    /// Makes a terminal the controlling terminal of the child's session; see
    /// [`Command::new_session`].
    pub fn controlling_terminal(&mut self, terminal: OwnedFd) -> &mut Command {
        self.setup.controlling_terminal = Some(Arc::new(terminal));
        self
    }

    /// Makes the child's group the foreground group of this terminal, which is its controlling
    /// terminal.
    pub fn foreground(&mut self, terminal: OwnedFd) -> &mut Command {
        self.setup.foreground = Some(Arc::new(terminal));
        self
    }

    pub fn umask(&mut self, mask: u32) -> &mut Command {
        self.setup.umask = Some(mask);
        self
    }

    /// From -20, the highest priority, to 19. Lowering the value needs a privilege.
    pub fn nice(&mut self, value: i32) -> &mut Command {
        self.setup.nice = Some(value);
        self
    }

    /// The CPU affinity, by processor number.
    pub fn processors(&mut self, processors: impl IntoIterator<Item = u16>) -> &mut Command {
        let mut mask = Vec::new();
        for processor in processors {
            let index = usize::from(processor / 64);
            mask.resize(mask.len().max(index + 1), 0_u64);
            mask[index] |= 1 << (processor % 64);
        }
        self.setup.processors = Some(mask);
        self
    }

    /// The signal that the program gets when the spawning thread exits; see
    /// [`crate::Mode::Thread`].
    pub fn parent_death_signal(&mut self, signal: i32) -> &mut Command {
        self.setup.parent_death = Some(signal);
        self
    }

    /// The cgroup (version 2) that the child is created in, as an open directory.
    pub fn cgroup(&mut self, dir: OwnedFd) -> &mut Command {
        self.setup.cgroup = Some(Arc::new(dir));
        self
    }

    /// User and groups. This needs privileges, and a separate process: see [`crate::Mode::Zygote`].
    pub fn credentials(&mut self, credentials: Credentials) -> &mut Command {
        self.setup.credentials = credentials;
        self
    }

    pub fn limit(&mut self, limit: Limit) -> &mut Command {
        self.setup.limits.push(limit);
        self
    }

    /// `PR_SET_NO_NEW_PRIVS`: the program and its children cannot gain privileges by exec.
    pub fn no_new_privileges(&mut self) -> &mut Command {
        self.setup.no_new_privileges = true;
        self
    }

    /// Drops all capabilities (`capabilities(7)`) but these, of those that this process has: bit n
    /// stands for capability n. It needs [`Command::no_new_privileges`]: without it the kernel
    /// gives a program of root's all of them again.
    pub fn capabilities(&mut self, kept: u64) -> &mut Command {
        self.setup.capabilities = Some(kept);
        self
    }

    /// A ruleset from `landlock_create_ruleset`, with its rules. It needs
    /// [`Command::no_new_privileges`] or a privilege. The ruleset must allow executing the program
    /// itself.
    pub fn landlock(&mut self, ruleset: OwnedFd) -> &mut Command {
        self.setup.landlock = Some(Arc::new(ruleset));
        self
    }

    /// A seccomp program, as instructions of 8 bytes. It must allow `execve`, and needs
    /// [`Command::no_new_privileges`] or a privilege.
    pub fn seccomp(&mut self, instructions: &[[u8; 8]]) -> &mut Command {
        self.setup.seccomp = instructions.concat();
        self.setup.seccomp_listener = None;
        self
    }

    /// A seccomp program that notifies a supervisor (`SECCOMP_RET_USER_NOTIF`). Its listener is
    /// sent over this Unix socket, with one byte, before exec. The supervisor must not wait for the
    /// start: this process is suspended until exec, so the program must not notify it of `sendmsg`,
    /// `close` or `execve`.
    pub fn seccomp_with_listener(&mut self, instructions: &[[u8; 8]], listener: OwnedFd) -> &mut Command {
        self.setup.seccomp = instructions.concat();
        self.setup.seccomp_listener = Some(Arc::new(listener));
        self
    }

    pub fn signal_mask(&mut self, mask: SignalMask) -> &mut Command {
        self.setup.mask = mask;
        self
    }

    /// Signal handlers are reset in any child; ignored signals stay ignored, except `SIGPIPE`.
    pub fn disposition(&mut self, signal: i32, disposition: Disposition) -> &mut Command {
        self.setup.dispositions.retain(|(known, _)| *known != signal);
        self.setup.dispositions.push((signal, disposition));
        self
    }

    /// Runs a function in the child, after its fds are placed and its privileges dropped, before
    /// its signals are set and exec. A nonzero result is the errno of a start that failed in
    /// [`Step::Callback`]. `to_parent`, if any, is open in the child while the function runs, and
    /// closed by exec. A child of the zygote has other memory, so it cannot have a callback.
    ///
    /// # Safety
    /// The child shares this process's memory while this process runs. The function, and everything
    /// it calls, may only make raw system calls ([`crate::child_calls`]): no allocation, no lock,
    /// no thread-local variable (`errno` is one), no panic, no lazy binding, nothing that changes
    /// the memory map or credentials. `context` must be valid until the child has started or
    /// exited, and whatever the function writes there is a data race unless it is atomic.
    pub unsafe fn callback(
        &mut self,
        callback: Callback,
        context: *mut std::ffi::c_void,
        to_parent: Option<OwnedFd>,
    ) -> &mut Command {
        self.setup.callback = Some((callback, context as usize, to_parent.map(Arc::new)));
        self
    }
}

impl Setup {
    /// The child's identity: id maps, session, process group.
    pub fn write_identity(&self, plan: &mut Plan) {
        self.namespaces.write(plan);
        if self.session {
            plan.action(Step::Session, 0, 0, 0);
        }
        if let Some(group) = self.process_group {
            plan.action(Step::ProcessGroup, group, 0, 0);
        }
    }

    /// The child's attributes: umask, scheduling, terminal.
    pub fn write_attributes(&self, plan: &mut Plan) {
        if let Some(mask) = self.umask {
            plan.action(Step::Umask, mask as i32, 0, 0);
        }
        if let Some(value) = self.nice {
            plan.action(Step::Nice, value, 0, 0);
        }
        if let Some(processors) = &self.processors {
            let bytes: Vec<u8> = processors.iter().flat_map(|index| index.to_ne_bytes()).collect();
            let at = plan.bytes(&bytes);
            plan.action(Step::Affinity, 0, at, bytes.len() as u64);
        }
        if let Some(signal) = self.parent_death {
            let parent = if self.namespaces.hides_parent() { 0 } else { std::process::id() };
            plan.action(Step::ParentDeath, signal, 0, u64::from(parent));
        }
        let terminals =
            [(Step::ControllingTerminal, &self.controlling_terminal), (Step::Foreground, &self.foreground)];
        for (step, terminal) in terminals {
            if let Some(terminal) = terminal {
                let source = plan.source(terminal.as_raw_fd(), NO_TARGET);
                plan.action(step, source, 0, 0);
            }
        }
    }

    /// The child's restrictions, and the callback.
    pub fn write_confinement(&self, plan: &mut Plan) {
        self.write_credentials(plan);
        for limit in &self.limits {
            plan.action(Step::Limit, limit.resource as i32, limit.soft, limit.hard);
        }
        if self.no_new_privileges {
            plan.action(Step::NoNewPrivileges, 0, 0, 0);
        }
        if let Some(kept) = self.capabilities {
            plan.action(Step::Capabilities, 0, kept, 0);
        }
        if let Some(ruleset) = &self.landlock {
            let source = plan.source(ruleset.as_raw_fd(), NO_TARGET);
            plan.action(Step::Landlock, source, 0, 0);
        }
        if let Some((callback, context, to_parent)) = &self.callback {
            let source = to_parent.as_ref().map_or(-1, |fd| plan.source(fd.as_raw_fd(), NO_TARGET));
            plan.action(Step::Callback, source, *callback as usize as u64, *context as u64);
        }
    }

    /// Whether the child resets a signal that is ignored here to the default: a signal that arrives
    /// before that would be dropped, unless it is blocked. SIGPIPE cannot arrive before.
    pub fn restores_ignored_signals(&self) -> bool {
        let restores = |(signal, disposition): &(i32, Disposition)| {
            *signal != libc::SIGPIPE && *disposition == Disposition::Default
        };
        self.dispositions.iter().any(restores)
    }

    /// The child's signals. Seccomp comes last: it may forbid the earlier calls.
    pub fn write_signals(&self, plan: &mut Plan, mask_before: Option<u64>) {
        for (signal, disposition) in &self.dispositions {
            let handler = match disposition {
                Disposition::Default => libc::SIG_DFL,
                Disposition::Ignore => libc::SIG_IGN,
                Disposition::Inherit => continue,
            };
            plan.action(Step::SignalDisposition, *signal, handler as u64, 0);
        }
        if let Some(mask) = self.mask(mask_before) {
            let at = plan.bytes(&mask.to_ne_bytes());
            plan.action(Step::SignalMask, 0, at, 0);
        }
        if !self.seccomp.is_empty() {
            let at = plan.bytes(&self.seccomp);
            // Zero: no socket.
            let socket = self.seccomp_listener.as_ref();
            let socket = socket.map_or(0, |fd| plan.source(fd.as_raw_fd(), NO_TARGET) as u64 + 1);
            plan.action(Step::Seccomp, (self.seccomp.len() / 8) as i32, at, socket);
        }
    }

    fn write_credentials(&self, plan: &mut Plan) {
        let Credentials { user, group, groups } = &self.credentials;
        if let Some(groups) = groups {
            let bytes: Vec<u8> = groups.iter().flat_map(|group| group.to_ne_bytes()).collect();
            let at = plan.bytes(&bytes);
            plan.action(Step::Groups, groups.len() as i32, at, 0);
        }
        if let Some(group) = group {
            plan.action(Step::Group, *group as i32, 0, 0);
        }
        if let Some(user) = user {
            plan.action(Step::User, *user as i32, 0, 0);
        }
    }

    /// Whether dropped capabilities stay dropped.
    pub fn drops_for_good(&self) -> bool {
        self.capabilities.is_none() || self.no_new_privileges
    }

    pub fn has_callback(&self) -> bool {
        self.callback.is_some()
    }

    /// Another thread will start the child: this is the mask to inherit.
    pub fn fix_mask(&mut self, now: u64) {
        if self.mask == SignalMask::Inherit {
            self.mask = SignalMask::Blocked(now);
        }
    }

    /// None: the child keeps the mask that it was cloned with.
    fn mask(&self, before: Option<u64>) -> Option<u64> {
        match self.mask {
            SignalMask::Empty => Some(0),
            SignalMask::Inherit => before,
            SignalMask::Blocked(mask) => Some(mask),
        }
    }
}
