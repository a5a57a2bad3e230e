//! Fuzz target of `rusk-zlib`: what a program decompresses.

use rusk_zlib::{Code, Codec, Conversion, Mode, Settings};

const UNPACKING: [Mode; 4] = [Mode::Inflate, Mode::Gunzip, Mode::InflateRaw, Mode::Unzip];
const PACKING: [Mode; 3] = [Mode::Deflate, Mode::Gzip, Mode::DeflateRaw];
const FINISH: i32 = 4;
/// A prime, so that chunks do not divide the output.
const LIMIT_BYTES: usize = 70_001;
const INPUT_BYTES: usize = 7;
const ROOM_BYTES: usize = 509;

fn settings(mode: Mode) -> Settings {
    let dictionary = Some(b"a dictionary".to_vec()).filter(|_| mode == Mode::Inflate);
    Settings { mode, level: -1, window_bits: 15, memory_level: 8, strategy: 0, dictionary, is_single: false }
}

pub fn streams() -> Vec<Vec<u8>> {
    let text = b"a line, and a line, and another line; ".repeat(20);
    let packed = PACKING.map(|mode| {
        let mut output = Vec::new();
        let settings = Settings { dictionary: None, ..settings(mode) };
        let mut codec = Codec::new(settings).expect("there is no dictionary");
        codec.convert(&text, &mut output, FINISH, LIMIT_BYTES);
        output
    });
    let two = packed[1].repeat(2);
    packed.into_iter().chain([two]).collect()
}

/// The output is no longer than requested, and the same chunk by chunk.
pub fn inflate(input: &[u8]) {
    for mode in UNPACKING {
        let mut whole = Vec::new();
        let mut codec = Codec::new(settings(mode)).expect("no window is allocated yet");
        let ended = codec.convert(input, &mut whole, FINISH, LIMIT_BYTES);
        assert!(whole.len() <= LIMIT_BYTES + 1, "{mode:?}: {}", whole.len());
        codec.reset().expect("as before");
        let pieces = pieces(&mut codec, input);
        match ended {
            Conversion::Ended(step) if step.message.is_none() => assert!(pieces == whole, "{mode:?}"),
            _ => assert!(pieces.starts_with(&whole) || whole.starts_with(&pieces), "{mode:?}"),
        }
    }
}

fn pieces(codec: &mut Codec, input: &[u8]) -> Vec<u8> {
    let (mut found, mut at) = (Vec::new(), 0);
    while found.len() <= LIMIT_BYTES {
        let piece = &input[at..(at + INPUT_BYTES).min(input.len())];
        let mut output = [0; ROOM_BYTES];
        let flush = if at + piece.len() == input.len() { FINISH } else { 0 };
        let step = codec.step(piece, &mut output, flush);
        found.extend_from_slice(&output[..step.written_bytes]);
        at += step.read_bytes;
        let is_stuck = step.read_bytes == 0 && step.written_bytes == 0;
        let has_ended = step.code == Code::StreamEnd && at == input.len();
        if step.message.is_some() || is_stuck || has_ended {
            break;
        }
    }
    found
}
