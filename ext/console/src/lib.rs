//! Lines of `console` that go straight to standard output and standard error, while no program has
//! looked at `process.stdout`. In: 1 or 2, a text. Out: the line, whole, in one `write(2)` where
//! the stream takes it; 0, or the number of the error, as Node has it for a reader that is gone:
//! nobody hears of it. Absent: colours, indentation; JavaScript has them.

use std::cell::RefCell;

use rusk_base::sys::stdio::{StdStream, stderr, stdout};
use rusk_jsc::{CodeUnits, Exception, Object, Scope};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};

/// The buffer that lines are put into keeps no more room than this between two of them: 64 KiB, a
/// pipe's.
const KEPT_BYTES_MAX: usize = 64 << 10;

thread_local! {
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

rusk_runtime::extension!("console", [("console", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "writeLine", |scope, call| {
        let is_error = call.argument(scope, 0).to_number(scope)? == 2.0;
        let written = call.argument(scope, 1).with_code_units(scope, |letters| {
            LINE.with_borrow_mut(|line| write(if is_error { stderr() } else { stdout() }, letters, line))
        });
        Ok(scope.number(written.map_or(0.0, f64::from)))
    })?;
    add(scope, natives, "isTerminal", |scope, call| {
        let is_error = call.argument(scope, 0).to_number(scope)? == 2.0;
        Ok(scope.boolean(if is_error { stderr() } else { stdout() }.is_terminal()))
    })?;
    Ok(natives)
}

fn write(stream: StdStream, letters: CodeUnits<'_>, line: &mut Vec<u8>) -> i32 {
    line.clear();
    match letters {
        CodeUnits::Latin1(bytes) if bytes.is_ascii() => line.extend_from_slice(bytes),
        CodeUnits::Latin1(bytes) => push(line, bytes.iter().map(|byte| char::from(*byte))),
        CodeUnits::Utf16(units) => {
            let decoded = char::decode_utf16(units.iter().copied());
            push(line, decoded.map(|found| found.unwrap_or(char::REPLACEMENT_CHARACTER)));
        }
    }
    line.push(b'\n');
    let written = stream.write_blocking(line);
    line.shrink_to(KEPT_BYTES_MAX);
    written.err().map_or(0, |error| error.raw_os_error())
}

fn push(line: &mut Vec<u8>, letters: impl Iterator<Item = char>) {
    let mut bytes = [0; 4];
    letters.for_each(|letter| line.extend_from_slice(letter.encode_utf8(&mut bytes).as_bytes()));
}
