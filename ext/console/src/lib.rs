//! `internalBinding('console')`: writes lines directly to standard output and standard error, while
//! no program has accessed `process.stdout`. In: 1 or 2, a string. Out: the line in one `write(2)`
//! where the stream accepts it; 0 or the negative errno, which is reported only to the console:
//! Node ignores a pipe without a reader. Absent: colors, indentation; JavaScript has them.

use std::cell::RefCell;

use rusk_base::sys::stdio::{StdStream, stderr, stdout};
use rusk_jsc::{CodeUnits, Exception, Object, Scope};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::uv;

/// Capacity that the line buffer retains between lines: 64 KiB, the size of a pipe.
const RETAINED_BYTES_MAX: usize = 64 << 10;

thread_local! {
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

rusk_runtime::extension!("console", [("console", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    binding.set_property(scope, "UV_EPIPE", scope.number(uv::UV_EPIPE.into()))?;
    add(scope, binding, "writeLine", |scope, call| {
        let is_error = call.argument(scope, 0).to_number(scope)? == 2.0;
        let written = call.argument(scope, 1).with_code_units(scope, |units| {
            LINE.with_borrow_mut(|line| write(if is_error { stderr() } else { stdout() }, units, line))
        });
        Ok(scope.number(written.map_or(0.0, f64::from)))
    })?;
    add(scope, binding, "isTerminal", |scope, call| {
        let is_error = call.argument(scope, 0).to_number(scope)? == 2.0;
        Ok(scope.boolean(if is_error { stderr() } else { stdout() }.is_terminal()))
    })?;
    Ok(binding)
}

fn write(stream: StdStream, units: CodeUnits<'_>, line: &mut Vec<u8>) -> i32 {
    line.clear();
    match units {
        CodeUnits::Latin1(bytes) if bytes.is_ascii() => line.extend_from_slice(bytes),
        CodeUnits::Latin1(bytes) => push(line, bytes.iter().map(|byte| char::from(*byte))),
        CodeUnits::Utf16(utf16) => {
            let decoded = char::decode_utf16(utf16.iter().copied());
            push(line, decoded.map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)));
        }
    }
    line.push(b'\n');
    let written = stream.write_blocking(line);
    line.shrink_to(RETAINED_BYTES_MAX);
    written.err().map_or(0, |error| -error.raw_os_error())
}

fn push(line: &mut Vec<u8>, characters: impl Iterator<Item = char>) {
    let mut bytes = [0; 4];
    characters.for_each(|character| line.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes()));
}
