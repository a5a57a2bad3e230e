//! The examples of RFC 7541, Appendix C; limits; what the encoder writes is read again.

use super::integer::{BlockReader, write_integer};
use super::{HeaderField, HpackDecoder, HpackEncoder, HpackError, huffman};

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|digit| *digit != b' ').collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn list(decoder: &mut HpackDecoder, hex: &str) -> String {
    let mut fields = Vec::new();
    let shown = |field: HeaderField| {
        format!("{}={}", String::from_utf8_lossy(&field.name), String::from_utf8_lossy(&field.value))
    };
    decoder.decode(&bytes(hex), |field| fields.push(shown(field))).unwrap();
    fields.join(" | ")
}

fn failure(hex: &str) -> HpackError {
    HpackDecoder::new(4096).decode(&bytes(hex), drop).unwrap_err()
}

#[test]
fn integers_of_c_1() {
    for (value, prefix_bits, hex) in [(10, 5, "0a"), (1337, 5, "1f9a0a"), (42, 8, "2a")] {
        let mut out = Vec::new();
        write_integer(&mut out, 0, prefix_bits, value);
        assert_eq!(out, bytes(hex));
        assert_eq!(BlockReader { bytes: &out }.integer(prefix_bits), Ok(value));
    }
}

#[test]
fn literals_of_c_2() {
    let mut decoder = HpackDecoder::new(4096);
    let custom = "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572";
    assert_eq!(list(&mut decoder, custom), "custom-key=custom-header");
    assert_eq!(decoder.table_size(), 55);
    assert_eq!(list(&mut decoder, "040c 2f73 616d 706c 652f 7061 7468"), ":path=/sample/path");
    let mut is_sensitive = false;
    let never = bytes("1008 7061 7373 776f 7264 0673 6563 7265 74");
    decoder.decode(&never, |field| is_sensitive = field.is_sensitive).unwrap();
    assert!(is_sensitive);
    assert_eq!(list(&mut decoder, "82"), ":method=GET");
}

const REQUESTS: [&str; 3] = [
    ":method=GET | :scheme=http | :path=/ | :authority=www.example.com",
    ":method=GET | :scheme=http | :path=/ | :authority=www.example.com | cache-control=no-cache",
    ":method=GET | :scheme=https | :path=/index.html | :authority=www.example.com | custom-key=custom-value",
];

#[test]
fn requests_of_c_3_and_c_4() {
    let plain = [
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ];
    let huffman = [
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
    ];
    for blocks in [plain, huffman] {
        let mut decoder = HpackDecoder::new(4096);
        for ((block, expected), size) in blocks.iter().zip(REQUESTS).zip([57, 110, 164]) {
            assert_eq!(list(&mut decoder, block), expected);
            assert_eq!(decoder.table_size(), size);
        }
    }
}

#[test]
fn responses_of_c_6_evict() {
    let blocks = [
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 \
         8f0b 97c8 e9ae 82ae 43d3",
        "4883 640e ffc1 c0bf",
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 \
         dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
    ];
    let mut decoder = HpackDecoder::new(256);
    let date = "date=Mon, 21 Oct 2013 20:13";
    let rest = "location=https://www.example.com";
    assert_eq!(
        list(&mut decoder, blocks[0]),
        format!(":status=302 | cache-control=private | {date}:21 GMT | {rest}")
    );
    assert_eq!(decoder.table_size(), 222);
    assert_eq!(
        list(&mut decoder, blocks[1]),
        format!(":status=307 | cache-control=private | {date}:21 GMT | {rest}")
    );
    let third = list(&mut decoder, blocks[2]);
    assert!(third.starts_with(&format!(":status=200 | cache-control=private | {date}:22 GMT | {rest}")));
    assert!(third.ends_with("set-cookie=foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"));
    assert_eq!(decoder.table_size(), 215);
}

#[test]
fn the_encoder_writes_c_4() {
    let mut encoder = HpackEncoder::new(4096);
    let fields: Vec<HeaderField> =
        [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "www.example.com")]
            .map(|(name, value)| HeaderField::new(name, value))
            .to_vec();
    let mut block = Vec::new();
    encoder.encode(&fields, &mut block);
    assert_eq!(block, bytes("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff"));
    let mut again = Vec::new();
    encoder.encode(&fields, &mut again);
    assert_eq!(again, bytes("828684be"));
}

#[test]
fn sensitive_fields_enter_no_table() {
    let mut encoder = HpackEncoder::new(4096);
    let mut secret = HeaderField::new("x-key", "abcdef");
    secret.is_sensitive = true;
    let mut block = Vec::new();
    encoder.encode(&[secret.clone()], &mut block);
    assert_eq!((block[0], encoder.table_size()), (0x10, 0));
    let mut read = Vec::new();
    HpackDecoder::new(4096).decode(&block, |field| read.push(field)).unwrap();
    assert_eq!(read, [secret]);
}

#[test]
fn table_sizes_are_announced() {
    let mut encoder = HpackEncoder::new(4096);
    encoder.set_peer_limit(0);
    encoder.set_peer_limit(1000);
    let mut block = Vec::new();
    encoder.encode(&[HeaderField::new(":method", "GET")], &mut block);
    assert_eq!(block, bytes("20 3fc907 82"));
    let mut decoder = HpackDecoder::new(4096);
    decoder.set_size_limit(1000);
    decoder.decode(&block, drop).unwrap();
    decoder.set_size_limit(100);
    assert_eq!(decoder.decode(&bytes("82"), drop), Err(HpackError::SizeUpdate));
}

#[test]
fn invalid_blocks_are_errors() {
    for (hex, expected) in [
        ("80", HpackError::Index),
        ("be", HpackError::Index),
        ("c6", HpackError::Index),
        ("40", HpackError::Truncated),
        ("400a61", HpackError::Truncated),
        ("3fe2ff03", HpackError::SizeUpdate),
        ("82 20", HpackError::SizeUpdate),
        ("ffffffffff0f", HpackError::IntegerTooLarge),
        // Padding longer than 7 bits, padding of zeros, the end of a string.
        ("0082 f8ff 0161", HpackError::Huffman),
        ("0081 18 0161", HpackError::Huffman),
        ("0084 ffffffff 0161", HpackError::Huffman),
    ] {
        assert_eq!(failure(hex), expected, "{hex}");
    }
}

#[test]
fn huffman_codes_of_all_octets() {
    let all: Vec<u8> = (0..=255).collect();
    let mut encoded = Vec::new();
    huffman::encode(&all, &mut encoded);
    assert_eq!(encoded.len(), huffman::encoded_length(&all));
    assert_eq!(huffman::decode(&encoded), Ok(all));
}
