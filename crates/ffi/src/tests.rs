//! A small C library, compiled here, is called with each type, in registers and on the stack, and
//! calls back.

use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use crate::{Callback, Function, Library, Type, memory};

const SOURCE: &str = r#"
#include <stdint.h>
#include <stdlib.h>
#include <pthread.h>
int8_t i8(int8_t a) { return a - 1; }
uint8_t u8(uint8_t a) { return a + 1; }
int16_t i16(int16_t a) { return a - 1; }
uint16_t u16(uint16_t a) { return a + 1; }
int32_t i32(int32_t a) { return a - 1; }
uint32_t u32(uint32_t a) { return a + 1; }
int64_t i64(int64_t a) { return a - 1; }
uint64_t u64(uint64_t a) { return a + 1; }
float f32(float a) { return a * 2; }
double f64(double a) { return a * 2; }
double mixed(int a, double b, float c, int64_t d, double e) { return a + b * 10 + c * 100 + d * 1000 + e * 10000; }
int64_t eight(int a, int b, int c, int d, int e, int f, int g, int8_t h) {
  return a + b * 10 + c * 100 + d * 1000 + e * 10000 + f * 100000 + g * 1000000 + h * 10000000;
}
double ten(float a, double b, float c, double d, float e, double f, float g, double h, float i, double j) {
  return a + b + c + d + e + f + g + h + i + j;
}
const char *text(void) { return "hello"; }
int call(int (*f)(int, double), int a) { return f(a, 0.5) + 1; }
static void *run(void *f) { ((void (*)(uint8_t))f)(7); return NULL; }
void call_on_thread(void *f) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, f);
  pthread_join(thread, NULL);
}
"#;

/// The library, open for the whole test.
fn library() -> &'static Library {
    static LIBRARY: OnceLock<LibraryOfAllThreads> = OnceLock::new();
    struct LibraryOfAllThreads(Library);
    // SAFETY: dlsym(3) may be called with a handle from any thread.
    unsafe impl Send for LibraryOfAllThreads {}
    // SAFETY: as above.
    unsafe impl Sync for LibraryOfAllThreads {}
    let open = || {
        let directory = std::env::temp_dir().join(format!("rusk-ffi-{}", std::process::id()));
        let (source, output) = (directory.join("called.c"), directory.join("libcalled.so"));
        std::fs::create_dir_all(&directory).expect("it can be made");
        std::fs::write(&source, SOURCE).expect("it was made");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-pthread", "-o"]).arg(&output).arg(&source);
        assert!(compiler.status().expect("cc is installed").success());
        let library = Library::open(output.to_str()).expect("it was compiled");
        std::fs::remove_dir_all(&directory).expect("it is there");
        LibraryOfAllThreads(library)
    };
    &LIBRARY.get_or_init(open).0
}

fn call(name: &str, arguments: &[(Type, u64)], returns: Type) -> u64 {
    let address = library().symbol(name).expect("the library has it");
    let types: Vec<Type> = arguments.iter().map(|(kind, _)| *kind).collect();
    let mut words: Vec<u64> = arguments.iter().map(|(_, word)| *word).collect();
    Function::new(address, &types, returns).expect("libffi is installed").call(&mut words)
}

fn f32(value: f32) -> (Type, u64) {
    (Type::F32, value.to_bits().into())
}

fn f64(value: f64) -> (Type, u64) {
    (Type::F64, value.to_bits())
}

fn i32(value: i32) -> (Type, u64) {
    (Type::I32, value as u64)
}

#[test]
fn each_type_is_passed_and_returned() {
    for (name, kind, word, expected) in [
        ("i8", Type::I8, -128_i64 as u64, 127),
        ("u8", Type::U8, 255, 0),
        ("i16", Type::I16, 0, -1_i64 as u64),
        ("u16", Type::U16, 65_535, 0),
        ("i32", Type::I32, 0, -1_i64 as u64),
        ("u32", Type::U32, u32::MAX.into(), 0),
        ("i64", Type::I64, 0, -1_i64 as u64),
        ("u64", Type::U64, u64::MAX, 0),
        ("f32", Type::F32, 1.5_f32.to_bits().into(), 3.0_f32.to_bits().into()),
        ("f64", Type::F64, 1.5_f64.to_bits(), 3.0_f64.to_bits()),
    ] {
        assert_eq!(call(name, &[(kind, word)], kind), expected, "{name}");
    }
}

#[test]
fn integers_and_floats_are_mixed() {
    let arguments = [i32(1), f64(2.0), f32(3.0), (Type::I64, 4), f64(5.0)];
    assert_eq!(f64::from_bits(call("mixed", &arguments, Type::F64)), 54_321.0);
}

#[test]
fn arguments_on_the_stack_are_passed() {
    let arguments = [1, 2, 3, 4, 5, 6, 7].map(i32);
    let arguments = [&arguments[..], &[(Type::I8, -1_i64 as u64)]].concat();
    assert_eq!(call("eight", &arguments, Type::I64) as i64, 7_654_321 - 10_000_000);
    let floats: Vec<_> =
        (1_u8..=10).map(|n| if n % 2 == 1 { f32(n.into()) } else { f64(n.into()) }).collect();
    assert_eq!(f64::from_bits(call("ten", &floats, Type::F64)), 55.0);
}

#[test]
fn a_string_is_read() {
    let address = call("text", &[], Type::Pointer) as usize;
    assert_eq!(memory::string_length(address), 5);
    assert_eq!(memory::copy(address, 5), b"hello");
    assert_eq!(memory::read(address + 1, 2), u64::from(u16::from_le_bytes(*b"el")));
}

#[test]
fn callbacks_get_arguments_and_return() {
    let handler = |words: &[u64]| {
        assert_eq!(words, [-3_i64 as u64, 0.5_f64.to_bits()]);
        -7_i64 as u64
    };
    let callback = Callback::new(&[Type::I32, Type::F64], Type::I32, Box::new(handler)).expect("libffi");
    let result = call("call", &[(Type::Pointer, callback.address() as u64), i32(-3)], Type::I32);
    assert_eq!(result as i64, -6);
}

#[test]
fn callbacks_are_called_on_other_threads() {
    let seen = Arc::new(AtomicU32::new(0));
    let own = Arc::clone(&seen);
    let handler = move |words: &[u64]| {
        own.store(words[0] as u32, Ordering::SeqCst);
        0
    };
    let callback = Callback::new(&[Type::U8], Type::Void, Box::new(handler)).expect("libffi");
    call("call_on_thread", &[(Type::Pointer, callback.address() as u64)], Type::Void);
    assert_eq!(seen.load(Ordering::SeqCst), 7);
}

#[test]
fn what_is_missing_is_an_error() {
    assert!(Library::open(Some("/none.so")).unwrap_err().contains("none.so"));
    assert!(Library::open(Some("a\0b")).is_err());
    assert_eq!(library().symbol("none"), None);
    assert!(Function::new(1, &[Type::I32; 63], Type::Void).is_err());
}
