//! Faults. Kill sweep: `install`, `add`, `ci`, an install that moves the virtual store, and an
//! install and a prune over what pnpm made are killed before the calls by which they change files,
//! in each layout. Afterwards the project is as before or as after, the next install succeeds, and
//! the store verifies. A part of the calls by default; `FAULTS=all` takes every one, and writes
//! `bench/results/faults.json`. Then a registry that fails, and system calls that do.

mod broken_http2;
mod broken_registry;
mod damaged_cache;
mod file_systems;
mod full_disk;
mod limits;
mod project_state;
mod refused_calls;
mod sweep;
mod unenforced_jail;

use std::path::Path;

use sweep::{ALONE, CommandCase, Sweep};

/// Of so many calls, one is a kill point; odd, so that the two halves of a pair are both met.
const STEP: u64 = 7;

const LAYOUTS: [&str; 3] = ["hoisted", "isolated", "global"];

#[test]
fn a_killed_install_loses_nothing() {
    let _alone = ALONE.lock();
    let is_complete = std::env::var("FAULTS").is_ok_and(|value| value == "all");
    let step = if is_complete { 1 } else { STEP };
    let (mut rows, mut losses) = (Vec::new(), Vec::new());
    for layout in LAYOUTS {
        for case in CommandCase::ALL.into_iter().filter(|case| case.is_for(layout)) {
            let sweep = Sweep::new(layout, case);
            let found = sweep.run(step);
            assert!(found.points > 0, "{layout} {}: no call changes files", case.name());
            rows.push(format!(
                r#"{{"layout":"{layout}","command":"{}","calls":{},"points":{},"losses":{}}}"#,
                case.name(),
                found.calls,
                found.points,
                found.losses.len()
            ));
            losses.extend(found.losses);
        }
    }
    if is_complete {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/results/faults.json");
        std::fs::write(path, format!("[\n  {}\n]\n", rows.join(",\n  ")))
            .expect("the results can be written");
    }
    assert!(losses.is_empty(), "{} losses:\n{}\n{}", losses.len(), losses.join("\n"), rows.join("\n"));
}
