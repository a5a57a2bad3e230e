//! Seccomp filter of a jail: system calls that reach other processes, the kernel, or the network.
//! In: whether the network may be used, and the version of Landlock. Out: a BPF program. The rules
//! are a binary tree over the numbers of system calls, so that an allowed call costs few
//! instructions.

use crate::ruleset::ABI_TRUNCATE;
use crate::supervisor::HostGrants;

/// What the program may connect to.
#[derive(Clone, Debug, Default)]
pub enum NetworkGrant {
    #[default]
    None,
    /// These hosts, by TCP.
    Hosts(HostGrants),
    /// The internet, and services of this machine on TCP and UDP; no Unix sockets.
    All,
}

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

// Offsets in `struct seccomp_data`.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
const ARGUMENTS_AT: u32 = 16;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const JUMP_IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const JUMP_IF_SET: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// Calls that are compared one after the other at the end of a branch.
const LEAF_CALLS: usize = 3;

/// Denied whatever their arguments are: calls on other processes and their memory; kernel objects
/// outside of Landlock's view; attributes of files, which Landlock does not know; mounts and
/// namespaces; the machine's settings; sessions and process groups, because all descendants are
/// killed by their group.
const DENIED: &[libc::c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semctl,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_msgget,
    libc::SYS_msgctl,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_add_watch,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    SYS_OPEN_TREE_ATTR,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_SETXATTRAT,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
];

/// Without effect: a package's files keep their owner, as do all others, and archives that state
/// owners can be unpacked.
const WITHOUT_EFFECT: &[libc::c_long] = &[
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
];

/// Attributes of files by their paths, which Landlock does not know: outside, they may be
/// anybody's. Programs that copy attributes go on, as on a file system without any; of an open file
/// they can read them.
const ATTRIBUTES_BY_PATH: &[libc::c_long] = &[
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    SYS_GETXATTRAT,
    SYS_LISTXATTRAT,
];

