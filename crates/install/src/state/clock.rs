//! Probes how soon a change of a file shows in its times. In: a directory of ours, to test in. Out:
//! a [`FileClock`].

use std::os::fd::BorrowedFd;

use rusk_base::sys::{self, Mode, OFlags, Statx};

const PROBE: &str = ".probe";

/// On a clock that moves every 4 ms, two changes in a row differ by chance in one of some thousand
/// installs, hardly ever with consequences.
const CHANGES: usize = 3;

/// How soon after a `stat` a change shows in a file's times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileClock {
    /// Immediately, on this device.
    Fine(Device),
    /// After [`CLOCK_STEP_NS`](super::CLOCK_STEP_NS).
    Coarse,
}

/// Device numbers of a mounted file system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    major: u32,
    minor: u32,
}

impl FileClock {
    /// Tests in this directory whether every change gets a new time, however soon it follows a
    /// `stat`. Linux has that since 6.13 for ext4, xfs, btrfs and tmpfs (multigrain timestamps).
    pub fn of(dir: BorrowedFd<'_>) -> FileClock {
        let Ok(first) = sys::lstatx(dir, ".") else { return FileClock::Coarse };
        let mut before = first.stx_mtime;
        let is_fine = (0..CHANGES).all(|_| {
            let Some(Ok(after)) = touch(dir).ok().map(|()| sys::lstatx(dir, ".")) else { return false };
            let is_other =
                (after.stx_mtime.tv_sec, after.stx_mtime.tv_nsec) != (before.tv_sec, before.tv_nsec);
            before = after.stx_mtime;
            is_other
        });
        if is_fine { FileClock::Fine(Device::of(&first)) } else { FileClock::Coarse }
    }

    pub fn is_fine_on(self, device: Device) -> bool {
        self == FileClock::Fine(device)
    }
}

impl Device {
    pub fn of(stat: &Statx) -> Device {
        Device { major: stat.stx_dev_major, minor: stat.stx_dev_minor }
    }
}

fn touch(dir: BorrowedFd<'_>) -> sys::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
    sys::openat(dir, PROBE, flags, Mode::from_raw_mode(0o666))?;
    sys::unlinkat(dir, PROBE)
}
