//! Tests of `frame`.

use super::*;

const TOKEN: &str = "0123456789abcdef";

/// Joins neighbouring pieces of output, which depend on how the bytes were cut.
fn read(chunks: &[&[u8]]) -> Vec<Piece> {
    let mut reader = FrameReader::new(TOKEN);
    let mut all: Vec<Piece> = Vec::new();
    for piece in chunks.iter().flat_map(|chunk| reader.push(chunk)).collect::<Vec<_>>() {
        match (all.last_mut(), piece) {
            (Some(Piece::Output(before)), Piece::Output(bytes)) => before.extend(bytes),
            (_, piece) => all.push(piece),
        }
    }
    let rest = reader.finish();
    assert!(rest.is_empty() || all.last() != rest.last());
    all
}

fn written(lines: &str) -> Vec<u8> {
    FrameWriter::new(TOKEN).blocks(lines).concat()
}

#[test]
fn events_and_output_keep_their_order_however_the_bytes_are_cut() {
    let bytes = [b"before\n".to_vec(), written("{\"a\":1}\n{\"b\":2}\n"), b"\x1eafter".to_vec()].concat();
    let expected = [
        Piece::Output(b"before\n".to_vec()),
        Piece::Line("{\"a\":1}".into()),
        Piece::Line("{\"b\":2}".into()),
        Piece::Output(b"\x1eafter".to_vec()),
    ];
    for cut in 0..=bytes.len() {
        assert_eq!(read(&[&bytes[..cut], &bytes[cut..]]), expected, "{cut}");
    }
}

#[test]
fn a_long_line_is_several_writes_and_one_line() {
    let line = "x".repeat(10_000);
    let blocks = FrameWriter::new(TOKEN).blocks(&format!("{line}\n"));
    assert!(blocks.len() == 3 && blocks.iter().all(|block| block.len() <= BLOCK_BYTES_MAX));
    // Another process writes between two of them.
    let bytes = [&blocks[0][..], b"other", &blocks[1][..], &blocks[2][..]].concat();
    assert_eq!(read(&[&bytes]), [Piece::Output(b"other".to_vec()), Piece::Line(line)]);
}

#[test]
fn an_unfinished_frame_is_output() {
    let mut reader = FrameReader::new(TOKEN);
    assert_eq!(reader.push(b"\x1e0123"), []);
    assert_eq!(reader.finish(), [Piece::Output(b"\x1e0123".to_vec())]);
}
