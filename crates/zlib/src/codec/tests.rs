//! Round trips at every level and with chunks of any size; damaged and too large input,
//! dictionaries, changes of parameters.

use super::{Code, Codec, Conversion, Mode, Settings, Step};

const FINISH: i32 = 4;
const SYNC: i32 = 2;
const ALL: usize = 1 << 20;

fn settings(mode: Mode) -> Settings {
    let window_bits = if matches!(mode, Mode::Inflate | Mode::Gunzip | Mode::Unzip) { 0 } else { 15 };
    Settings {
        mode,
        level: -1,
        window_bits,
        memory_level: 8,
        strategy: 0,
        dictionary: None,
        is_single: false,
    }
}

fn run(settings: Settings, input: &[u8], bytes_max: usize) -> (Conversion, Vec<u8>) {
    let mut output = Vec::new();
    let ended = Codec::new(settings).unwrap().convert(input, &mut output, FINISH, bytes_max);
    (ended, output)
}

fn compressed(mode: Mode, input: &[u8]) -> Vec<u8> {
    run(settings(mode), input, ALL).1
}

/// The output, and zlib's message where it fails.
fn decompressed(mode: Mode, input: &[u8]) -> (Vec<u8>, Option<&'static str>) {
    match run(settings(mode), input, ALL) {
        (Conversion::Ended(step), output) => (output, step.message),
        (Conversion::TooLarge, output) => (output, Some("too large")),
    }
}

const PAIRS: [(Mode, Mode); 5] = [
    (Mode::Deflate, Mode::Inflate),
    (Mode::Gzip, Mode::Gunzip),
    (Mode::DeflateRaw, Mode::InflateRaw),
    (Mode::Deflate, Mode::Unzip),
    (Mode::Gzip, Mode::Unzip),
];

#[test]
fn compressed_data_round_trips_at_every_level_and_window() {
    let text = b"to be or not to be, that is the question".repeat(100);
    for (compress, decompress) in PAIRS {
        for (level, window_bits, memory_level, strategy) in
            [(0, 15, 8, 0), (1, 9, 1, 1), (6, 8, 9, 2), (9, 12, 5, 3), (-1, 15, 8, 4)]
        {
            let settings = Settings { level, window_bits, memory_level, strategy, ..settings(compress) };
            let (_, bytes) = run(settings, &text, ALL);
            assert_eq!(
                decompressed(decompress, &bytes),
                (text.clone(), None),
                "{compress:?} {level} {window_bits}"
            );
        }
    }
}

#[test]
fn steps_of_any_size_return_the_same() {
    let text = b"a line of it\n".repeat(50);
    for (compress, decompress) in PAIRS {
        let bytes = compressed(compress, &text);
        for room in [1, 3, 64] {
            let (mut codec, mut output_bytes, mut at) =
                (Codec::new(settings(decompress)).unwrap(), Vec::new(), 0);
            loop {
                let (end, mut output) = ((at + 2).min(bytes.len()), vec![0; room]);
                let step = codec.step(&bytes[at..end], &mut output, 0);
                assert_eq!(step.message, None, "{decompress:?}");
                at += step.read_bytes;
                output_bytes.extend_from_slice(&output[..step.written_bytes]);
                if step.code == Code::StreamEnd {
                    break;
                }
            }
            assert_eq!((at, &output_bytes), (bytes.len(), &text), "{decompress:?} {room}");
        }
    }
}

#[test]
fn gzip_members_are_one_stream_and_zeros_after_them_are_padding() {
    let members = [compressed(Mode::Gzip, b"one "), compressed(Mode::Gzip, b"two")].concat();
    let check = |mode, input: &[u8], text: &[u8], message| {
        assert_eq!(decompressed(mode, input), (text.to_vec(), message));
    };
    check(Mode::Gunzip, &members, b"one two", None);
    check(Mode::Unzip, &members, b"one two", None);
    check(Mode::Gunzip, &[&members[..], &[0; 20]].concat(), b"one two", None);
    check(Mode::Gunzip, &[&members[..], b"garbage"].concat(), b"one two", Some("incorrect header check"));
    let single = Settings { is_single: true, ..settings(Mode::Gunzip) };
    let (ended, output) = run(single, &members, ALL);
    assert_eq!(output, b"one ");
    assert!(matches!(ended, Conversion::Ended(Step { code: Code::StreamEnd, message: None, .. })));
}

#[test]
fn invalid_streams_have_a_message() {
    let zlib = compressed(Mode::Deflate, b"some text, some more text");
    let mut damaged = zlib.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for (mode, input, message) in [
        (Mode::Gunzip, &b"abc"[..], "incorrect header check"),
        (Mode::Inflate, b"abc", "incorrect header check"),
        (Mode::InflateRaw, b"\xff", "invalid block type"),
        (Mode::Inflate, &damaged, "incorrect data check"),
        (Mode::Inflate, b"", "unexpected end of file"),
        (Mode::Inflate, &zlib[..10], "unexpected end of file"),
        (Mode::Unzip, b"\x1f", "unexpected end of file"),
    ] {
        assert_eq!(decompressed(mode, input).1, Some(message), "{mode:?} {input:?}");
    }
}

