//! `perf_hooks`: performance timeline, histograms, event loop utilization. This extension is
//! written in JavaScript alone.

rusk_runtime::extension!("perf", []);
