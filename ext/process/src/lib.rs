//! Extension `process`: `node:process`, `node:child_process`, the native half of `Bun.spawn`, IPC
//! channels, `node:os`.

mod child_process;
mod ipc;
mod os;
mod process;

pub use process::note_origin;

rusk_runtime::extension!("process", [("child_process", child_process::make), ("ipc", ipc::make), ("os", os::make), ("process", process::make)], after_callback: ipc::flush_all);
