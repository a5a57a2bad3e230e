//! Collecting the output of a program, for C. In: a command, and options. Out: a struct to be
//! freed.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::time::Duration;

use spawn::{CollectOptions, CollectedOutput, Step, Truncation};

use crate::child::RawExit;
use crate::command::CommandHandle;
use crate::error::{ErrorSlot, fail, write_error};
use crate::pointer::{Array, Errno};
use crate::termination::scope;

/// `rusk_collect_options`.
#[repr(C)]
struct RawCollectOptions {
    input: Array<u8>,
    input_bytes: usize,
    bytes_max: usize,
    timeout_ms: u32,
    scope: u32,
}

impl RawCollectOptions {
    fn read(&self) -> Result<CollectOptions, Errno> {
        let mut options = CollectOptions {
            input: self.input.read(self.input_bytes)?.to_vec(),
            limit: (self.timeout_ms > 0).then(|| Duration::from_millis(self.timeout_ms.into())),
            scope: scope(self.scope).ok_or(libc::EINVAL)?,
            ..CollectOptions::default()
        };
        if self.bytes_max > 0 {
            options.bytes_max = self.bytes_max;
        }
        Ok(options)
    }
}

/// `rusk_output`, followed by the owned buffers, each with a NUL at its end.
#[repr(C)]
struct Output {
    exit: RawExit,
    truncation: u32,
    out: *const u8,
    out_bytes: usize,
    err: *const u8,
    err_bytes: usize,
    buffers: [Vec<u8>; 2],
}

impl Output {
    fn of(finished: CollectedOutput) -> Box<Output> {
        let CollectedOutput { exit, stdout, stderr, truncation } = finished;
        let (out_bytes, err_bytes) = (stdout.len(), stderr.len());
        let buffers = [stdout, stderr].map(|mut text| {
            text.push(0);
            text
        });
        let truncation = match truncation {
            None => 0,
            Some(Truncation::SizeLimit) => 1,
            Some(Truncation::TimeLimit) => 2,
        };
        let (out, err) = (buffers[0].as_ptr(), buffers[1].as_ptr());
        Box::new(Output {
            exit: RawExit::from(Some(exit)),
            truncation,
            out,
            out_bytes,
            err,
            err_bytes,
            buffers,
        })
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_collect(
    command: Option<&CommandHandle>,
    options: Option<&RawCollectOptions>,
    output: Option<&mut MaybeUninit<Option<Box<Output>>>>,
    error: ErrorSlot<'_>,
) -> c_int {
    let Some(slot) = output else { return fail(error, Step::Command, libc::EINVAL) };
    let slot = slot.write(None);
    let read = command.ok_or(libc::EINVAL).and_then(CommandHandle::checked).and_then(|handle| {
        Ok((handle, options.map_or(Ok(CollectOptions::default()), RawCollectOptions::read)?))
    });
    let (handle, options) = match read {
        Ok(read) => read,
        Err(errno) => return fail(error, Step::Command, errno),
    };
    match handle.command.collect(&options) {
        Ok(finished) => {
            *slot = Some(Output::of(finished));
            0
        }
        Err(problem) => write_error(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_output_free(output: Option<Box<Output>>) {
    drop(output.map(|output| output.buffers));
}

#[unsafe(no_mangle)]
extern "C" fn rusk_run(
    command: Option<&CommandHandle>,
    exit: Option<&mut MaybeUninit<RawExit>>,
    error: ErrorSlot<'_>,
) -> c_int {
    let handle = match command.ok_or(libc::EINVAL).and_then(CommandHandle::checked) {
        Ok(handle) => handle,
        Err(errno) => return fail(error, Step::Command, errno),
    };
    match handle.command.status() {
        Ok(found) => {
            exit.map(|exit| exit.write(RawExit::from(Some(found))));
            0
        }
        Err(problem) => write_error(error, &problem),
    }
}
