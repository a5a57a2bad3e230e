//! The collector's own timers, made to come soon: a program that keeps much and waits goes on.

use std::process::Command;

/// The timer does not come in every run; of six, one in two did when it ended the program.
const RUNS: usize = 6;

#[test]
fn a_heap_that_grows_while_the_loop_waits_is_looked_through() {
    let program = "const kept = []; let count = 0; \
                   (function step() { \
                     for (let i = 0; i < 20000; i++) kept.push({ a: i, b: [i] }); \
                     if (count++ < 25) setTimeout(step, 15); else console.log('done'); \
                   })()";
    for _ in 0..RUNS {
        let output = Command::new(env!("CARGO_BIN_EXE_rusk"))
            .args(["-e", program])
            .env("JSC_collectionTimerMaxPercentCPU", "1")
            .env("JSC_percentCPUPerMBForFullTimer", "10")
            .env("JSC_percentCPUPerMBForEdenTimer", "0.0001")
            .output()
            .expect("rusk starts");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n", "{}", output.status);
    }
}
