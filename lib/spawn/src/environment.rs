//! Environment of a child. In: the process's own environment, or packed variables, and changes.
//! Out: entries of a plan. A packed environment is shared by all commands that use it, and copied
//! in one piece.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{CStr, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use crate::plan::Plan;

/// Environment variables, each `NAME=value` with a NUL at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    packed: Arc<Vec<u8>>,
    is_invalid: bool,
}

impl Environment {
    /// Packs variables. A NUL, an empty name or a name with `=` makes the start fail.
    pub fn pack<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Environment {
        let mut packed = Vec::new();
        let mut is_invalid = false;
        for (name, value) in variables {
            let (name, value) = (name.as_ref().as_bytes(), value.as_ref().as_bytes());
            is_invalid |= !is_name(name) || value.contains(&0);
            for part in [name, b"=", value, b"\0"] {
                packed.extend_from_slice(part);
            }
        }
        Environment { packed: Arc::new(packed), is_invalid }
    }
}

fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.contains(&b'=') && !name.contains(&0)
}

/// The environment of a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct EnvChanges {
    /// None: the environment of this process at the spawn.
    base: Option<Environment>,
    /// Set, or removed.
    changes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    is_invalid: bool,
}

impl EnvChanges {
    pub fn replace(&mut self, base: Environment) {
        self.is_invalid = base.is_invalid;
        self.base = Some(base);
        self.changes.clear();
    }

    pub fn change(&mut self, name: &OsStr, value: Option<&OsStr>) {
        let value = value.map(|value| value.as_bytes().to_vec());
        self.is_invalid |=
            !is_name(name.as_bytes()) || value.as_ref().is_some_and(|value| value.contains(&0));
        self.changes.insert(name.as_bytes().to_vec(), value);
    }

    pub fn is_valid(&self) -> bool {
        !self.is_invalid
    }

    /// Writes all variables as entries of the current array.
    pub fn write(&self, plan: &mut Plan) {
        match &self.base {
            Some(base) if self.changes.is_empty() => return plan.push_packed(&base.packed),
            Some(base) => self.write_unchanged(entries(&base.packed), plan),
            // SAFETY: libc's own strings.
            None if self.changes.is_empty() => return unsafe { plan.push_strings(addresses()) },
            None => self.write_unchanged(process_environment(), plan),
        }
        for (name, value) in &self.changes {
            if let Some(value) = value {
                let at = plan.string(&[name, b"=", value]);
                plan.push_pointer(at);
            }
        }
    }

    fn write_unchanged<'a>(&self, variables: impl Iterator<Item = &'a [u8]>, plan: &mut Plan) {
        for variable in variables {
            if !self.changes.contains_key(name_of(variable)) {
                let at = plan.string(&[variable]);
                plan.push_pointer(at);
            }
        }
    }

    /// The value in the child.
    pub fn find(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        if let Some(change) = self.changes.get(name) {
            return change.as_deref().map(Cow::Borrowed);
        }
        let value = |variable: &[u8]| variable.strip_prefix(name)?.strip_prefix(b"=").map(<[u8]>::len);
        let last = |variable: &'_ [u8]| value(variable).map(|bytes| variable.len() - bytes);
        match &self.base {
            Some(base) => {
                let found = entries(&base.packed).find_map(|one| Some((one, last(one)?)));
                found.map(|(one, at)| Cow::Borrowed(&one[at..]))
            }
            None => {
                let found = process_environment().find_map(|one| Some((one, last(one)?)));
                found.map(|(one, at)| Cow::Borrowed(&one[at..]))
            }
        }
    }
}

/// Up to the `=`; without one, the whole entry.
fn name_of(variable: &[u8]) -> &[u8] {
    variable.split(|byte| *byte == b'=').next().unwrap_or(variable)
}

fn entries(packed: &[u8]) -> impl Iterator<Item = &[u8]> {
    packed.split_inclusive(|byte| *byte == 0).map(|variable| &variable[..variable.len() - 1])
}

/// This process's environment, without the NULs.
fn process_environment() -> impl Iterator<Item = &'static [u8]> {
    // SAFETY: each entry ends in a NUL.
    addresses().iter().map(|address| unsafe { CStr::from_ptr(*address as *const c_char) }.to_bytes())
}

/// Addresses of this process's environment strings. Another thread that changes them at the same
/// time violates the rule of `std::env::set_var`.
fn addresses() -> &'static [usize] {
    unsafe extern "C" {
        static environ: *const usize;
    }
    // SAFETY: libc's own array, ended by a null; `environ` itself may be null after clearenv.
    unsafe {
        if environ.is_null() {
            return &[];
        }
        let count = (0..).take_while(|index| *environ.wrapping_add(*index) != 0).count();
        std::slice::from_raw_parts(environ, count)
    }
}
