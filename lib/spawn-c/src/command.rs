//! A command as C builds it: words, variables, folder, descriptors, and which way it is started.
//! In: one setter's arguments. Out: 0, or the errno that from then on every start of the command
//! says too. Absent: what else is set up (`setup`).

use std::ffi::c_int;
use std::os::unix::ffi::OsStrExt;

use spawn::{Command, Credentials, Disposition, Mode, SignalMask, Stdio, TableChoice};

use crate::environment::Variables;
use crate::pointer::{Array, Errno, Text, duplicate};

/// `rusk_command`.
#[derive(Clone)]
pub struct Draft {
    pub command: Command,
    pub credentials: Credentials,
    /// The first setter's that went wrong.
    pub spoilt: Option<Errno>,
}

impl Draft {
    /// Unless a setter has spoilt it.
    pub fn sound(&self) -> Result<&Draft, Errno> {
        self.spoilt.map_or(Ok(self), Err)
    }
}

/// What a setter does to a command. An errno spoils it.
pub fn change(draft: Option<&mut Draft>, setter: impl FnOnce(&mut Draft) -> Result<(), Errno>) -> c_int {
    let Some(draft) = draft else { return libc::EINVAL };
    match setter(draft) {
        Ok(()) => 0,
        Err(errno) => {
            draft.spoilt.get_or_insert(errno);
            errno
        }
    }
}

/// A setter that cannot go wrong.
pub fn set(draft: Option<&mut Draft>, setter: impl FnOnce(&mut Command) -> &mut Command) -> c_int {
    change(draft, |draft| {
        setter(&mut draft.command);
        Ok(())
    })
}

/// What C's programmers expect of a child, where Rust's expect something else: signals as they are
/// here.
#[unsafe(no_mangle)]
extern "C" fn rusk_command_new(program: Text) -> Option<Box<Draft>> {
    let mut command = Command::new(program.read().ok()?);
    command.signal_mask(SignalMask::Inherit).disposition(libc::SIGPIPE, Disposition::Inherit);
    Some(Box::new(Draft { command, credentials: Credentials::default(), spoilt: None }))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_copy(command: Option<&Draft>) -> Option<Box<Draft>> {
    command.map(|draft| Box::new(draft.clone()))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_free(command: Option<Box<Draft>>) {
    drop(command);
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_arg(command: Option<&mut Draft>, argument: Text) -> c_int {
    change(command, |draft| {
        draft.command.arg(argument.read()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_args(command: Option<&mut Draft>, arguments: Array<Text>) -> c_int {
    change(command, |draft| {
        for argument in arguments.read_to_null()? {
            draft.command.arg(argument.read()?);
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_arg0(command: Option<&mut Draft>, name: Text) -> c_int {
    change(command, |draft| {
        draft.command.arg0(name.read()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_shell_fallback(command: Option<&mut Draft>, falls_back: bool) -> c_int {
    set(command, |command| command.shell_fallback(falls_back))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_env(command: Option<&mut Draft>, name: Text, value: Text) -> c_int {
    change(command, |draft| {
        draft.command.env(variable_name(&name)?, value.read()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_env_remove(command: Option<&mut Draft>, name: Text) -> c_int {
    change(command, |draft| {
        draft.command.env_remove(variable_name(&name)?);
        Ok(())
    })
}

fn variable_name(name: &Text) -> Result<&std::ffi::OsStr, Errno> {
    let name = name.read()?;
    if name.is_empty() || name.as_bytes().contains(&b'=') { Err(libc::EINVAL) } else { Ok(name) }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_env_clear(command: Option<&mut Draft>) -> c_int {
    set(command, Command::env_clear)
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_environment(
    command: Option<&mut Draft>,
    environment: Option<&Variables>,
) -> c_int {
    change(command, |draft| {
        let environment = environment.filter(|variables| variables.is_sound).ok_or(libc::EINVAL)?;
        draft.command.environment(environment.packed.clone());
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_cwd(command: Option<&mut Draft>, folder: Text) -> c_int {
    change(command, |draft| {
        draft.command.current_dir(folder.read()?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_cwd_fd(command: Option<&mut Draft>, folder: c_int) -> c_int {
    change(command, |draft| {
        draft.command.current_dir_descriptor(duplicate(folder)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_stdin(command: Option<&mut Draft>, stream: c_int) -> c_int {
    change(command, |draft| {
        draft.command.stdin(standard(stream)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_stdout(command: Option<&mut Draft>, stream: c_int) -> c_int {
    change(command, |draft| {
        draft.command.stdout(standard(stream)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_stderr(command: Option<&mut Draft>, stream: c_int) -> c_int {
    change(command, |draft| {
        draft.command.stderr(standard(stream)?);
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
extern "C" fn rusk_command_fd(command: Option<&mut Draft>, fd: c_int, number: c_int) -> c_int {
    change(command, |draft| {
        if number < 3 {
            return Err(libc::EINVAL);
        }
        draft.command.descriptor(duplicate(fd)?, number);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_keep_other_fds(command: Option<&mut Draft>, keeps: bool) -> c_int {
    set(command, |command| command.keep_other_descriptors(keeps))
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_without_pidfd(command: Option<&mut Draft>) -> c_int {
    set(command, |command| command.without_pidfd())
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_mode(command: Option<&mut Draft>, mode: u32) -> c_int {
    change(command, |draft| {
        let mode = match mode {
            0 => Mode::Chosen,
            1 => Mode::Direct,
            2 => Mode::Vfork,
            3 => Mode::Thread,
            4 => Mode::Zygote,
            _ => return Err(libc::EINVAL),
        };
        draft.command.mode(mode);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn rusk_command_table(command: Option<&mut Draft>, table: u32) -> c_int {
    change(command, |draft| {
        let table = match table {
            0 => TableChoice::Chosen,
            1 => TableChoice::Copied,
            2 => TableChoice::Shared,
            _ => return Err(libc::EINVAL),
        };
        draft.command.table(table);
        Ok(())
    })
}
