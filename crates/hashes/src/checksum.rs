//! Adler-32 and CRC-32 (RFC 1950, RFC 1952). In: bytes; of CRC what came before. Out: sums.

/// The largest prime below 2^16.
const MODULUS: u32 = 65521;

/// Bytes after which the sums still fit 32 bits.
const PIECE: usize = 5552;

const POLYNOMIAL: u32 = 0xedb8_8320;

const TABLE: [u32; 256] = table();

pub fn adler32(bytes: &[u8]) -> u32 {
    let (mut low, mut high) = (1_u32, 0_u32);
    for piece in bytes.chunks(PIECE) {
        for &byte in piece {
            low += u32::from(byte);
            high += low;
        }
        low %= MODULUS;
        high %= MODULUS;
    }
    high << 16 | low
}

pub fn crc32(bytes: &[u8], before: u32) -> u32 {
    !bytes.iter().fold(!before, |sum, &byte| TABLE[usize::from(sum as u8 ^ byte)] ^ (sum >> 8))
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut sum = index as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { POLYNOMIAL ^ (sum >> 1) } else { sum >> 1 };
            bit += 1;
        }
        table[index] = sum;
        index += 1;
    }
    table
}