#[test]
fn a_decompression_bomb_ends_at_the_limit() {
    let bomb = compressed(Mode::Gzip, &vec![0; ALL - 1]);
    assert!(bomb.len() < 2000);
    let (ended, output) = run(settings(Mode::Gunzip), &bomb, 5000);
    assert_eq!((ended, output.len()), (Conversion::TooLarge, 5001));
    assert_eq!(decompressed(Mode::Gunzip, &bomb).0.len(), ALL - 1);
    assert!(matches!(run(settings(Mode::Gunzip), &bomb, ALL - 1).0, Conversion::Ended(_)));
}

#[test]
fn a_dictionary_is_set_when_the_header_requests_it() {
    let with = |mode, dictionary: &[u8]| Settings { dictionary: Some(dictionary.to_vec()), ..settings(mode) };
    for (compress, decompress) in [(Mode::Deflate, Mode::Inflate), (Mode::DeflateRaw, Mode::InflateRaw)] {
        let (_, bytes) = run(with(compress, b"words that come again"), b"words that come", ALL);
        let (_, text) = run(with(decompress, b"words that come again"), &bytes, ALL);
        assert_eq!(text, b"words that come", "{decompress:?}");
    }
    let (_, bytes) = run(with(Mode::Deflate, b"words"), b"words", ALL);
    let message = |settings| match run(settings, &bytes, ALL).0 {
        Conversion::Ended(step) => (step.code, step.message),
        Conversion::TooLarge => panic!("it is small"),
    };
    assert_eq!(message(settings(Mode::Inflate)), (Code::NeedDictionary, Some("Missing dictionary")));
    assert_eq!(message(with(Mode::Inflate, b"others")), (Code::NeedDictionary, Some("Bad dictionary")));
}

#[test]
fn parameters_change_after_a_flush_and_a_stream_can_be_reset() {
    let text = b"a text that comes again and again, ".repeat(2000);
    for (compress, decompress) in PAIRS {
        let mut codec = Codec::new(settings(compress)).unwrap();
        for (level, strategy) in [(0, 0), (9, 0), (1, 4), (6, 2)] {
            let mut output = vec![0; 1 << 18];
            let first = codec.step(&text, &mut output, SYNC);
            assert_eq!(codec.set_params(level, strategy), Code::Ok, "{compress:?}");
            let second = codec.step(&text, &mut output[first.written_bytes..], FINISH);
            assert_eq!((first.code, second.code), (Code::Ok, Code::StreamEnd), "{compress:?}");
            output.truncate(first.written_bytes + second.written_bytes);
            assert_eq!(
                decompressed(decompress, &output).0,
                text.repeat(2),
                "{compress:?} {level} {strategy}"
            );
            codec.reset().unwrap();
        }
    }
}

#[test]
fn the_window_is_retained_when_parameters_change() {
    // Without repetitions, so that the second half is short only by references to the first.
    let text: Vec<u8> = (0..20_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let (mut codec, mut output) = (Codec::new(settings(Mode::DeflateRaw)).unwrap(), vec![0; 1 << 16]);
    let first = codec.step(&text, &mut output, SYNC);
    assert_eq!(codec.set_params(9, 0), Code::Ok);
    let second = codec.step(&text, &mut output[first.written_bytes..], FINISH);
    assert!(second.written_bytes < text.len() / 20, "{}", second.written_bytes);
}

#[test]
fn parameters_do_not_change_in_the_middle_of_a_block() {
    let (mut codec, mut output) = (Codec::new(settings(Mode::Gzip)).unwrap(), vec![0; 4096]);
    let first = codec.step(b"some text", &mut output, 0);
    assert_eq!(codec.set_params(9, 0), Code::BufferError);
    let second = codec.step(b", and more", &mut output[first.written_bytes..], FINISH);
    output.truncate(first.written_bytes + second.written_bytes);
    assert_eq!(decompressed(Mode::Gunzip, &output).0, b"some text, and more");
}

#[test]
fn header_and_trailer_are_written_byte_by_byte() {
    for (compress, decompress) in PAIRS {
        let (mut codec, mut bytes, mut at) = (Codec::new(settings(compress)).unwrap(), Vec::new(), 0);
        loop {
            let mut output = [0];
            let step = codec.step(&b"text"[at..], &mut output, FINISH);
            at += step.read_bytes;
            bytes.extend_from_slice(&output[..step.written_bytes]);
            if step.code == Code::StreamEnd {
                break;
            }
        }
        assert_eq!(decompressed(decompress, &bytes), (b"text".to_vec(), None), "{compress:?}");
    }
}
