//! The whole of what a program writes, as C reads it. In: a command, and the terms. Out: a struct
//! to be freed.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::time::Duration;

use spawn::{Cut, Finished, Step, Terms};

use crate::child::End;
use crate::command::Draft;
use crate::ending::whom;
use crate::error::{Place, refuse, tell};
use crate::pointer::{Array, Errno};

/// `rusk_terms`.
#[repr(C)]
struct Wanted {
    input: Array<u8>,
    input_bytes: usize,
    bytes_max: usize,
    milliseconds: u32,
    whom: u32,
}

impl Wanted {
    fn read(&self) -> Result<Terms, Errno> {
        let mut terms = Terms {
            input: self.input.read(self.input_bytes)?.to_vec(),
            limit: (self.milliseconds > 0).then(|| Duration::from_millis(self.milliseconds.into())),
            whom: whom(self.whom).ok_or(libc::EINVAL)?,
            ..Terms::default()
        };
        if self.bytes_max > 0 {
            terms.bytes_max = self.bytes_max;
        }
        Ok(terms)
    }
}

/// `rusk_output`, and behind what C sees of it the bytes themselves, each text with a NUL after it.
#[repr(C)]
struct Output {
    exit: End,
    cut: u32,
    out: *const u8,
    out_bytes: usize,
    err: *const u8,
    err_bytes: usize,
    texts: [Vec<u8>; 2],
}

impl Output {
    fn of(finished: Finished) -> Box<Output> {
        let Finished { exit, stdout, stderr, cut } = finished;
        let (out_bytes, err_bytes) = (stdout.len(), stderr.len());
        let texts = [stdout, stderr].map(|mut text| {
            text.push(0);
            text
        });
        let cut = match cut {
            None => 0,
            Some(Cut::Bytes) => 1,
            Some(Cut::Time) => 2,
        };
        let (out, err) = (texts[0].as_ptr(), texts[1].as_ptr());
        Box::new(Output { exit: End::from(Some(exit)), cut, out, out_bytes, err, err_bytes, texts })
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_collect(
    command: Option<&Draft>,
    terms: Option<&Wanted>,
    output: Option<&mut MaybeUninit<Option<Box<Output>>>>,
    error: Place<'_>,
) -> c_int {
    let Some(place) = output else { return refuse(error, Step::Command, libc::EINVAL) };
    let place = place.write(None);
    let read = command
        .ok_or(libc::EINVAL)
        .and_then(Draft::sound)
        .and_then(|draft| Ok((draft, terms.map_or(Ok(Terms::default()), Wanted::read)?)));
    let (draft, terms) = match read {
        Ok(read) => read,
        Err(errno) => return refuse(error, Step::Command, errno),
    };
    match draft.command.collect(&terms) {
        Ok(finished) => {
            *place = Some(Output::of(finished));
            0
        }
        Err(problem) => tell(error, &problem),
    }
}

#[unsafe(no_mangle)]
extern "C" fn rusk_output_free(output: Option<Box<Output>>) {
    drop(output.map(|output| output.texts));
}

#[unsafe(no_mangle)]
extern "C" fn rusk_run(
    command: Option<&Draft>,
    exit: Option<&mut MaybeUninit<End>>,
    error: Place<'_>,
) -> c_int {
    let draft = match command.ok_or(libc::EINVAL).and_then(Draft::sound) {
        Ok(draft) => draft,
        Err(errno) => return refuse(error, Step::Command, errno),
    };
    match draft.command.status() {
        Ok(found) => {
            exit.map(|exit| exit.write(End::from(Some(found))));
            0
        }
        Err(problem) => tell(error, &problem),
    }
}
