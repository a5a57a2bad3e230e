//! Whether a package's `os`, `cpu` and `libc` admit a platform, as npm's install checks decide.
//! In: the lists of a manifest. Out: yes or no.

/// The platforms packages are wanted for: this machine, or what the flags say instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Platform {
    pub os: Axis,
    pub cpu: Axis,
    pub libc: Axis,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Axis {
    All,
    /// Any of these, in Node's words: `linux`; `x64`, `arm64`; `glibc`, `musl`.
    OneOf(Vec<String>),
}

/// The three lists of a manifest.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'m> {
    pub os: &'m [String],
    pub cpu: &'m [String],
    pub libc: &'m [String],
}

impl Platform {
    pub fn new(os: &str, cpu: &str, libc: &str) -> Platform {
        let one = |name: &str| Axis::OneOf(vec![name.to_owned()]);
        Platform { os: one(os), cpu: one(cpu), libc: one(libc) }
    }

    /// `--os`, `--cpu`, `--libc`: each that is given replaces the machine's own; `*` admits all.
    #[must_use]
    pub fn replaced_by(self, os: &[String], cpu: &[String], libc: &[String]) -> Platform {
        Platform {
            os: self.os.replaced_by(os),
            cpu: self.cpu.replaced_by(cpu),
            libc: self.libc.replaced_by(libc),
        }
    }

    pub fn admits(&self, wanted: Wanted<'_>) -> bool {
        self.os.admits(wanted.os) && self.cpu.admits(wanted.cpu) && self.libc.admits(wanted.libc)
    }
}

impl Axis {
    fn replaced_by(self, names: &[String]) -> Axis {
        match names {
            [] => self,
            names if names.iter().any(|name| name == "*") => Axis::All,
            names => Axis::OneOf(names.to_vec()),
        }
    }

    fn admits(&self, list: &[String]) -> bool {
        match self {
            Axis::All => true,
            Axis::OneOf(names) => names.iter().any(|name| list_admits(list, name)),
        }
    }
}

/// None of the negated names, and one of the others if there are any.
fn list_admits(list: &[String], name: &str) -> bool {
    if list.is_empty() || matches!(list, [any] if any == "any") {
        return true;
    }
    if list.iter().any(|entry| entry.strip_prefix('!') == Some(name)) {
        return false;
    }
    list.iter().any(|entry| entry == name) || list.iter().all(|entry| entry.starts_with('!'))
}

#[cfg(test)]
mod tests;
