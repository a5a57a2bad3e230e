//! Round trips with buffers of any size, damaged and truncated input, parameters, dictionaries.

use super::{Codec, CodecError, CodecFormat, CodecSettings, CodecStep, MissingLibrary, Status};

const PROCESS: i32 = 0;
const FLUSH: i32 = 1;
const FINISH: i32 = 2;

const PAIRS: [(CodecFormat, CodecFormat); 2] = [
    (CodecFormat::BrotliEncode, CodecFormat::BrotliDecode),
    (CodecFormat::ZstdCompress, CodecFormat::ZstdDecompress),
];

fn settings(format: CodecFormat) -> CodecSettings {
    CodecSettings { format, parameters: Vec::new(), dictionary: None, source_bytes: None }
}

/// The whole output of steps with at most `piece` bytes of input and `room` bytes of output.
fn run(codec: &mut Codec, input: &[u8], piece: usize, room: usize) -> (Vec<u8>, Status) {
    let (mut output, mut at) = (Vec::new(), 0);
    for _ in 0..1_000_000 {
        let end = (at + piece).min(input.len());
        let operation = if end == input.len() { FINISH } else { PROCESS };
        let mut buffer = vec![0; room];
        let CodecStep { status, read_bytes, written_bytes } =
            codec.step(&input[at..end], &mut buffer, operation);
        output.extend_from_slice(&buffer[..written_bytes]);
        at += read_bytes;
        let is_done = operation == FINISH && written_bytes < room;
        if status != Status::Continue || is_done {
            return (output, status);
        }
    }
    panic!("no end");
}

#[test]
fn each_library_has_a_version_of_three_numbers() {
    for (format, _) in PAIRS {
        let version = super::library_version(format).expect("the library is installed");
        let numbers: Vec<u32> = version.split('.').filter_map(|part| part.parse().ok()).collect();
        assert!(matches!(numbers[..], [1, 0..=99, 0..=99]), "{version}");
    }
}

fn convert(settings: CodecSettings, input: &[u8]) -> (Vec<u8>, Status) {
    run(&mut Codec::new(settings).expect("the library is installed"), input, usize::MAX >> 1, 1 << 20)
}

fn text() -> Vec<u8> {
    (0..3000).flat_map(|line| format!("line {line}, {}\n", line * line % 17).into_bytes()).collect()
}

#[test]
fn compressed_data_round_trips_in_any_pieces() {
    for (compress, decompress) in PAIRS {
        for (piece, room) in [(1, 1), (7, 509), (4096, 3), (1 << 20, 1 << 20)] {
            let mut codec = Codec::new(settings(compress)).expect("the library is installed");
            let (bytes, status) = run(&mut codec, &text(), piece, room);
            assert_eq!(status, Status::End, "{compress:?}, {piece}, {room}");
            assert!(bytes.len() < text().len() / 2, "{compress:?}");
            let mut codec = Codec::new(settings(decompress)).expect("the library is installed");
            let (found, status) = run(&mut codec, &bytes, piece, room);
            assert!(found == text() && status == Status::End, "{decompress:?}, {piece}, {room}");
        }
    }
}

#[test]
fn a_flush_makes_what_was_written_readable() {
    for (compress, decompress) in PAIRS {
        let mut codec = Codec::new(settings(compress)).expect("the library is installed");
        let mut bytes = vec![0; 1000];
        let step = codec.step(b"hello", &mut bytes, FLUSH);
        assert_eq!((step.status, step.read_bytes), (Status::Continue, 5), "{compress:?}");
        let mut output = [0; 100];
        let mut codec = Codec::new(settings(decompress)).expect("the library is installed");
        let step = codec.step(&bytes[..step.written_bytes], &mut output, PROCESS);
        assert_eq!(&output[..step.written_bytes], b"hello", "{decompress:?}");
    }
}

#[test]
fn truncated_and_damaged_input_is_an_error() {
    for (compress, decompress) in PAIRS {
        let (bytes, _) = convert(settings(compress), &text());
        let (output, status) = convert(settings(decompress), &bytes[..bytes.len() / 2]);
        assert_eq!(status, Status::Truncated, "{decompress:?}");
        assert!(text().starts_with(&output), "{decompress:?}");
        let (_, status) = convert(settings(decompress), &[0xff; 40]);
        let Status::Error(code) = status else { panic!("{decompress:?}: {status:?}") };
        let codec = Codec::new(settings(decompress)).expect("the library is installed");
        assert!(!codec.error_message(code).is_empty());
    }
}

