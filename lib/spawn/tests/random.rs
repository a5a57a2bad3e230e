//! Random arguments, environments and fd maps, from a fixed seed: the program finds exactly what
//! was passed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;

use probe::report::read;
use probe::{Role, SPAWN_VARIANTS, SpawnVariant, command, file, identity};
use rusk_spawn::{Command, Environment, Mode, Stdio, TableChoice};

mod probe;

const ROLES: &[Role] = &[];

const CASES: u64 = 60;

/// Xorshift pseudo-random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    /// Random bytes without these.
    fn text(&mut self, bytes_max: usize, without: &[u8]) -> Vec<u8> {
        let count = self.below(bytes_max + 1);
        let byte = |random: &mut Random| random.next() as u8;
        let bytes = (0..count).map(|_| byte(self)).filter(|byte| *byte != 0 && !without.contains(byte));
        bytes.collect()
    }
}

fn escaped(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// Adds random arguments. Returns them as the program should report them.
fn add_arguments(random: &mut Random, command: &mut Command) -> Vec<String> {
    let args: Vec<Vec<u8>> = (0..random.below(20)).map(|_| random.text(300, &[])).collect();
    command.args(args.iter().map(|arg| OsStr::from_bytes(arg)));
    args.iter().map(|arg| escaped(arg)).collect()
}

/// A random environment, and random changes to it.
fn add_variables(random: &mut Random, command: &mut Command) -> Vec<String> {
    let mut wanted = BTreeMap::new();
    let name = |random: &mut Random| [b"N".to_vec(), random.text(2, b"=")].concat();
    for _ in 0..random.below(30) {
        wanted.insert(name(random), random.text(200, &[]));
    }
    let pairs = wanted.iter().map(|(name, value)| (OsStr::from_bytes(name), OsStr::from_bytes(value)));
    command.environment(Environment::pack(pairs));
    let known: Vec<Vec<u8>> = wanted.keys().cloned().collect();
    for _ in 0..random.below(10) {
        let is_known = !known.is_empty() && random.below(2) == 0;
        let name = if is_known { known[random.below(known.len())].clone() } else { name(random) };
        if random.below(2) == 0 {
            command.env_remove(OsStr::from_bytes(&name));
            wanted.remove(&name);
        } else {
            let value = random.text(50, &[]);
            command.env(OsStr::from_bytes(&name), OsStr::from_bytes(&value));
            wanted.insert(name, value);
        }
    }
    wanted.iter().map(|(name, value)| escaped(&[&name[..], b"=", value].concat())).collect()
}

/// Some files under numbers that are small, close to each other, or the files' own.
fn add_descriptors(random: &mut Random, command: &mut Command) -> BTreeMap<RawFd, String> {
    let mut wanted = BTreeMap::new();
    let files: Vec<OwnedFd> = (0..random.below(24)).map(|_| file("")).collect();
    let own: Vec<RawFd> = files.iter().map(AsRawFd::as_raw_fd).collect();
    for file in files {
        let number = match random.below(3) {
            0 => own[random.below(own.len())],
            1 => 3 + random.below(30) as RawFd,
            _ => 3 + random.below(600) as RawFd,
        };
        if let std::collections::btree_map::Entry::Vacant(free) = wanted.entry(number) {
            free.insert(identity(&file));
            command.fd(file, number);
        }
    }
    wanted
}

fn stream(random: &mut Random) -> (Stdio, Option<String>) {
    let own = file("");
    match random.below(4) {
        0 => (Stdio::Null, Some(identity(File::open("/dev/null").unwrap()))),
        1 => (Stdio::Closed, None),
        _ => {
            let identity = identity(&own);
            (own.into(), Some(identity))
        }
    }
}

#[track_caller]
fn check(variant: SpawnVariant, seed: u64) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let random = &mut random;
    let mut command = command(variant, "report");
    command.arg("-").stdout(Stdio::Pipe);
    let args = add_arguments(random, &mut command);
    let mut variables = add_variables(random, &mut command);
    let mut fds = add_descriptors(random, &mut command);
    let (input, errors) = (stream(random), stream(random));
    command.stdin(input.0).stderr(errors.0);
    let streams = [(0, input.1), (2, errors.1)];
    fds.extend(streams.into_iter().filter_map(|(number, identity)| Some((number, identity?))));

    let found = read(&command, variant);
    assert_eq!(found.all("arg")[3..], args, "{variant:?} seed {seed}");
    let mut found_variables = found.all("variable");
    found_variables.sort_unstable();
    variables.sort_unstable();
    assert_eq!(found_variables, variables, "{variant:?} seed {seed}");
    let mut found_descriptors = found.fds();
    assert!(found_descriptors.remove(&1).is_some(), "{variant:?} seed {seed}");
    assert_eq!(found_descriptors, fds, "{variant:?} seed {seed}");
}

#[test]
fn random_commands_are_carried_out() {
    let chosen = SpawnVariant { mode: Mode::Chosen, table: TableChoice::Chosen };
    for variant in SPAWN_VARIANTS.iter().copied().chain([chosen]) {
        for seed in 0..CASES {
            check(variant, seed);
        }
    }
}
