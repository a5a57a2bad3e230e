//! Command setters for C: arguments, environment, directory, fds, mode. In: the arguments of one
//! setter. Out: 0, or an errno that every later start of the command returns too. Absent: process
//! attributes (`setup`).

use std::ffi::c_int;
use std::os::unix::ffi::OsStrExt;

use spawn::{Command, Credentials, Disposition, Mode, SignalMask, Stdio, TableChoice};

use crate::environment::Variables;
use crate::pointer::{Array, CStrPtr, Errno, duplicate};

/// `rusk_command`.
#[derive(Clone)]
pub struct CommandHandle {
    pub command: Command,
    pub credentials: Credentials,
    /// The error of the first setter that failed.
    pub first_error: Option<Errno>,
}

impl CommandHandle {
    /// The command, unless a setter has failed.
    pub fn checked(&self) -> Result<&CommandHandle, Errno> {
        self.first_error.map_or(Ok(self), Err)
    }
}

/// Runs a setter. Its first errno is remembered.
pub fn change(
    handle: Option<&mut CommandHandle>,
    setter: impl FnOnce(&mut CommandHandle) -> Result<(), Errno>,
) -> c_int {
    let Some(handle) = handle else { return libc::EINVAL };
    match setter(handle) {
        Ok(()) => 0,
        Err(errno) => {
            handle.first_error.get_or_insert(errno);
            errno
        }
    }
}

/// Runs a setter that cannot fail.
pub fn set(handle: Option<&mut CommandHandle>, setter: impl FnOnce(&mut Command) -> &mut Command) -> c_int {
    change(handle, |handle| {
        setter(&mut handle.command);
        Ok(())
    })
}

/// Unlike in Rust, signals are inherited by default, as C programmers expect.
#[unsafe(no_mangle)]
extern "C" fn rusk_command_new(program: CStrPtr) -> Option<Box<CommandHandle>> {
    let mut command = Command::new(program.read().ok()?);
    command.signal_mask(SignalMask::Inherit).disposition(libc::SIGPIPE, Disposition::Inherit);
    Some(Box::new(CommandHandle { command, credentials: Credentials::default(), first_error: None }))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_copy(command: Option<&CommandHandle>) -> Option<Box<CommandHandle>> {
    command.map(|handle| Box::new(handle.clone()))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_free(command: Option<Box<CommandHandle>>) {
    drop(command);
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_arg(command: Option<&mut CommandHandle>, argument: CStrPtr) -> c_int {
    change(command, |handle| {
        handle.command.arg(argument.read()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_args(command: Option<&mut CommandHandle>, arguments: Array<CStrPtr>) -> c_int {
    change(command, |handle| {
        for argument in arguments.read_to_null()? {
            handle.command.arg(argument.read()?);
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_arg0(command: Option<&mut CommandHandle>, name: CStrPtr) -> c_int {
    change(command, |handle| {
        handle.command.arg0(name.read()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_shell_fallback(command: Option<&mut CommandHandle>, falls_back: bool) -> c_int {
    set(command, |command| command.shell_fallback(falls_back))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_env(command: Option<&mut CommandHandle>, name: CStrPtr, value: CStrPtr) -> c_int {
    change(command, |handle| {
        handle.command.env(variable_name(&name)?, value.read()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_env_remove(command: Option<&mut CommandHandle>, name: CStrPtr) -> c_int {
    change(command, |handle| {
        handle.command.env_remove(variable_name(&name)?);
        Ok(())
    })
}

fn variable_name(name: &CStrPtr) -> Result<&std::ffi::OsStr, Errno> {
    let name = name.read()?;
    if name.is_empty() || name.as_bytes().contains(&b'=') { Err(libc::EINVAL) } else { Ok(name) }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_env_clear(command: Option<&mut CommandHandle>) -> c_int {
    set(command, Command::env_clear)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_environment(
    command: Option<&mut CommandHandle>,
    environment: Option<&Variables>,
) -> c_int {
    change(command, |handle| {
        let environment = environment.filter(|variables| variables.is_valid).ok_or(libc::EINVAL)?;
        handle.command.environment(environment.packed.clone());
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_cwd(command: Option<&mut CommandHandle>, dir: CStrPtr) -> c_int {
    change(command, |handle| {
        handle.command.current_dir(dir.read()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_cwd_fd(command: Option<&mut CommandHandle>, dir: c_int) -> c_int {
    change(command, |handle| {
        handle.command.current_dir_fd(duplicate(dir)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_stdin(command: Option<&mut CommandHandle>, stream: c_int) -> c_int {
    change(command, |handle| {
        handle.command.stdin(standard(stream)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_stdout(command: Option<&mut CommandHandle>, stream: c_int) -> c_int {
    change(command, |handle| {
        handle.command.stdout(standard(stream)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_stderr(command: Option<&mut CommandHandle>, stream: c_int) -> c_int {
    change(command, |handle| {
        handle.command.stderr(standard(stream)?);
        Ok(())
    })
}

fn standard(stream: c_int) -> Result<Stdio, Errno> {
    const INHERIT: c_int = -10;
    const NULL: c_int = -11;
    const PIPE: c_int = -12;
    const CLOSED: c_int = -13;
    Ok(match stream {
        INHERIT => Stdio::Inherit,
        NULL => Stdio::Null,
        PIPE => Stdio::Pipe,
        CLOSED => Stdio::Closed,
        fd => Stdio::from(duplicate(fd)?),
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_fd(command: Option<&mut CommandHandle>, fd: c_int, number: c_int) -> c_int {
    change(command, |handle| {
        if number < 3 {
            return Err(libc::EINVAL);
        }
        handle.command.fd(duplicate(fd)?, number);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_keep_other_fds(command: Option<&mut CommandHandle>, keeps: bool) -> c_int {
    set(command, |command| command.keep_other_fds(keeps))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_without_pidfd(command: Option<&mut CommandHandle>) -> c_int {
    set(command, |command| command.without_pidfd())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_mode(command: Option<&mut CommandHandle>, mode: u32) -> c_int {
    change(command, |handle| {
        let mode = match mode {
            0 => Mode::Chosen,
            1 => Mode::Direct,
            2 => Mode::Vfork,
            3 => Mode::Thread,
            4 => Mode::Zygote,
            _ => return Err(libc::EINVAL),
        };
        handle.command.mode(mode);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_table(command: Option<&mut CommandHandle>, table: u32) -> c_int {
    change(command, |handle| {
        let table = match table {
            0 => TableChoice::Chosen,
            1 => TableChoice::Copied,
            2 => TableChoice::Shared,
            _ => return Err(libc::EINVAL),
        };
        handle.command.table(table);
        Ok(())
    })
}