#[test]
fn bytes_after_the_end_are_not_read() {
    for (compress, decompress) in PAIRS {
        let (mut bytes, _) = convert(settings(compress), b"one");
        let end = bytes.len();
        bytes.extend_from_slice(b"junk");
        let mut codec = Codec::new(settings(decompress)).expect("the library is installed");
        let mut output = [0; 100];
        let step = codec.step(&bytes, &mut output, FINISH);
        assert_eq!((step.status, step.read_bytes), (Status::End, end), "{decompress:?}");
        let step = codec.step(&bytes[end..], &mut output, FINISH);
        assert_eq!((step.status, step.read_bytes), (Status::End, 0), "{decompress:?}");
    }
}

#[test]
fn a_reset_codec_begins_a_new_stream() {
    for (compress, _) in PAIRS {
        let mut codec = Codec::new(settings(compress)).expect("the library is installed");
        let first = run(&mut codec, b"one and one", 100, 100);
        codec.reset().expect("as before");
        assert_eq!(run(&mut codec, b"one and one", 100, 100), first, "{compress:?}");
    }
}

#[test]
fn parameters_are_checked() {
    let cases = [
        (CodecFormat::BrotliEncode, (4, 42)),
        (CodecFormat::BrotliEncode, (99, 0)),
        (CodecFormat::BrotliDecode, (99, 0)),
        (CodecFormat::ZstdCompress, (107, 130)),
        (CodecFormat::ZstdDecompress, (100, 1)),
    ];
    for (format, parameter) in cases {
        let settings = CodecSettings { parameters: vec![parameter], ..settings(format) };
        assert_eq!(Codec::new(settings).map(drop), Err(CodecError::Parameter), "{format:?} {parameter:?}");
    }
    let fast = CodecSettings { parameters: vec![(1, 0)], ..settings(CodecFormat::BrotliEncode) };
    assert!(convert(fast, &text()).0.len() > convert(settings(CodecFormat::BrotliEncode), &text()).0.len());
}

#[test]
fn another_size_than_announced_is_an_error() {
    for (source_bytes, is_right) in [(5, true), (4, false), (6, false)] {
        let settings =
            CodecSettings { source_bytes: Some(source_bytes), ..settings(CodecFormat::ZstdCompress) };
        let mut codec = Codec::new(settings).expect("the library is installed");
        // In several pieces: of a whole input, the library takes the size itself.
        assert_eq!(run(&mut codec, b"hello", 3, 100).1 == Status::End, is_right, "{source_bytes}");
    }
}

#[test]
fn a_dictionary_is_used_or_refused() {
    let dictionary = Some(b"a dictionary with the words of the text".to_vec());
    for (compress, decompress) in PAIRS {
        let with = |format| CodecSettings { dictionary: dictionary.clone(), ..settings(format) };
        match Codec::new(with(compress)) {
            // Version 1.0 of libbrotli has none.
            Err(CodecError::MissingLibrary(MissingLibrary { function: Some(_), .. })) => {
                assert_eq!(compress, CodecFormat::BrotliEncode);
            }
            result => {
                result.expect("a valid dictionary");
                let (bytes, _) = convert(with(compress), b"the words of the text");
                let (found, status) = convert(with(decompress), &bytes);
                assert_eq!((&found[..], status), (&b"the words of the text"[..], Status::End));
                assert_ne!(convert(settings(decompress), &bytes).1, Status::End, "{decompress:?}");
            }
        }
    }
}

#[test]
fn a_missing_library_is_named_with_its_package() {
    crate::library::functions! {
        Absent: "Brotli needs", "libabsent.so.7", "libabsent7";
        _create = "AbsentCreate": fn();
    }
    let missing = Absent::get().err().expect("there is no such library");
    assert_eq!(missing.to_string(), "Brotli needs libabsent.so.7: install the package libabsent7");
}
