//! Sets the SONAME of the shared library. In: the compatible part of the version. Out: an argument
//! for the linker.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,librusk_spawn.so.0");
}
