//! Watching by BPF, where the rights are there: small programs at the kernel's tracepoints write a
//! record a call into a ring, and the watched program never stops. In: what to start. Out: a
//! ledger. The tree is followed by a map of threads that the kernel's own fork adds to, so that no
//! child is missed.

mod assembler;
mod btf;
mod kernel;
mod programs;
mod reader;

use std::os::fd::AsFd;
use std::time::Duration;

use rusk_base::sys::epoll::{Epoll, EventFlags};
use rusk_base::sys::stopped_child::{RunningChild, now_ns};
use rusk_base::{Result, sys};

use super::{Program, Subject, Watched};
use crate::problem;
use crate::report::Watch;
use kernel::Kernel;
use reader::Reader;

/// Test calls before the program begins: some forty microseconds of them.
const TEST_CALLS: u32 = 64;

/// How often the ring is looked at where nobody says that it fills.
const LOOK_EVERY: Duration = Duration::from_millis(20);

pub fn watch(subject: &Subject<'_>) -> Result<Watched> {
    let Subject { asked, relay, .. } = *subject;
    let mut kernel = Kernel::prepare()?;
    kernel.attach_processes()?;
    let held = subject.hold(TEST_CALLS)?;
    let root = held.process;
    kernel.attach_calls()?;
    relay.forward_to(root as u32);
    let released = held.resume().map_err(|error| problem::lost("its start", error))?;
    let mut reader = Reader::new(asked);
    read(&mut reader, &mut kernel, &released).map_err(|error| problem::lost("its end", error))?;
    kernel.let_go();
    if reader.over_ns == 0 {
        reader.over_ns = now_ns();
    }
    let overhead_ns = subject.overhead(&released, TEST_CALLS)?;
    let watch = Watch {
        collector: "bpf",
        on_one_processor: false,
        until: reader.window.words(),
        is_reached: reader.window.is_over,
        wall_ns: reader.over_ns.saturating_sub(reader.window.begun_ns),
        overhead_ns,
        lost: kernel.lost(),
    };
    Ok(Watched { ledger: reader.ledger, watch, program: Program::Runs(released) })
}

/// Takes what comes until the window is over or the last thread of the program has gone: it may not
/// have been taken down yet.
fn read(reader: &mut Reader, kernel: &mut Kernel, released: &RunningChild) -> sys::Result<()> {
    const END: u64 = 0;
    const RING: u64 = 1;
    let epoll = Epoll::new()?;
    epoll.add(released.as_fd(), END, EventFlags::IN)?;
    // By edges: it is ready as long as anything is unread, but we want to be woken only when much
    // is.
    epoll.add(kernel.ring.as_fd(), RING, EventFlags::IN | EventFlags::ET)?;
    let mut ready = Vec::new();
    while !reader.window.is_over && !reader.has_ended {
        epoll.wait(&mut ready, Some(LOOK_EVERY))?;
        kernel.ring.drain(|record| reader.record(record));
        reader.window.look(now_ns());
        if ready.iter().any(|ready| ready.token == END) {
            // Every thread is gone, and has said all.
            kernel.ring.drain(|record| reader.record(record));
            reader.has_ended = true;
        }
    }
    Ok(())
}
