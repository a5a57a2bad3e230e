//! What is left of secrets in freed memory, and which bytes are equal.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::*;

/// Longer than what an allocator writes into freed memory, and too short to be unmapped.
const BYTES: usize = 4096;
const SECRET: u8 = 0xa7;

/// How many bytes of the secret are at an address, freed or not: the kernel reads it. Nothing is
/// allocated, which could use the freed memory.
fn count_at(memory: &File, address: usize) -> usize {
    let mut bytes = [0; BYTES];
    memory.read_exact_at(&mut bytes, address as u64).unwrap();
    bytes.iter().filter(|byte| **byte == SECRET).count()
}

#[test]
fn bytes_are_wiped_when_freed() {
    let memory = File::open("/proc/self/mem").unwrap();
    let secret = std::hint::black_box(SecretBytes::new(vec![SECRET; BYTES]));
    let address = secret.as_ptr() as usize;
    assert_eq!(count_at(&memory, address), BYTES);
    drop(secret);
    assert_eq!(count_at(&memory, address), 0);

    let plain = std::hint::black_box(vec![SECRET; BYTES]);
    let address = plain.as_ptr() as usize;
    drop(plain);
    // The allocator has written some bytes.
    assert!(count_at(&memory, address) > BYTES / 2, "the test would not see a secret in freed memory");
}

#[test]
fn equality_needs_all_bytes() {
    let secret = SecretBytes::new(b"secret".to_vec());
    for (other, is_equal) in [
        ("secret", true),
        ("secreT", false),
        ("Secret", false),
        ("secre", false),
        ("secrets", false),
        ("", false),
    ] {
        assert_eq!(secret == SecretBytes::new(other.into()), is_equal, "{other}");
    }
}
