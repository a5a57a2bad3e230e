//! Gives the shared library the name under which programs look for it. In: the version's first
//! number that promises compatibility. Out: an argument for the linker.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,librusk_spawn.so.0");
}
