//! Masking of payloads (RFC 6455, 5.3). In: bytes, a masking key, how many bytes of the payload
//! came before. Out: the bytes, changed in place. Absent: making keys.

#[cfg(test)]
mod tests;

/// One step of the loop; the compiler turns the loop into vector instructions.
const WORD_BYTES: usize = 16;

/// XORs the bytes with the key. `offset`: the position of the first byte in the payload.
pub fn apply_mask(bytes: &mut [u8], key: [u8; 4], offset: u64) {
    let shift = (offset % 4) as usize;
    let mut word = [0; WORD_BYTES];
    for (index, byte) in word.iter_mut().enumerate() {
        *byte = key[(index + shift) % 4];
    }
    let mask = u128::from_ne_bytes(word);
    let mut chunks = bytes.chunks_exact_mut(WORD_BYTES);
    for chunk in &mut chunks {
        let value = u128::from_ne_bytes((&*chunk).try_into().expect("a chunk has that size"));
        chunk.copy_from_slice(&(value ^ mask).to_ne_bytes());
    }
    for (byte, key) in chunks.into_remainder().iter_mut().zip(word) {
        *byte ^= key;
    }
}
