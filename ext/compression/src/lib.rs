//! `internalBinding('zlib')`: streams packed and unpacked, on another thread or at once. In: a
//! stream, bytes, how much may come out. Out: zlib's code and message, how far the input went,
//! bytes. Absent: checks of arguments; asking for more, which JavaScript does when there is room.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use rusk_jsc::{Bytes, Call, Exception, Kind, Object, Outcome, Root, Scope, Value};
use rusk_zlib::{Code, Codec, Mode, NoDictionary, Settings, Step, Whole, crc32};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{bytes_or_utf8, i32_argument, u32_argument};

rusk_runtime::shared_constants! {
    /// Codes in addition to zlib's.
    mod code: f64 {
        /// The output is larger than `maxOutputLength`.
        TOO_LARGE = 100.0,
    }
}

/// No array that the engine makes has more.
const OUTPUT_BYTES_MAX: f64 = 4294967295.0;

/// A stream and what it was given and has not read yet. Made on the thread that first works on it.
struct Stream {
    settings: Settings,
    codec: Option<Codec>,
    input: Vec<u8>,
    read_bytes: usize,
}

type Shared = Arc<Mutex<Stream>>;

/// What JavaScript holds; closed, it is empty.
struct Held(RefCell<Option<Shared>>);

/// What is told of a piece of work.
struct Told {
    code: f64,
    message: Option<&'static str>,
    read_bytes: usize,
    left_bytes: usize,
    output: Vec<u8>,
}

rusk_runtime::extension!("compression", [("zlib", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add_constants(scope, natives, "code", code::ALL)?;
    add(scope, natives, "begin", begin)?;
    add(scope, natives, "close", |scope, call| {
        let held: Option<Rc<Held>> =
            call.argument(scope, 0).as_object(scope).and_then(|it| it.as_native(scope));
        drop(held.and_then(|held| held.0.take()));
        Ok(scope.undefined())
    })?;
    // stream, flush, input or undefined for what is left of the last one, room in bytes, then or
    // undefined. Out: as with `whole`.
    add(scope, natives, "write", |scope, call| {
        let Some(shared) = found(scope, call) else { return Ok(scope.undefined()) };
        let (flush, room_bytes) = (i32_argument(scope, call, 1)?, limit(scope, call, 3)?);
        let (input, then) = (input(scope, call)?, call.argument(scope, 4));
        if then.is_undefined(scope) {
            let told = lock(&shared).write(input, flush, room_bytes);
            return scope.array(&told.values(scope)?).map(Object::value);
        }
        later(scope, then, move || lock(&shared).write(input, flush, room_bytes))
    })?;
    // stream, flush, input, the most that may come out, then or undefined. Out: what is told, where
    // nobody is to be told later.
    add(scope, natives, "whole", |scope, call| {
        let Some(shared) = found(scope, call) else { return Ok(scope.undefined()) };
        let (flush, bytes_max) = (i32_argument(scope, call, 1)?, limit(scope, call, 3)?);
        let then = call.argument(scope, 4);
        if then.is_undefined(scope) {
            let input = call.argument(scope, 2);
            let work = |input: &[u8]| lock(&shared).whole(input, flush, bytes_max);
            let told = match Bytes::of(scope, input) {
                Some(view) => view.with_bytes_mut(scope, |bytes| work(bytes)),
                None => work(&bytes_or_utf8(scope, input)?),
            };
            return scope.array(&told.values(scope)?).map(Object::value);
        }
        let input = bytes_or_utf8(scope, call.argument(scope, 2))?;
        later(scope, then, move || lock(&shared).whole(&input, flush, bytes_max))
    })?;
    add(scope, natives, "reset", |scope, call| {
        let done = found(scope, call).map_or(Ok(()), |shared| lock(&shared).reset());
        Ok(scope.boolean(done.is_ok()))
    })?;
    // stream, level, strategy.
    add(scope, natives, "setParams", |scope, call| {
        let (level, strategy) = (i32_argument(scope, call, 1)?, i32_argument(scope, call, 2)?);
        let code = found(scope, call).map_or(Code::Ok, |shared| lock(&shared).set_params(level, strategy));
        Ok(scope.number(code as i32 as f64))
    })?;
    // bytes, the sum of what came before.
    add_fast(scope, natives, "crc32", |scope, call| {
        let (before, input) = (u32_argument(scope, call, 1)?, call.argument(scope, 0));
        let sum = match Bytes::of(scope, input) {
            Some(view) => view.with_bytes_mut(scope, |bytes| crc32(before, bytes)),
            None => crc32(before, &bytes_or_utf8(scope, input)?),
        };
        Ok(scope.number(sum.into()))
    })?;
    Ok(natives)
}

/// mode, level, window bits, memory level, strategy, dictionary or undefined, whether there is one
/// member. Out: a stream.
fn begin<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let mode = Mode::find(u32_argument(scope, call, 0)?).expect("JavaScript asks for those that there are");
    let dictionary = call.argument(scope, 5);
    let settings = Settings {
        mode,
        level: i32_argument(scope, call, 1)?,
        window_bits: i32_argument(scope, call, 2)? as u8,
        memory_level: i32_argument(scope, call, 3)?,
        strategy: i32_argument(scope, call, 4)?,
        dictionary: Bytes::of(scope, dictionary).map(|view| view.copy(scope)),
        is_single: call.argument(scope, 6).is_truthy(scope),
    };
    let stream = Stream { settings, codec: None, input: Vec::new(), read_bytes: 0 };
    Ok(scope.native(Held(RefCell::new(Some(Arc::new(Mutex::new(stream)))))).value())
}

fn found<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Shared> {
    let held: Rc<Held> = call.argument(scope, 0).as_object(scope)?.as_native(scope)?;
    held.0.borrow().clone()
}

/// A panic of an earlier job has been told already, and ended the program.
fn lock(shared: &Shared) -> std::sync::MutexGuard<'_, Stream> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn input<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<Vec<u8>>, Exception<'s>> {
    let input = call.argument(scope, 2);
    match input.kind(scope) {
        Kind::Undefined => Ok(None),
        _ => bytes_or_utf8(scope, input).map(Some),
    }
}

fn limit<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<usize, Exception<'s>> {
    Ok(call.argument(scope, index).to_number(scope)?.min(OUTPUT_BYTES_MAX) as usize)
}

