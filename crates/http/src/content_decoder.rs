//! Bodies that were packed for the way. In: the answer's headers, pieces as they come. Out: pieces
//! unpacked, none larger than a limit, so that a little of much is never in memory as a whole.
//! Absent: Brotli and Zstandard, which are not asked for and come as they are.

use hyper::header::{CONTENT_ENCODING, HeaderMap};
use rusk_zlib::{Code, Codec, Mode, Settings};

use crate::failure::Failure;

/// What one step unpacks at most.
pub(crate) const PIECE_BYTES: usize = 64 << 10;
/// Nobody packs more often, but to do harm.
const LAYERS_MAX: usize = 5;
const SYNC_FLUSH: i32 = 2;

/// What is to be undone, the last packing first.
pub(crate) struct Layers(Vec<Layer>);

struct Layer {
    is_deflate: bool,
    /// Made with the first byte, which says whether "deflate" has zlib's header: servers disagree.
    codec: Option<Codec>,
    has_ended: bool,
}

/// What is left of a piece, to be unpacked when there is room.
pub(crate) struct Packed {
    layer: usize,
    bytes: Vec<u8>,
    at: usize,
}

impl Layers {
    /// `None`: it comes as it is.
    pub fn of(headers: &HeaderMap) -> Option<Layers> {
        let mut layers = Vec::new();
        for value in headers.get_all(CONTENT_ENCODING) {
            for name in value.to_str().ok()?.split(',').map(str::trim) {
                let is_deflate = match name.to_ascii_lowercase().as_str() {
                    "gzip" | "x-gzip" => false,
                    "deflate" => true,
                    "" | "identity" => continue,
                    _ => return None,
                };
                layers.push(Layer { is_deflate, codec: None, has_ended: false });
            }
        }
        layers.reverse();
        (1..=LAYERS_MAX).contains(&layers.len()).then_some(Layers(layers))
    }

    pub fn begin(bytes: Vec<u8>) -> Packed {
        Packed { layer: 0, bytes, at: 0 }
    }

    /// The next piece that came of it; what is on its way through inner layers is kept in `packed`.
    pub fn next(&mut self, packed: &mut Vec<Packed>) -> Result<Option<Vec<u8>>, Failure> {
        while let Some(piece) = packed.last_mut() {
            let Some(layer) = self.0.get_mut(piece.layer) else {
                return Ok(packed.pop().map(|piece| piece.bytes));
            };
            match layer.step(&piece.bytes[piece.at..])? {
                Some((read_bytes, output)) => {
                    piece.at += read_bytes;
                    if !output.is_empty() {
                        let layer = piece.layer + 1;
                        packed.push(Packed { layer, bytes: output, at: 0 });
                    }
                }
                None => drop(packed.pop()),
            }
        }
        Ok(None)
    }
}

impl Layer {
    /// `None`: nothing more comes of it.
    fn step(&mut self, input: &[u8]) -> Result<Option<(usize, Vec<u8>)>, Failure> {
        // What stands behind the end is passed over, as browsers do.
        if self.has_ended {
            return Ok(None);
        }
        let Some(codec) = self.codec(input) else { return Ok(None) };
        let mut output = vec![0; PIECE_BYTES];
        let step = codec.step(input, &mut output, SYNC_FLUSH);
        if let Some(message) = step.message {
            return Err(Failure::Encoding { message, code: step.code as i32 });
        }
        self.has_ended = step.code == Code::StreamEnd;
        if step.read_bytes == 0 && step.written_bytes == 0 {
            return Ok(None);
        }
        output.truncate(step.written_bytes);
        output.shrink_to_fit();
        Ok(Some((step.read_bytes, output)))
    }

    fn codec(&mut self, input: &[u8]) -> Option<&mut Codec> {
        if self.codec.is_none() {
            let first = input.first()?;
            let mode = match (self.is_deflate, first & 0x0f) {
                (false, _) => Mode::Gunzip,
                (true, 8) => Mode::Inflate,
                (true, _) => Mode::InflateRaw,
            };
            let settings = Settings {
                mode,
                level: -1,
                window_bits: 15,
                memory_level: 8,
                strategy: 0,
                dictionary: None,
                is_single: false,
            };
            self.codec = Some(Codec::new(settings).expect("there is no dictionary"));
        }
        self.codec.as_mut()
    }
}
