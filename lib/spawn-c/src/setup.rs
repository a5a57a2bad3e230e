//! Process attributes of a command, for C. In and out: as in `command`.

use std::ffi::{c_int, c_void};

use spawn::{Callback, Disposition, Limit, Namespaces, SignalMask, UserMap};

use crate::command::{CommandHandle, change, set};
use crate::pointer::{Array, duplicate, duplicate_if_any};

#[unsafe(no_mangle)]
extern "C" fn rusk_command_new_session(command: Option<&mut CommandHandle>) -> c_int {
    set(command, |command| command.new_session())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_process_group(command: Option<&mut CommandHandle>, group: libc::pid_t) -> c_int {
    set(command, |command| command.join_process_group(group))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_controlling_terminal(
    command: Option<&mut CommandHandle>,
    terminal: c_int,
) -> c_int {
    change(command, |handle| {
        handle.command.controlling_terminal(duplicate(terminal)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_foreground(command: Option<&mut CommandHandle>, terminal: c_int) -> c_int {
    change(command, |handle| {
        handle.command.foreground(duplicate(terminal)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_signal_mask(command: Option<&mut CommandHandle>, blocked: u64) -> c_int {
    set(command, |command| command.signal_mask(SignalMask::Blocked(blocked)))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_signal_mask_inherit(command: Option<&mut CommandHandle>) -> c_int {
    set(command, |command| command.signal_mask(SignalMask::Inherit))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_disposition(
    command: Option<&mut CommandHandle>,
    signal: c_int,
    disposition: u32,
) -> c_int {
    change(command, |handle| {
        let disposition = match disposition {
            0 => Disposition::Default,
            1 => Disposition::Ignore,
            2 => Disposition::Inherit,
            _ => return Err(libc::EINVAL),
        };
        handle.command.disposition(signal, disposition);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_parent_death_signal(command: Option<&mut CommandHandle>, signal: c_int) -> c_int {
    set(command, |command| command.parent_death_signal(signal))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_umask(command: Option<&mut CommandHandle>, mask: libc::mode_t) -> c_int {
    set(command, |command| command.umask(mask))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_nice(command: Option<&mut CommandHandle>, value: c_int) -> c_int {
    set(command, |command| command.nice(value))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_processors(
    command: Option<&mut CommandHandle>,
    processors: Array<u32>,
    count: usize,
) -> c_int {
    change(command, |handle| {
        let processors = processors.read(count)?.iter().map(|number| u16::try_from(*number));
        let processors = processors.collect::<Result<Vec<u16>, _>>().map_err(|_| libc::EINVAL)?;
        if processors.is_empty() {
            return Err(libc::EINVAL);
        }
        handle.command.processors(processors);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_limit(
    command: Option<&mut CommandHandle>,
    resource: c_int,
    soft: u64,
    hard: u64,
) -> c_int {
    change(command, |handle| {
        let resource = u32::try_from(resource).map_err(|_| libc::EINVAL)?;
        handle.command.limit(Limit { resource, soft, hard });
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_cgroup(command: Option<&mut CommandHandle>, dir: c_int) -> c_int {
    change(command, |handle| {
        handle.command.cgroup(duplicate(dir)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_user(command: Option<&mut CommandHandle>, user: libc::uid_t) -> c_int {
    change(command, |handle| {
        handle.credentials.user = Some(user);
        handle.command.credentials(handle.credentials.clone());
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_group(command: Option<&mut CommandHandle>, group: libc::gid_t) -> c_int {
    change(command, |handle| {
        handle.credentials.group = Some(group);
        handle.command.credentials(handle.credentials.clone());
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_groups(
    command: Option<&mut CommandHandle>,
    groups: Array<libc::gid_t>,
    count: usize,
) -> c_int {
    change(command, |handle| {
        handle.credentials.groups = Some(groups.read(count)?.to_vec());
        handle.command.credentials(handle.credentials.clone());
        Ok(())
    })
}

/// `rusk_user_map`.
#[repr(C)]
struct RawUserMap {
    user_inside: libc::uid_t,
    user_outside: libc::uid_t,
    group_inside: libc::gid_t,
    group_outside: libc::gid_t,
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_namespaces(
    command: Option<&mut CommandHandle>,
    namespaces: u32,
    user: Option<&RawUserMap>,
) -> c_int {
    const ALL: u32 = 63;
    change(command, |handle| {
        if namespaces & !ALL != 0 {
            return Err(libc::EINVAL);
        }
        handle.command.namespaces(Namespaces {
            user: user.map(|map| UserMap {
                user_inside: map.user_inside,
                user_outside: map.user_outside,
                group_inside: map.group_inside,
                group_outside: map.group_outside,
            }),
            mount: namespaces & 1 != 0,
            pid: namespaces & 2 != 0,
            network: namespaces & 4 != 0,
            ipc: namespaces & 8 != 0,
            uts: namespaces & 16 != 0,
            cgroup: namespaces & 32 != 0,
        });
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_no_new_privileges(command: Option<&mut CommandHandle>) -> c_int {
    set(command, |command| command.no_new_privileges())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_capabilities(command: Option<&mut CommandHandle>, kept: u64) -> c_int {
    set(command, |command| command.capabilities(kept))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_landlock(command: Option<&mut CommandHandle>, ruleset: c_int) -> c_int {
    change(command, |handle| {
        handle.command.landlock(duplicate(ruleset)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_seccomp(
    command: Option<&mut CommandHandle>,
    instructions: Array<[u8; 8]>,
    count: usize,
) -> c_int {
    /// `BPF_MAXINSNS`.
    const INSTRUCTIONS_MAX: usize = 4096;
    change(command, |handle| {
        if !(1..=INSTRUCTIONS_MAX).contains(&count) {
            return Err(libc::EINVAL);
        }
        handle.command.seccomp(instructions.read(count)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_callback(
    command: Option<&mut CommandHandle>,
    callback: Option<Callback>,
    context: *mut c_void,
    to_parent: c_int,
) -> c_int {
    change(command, |handle| {
        let callback = callback.ok_or(libc::EINVAL)?;
        let to_parent = duplicate_if_any(to_parent)?;
        // SAFETY: the header requires of the function and its context what the library requires.
        unsafe { handle.command.callback(callback, context, to_parent) };
        Ok(())
    })
}
