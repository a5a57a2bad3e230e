//! Tests of `frames`.

use super::*;

#[test]
fn frames_of_the_runtime_are_left_out() {
    let stack = "Error: at first (x)\n    at add (/app/a.ts:3:13)\n    at node:internal/test_files/calls:40:22\n    at async file:///app/b.mjs:1:2\n    at new Thing (/app/c (1).ts:7:1)";
    let frames = user_frames(stack);
    let shown: Vec<String> = frames
        .iter()
        .map(|frame| format!("{} {} {} {}", frame.function, frame.file, frame.line, frame.column))
        .collect();
    assert_eq!(shown, ["add /app/a.ts 3 13", "<anonymous> /app/b.mjs 1 2", "new Thing /app/c (1).ts 7 1"]);
}

#[test]
fn text_without_frames_has_none() {
    for stack in ["", "Error: message", "    at", "    at f (native)", "    at f (/a.ts:x:1)"] {
        assert_eq!(user_frames(stack), [], "{stack}");
    }
}
