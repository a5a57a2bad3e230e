//! Bodies: where they end.

use super::*;

/// The body, and what is left of the input; split at every place with the same result.
fn decode(framing: BodyFraming, input: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let results: Vec<_> = (0..=input.len())
        .map(|split| {
            let (mut decoder, mut body) = (BodyDecoder::new(framing), Vec::new());
            let first = decoder.decode(&input[..split], &mut body).ok()?;
            let read = if first < split {
                first
            } else {
                split + decoder.decode(&input[split..], &mut body).ok()?
            };
            decoder.is_complete().then(|| (body, input[read..].to_vec()))
        })
        .collect();
    assert!(results.iter().all(|result| *result == results[0]), "{input:?} {results:?}");
    results[0].clone()
}

#[test]
fn a_body_ends_where_its_framing_says() {
    let check = |framing, input: &str, body: &str, rest: &str| {
        let expected = Some((body.as_bytes().to_vec(), rest.as_bytes().to_vec()));
        assert_eq!(decode(framing, input.as_bytes()), expected, "{input:?}");
    };
    check(BodyFraming::Length(3), "abcGET", "abc", "GET");
    check(BodyFraming::Chunked, "3\r\nabc\r\n0\r\n\r\nGET", "abc", "GET");
    check(BodyFraming::Chunked, "1;x=y\r\na\r\n2\r\nbc\r\n0\r\nT: 1\r\n\r\n\r\n", "abc", "\r\n");
    check(BodyFraming::Chunked, "0\r\n\r\n", "", "");
}

#[test]
fn malformed_chunks_are_refused() {
    for input in [
        "x\r\n",
        "3\nabc\n0\n\n",
        "3\r\nabcd\r\n",
        "0x3\r\nabc\r\n",
        "-1\r\n",
        "ffffffffffffffff1\r\n",
        "0\r\nContent-Length: 3\r\n\r\n",
    ] {
        assert_eq!(decode(BodyFraming::Chunked, input.as_bytes()), None, "{input:?}");
    }
}
