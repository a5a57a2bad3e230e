//! Compression streams: `internalBinding('zlib')`, on the thread pool or synchronously. In: a
//! stream, bytes, the size of the output. Out: the library's code and message, the bytes consumed
//! and left, output. Absent: checks of arguments; backpressure, which JavaScript has.

mod codec;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use rusk_brotli_zstd::CodecFormat;
use rusk_jsc::{Bytes, Call, Exception, Kind, Object, Outcome, Root, Scope, Value};
use rusk_zlib::{Code, Mode, crc32};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, add_fast, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{bytes_or_utf8, i32_argument, u32_argument};

use codec::{CreateError, StepResult, StreamCodec, StreamSettings, code, creation};

/// The largest array of the engine.
const OUTPUT_BYTES_MAX: f64 = 4294967295.0;

/// A stream with its input that is not consumed yet.
struct Stream {
    settings: StreamSettings,
    /// zlib's is made on first use, on the thread that does the work.
    codec: Option<StreamCodec>,
    input: Vec<u8>,
    read_bytes: usize,
}

type Shared = Arc<Mutex<Stream>>;

/// Native handle of a stream; empty after close.
struct StreamHandle(RefCell<Option<Shared>>);

/// Result of a write or a conversion.
struct WriteResult {
    code: f64,
    message: Option<&'static str>,
    read_bytes: usize,
    left_bytes: usize,
    output: Vec<u8>,
}

rusk_runtime::extension!("compression", [("zlib", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "code", code::ALL)?;
    add_constants(scope, binding, "creation", creation::ALL)?;
    add(scope, binding, "create", create)?;
    add(scope, binding, "createBrotliZstd", create_brotli_zstd)?;
    // A format: its library's version, or undefined without the library.
    add(scope, binding, "libraryVersion", |scope, call| {
        let format =
            CodecFormat::find(u32_argument(scope, call, 0)?).expect("JavaScript passes known formats");
        let version = rusk_brotli_zstd::library_version(format);
        Ok(version.map_or_else(|_| scope.undefined(), |version| scope.string(&version)))
    })?;
    add(scope, binding, "close", |scope, call| {
        let handle: Option<Rc<StreamHandle>> =
            call.argument(scope, 0).as_object(scope).and_then(|object| object.as_native(scope));
        drop(handle.and_then(|handle| handle.0.take()));
        Ok(scope.undefined())
    })?;
    // stream, flush, input or undefined for the rest of the previous one, size of the output,
    // callback or undefined. Out: as with `convert`.
    add(scope, binding, "write", |scope, call| {
        let Some(shared) = shared_stream(scope, call) else { return Ok(scope.undefined()) };
        let (flush, room_bytes) = (i32_argument(scope, call, 1)?, limit(scope, call, 3)?);
        let (input, callback) = (input(scope, call)?, call.argument(scope, 4));
        if callback.is_undefined(scope) {
            let result = lock(&shared).write(input, flush, room_bytes);
            return scope.array(&result.values(scope)?).map(Object::value);
        }
        queue_work(scope, callback, move || lock(&shared).write(input, flush, room_bytes))
    })?;
    // stream, flush, input, the largest size of the output, callback or undefined. Out: the values
    // of a WriteResult, where there is no callback.
    add(scope, binding, "convert", |scope, call| {
        let Some(shared) = shared_stream(scope, call) else { return Ok(scope.undefined()) };
        let (flush, bytes_max) = (i32_argument(scope, call, 1)?, limit(scope, call, 3)?);
        let callback = call.argument(scope, 4);
        if callback.is_undefined(scope) {
            let input = call.argument(scope, 2);
            let work = |input: &[u8]| lock(&shared).convert(input, flush, bytes_max);
            let result = match Bytes::of(scope, input) {
                Some(view) => view.with_bytes_mut(scope, |bytes| work(bytes)),
                None => work(&bytes_or_utf8(scope, input)?),
            };
            return scope.array(&result.values(scope)?).map(Object::value);
        }
        let input = bytes_or_utf8(scope, call.argument(scope, 2))?;
        queue_work(scope, callback, move || lock(&shared).convert(&input, flush, bytes_max))
    })?;
    add(scope, binding, "reset", |scope, call| {
        let is_done = shared_stream(scope, call).is_none_or(|shared| lock(&shared).reset());
        Ok(scope.boolean(is_done))
    })?;
    // stream, level, strategy.
    add(scope, binding, "setParams", |scope, call| {
        let (level, strategy) = (i32_argument(scope, call, 1)?, i32_argument(scope, call, 2)?);
        let code =
            shared_stream(scope, call).map_or(Code::Ok, |shared| lock(&shared).set_params(level, strategy));
        Ok(scope.number(code as i32 as f64))
    })?;
    // bytes, the checksum of the bytes before them.
    add_fast(scope, binding, "crc32", |scope, call| {
        let (before, input) = (u32_argument(scope, call, 1)?, call.argument(scope, 0));
        let checksum = match Bytes::of(scope, input) {
            Some(view) => view.with_bytes_mut(scope, |bytes| crc32(before, bytes)),
            None => crc32(before, &bytes_or_utf8(scope, input)?),
        };
        Ok(scope.number(checksum.into()))
    })?;
    Ok(binding)
}

/// mode, level, window bits, memory level, strategy, dictionary or undefined, whether the stream
/// ends with the first gzip member. Out: a stream.
fn create<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let mode = Mode::find(u32_argument(scope, call, 0)?).expect("JavaScript passes known modes");
    let dictionary = call.argument(scope, 5);
    let settings = StreamSettings::Zlib(rusk_zlib::Settings {
        mode,
        level: i32_argument(scope, call, 1)?,
        window_bits: i32_argument(scope, call, 2)? as u8,
        memory_level: i32_argument(scope, call, 3)?,
        strategy: i32_argument(scope, call, 4)?,
        dictionary: Bytes::of(scope, dictionary).map(|view| view.copy(scope)),
        is_single: call.argument(scope, 6).is_truthy(scope),
    });
    Ok(handle(scope, settings, None))
}

