//! `node:timers`: timers as modules and promises; their queues are the runtime core's. This
//! extension is written in JavaScript alone.

rusk_runtime::extension!("timers", []);
