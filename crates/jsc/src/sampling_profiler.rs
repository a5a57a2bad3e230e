//! Sampling profiler of the engine: a thread of the engine's stops the script at an interval and
//! notes its stack. In: start, take, stop. Out: samples as the engine's JSON. Absent: the interval,
//! which is the engine's option `sampleInterval`; stacks of native code.

use crate::engine::symbols;
use crate::scope::Scope;
use crate::string;
use crate::value::Value;

impl Scope {
    /// Starts to take samples of all scripts of this VM. Returns whether it could.
    pub fn start_sampling(&self) -> bool {
        // SAFETY: the group of this scope is alive and its lock held.
        unsafe { (symbols().JSContextGroupEnableSamplingProfiler)(self.shared().group) }
    }

    /// What was sampled since the start or the last call, a JSON text; `None`: nothing samples.
    pub fn take_samples(&self) -> Option<Value<'_>> {
        // SAFETY: as above; we own the string that is returned.
        let text = unsafe {
            let raw = (symbols().JSContextGroupTakeSamplesFromSamplingProfiler)(self.shared().group);
            if raw.is_null() {
                return None;
            }
            string::take(raw)
        };
        Some(self.string(&text))
    }

    /// Samples that were not taken are dropped.
    pub fn stop_sampling(&self) {
        // SAFETY: as above.
        unsafe { (symbols().JSContextGroupDisableSamplingProfiler)(self.shared().group) };
    }
}
