//! `pow`, `log2` and `log10`, linked statically. Constant folding and large integers call them;
//! without these definitions the dynamic linker would load the C library's libm at every start of
//! rusk, which takes nine system calls. The JavaScript engine, which is loaded later, uses those of
//! libm, which are faster and round as every program expects.
#![allow(unsafe_code)]

// The linker exports a program's function if a linked library has one of the same name.
std::arch::global_asm!(".hidden pow", ".hidden log2", ".hidden log10");

/// `pow(3)`.
// SAFETY: name, types and meaning are those of the C library's function, and nothing else here
// defines it.
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

/// `log10(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn log10(number: f64) -> f64 {
    libm::log10(number)
}
