//! Targets of `rusk-test-runner`: what the process of a test file sends. Any test can write it.

use rusk_test_runner::coverage::CoverageCounts;
use rusk_test_runner::event::TestEvent;
use rusk_test_runner::frame::{FrameReader, FrameWriter, Piece};
use rusk_test_runner::frames::user_frames;
use rusk_test_runner::protocol::WorkerCommand;
use rusk_test_runner::timings::Timings;

const TOKEN: &str = "0123";
/// Divides no buffer size.
const PIECE_BYTES: usize = 7;

/// Pieces are the same however the bytes arrive. A line that is written is read again.
pub fn frames(input: &[u8]) {
    let whole = pieces(input, input.len().max(1));
    assert_eq!(whole, pieces(input, PIECE_BYTES));
    let lines = whole.iter().filter_map(|piece| match piece {
        Piece::Line(line) => Some(format!("{line}\n")),
        Piece::Output(_) => None,
    });
    // An empty line is not written.
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let written = FrameWriter::new(TOKEN).blocks(&line).concat();
        let read: String = pieces(&written, PIECE_BYTES)
            .iter()
            .map(|piece| match piece {
                Piece::Line(line) => format!("{line}\n"),
                Piece::Output(_) => panic!("a frame is no output"),
            })
            .collect();
        assert_eq!(read.lines().collect::<Vec<_>>(), line.lines().collect::<Vec<_>>());
    }
}

fn pieces(input: &[u8], piece_bytes: usize) -> Vec<Piece> {
    let mut reader = FrameReader::new(TOKEN);
    let mut pieces: Vec<Piece> = input.chunks(piece_bytes).flat_map(|bytes| reader.push(bytes)).collect();
    pieces.extend(reader.finish());
    let mut joined: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (joined.last_mut(), piece) {
            (Some(Piece::Output(before)), Piece::Output(bytes)) => before.extend(bytes),
            (_, piece) => joined.push(piece),
        }
    }
    joined
}

/// Events, stacks, coverage, commands and timings.
pub fn events(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for line in text.lines() {
        let _ = TestEvent::parse(line);
        if let Some(command) = WorkerCommand::parse(line) {
            assert_eq!(WorkerCommand::parse(command.line().trim_end_matches('\n')), Some(command));
        }
    }
    let _ = user_frames(&text);
    CoverageCounts::default().add(&text);
    if let Ok(timings) = Timings::parse(&text) {
        assert_eq!(Timings::parse(&timings.render()), Ok(timings));
    }
}

/// Output between frames, and a line of several frames.
pub fn streams() -> Vec<Vec<u8>> {
    let writer = FrameWriter::new(TOKEN);
    let long = format!("{{\"t\":\"error\",\"e\":{{\"message\":\"{}\"}}}}\n", "x".repeat(9000));
    vec![
        [&b"output\n"[..], &writer.blocks("{\"t\":\"alive\"}\n").concat(), b"\x1e01 more"].concat(),
        writer.blocks(&long).concat(),
    ]
}

pub const EVENTS: &[&str] = &[
    "{\"t\":\"file\",\"i\":0}\n{\"t\":\"start\",\"p\":[\"a\"],\"limit\":5000}",
    "{\"t\":\"end\",\"p\":[\"a\"],\"s\":\"fail\",\"ms\":1.5,\"a\":2,\"e\":[{\"name\":\"Error\",\"message\":\"m\",\"stack\":\"Error: m\\n    at f (/a (b).ts:1:2)\",\"cause\":{}}],\"n\":2}",
    "{\"t\":\"file-end\",\"a\":1,\"snapshots\":{\"added\":1,\"obsolete\":[\"a 1\"]},\"open\":{\"Timeout\":1},\"coverage\":[[\"/a.ts\",2,[0,1]]]}",
    "[[\"/a.ts\",2,[0,1,1,7]],[\"/a.ts\",3,[2,1]]]",
    "isolate [[0,\"/a.test.ts\"],[7,\"/b c.test.ts\"]]\nshare [[1,\"/a\\nb\"]]\nsettings t {}\n{\"t\":\"retired\"}",
    "{\"version\":1,\"files\":{\"a.test.ts\":12}}",
];
