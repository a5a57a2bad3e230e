//! Collector by BPF, which needs privileges: programs at tracepoints write a record of each system
//! call to a ring buffer, and the traced program never stops. In: what to start. Out: a ledger. The
//! process tree is followed by a map of threads, to which the fork tracepoint adds each child, so
//! none is missed.

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

use super::{CollectorOutput, Program, TraceTarget};
use crate::problem;
use crate::report::TraceInfo;
use kernel::Kernel;
use reader::Reader;

/// Probe calls before the program starts; they take about forty microseconds.
const PROBE_CALLS: u32 = 64;

/// How often the ring buffer is read if no wakeup comes.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

pub fn trace(target: &TraceTarget<'_>) -> Result<CollectorOutput> {
    let TraceTarget { options, relay, .. } = *target;
    let mut kernel = Kernel::prepare()?;
    kernel.attach_processes()?;
    let stopped = target.spawn(PROBE_CALLS)?;
    let root = stopped.process;
    kernel.attach_syscalls()?;
    relay.forward_to(root as u32);
    let running = stopped.resume().map_err(|error| problem::lost("its start", error))?;
    let mut reader = Reader::new(options);
    read(&mut reader, &mut kernel, &running).map_err(|error| problem::lost("its end", error))?;
    kernel.detach();
    if reader.stop_ns == 0 {
        reader.stop_ns = now_ns();
    }
    let overhead_ns = target.overhead(&running, PROBE_CALLS)?;
    let info = TraceInfo {
        collector: "bpf",
        is_pinned: false,
        until: reader.window.condition_text(),
        is_condition_met: reader.window.is_over,
        wall_ns: reader.stop_ns.saturating_sub(reader.window.start_ns),
        overhead_ns,
        lost: kernel.lost(),
    };
    Ok(CollectorOutput { ledger: reader.ledger, info, program: Program::Runs(running) })
}

/// Reads records until the trace is over or the last thread of the program has ended, which may be
/// before the kernel has reaped it.
fn read(reader: &mut Reader, kernel: &mut Kernel, running: &RunningChild) -> sys::Result<()> {
    const END: u64 = 0;
    const RING: u64 = 1;
    let epoll = Epoll::new()?;
    epoll.add(running.as_fd(), END, EventFlags::IN)?;
    // Edge-triggered: the ring buffer is ready as long as anything is unread, but should wake us
    // only when it fills.
    epoll.add(kernel.ring.as_fd(), RING, EventFlags::IN | EventFlags::ET)?;
    let mut ready = Vec::new();
    while !reader.window.is_over && !reader.has_ended {
        epoll.wait(&mut ready, Some(CHECK_INTERVAL))?;
        kernel.ring.drain(|record| reader.record(record));
        reader.window.check_time(now_ns());
        if ready.iter().any(|ready| ready.token == END) {
            // Every thread has ended, and has written its records.
            kernel.ring.drain(|record| reader.record(record));
            reader.has_ended = true;
        }
    }
    Ok(())
}
