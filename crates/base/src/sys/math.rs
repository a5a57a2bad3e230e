//! `pow`, `log2`, `log10` and functions of `float`, linked statically. Constant folding, large
//! integers and colors of stylesheets call them; without these definitions the dynamic linker would
//! load the C library's libm at every start of rusk, which takes nine system calls. The JavaScript
//! engine, which is loaded later, uses those of libm, which are faster and round as every program
//! expects.
#![allow(unsafe_code)]

// The linker exports a program's function if a linked library has one of the same name.
std::arch::global_asm!(
    ".hidden pow",
    ".hidden log2",
    ".hidden log10",
    ".hidden acosf",
    ".hidden asinf",
    ".hidden atan2f",
    ".hidden atanf",
    ".hidden cosf",
    ".hidden expf",
    ".hidden hypotf",
    ".hidden logf",
    ".hidden powf",
    ".hidden sincosf",
    ".hidden sinf",
    ".hidden tanf",
);

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

/// `acosf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn acosf(number: f32) -> f32 {
    libm::acosf(number)
}

/// `asinf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn asinf(number: f32) -> f32 {
    libm::asinf(number)
}

/// `atanf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn atanf(number: f32) -> f32 {
    libm::atanf(number)
}

/// `cosf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn cosf(number: f32) -> f32 {
    libm::cosf(number)
}

/// `expf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn expf(number: f32) -> f32 {
    libm::expf(number)
}

/// `logf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn logf(number: f32) -> f32 {
    libm::logf(number)
}

/// `sinf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn sinf(number: f32) -> f32 {
    libm::sinf(number)
}

/// `tanf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn tanf(number: f32) -> f32 {
    libm::tanf(number)
}

/// `atan2f(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn atan2f(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// `hypotf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn hypotf(x: f32, y: f32) -> f32 {
    libm::hypotf(x, y)
}

/// `powf(3)`.
// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn powf(base: f32, exponent: f32) -> f32 {
    libm::powf(base, exponent)
}

/// `sincosf(3)`.
// SAFETY: as above; a reference is a valid pointer of C, and callers pass two places of their own.
#[unsafe(no_mangle)]
extern "C" fn sincosf(number: f32, sine: &mut f32, cosine: &mut f32) {
    (*sine, *cosine) = libm::sincosf(number);
}