/// format, an Int32Array of keys and values, dictionary or undefined, size of the input or
/// undefined. Out: a stream; or a number of `creation`; or what is missing, as a string.
fn create_brotli_zstd<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let format = CodecFormat::find(u32_argument(scope, call, 0)?).expect("JavaScript passes known formats");
    let parameters = Bytes::of(scope, call.argument(scope, 1)).map(|view| view.copy(scope));
    let parameters = parameters.unwrap_or_default();
    let (numbers, _) = parameters.as_chunks::<4>();
    let (pairs, _) = numbers.as_chunks::<2>();
    let pair = |&[key, value]: &[[u8; 4]; 2]| (i32::from_ne_bytes(key), i32::from_ne_bytes(value));
    let source_bytes = call.argument(scope, 3);
    let settings = StreamSettings::BrotliZstd(rusk_brotli_zstd::CodecSettings {
        format,
        parameters: pairs.iter().map(pair).collect(),
        dictionary: Bytes::of(scope, call.argument(scope, 2)).map(|view| view.copy(scope)),
        source_bytes: match source_bytes.kind(scope) {
            Kind::Undefined => None,
            _ => Some(source_bytes.to_number(scope)? as u64),
        },
    });
    match StreamCodec::new(&settings) {
        Ok(codec) => Ok(handle(scope, settings, Some(codec))),
        Err(CreateError::Code(code)) => Ok(scope.number(code)),
        Err(CreateError::MissingLibrary(missing)) => Ok(scope.string(&missing.to_string())),
    }
}

fn handle(scope: &Scope, settings: StreamSettings, codec: Option<StreamCodec>) -> Value<'_> {
    let stream = Stream { settings, codec, input: Vec::new(), read_bytes: 0 };
    scope.native(StreamHandle(RefCell::new(Some(Arc::new(Mutex::new(stream)))))).value()
}

