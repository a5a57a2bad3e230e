//! Platforms that a package supports: `os`, `cpu` and `libc`, each a set of the names that bun
//! knows. Sets, not lists, because the lockfile is rendered from the set.

use std::marker::PhantomData;

/// A package's requirements of the host: `os`, `cpu`, `libc`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    pub os: NameSet<Os>,
    pub cpu: NameSet<Cpu>,
    pub libc: NameSet<Libc>,
}

/// The machines an install is for; a package is installed when each of its sets meets the matching
/// one here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    pub os: NameSet<Os>,
    pub cpu: NameSet<Cpu>,
    pub libc: NameSet<Libc>,
}

impl Constraints {
    /// From the lists of a manifest.
    pub fn of<S: AsRef<str>>(os: &[S], cpu: &[S], libc: &[S]) -> Constraints {
        Constraints {
            os: NameSet::parse(os.iter().map(S::as_ref)),
            cpu: NameSet::parse(cpu.iter().map(S::as_ref)),
            libc: NameSet::parse(libc.iter().map(S::as_ref)),
        }
    }

    /// Of a package that no host can use.
    pub fn unsatisfiable() -> Constraints {
        Constraints { os: NameSet::of(0), cpu: NameSet::of(0), libc: NameSet::of(0) }
    }

    pub fn admits(&self, platform: &Platform) -> bool {
        self.os.meets(platform.os) && self.cpu.meets(platform.cpu) && self.libc.meets(platform.libc)
    }
}

/// The possible names of a set, in the order of the lockfile.
pub trait Names {
    const NAMES: &'static [&'static str];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Os;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Libc;

impl Names for Os {
    const NAMES: &'static [&'static str] =
        &["aix", "linux", "sunos", "win32", "darwin", "android", "freebsd", "openbsd"];
}

impl Names for Cpu {
    const NAMES: &'static [&'static str] =
        &["arm", "ppc", "x32", "x64", "ia32", "mips", "s390", "arm64", "ppc64", "s390x", "mipsel"];
}

impl Names for Libc {
    const NAMES: &'static [&'static str] = &["musl", "glibc"];
}

/// A set of platform names. The default has all names; a list of unknown names becomes the empty
/// set.
#[derive(Debug, PartialEq, Eq)]
pub struct NameSet<N> {
    bits: u16,
    names: PhantomData<N>,
}

impl<N> Clone for NameSet<N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for NameSet<N> {}

impl<N: Names> Default for NameSet<N> {
    fn default() -> Self {
        NameSet::all()
    }
}

impl<N: Names> NameSet<N> {
    fn of(bits: u16) -> Self {
        NameSet { bits, names: PhantomData }
    }

    pub fn all() -> Self {
        NameSet::of((1 << N::NAMES.len()) - 1)
    }

    pub fn is_all(self) -> bool {
        self.bits == NameSet::<N>::all().bits
    }

    pub fn meets(self, other: NameSet<N>) -> bool {
        self.bits & other.bits != 0
    }

    /// The set a manifest's list means: names, `!names`, `any`; unknown names alone leave the empty
    /// set.
    pub fn parse<'a>(list: impl IntoIterator<Item = &'a str>) -> Self {
        let (mut added, mut removed) = (0, 0);
        let (mut any, mut unknown) = (false, false);
        for entry in list.into_iter().filter(|entry| !entry.is_empty()) {
            let (negated, name) = match entry.strip_prefix('!') {
                Some(name) => (true, name),
                None => (false, entry),
            };
            match (N::NAMES.iter().position(|known| *known == name), negated) {
                (Some(index), false) => (added, any, unknown) = (added | 1 << index, false, false),
                (Some(index), true) => (removed, any, unknown) = (removed | 1 << index, false, false),
                (None, false) if name == "any" => any = true,
                (None, false) => unknown = true,
                (None, true) => {}
            }
        }
        let all = NameSet::<N>::all().bits;
        if any {
            added = all;
        }
        NameSet::of(match (added, removed) {
            (0, 0) if unknown => 0,
            (0, _) => all & !removed,
            _ => added & !removed,
        })
    }

    /// The set as the lockfile writes it: a name, `!name`, or the shorter of the two lists.
    pub fn render(self) -> String {
        if self.bits == 0 {
            return "\"none\"".to_owned();
        }
        let included: Vec<_> = self.listed(true).collect();
        let excluded: Vec<_> = self.listed(false).map(|name| format!("!{name}")).collect();
        let shown: Vec<String> = match excluded.len() >= included.len() {
            true => included.into_iter().map(str::to_owned).collect(),
            false => excluded,
        };
        match shown.as_slice() {
            [one] => format!("\"{one}\""),
            many => format!("[ {}]", many.iter().map(|name| format!("\"{name}\", ")).collect::<String>()),
        }
    }

    fn listed(self, present: bool) -> impl Iterator<Item = &'static str> {
        let bits = self.bits;
        N::NAMES
            .iter()
            .enumerate()
            .filter(move |(index, _)| (bits >> index & 1 == 1) == present)
            .map(|(_, name)| *name)
    }
}

#[cfg(test)]
mod tests;
