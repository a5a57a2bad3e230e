//! Fuzz targets of dependencies' install scripts: their output, which may be anything, and the
//! record of those that ran, as read from a damaged disk.

use std::path::{Component, Path};

use rusk_dependency_scripts::{Denial, Surroundings, find_denials};
use rusk_install::dependency_scripts::ScriptRecord;

pub const OUTPUTS: &[&str] = &[
    "cat: ../../.env: Permission denied\nError: EACCES: permission denied, open '/home/me/.npmrc'",
    "Error: connect EACCES ::1:80 - Local\ncurl: (7) Failed to connect to 192.0.2.1 port 443 after 0 ms",
    "bash: line 1: /dev/tcp/127.0.0.1/4873: Permission denied\nconnect EACCES /run/x.sock",
    "wget: unable to resolve host address \u{2018}downloads.test\u{2019}\ngetaddrinfo EAI_AGAIN a.test",
    "mkdir: cannot create directory \u{2018}/opt/x\u{2019}: Permission denied\nConnecting to [::1]:1... failed: Permission denied",
];

/// What is named is a plain path outside of the package, or a host without spaces.
pub fn output(input: &[u8]) {
    let directory = Path::new("/app/node_modules/left");
    let is_allowed = |path: &Path| path.starts_with(directory);
    let surroundings = Surroundings { directory, is_allowed: &is_allowed, is_network_known: false };
    let found = find_denials(&String::from_utf8_lossy(input), &surroundings);
    assert!(found.len() <= 5);
    for denial in found {
        match denial {
            Denial::Network(host) => assert!(!host.contains(char::is_whitespace), "{host}"),
            Denial::Socket(path) => assert!(path.is_absolute()),
            Denial::Read(path) | Denial::Write(path) | Denial::Create(path) => {
                assert!(path.is_absolute() && !is_allowed(&path), "{path:?}");
                assert!(path.components().all(|part| part != Component::CurDir), "{path:?}");
            }
        }
    }
}

pub const RECORDS: &[&str] = &[
    "rusk scripts 1\nnode_modules/left\tscripts@@@a3355039875fd739d0a91e236ff9353e\t10731523 17960\nend",
    "rusk scripts 1\nnode_modules/left//begun\t\t1 2\nnode_modules/@s/b\tx\t3 4\nend",
];

pub fn record(input: &[u8]) {
    if let Some(record) = ScriptRecord::parse(&String::from_utf8_lossy(input)) {
        assert!(ScriptRecord::parse(&record.render()).is_some(), "what was written can be read");
    }
}
