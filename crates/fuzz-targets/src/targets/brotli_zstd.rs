//! Fuzz targets of `rusk-brotli-zstd`: what a program decompresses, and bodies of responses.

use rusk_brotli_zstd::{Codec, CodecFormat, CodecSettings, CodecStep, Status};

const FINISH: i32 = 2;
/// A prime, so that chunks do not divide the output.
const LIMIT_BYTES: usize = 70_001;

fn codec(format: CodecFormat) -> Option<Codec> {
    Codec::new(CodecSettings { format, parameters: Vec::new(), dictionary: None, source_bytes: None }).ok()
}

/// Compressed streams; none where the library is missing.
fn streams(format: CodecFormat) -> Vec<Vec<u8>> {
    let text = b"a line, and a line, and another line; ".repeat(20);
    let compress = |text: &[u8]| {
        let mut output = vec![0; LIMIT_BYTES];
        let step = codec(format)?.step(text, &mut output, FINISH);
        output.truncate(step.written_bytes);
        Some(output)
    };
    [&text[..], b"", b"a"].into_iter().filter_map(compress).collect()
}

pub fn brotli_streams() -> Vec<Vec<u8>> {
    streams(CodecFormat::BrotliEncode)
}

pub fn zstd_streams() -> Vec<Vec<u8>> {
    streams(CodecFormat::ZstdCompress)
}

pub fn brotli(input: &[u8]) {
    check(CodecFormat::BrotliDecode, input);
}

pub fn zstd(input: &[u8]) {
    check(CodecFormat::ZstdDecompress, input);
}

/// The output is the same in one step and in small ones.
fn check(format: CodecFormat, input: &[u8]) {
    let Some((whole, status)) = pieces(format, input, input.len().max(1), LIMIT_BYTES) else { return };
    let Some((found, status_again)) = pieces(format, input, 7, 509) else { return };
    // libzstd finds some damage, such as an empty RLE block, only in a frame that arrives in
    // pieces.
    let is_damaged = [status, status_again].iter().any(|status| matches!(status, Status::Error(_)));
    match is_damaged || status == Status::Continue {
        true => assert!(found.starts_with(&whole) || whole.starts_with(&found), "{format:?}"),
        false => assert!(found == whole && status == status_again, "{format:?}"),
    }
}

/// The output of steps with at most this much input and output, and the last status.
fn pieces(
    format: CodecFormat,
    input: &[u8],
    input_bytes: usize,
    room_bytes: usize,
) -> Option<(Vec<u8>, Status)> {
    let mut codec = codec(format)?;
    let (mut found, mut at) = (Vec::new(), 0);
    loop {
        let end = (at + input_bytes).min(input.len());
        let operation = if end == input.len() { FINISH } else { 0 };
        let mut output = vec![0; room_bytes];
        let CodecStep { status, read_bytes, written_bytes } =
            codec.step(&input[at..end], &mut output, operation);
        found.extend_from_slice(&output[..written_bytes]);
        at += read_bytes;
        // Where output is missing, the input has not ended early.
        let has_more = status == Status::Truncated && (at < input.len() || written_bytes == room_bytes);
        let is_stuck = read_bytes == 0 && written_bytes == 0;
        if !(status == Status::Continue || has_more) || is_stuck || found.len() >= LIMIT_BYTES {
            found.truncate(LIMIT_BYTES);
            return Some((found, status));
        }
    }
}
