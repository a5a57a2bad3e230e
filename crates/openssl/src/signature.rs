//! Two encodings of DSA and ECDSA signatures: a DER sequence of two integers, and both numbers in a
//! fixed length (IEEE P1363). In: one. Out: the other; `None`: malformed.

use crate::asn1::{INTEGER, SEQUENCE, elements, read_tlv, write_tlv};

/// `count`: bytes of one number.
pub fn der_to_p1363(signature: &[u8], count: usize) -> Option<Vec<u8>> {
    let (sequence, rest) = read_tlv(signature)?;
    if sequence.tag != SEQUENCE || !rest.is_empty() {
        return None;
    }
    let mut output = vec![0; 2 * count];
    let mut numbers = elements(sequence.content);
    for target in output.chunks_exact_mut(count) {
        let number = numbers.next().filter(|number| number.tag == INTEGER)?.content;
        let zeros = number.iter().take_while(|byte| **byte == 0).count();
        let digits = &number[zeros..];
        target[count.checked_sub(digits.len())?..].copy_from_slice(digits);
    }
    Some(output)
}

pub fn p1363_to_der(signature: &[u8], count: usize) -> Option<Vec<u8>> {
    if signature.len() != 2 * count || count == 0 {
        return None;
    }
    let mut content = Vec::new();
    for number in signature.chunks_exact(count) {
        let zeros = number.iter().take_while(|byte| **byte == 0).count();
        let digits = &number[zeros..];
        let mut bytes = Vec::with_capacity(count + 1);
        // A first bit of 1 would make it negative.
        if digits.first().is_none_or(|first| first & 0x80 != 0) {
            bytes.push(0);
        }
        bytes.extend_from_slice(digits);
        content.extend(write_tlv(INTEGER, &bytes));
    }
    Some(write_tlv(SEQUENCE, &content))
}

#[cfg(test)]
mod tests;
