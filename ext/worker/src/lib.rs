//! Worker threads and their messages: `worker_threads`, `Worker`, message ports, structured clone,
//! `Atomics.waitAsync`.

mod atomics;
mod message_port;
mod wait_async;
mod worker;

rusk_runtime::extension!("worker", [("atomics", atomics::make), ("message_port", message_port::make), ("worker", worker::make)], on_close: |state| wait_async::WAITERS.remove_loop(state.handle.thread_pool()));
