//! Errors of tracing a program.

use std::path::Path;

use rusk_base::Problem;
use rusk_base::sys::Errno;

pub fn not_started(file: &Path, error: Errno) -> Problem {
    Problem::new("program-start", format!("`{}` cannot be run", file.display())).cause(error)
}

/// `tracer`: the process that traces it already.
pub fn already_traced(tracer: i32) -> Problem {
    Problem::new("already-traced", "the program is already being traced, and a process can have only one tracer")
        .note(format!("its tracer is process {tracer}"))
        .hint("run `rusk trace` outside of strace, gdb and the like, or with the privileges for BPF (CAP_BPF, CAP_PERFMON)")
}

pub fn no_ptrace(error: Errno) -> Problem {
    Problem::new("no-ptrace", "the kernel does not allow tracing here")
        .note("containers and `kernel.yama.ptrace_scope` 3 disable ptrace for all users")
        .cause(error)
}

/// `what`: the refused operation; `log`: the verifier's log.
pub fn no_bpf(what: &str, error: Errno, log: &str) -> Problem {
    let problem = Problem::new("no-bpf", format!("BPF is not available: {what} was refused"));
    let problem = if log.is_empty() { problem } else { problem.note(log) };
    problem
        .cause(error)
        .hint("BPF requires CAP_BPF and CAP_PERFMON; `--collector=ptrace` requires no privileges")
}

pub fn lost(what: &str, error: Errno) -> Problem {
    Problem::new("trace-lost", format!("tracing of the program failed: {what}")).cause(error)
}