/// Calls that set a file's mode, and the index of that argument.
const MODES: &[(libc::c_long, u32)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (SYS_FCHMODAT2, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
];

// Newer than the constants of libc; the same on all architectures.
const SYS_FCHMODAT2: libc::c_long = 452;
const SYS_SETXATTRAT: libc::c_long = 463;
const SYS_GETXATTRAT: libc::c_long = 464;
const SYS_LISTXATTRAT: libc::c_long = 465;
const SYS_REMOVEXATTRAT: libc::c_long = 466;
const SYS_OPEN_TREE_ATTR: libc::c_long = 467;
const SYS_FILE_SETATTR: libc::c_long = 469;

/// Numbers from here on belong to calls that were not reviewed (Linux 6.17 has those below).
const NOT_REVIEWED: u32 = 470;

/// Scheduling of a process, and the index of the argument that names it; 0 is the caller.
const SCHEDULING: &[(libc::c_long, u32)] = &[
    (libc::SYS_sched_setscheduler, 0),
    (libc::SYS_sched_setparam, 0),
    (libc::SYS_sched_setaffinity, 0),
    (libc::SYS_sched_setattr, 0),
];

/// Scheduling of a process or a group, or with this first argument of all processes of a user.
const PRIORITIES: [(libc::c_long, u32); 2] =
    [(libc::SYS_setpriority, PRIO_USER), (libc::SYS_ioprio_set, IOPRIO_WHO_USER)];
const PRIO_USER: u32 = 2;
const IOPRIO_WHO_USER: u32 = 3;

/// Calls that may make a file: the index of the flags, if any, and of the mode.
const CREATIONS: &[(libc::c_long, Option<u32>, u32)] = &[
    (libc::SYS_openat, Some(2), 3),
    (libc::SYS_mknodat, None, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, Some(1), 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, None, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, None, 1),
];

/// Programs do without these when the kernel does not have them. The arguments of `clone3` are in
/// memory, where a filter cannot see namespaces, and so is the mode of `openat2`; io_uring would
/// bypass the filter.
const UNKNOWN: &[libc::c_long] = &[
    libc::SYS_clone3,
    libc::SYS_openat2,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

const NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// `TIOCLINUX`, which also writes into a terminal's input.
const TIOCLINUX: u32 = 0x541c;
/// Attributes of any file that can be opened for reading; the first also has a number for `int`s of
/// 32 bits.
const FILE_ATTRIBUTES: [u32; 3] = [0x4008_6602, 0x4004_6602, 0x401c_5820];
/// The bits of a socket's type without its flags.
const SOCKET_TYPE: u32 = 0xf;

type Instruction = [u8; 8];

/// A system call and the instructions that decide on it, which all end in a return.
type Rule = (u32, Vec<Instruction>);

/// The program.
pub fn instructions(network: &NetworkGrant, abi: u32) -> Vec<Instruction> {
    let mut rules = rules(network, abi);
    rules.sort();
    let mut program = vec![
        load(ARCHITECTURE_AT),
        jump_if(JUMP_IF_EQUAL, ARCHITECTURE, 1, 0),
        deny(libc::ENOSYS),
        load(NUMBER_AT),
        // Those of x32 are above, too.
        jump_if(JUMP_IF_AT_LEAST, NOT_REVIEWED, 0, 1),
        deny(libc::ENOSYS),
    ];
    program.extend(tree(&rules));
    program
}

fn rules(network: &NetworkGrant, abi: u32) -> Vec<Rule> {
    let denied = DENIED.iter().map(|&call| (call as u32, vec![deny(libc::EPERM)]));
    let unknown = UNKNOWN.iter().map(|&call| (call as u32, vec![deny(libc::ENOSYS)]));
    let mut rules: Vec<Rule> = denied.chain(unknown).collect();
    rules.extend(WITHOUT_EFFECT.iter().map(|&call| (call as u32, vec![deny(0)])));
    let no_attributes = |&call: &libc::c_long| (call as u32, vec![deny(libc::EOPNOTSUPP)]);
    rules.extend(ATTRIBUTES_BY_PATH.iter().map(no_attributes));
    let set_id = libc::S_ISUID | libc::S_ISGID;
    rules.extend(MODES.iter().map(|&(call, index)| (call as u32, unless_set(index, set_id))));
    rules.extend(CREATIONS.iter().map(|&(call, flags, mode)| (call as u32, creation(flags, mode, set_id))));
    rules.extend(SCHEDULING.iter().map(|&(call, index)| (call as u32, for_caller(index))));
    let mut add = |call: libc::c_long, body: Vec<Instruction>| rules.push((call as u32, body));
    add(libc::SYS_clone, unless_set(0, NAMESPACES as u32));
    let requests = [&[libc::TIOCSTI as u32, TIOCLINUX][..], &FILE_ATTRIBUTES].concat();
    add(libc::SYS_ioctl, unless_equal(1, &requests));
    for (call, user) in PRIORITIES {
        let of_user = vec![argument(0), jump_if(JUMP_IF_EQUAL, user, 0, 1), deny(libc::EPERM)];
        add(call, [of_user, for_caller(1)].concat());
    }
    // Limits of another process.
    add(libc::SYS_prlimit64, for_caller(0));
    // A pair of datagram sockets could be connected to a socket outside.
    let types = [libc::SOCK_STREAM as u32, libc::SOCK_SEQPACKET as u32];
    let pair = [
        vec![argument(1), instruction(AND, 0, 0, SOCKET_TYPE)],
        types.iter().flat_map(|kind| [jump_if(JUMP_IF_EQUAL, *kind, 0, 1), allow()]).collect(),
        vec![deny(libc::EACCES)],
    ];
    add(libc::SYS_socketpair, pair.concat());
    match network {
        NetworkGrant::None => {
            for call in [libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen] {
                add(call, vec![deny(libc::EACCES)]);
            }
        }
        NetworkGrant::Hosts(_) => {
            add(libc::SYS_socket, tcp_sockets());
            add(libc::SYS_connect, vec![instruction(RETURN, 0, 0, libc::SECCOMP_RET_USER_NOTIF)]);
            for call in [libc::SYS_bind, libc::SYS_listen] {
                add(call, vec![deny(libc::EACCES)]);
            }
            // Other ways to connect.
            for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
                add(call, unless_set(flags, libc::MSG_FASTOPEN as u32));
            }
        }
        NetworkGrant::All => add(libc::SYS_socket, internet_sockets()),
    }
    if abi < ABI_TRUNCATE {
        add(libc::SYS_truncate, vec![deny(libc::EACCES)]);
    }
    rules
}

/// Internet sockets, and the one by which the C library asks for addresses of this machine
/// (`NETLINK_ROUTE`).
fn internet_sockets() -> Vec<Instruction> {
    vec![
        argument(0),
        jump_if(JUMP_IF_EQUAL, libc::AF_INET as u32, 4, 0),
        jump_if(JUMP_IF_EQUAL, libc::AF_INET6 as u32, 3, 0),
        jump_if(JUMP_IF_EQUAL, libc::AF_NETLINK as u32, 0, 3),
        argument(2),
        jump_if(JUMP_IF_EQUAL, libc::NETLINK_ROUTE as u32, 0, 1),
        allow(),
        deny(libc::EACCES),
    ]
}

/// A datagram socket could send to any address; other stream protocols connect in other ways.
fn tcp_sockets() -> Vec<Instruction> {
    vec![
        argument(0),
        jump_if(JUMP_IF_EQUAL, libc::AF_INET as u32, 1, 0),
        jump_if(JUMP_IF_EQUAL, libc::AF_INET6 as u32, 0, 7),
        argument(1),
        instruction(AND, 0, 0, SOCKET_TYPE),
        jump_if(JUMP_IF_EQUAL, libc::SOCK_STREAM as u32, 0, 4),
        argument(2),
        jump_if(JUMP_IF_EQUAL, libc::IPPROTO_TCP as u32, 1, 0),
        jump_if(JUMP_IF_EQUAL, 0, 0, 1),
        allow(),
        deny(libc::EACCES),
    ]
}

fn unless_set(index: u32, bits: u32) -> Vec<Instruction> {
    vec![argument(index), jump_if(JUMP_IF_SET, bits, 0, 1), deny(libc::EPERM), allow()]
}

/// A call on the caller itself.
fn for_caller(index: u32) -> Vec<Instruction> {
    vec![argument(index), jump_if(JUMP_IF_EQUAL, 0, 0, 1), allow(), deny(libc::EPERM)]
}

/// Without these bits in the mode, which says nothing where the flags make no file.
fn creation(flags: Option<u32>, mode: u32, bits: u32) -> Vec<Instruction> {
    let Some(flags) = flags else { return unless_set(mode, bits) };
    // `O_TMPFILE` without `O_DIRECTORY`, one of its bits.
    let makes_file = (libc::O_CREAT | libc::O_TMPFILE & !libc::O_DIRECTORY) as u32;
    let test = vec![argument(flags), jump_if(JUMP_IF_SET, makes_file, 1, 0), allow()];
    [test, unless_set(mode, bits)].concat()
}

fn unless_equal(index: u32, values: &[u32]) -> Vec<Instruction> {
    let tests = values.iter().flat_map(|value| [jump_if(JUMP_IF_EQUAL, *value, 0, 1), deny(libc::EPERM)]);
    [argument(index)].into_iter().chain(tests).chain([allow()]).collect()
}

/// Decides by the number of the call, which is loaded. Every path returns.
fn tree(rules: &[Rule]) -> Vec<Instruction> {
    if rules.len() <= LEAF_CALLS {
        let bodies = rules.iter().flat_map(|(call, body)| {
            let length = u8::try_from(body.len()).expect("a body is short");
            [jump_if(JUMP_IF_EQUAL, *call, 0, length)].into_iter().chain(body.iter().copied())
        });
        return bodies.chain([allow()]).collect();
    }
    let (below, above) = rules.split_at(rules.len() / 2);
    let below = tree(below);
    let mut branch =
        vec![jump_if(JUMP_IF_AT_LEAST, above[0].0, 0, 1), instruction(JUMP, 0, 0, below.len() as u32)];
    branch.extend(below);
    branch.extend(tree(above));
    branch
}

fn allow() -> Instruction {
    instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW)
}

fn deny(errno: i32) -> Instruction {
    instruction(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | errno as u32)
}

/// The lower half of an argument: that is all of an `int`.
fn argument(index: u32) -> Instruction {
    load(ARGUMENTS_AT + 8 * index)
}

fn load(offset: u32) -> Instruction {
    instruction(LOAD, 0, 0, offset)
}

fn jump_if(code: u16, value: u32, if_true: u8, if_false: u8) -> Instruction {
    instruction(code, if_true, if_false, value)
}

fn instruction(code: u16, if_true: u8, if_false: u8, value: u32) -> Instruction {
    let [a, b] = code.to_ne_bytes();
    let [w, x, y, z] = value.to_ne_bytes();
    [a, b, if_true, if_false, w, x, y, z]
}

#[cfg(test)]
mod tests;
