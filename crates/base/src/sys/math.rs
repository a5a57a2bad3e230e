//! Two functions of the mathematics library, brought along. In: numbers. Out: numbers. Code for
//! constants of TypeScript and for large integers calls them; without these the library would be
//! loaded at every start of rusk, which takes nine system calls. They are rusk's own: the engine,
//! which is opened later, calls those of the library, which are faster and round as every program's
//! do.
#![allow(unsafe_code)]

// The linker shows a program's function to libraries where a library that it was linked with has
// one of the same name.
std::arch::global_asm!(".hidden pow", ".hidden log2");

/// `pow(3)`.
// SAFETY: the name, the types and the meaning are those of the C library's function, which nobody
// else here defines.
#[unsafe(no_mangle)]
extern "C" fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// `log2(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn log2(number: f64) -> f64 {
    libm::log2(number)
}
