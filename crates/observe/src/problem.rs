//! Everything that can go wrong when a program is observed.

use std::path::Path;

use rusk_base::Problem;
use rusk_base::sys::Errno;

pub fn not_started(file: &Path, error: Errno) -> Problem {
    Problem::new("program-start", format!("`{}` cannot be run", file.display())).cause(error)
}

/// `tracer`: the process that has it already.
pub fn already_traced(tracer: i32) -> Problem {
    Problem::new("already-traced", "the program is traced already, and a program has one tracer")
        .note(format!("process {tracer} traces it"))
        .hint("run `rusk trace` outside of strace, gdb and the like, or with the rights that BPF needs")
}

pub fn no_ptrace(error: Errno) -> Problem {
    Problem::new("no-ptrace", "the kernel forbids to trace programs here")
        .note("containers and `kernel.yama.ptrace_scope` 3 forbid ptrace to everybody")
        .cause(error)
}

/// `what`: the step that was refused; `said`: what the kernel had to say of it.
pub fn no_bpf(what: &str, error: Errno, said: &str) -> Problem {
    let problem = Problem::new("no-bpf", format!("BPF cannot be used here: {what} was refused"));
    let problem = if said.is_empty() { problem } else { problem.note(said) };
    problem.cause(error).hint("it needs the rights CAP_BPF and CAP_PERFMON; `--collector=ptrace` needs none")
}

pub fn lost(what: &str, error: Errno) -> Problem {
    Problem::new("trace-lost", format!("the program could not be followed: {what}")).cause(error)
}
