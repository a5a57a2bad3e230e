//! Tests of the seccomp filter: the program is interpreted as the kernel does.

use super::*;

const ALLOWED: u32 = libc::SECCOMP_RET_ALLOW;

/// The result of the program for a call.
fn run(program: &[Instruction], architecture: u32, call: libc::c_long, arguments: &[u32]) -> u32 {
    let (mut accumulator, mut at) = (0_u32, 0_usize);
    for _ in 0..program.len() {
        let [a, b, if_true, if_false, value @ ..] = program[at];
        let value = u32::from_ne_bytes(value);
        let branch = |taken: bool| usize::from(if taken { if_true } else { if_false });
        at += 1;
        match u16::from_ne_bytes([a, b]) {
            LOAD => {
                accumulator = match value {
                    NUMBER_AT => call as u32,
                    ARCHITECTURE_AT => architecture,
                    _ => arguments[(value - ARGUMENTS_AT) as usize / 8],
                }
            }
            AND => accumulator &= value,
            JUMP => at += value as usize,
            JUMP_IF_EQUAL => at += branch(accumulator == value),
            JUMP_IF_AT_LEAST => at += branch(accumulator >= value),
            JUMP_IF_SET => at += branch(accumulator & value != 0),
            RETURN => return value,
            code => panic!("an unknown instruction: {code}"),
        }
    }
    panic!("the program does not end")
}

#[track_caller]
fn check<const COUNT: usize>(network: NetworkGrant, call: libc::c_long, arguments: [i32; COUNT], errno: i32) {
    let program = instructions(&network, 7);
    let found = run(&program, ARCHITECTURE, call, &arguments.map(|argument| argument as u32));
    let expected = if errno == 0 { ALLOWED } else { libc::SECCOMP_RET_ERRNO | errno as u32 };
    assert_eq!(found, expected, "call {call} {arguments:?}");
}

/// Connections to hosts; the filter does not know which.
fn hosts() -> NetworkGrant {
    NetworkGrant::Hosts(HostGrants { hosts: Vec::new(), resolve: |_| Vec::new() })
}

#[test]
fn calls_on_other_processes_and_the_kernel_are_denied() {
    for network in [NetworkGrant::None, hosts(), NetworkGrant::All] {
        DENIED.iter().for_each(|call| check(network.clone(), *call, [0; 3], libc::EPERM));
        UNKNOWN.iter().for_each(|call| check(network.clone(), *call, [0; 3], libc::ENOSYS));
    }
}

#[test]
fn all_other_calls_are_allowed() {
    let ruled: Vec<u32> = rules(&NetworkGrant::None, 7).into_iter().map(|(call, _)| call).collect();
    for call in (0..NOT_REVIEWED).filter(|call| !ruled.contains(call)) {
        check(NetworkGrant::None, call.into(), [1; 3], 0);
    }
    for call in NOT_REVIEWED..NOT_REVIEWED + 100 {
        check(NetworkGrant::None, call.into(), [1; 3], libc::ENOSYS);
    }
}

#[test]
fn the_scheduling_of_other_processes_stays() {
    let set = libc::SYS_sched_setaffinity;
    check(NetworkGrant::None, set, [0, 8, 1], 0);
    check(NetworkGrant::None, set, [1, 8, 1], libc::EPERM);
    check(NetworkGrant::None, libc::SYS_setpriority, [libc::PRIO_PROCESS as i32, 0, 19], 0);
    check(NetworkGrant::None, libc::SYS_setpriority, [libc::PRIO_PROCESS as i32, 1, 19], libc::EPERM);
    for (call, user) in PRIORITIES {
        check(NetworkGrant::None, call, [1, 0, 19], 0);
        check(NetworkGrant::None, call, [user as i32, 0, 19], libc::EPERM);
    }
}

#[test]
fn attributes_of_files_outside_are_not_read() {
    for call in ATTRIBUTES_BY_PATH {
        check(NetworkGrant::All, *call, [1; 3], libc::EOPNOTSUPP);
    }
    check(NetworkGrant::None, libc::SYS_fgetxattr, [1; 3], 0);
    check(NetworkGrant::None, libc::SYS_flistxattr, [1; 3], 0);
}

#[test]
fn attributes_of_files_are_not_set() {
    for request in FILE_ATTRIBUTES {
        check(NetworkGrant::None, libc::SYS_ioctl, [0, request as i32, 0], libc::EPERM);
    }
}

#[test]
fn no_file_is_made_with_the_rights_of_its_owner() {
    let open = |flags: i32, mode: i32, errno| {
        check(NetworkGrant::None, libc::SYS_openat, [libc::AT_FDCWD, 1, flags, mode], errno);
    };
    open(libc::O_CREAT | libc::O_WRONLY, 0o755, 0);
    open(libc::O_CREAT | libc::O_WRONLY, 0o6755, libc::EPERM);
    open(libc::O_TMPFILE | libc::O_WRONLY, 0o4755, libc::EPERM);
    // Without a file to make, the last argument is what the register has.
    open(libc::O_RDONLY | libc::O_DIRECTORY, 0o7777, 0);
    check(NetworkGrant::None, libc::SYS_mknodat, [libc::AT_FDCWD, 1, 0o104_755, 0], libc::EPERM);
}

