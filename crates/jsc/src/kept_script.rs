//! Kept script: a source that is evaluated again and again, in one global object of its VM or
//! another. In: a source. Out: its value, each time. The engine hashes the source once, compares it
//! with none and copies it for none. Used where [`crate::code_cache`] is.

use std::ptr;
use std::rc::Weak;

use crate::code_cache::CodeCache;
use crate::engine::symbols;
use crate::exception::Exception;
use crate::scope::Scope;
use crate::symbols::RawScript;
use crate::value::Value;
use crate::vm::Shared;

/// A script of a VM; it may outlive it, and then is empty.
pub struct KeptScript {
    shared: Weak<Shared>,
    raw: RawScript,
}

impl Scope {
    /// `None`: the source can only be evaluated by [`Scope::evaluate`].
    pub fn keep_script(&self, source: &str, url: &str) -> Option<KeptScript> {
        let raw = self.script(source, url)?;
        Some(KeptScript { shared: std::rc::Rc::downgrade(&self.shared().share()), raw })
    }

    /// As [`Scope::evaluate`], from line 1. `code`: for the first evaluation; later ones use what
    /// the engine knows by then.
    ///
    /// # Panics
    /// In a scope of another VM.
    pub fn evaluate_script(
        &self,
        script: &KeptScript,
        code: Option<CodeCache>,
    ) -> Result<Value<'_>, Exception<'_>> {
        assert!(ptr::eq(script.shared.as_ptr(), self.shared()), "a script is evaluated by its own VM");
        if let Some(code) = code {
            return self.run_with_code_cache(script.raw, code);
        }
        let result = self.check(|thrown| {
            // SAFETY: the script is of this VM's group, and not released; a null `this` is the
            // global object.
            unsafe { (symbols().JSScriptEvaluate)(self.context(), script.raw, ptr::null(), thrown) }
        });
        result.map(|value| self.retain(value))
    }
}

impl Drop for KeptScript {
    fn drop(&mut self) {
        if self.shared.upgrade().is_none_or(|shared| !shared.is_alive()) {
            return;
        }
        // SAFETY: made by `keep_script`, released once; the VM is alive, and the engine takes its
        // own lock.
        unsafe { (symbols().JSScriptRelease)(self.raw) };
    }
}