fn shared_stream<'s>(scope: &'s Scope, call: &Call<'s>) -> Option<Shared> {
    let handle: Rc<StreamHandle> = call.argument(scope, 0).as_object(scope)?.as_native(scope)?;
    handle.0.borrow().clone()
}

/// Poisoning is ignored: a panic of an earlier job was reported, and ended the program.
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

fn queue_work<'s>(
    scope: &'s Scope,
    callback: Value<'s>,
    job: impl FnOnce() -> WriteResult + Send + 'static,
) -> Outcome<'s> {
    let callback = Root::new(scope, callback);
    RuntimeState::current().handle.queue_work(job, move |scope, result: WriteResult| {
        let function = callback.value(scope).as_function(scope).expect("JavaScript passes a function");
        let values = result.values(scope)?;
        function.call(scope, &values).map(|_| ())
    });
    Ok(scope.undefined())
}

impl Stream {
    fn codec(&mut self) -> Result<&mut StreamCodec, CreateError> {
        let codec = match self.codec.take() {
            Some(codec) => codec,
            None => StreamCodec::new(&self.settings)?,
        };
        Ok(self.codec.insert(codec))
    }

    /// One step, with at most this much output; the rest of the input is retained for the next
    /// step.
    fn write(&mut self, input: Option<Vec<u8>>, flush: i32, room_bytes: usize) -> WriteResult {
        if let Some(input) = input {
            (self.input, self.read_bytes) = (input, 0);
        }
        let input = std::mem::take(&mut self.input);
        let (at, mut output) = (self.read_bytes, vec![0; room_bytes]);
        let result = match self.codec() {
            Err(_) => WriteResult::dictionary_error(),
            Ok(codec) => {
                let step = codec.step(&input[at..], &mut output, flush);
                self.read_bytes += step.read_bytes;
                output.truncate(step.written_bytes);
                // A small output must not retain a large allocation.
                output.shrink_to_fit();
                WriteResult::new(step, input.len() - self.read_bytes, output)
            }
        };
        match self.read_bytes < input.len() {
            true => self.input = input,
            false => self.read_bytes = 0,
        }
        result
    }

    fn convert(&mut self, input: &[u8], flush: i32, bytes_max: usize) -> WriteResult {
        let mut output = Vec::new();
        let converted = match self.codec() {
            Err(_) => return WriteResult::dictionary_error(),
            Ok(codec) => codec.convert(input, &mut output, flush, bytes_max),
        };
        match converted {
            None => WriteResult { code: code::TOO_LARGE, ..WriteResult::dictionary_error() },
            Some(step) => {
                output.shrink_to_fit();
                let left_bytes = input.len() - step.read_bytes;
                WriteResult::new(step, left_bytes, output)
            }
        }
    }

    fn reset(&mut self) -> bool {
        self.input = Vec::new();
        self.read_bytes = 0;
        self.codec.as_mut().is_none_or(StreamCodec::reset)
    }

    fn set_params(&mut self, level: i32, strategy: i32) -> Code {
        if let StreamSettings::Zlib(settings) = &mut self.settings {
            (settings.level, settings.strategy) = (level, strategy);
        }
        self.codec.as_mut().map_or(Code::Ok, |codec| codec.set_params(level, strategy))
    }
}

impl WriteResult {
    fn new(step: StepResult, left_bytes: usize, output: Vec<u8>) -> WriteResult {
        let StepResult { code, message, read_bytes, .. } = step;
        WriteResult { code, message, read_bytes, left_bytes, output }
    }

    fn dictionary_error() -> WriteResult {
        let (code, message) = (Code::StreamError as i32 as f64, Some("Failed to set dictionary"));
        WriteResult { code, message, read_bytes: 0, left_bytes: 0, output: Vec::new() }
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
