//! Cargo does not build these programs; this test finds mistakes in them.

use super::*;
use crate::files;

#[test]
fn the_c_programs_compile() {
    for name in
        ["lib/spawn/bench/peers.c", "lib/spawn/bench/exit.c", "bench/stamp.c", "bench/runtime/least.c"]
    {
        compile(&files::root().join(name), Path::new("unused"), &["-fsyntax-only"]).unwrap();
    }
}