fn later<'s>(scope: &'s Scope, then: Value<'s>, job: impl FnOnce() -> Told + Send + 'static) -> Outcome<'s> {
    let then = Root::new(scope, then);
    RuntimeState::current().handle.queue_work(job, move |scope, told: Told| {
        let function = then.value(scope).as_function(scope).expect("JavaScript passes one");
        let values = told.values(scope)?;
        function.call(scope, &values).map(|_| ())
    });
    Ok(scope.undefined())
}

impl Stream {
    fn codec(&mut self) -> Result<&mut Codec, NoDictionary> {
        let codec = match self.codec.take() {
            Some(codec) => codec,
            None => Codec::new(self.settings.clone())?,
        };
        Ok(self.codec.insert(codec))
    }

    /// One step, of no more than there is room for; the rest of the input stays for the next.
    fn write(&mut self, input: Option<Vec<u8>>, flush: i32, room_bytes: usize) -> Told {
        if let Some(input) = input {
            (self.input, self.read_bytes) = (input, 0);
        }
        let input = std::mem::take(&mut self.input);
        let (at, mut output) = (self.read_bytes, vec![0; room_bytes]);
        let told = match self.codec() {
            Err(NoDictionary) => Told::no_dictionary(),
            Ok(codec) => {
                let step = codec.step(&input[at..], &mut output, flush);
                self.read_bytes += step.read_bytes;
                output.truncate(step.written_bytes);
                // What is small is not to keep the room of much.
                output.shrink_to_fit();
                Told::of(step, input.len() - self.read_bytes, output)
            }
        };
        match self.read_bytes < input.len() {
            true => self.input = input,
            false => self.read_bytes = 0,
        }
        told
    }

    fn whole(&mut self, input: &[u8], flush: i32, bytes_max: usize) -> Told {
        let mut output = Vec::new();
        let ended = match self.codec() {
            Err(NoDictionary) => return Told::no_dictionary(),
            Ok(codec) => codec.whole(input, &mut output, flush, bytes_max),
        };
        match ended {
            Whole::TooLarge => Told { code: code::TOO_LARGE, ..Told::no_dictionary() },
            Whole::Ended(step) => {
                output.shrink_to_fit();
                Told::of(step, input.len() - step.read_bytes, output)
            }
        }
    }

    fn reset(&mut self) -> Result<(), NoDictionary> {
        self.input = Vec::new();
        self.read_bytes = 0;
        self.codec.as_mut().map_or(Ok(()), Codec::reset)
    }

    fn set_params(&mut self, level: i32, strategy: i32) -> Code {
        (self.settings.level, self.settings.strategy) = (level, strategy);
        self.codec.as_mut().map_or(Code::Ok, |codec| codec.set_params(level, strategy))
    }
}

impl Told {
    fn of(step: Step, left_bytes: usize, output: Vec<u8>) -> Told {
        let Step { code, message, read_bytes, .. } = step;
        Told { code: code as i32 as f64, message, read_bytes, left_bytes, output }
    }

    fn no_dictionary() -> Told {
        let (code, message) = (Code::StreamError as i32 as f64, Some("Failed to set dictionary"));
        Told { code, message, read_bytes: 0, left_bytes: 0, output: Vec::new() }
    }

    /// code, message or undefined, bytes read, bytes left, output.
    fn values<'s>(self, scope: &'s Scope) -> Result<[Value<'s>; 5], Exception<'s>> {
        Ok([
            scope.number(self.code),
            self.message.map_or(scope.undefined(), |message| scope.string(message)),
            scope.number(self.read_bytes as f64),
            scope.number(self.left_bytes as f64),
            Bytes::from_vec(scope, self.output)?.value(),
        ])
    }
}