#[test]
fn owners_stay_and_no_file_gets_the_rights_of_its_owner() {
    WITHOUT_EFFECT.iter().for_each(|call| {
        let program = instructions(&NetworkGrant::None, 7);
        assert_eq!(run(&program, ARCHITECTURE, *call, &[0; 3]), libc::SECCOMP_RET_ERRNO);
    });
    check(NetworkGrant::None, libc::SYS_fchmodat, [0, 0, 0o755], 0);
    check(NetworkGrant::None, libc::SYS_fchmodat, [0, 0, 0o4755], libc::EPERM);
    check(NetworkGrant::None, libc::SYS_fchmod, [0, 0o2755, 0], libc::EPERM);
}

#[test]
fn namespaces_are_denied_and_threads_are_not() {
    check(NetworkGrant::None, libc::SYS_clone, [libc::CLONE_NEWUSER | libc::SIGCHLD, 0, 0], libc::EPERM);
    check(NetworkGrant::None, libc::SYS_clone, [libc::CLONE_VM | libc::CLONE_THREAD, 0, 0], 0);
}

#[test]
fn sockets_need_the_network() {
    let (stream, datagram) = (libc::SOCK_STREAM | libc::SOCK_CLOEXEC, libc::SOCK_DGRAM);
    for family in [libc::AF_INET, libc::AF_INET6] {
        check(NetworkGrant::None, libc::SYS_socket, [family, stream, 0], libc::EACCES);
        check(NetworkGrant::All, libc::SYS_socket, [family, datagram, 0], 0);
    }
    for family in [libc::AF_UNIX, libc::AF_PACKET, libc::AF_VSOCK, libc::AF_ALG] {
        check(NetworkGrant::None, libc::SYS_socket, [family, stream, 0], libc::EACCES);
        check(NetworkGrant::All, libc::SYS_socket, [family, stream, 0], libc::EACCES);
    }
    check(NetworkGrant::All, libc::SYS_socket, [libc::AF_NETLINK, datagram, libc::NETLINK_ROUTE], 0);
    check(
        NetworkGrant::All,
        libc::SYS_socket,
        [libc::AF_NETLINK, datagram, libc::NETLINK_AUDIT],
        libc::EACCES,
    );
}

#[test]
fn pairs_of_sockets_cannot_be_connected_elsewhere() {
    let pair =
        |kind: i32, errno| check(NetworkGrant::None, libc::SYS_socketpair, [libc::AF_UNIX, kind, 0], errno);
    pair(libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0);
    pair(libc::SOCK_SEQPACKET, 0);
    pair(libc::SOCK_DGRAM | libc::SOCK_NONBLOCK, libc::EACCES);
}

#[test]
fn other_arguments_decide() {
    check(NetworkGrant::None, libc::SYS_prlimit64, [0, 7, 0], 0);
    check(NetworkGrant::None, libc::SYS_prlimit64, [1, 7, 0], libc::EPERM);
    check(NetworkGrant::None, libc::SYS_ioctl, [0, libc::TIOCSTI as i32, 0], libc::EPERM);
    check(NetworkGrant::None, libc::SYS_ioctl, [0, libc::TCGETS as i32, 0], 0);
}

#[test]
fn other_architectures_have_no_calls() {
    let program = instructions(&NetworkGrant::None, 7);
    let unknown = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    assert_eq!(run(&program, 0x4000_0003, libc::SYS_read, &[0; 3]), unknown);
    assert_eq!(run(&program, ARCHITECTURE, 0x4000_0000, &[0; 3]), unknown);
}

#[test]
fn truncation_by_path_is_denied_where_landlock_does_not_see_it() {
    let result =
        |abi| run(&instructions(&NetworkGrant::None, abi), ARCHITECTURE, libc::SYS_truncate, &[0; 3]);
    assert_eq!((result(2), result(3)), (libc::SECCOMP_RET_ERRNO | libc::EACCES as u32, ALLOWED));
}

#[test]
fn connections_to_hosts_wait_for_the_supervisor() {
    let program = instructions(&hosts(), 7);
    assert_eq!(run(&program, ARCHITECTURE, libc::SYS_connect, &[0; 3]), libc::SECCOMP_RET_USER_NOTIF);
    let stream = libc::SOCK_STREAM | libc::SOCK_NONBLOCK;
    for family in [libc::AF_INET, libc::AF_INET6] {
        check(hosts(), libc::SYS_socket, [family, stream, 0], 0);
        check(hosts(), libc::SYS_socket, [family, stream, libc::IPPROTO_TCP], 0);
        for protocol in [libc::IPPROTO_MPTCP, libc::IPPROTO_SCTP] {
            check(hosts(), libc::SYS_socket, [family, stream, protocol], libc::EACCES);
        }
        for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_SEQPACKET] {
            check(hosts(), libc::SYS_socket, [family, kind, 0], libc::EACCES);
        }
    }
    for family in [libc::AF_UNIX, libc::AF_NETLINK, libc::AF_PACKET, libc::AF_VSOCK] {
        check(hosts(), libc::SYS_socket, [family, stream, 0], libc::EACCES);
    }
    check(hosts(), libc::SYS_bind, [0; 3], libc::EACCES);
    check(hosts(), libc::SYS_sendmsg, [0, 0, libc::MSG_FASTOPEN], libc::EPERM);
    check(hosts(), libc::SYS_sendto, [0, 0, 0, libc::MSG_FASTOPEN], libc::EPERM);
    check(hosts(), libc::SYS_sendmsg, [0; 3], 0);
}
