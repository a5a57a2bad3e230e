//! Ciphers, with Node's rules about tags: which lengths are valid, when a tag may be set or read.
//! In: names, keys, vectors, bytes. Out: a handle, bytes, the authentication tag; one-shot
//! encryption, which may run on the thread pool.

use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Scope, Value};
use rusk_openssl::{Cipher, CipherContext, CryptoError, Direction, ErrorKind, TAG_BYTES_MAX, cipher_names};
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::{i32_argument, string_argument};

use super::job::{JobOutput, run_job, throw};
use super::{finish, optional_bytes, secret_bytes, wrong_handle};

/// `EVP_CIPH_*_MODE` of `evp.h`.
const GCM: i32 = 6;
const CCM: i32 = 7;
const OCB: i32 = 0x1_0003;
/// `NID_chacha20_poly1305`.
const CHACHA20_POLY1305: i32 = 1018;
const CHACHA20_IV_BYTES_MAX: usize = 12;
/// The length of a tag that is not chosen.
const TAG_BYTES: usize = 16;

/// A cipher in use. After the end the context is gone and the tag remains.
struct CipherState {
    context: Option<CipherContext>,
    direction: Direction,
    mode: i32,
    is_authenticated: bool,
    /// `None`: not chosen yet.
    tag_bytes: Option<usize>,
    tag: Option<Tag>,
    is_tag_passed: bool,
    /// CCM checks the tag with the message; the error is reported at the end.
    has_failed: bool,
    message_bytes_max: usize,
}

#[derive(Clone, Copy)]
struct Tag {
    bytes: [u8; TAG_BYTES_MAX],
    count: usize,
}

/// What JavaScript holds of a cipher in use; after its end JavaScript may use it for another one.
struct CipherHandle(RefCell<CipherState>);

/// What JavaScript remembers of a name.
struct CipherTypeHandle(Arc<Cipher>);

pub fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, binding, "ciphers", |scope, _| {
        let names = cipher_names().map_err(|failure| throw(scope, &failure))?;
        let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    add(scope, binding, "cipherInfo", cipher_info)?;
    // `(name)`: [the cipher, whether `cipherInPlace` can be used, whether it has a tag].
    add(scope, binding, "findCipher", |scope, call| {
        let cipher = find(&string_argument(scope, call, 0)?).map_err(|failure| throw(scope, &failure))?;
        let (is_stream, is_authenticated) = (cipher.is_stream(), is_authenticated(&cipher));
        let found = scope.native(CipherTypeHandle(cipher)).value();
        scope.array(&[found, scope.boolean(is_stream), scope.boolean(is_authenticated)]).map(Object::value)
    })?;
    // `(isEncrypting, cipher, key, iv or null, bytes of the tag or -1, a handle that has ended or
    // undefined)`.
    add_fast(scope, binding, "createCipher", |scope, call| match new_state(scope, call)? {
        Ok(state) => match call.argument(scope, 5).as_object(scope) {
            Some(used) => {
                let Some(handle) = used.as_native::<CipherHandle>(scope) else {
                    return Err(wrong_handle(scope));
                };
                handle.0.replace(state);
                Ok(used.value())
            }
            None => Ok(scope.native(CipherHandle(RefCell::new(state))).value()),
        },
        Err(failure) => Err(throw(scope, &failure)),
    })?;
    // A handle that refuses everything, as one that has ended.
    add(scope, binding, "endedCipher", |scope, _| {
        Ok(scope.native(CipherHandle(RefCell::new(CipherState::ended()))).value())
    })?;
    add(scope, binding, "cipherUpdate", |scope, call| {
        let handle = handle(scope, call)?;
        let output = match Bytes::of(scope, call.argument(scope, 1)) {
            Some(bytes) => {
                let state = &mut *handle.0.borrow_mut();
                bytes.with_bytes_mut(scope, |bytes| state.update(bytes))
            }
            None => handle.0.borrow_mut().update(&secret_bytes(scope, call, 1)?),
        };
        finish(scope, output.map(JobOutput::Bytes))
    })?;
    // `(handle, bytes)`: the output replaces the input, which is short.
    add_fast(scope, binding, "cipherInPlace", |scope, call| {
        let handle = handle(scope, call)?;
        let Some(bytes) = Bytes::of(scope, call.argument(scope, 1)) else { return Ok(scope.undefined()) };
        let state = &mut *handle.0.borrow_mut();
        let output = bytes.with_bytes_mut(scope, |bytes| state.update_in_place(bytes));
        finish(scope, output.map(|()| JobOutput::Nothing))
    })?;
    add_state(scope, binding)?;
    // `(isEncrypting, name, key, iv, bytes of the tag, additional data, input, callback)`: the tag
    // follows the output, or is the end of the input.
    add(scope, binding, "cipherOnce", |scope, call| {
        let direction = direction(scope, call);
        let cipher = find(&string_argument(scope, call, 1)?);
        let (key, iv) = (secret_bytes(scope, call, 2)?, optional_bytes(scope, call, 3)?);
        let tag_bytes = usize::try_from(i32_argument(scope, call, 4)?).ok();
        let (data, input) = (optional_bytes(scope, call, 5)?, secret_bytes(scope, call, 6)?);
        run_job(scope, call, 7, move || {
            let state = CipherState::start(&cipher?, direction, &key, iv.as_deref(), tag_bytes)?;
            state.run_once(data.as_deref(), &input).map(JobOutput::Bytes)
        })
    })
}

fn add_state<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(handle, target or undefined)`: the last output; undefined: there is none, as always without
    // padding. The tag is written to the target, which has its length.
    add_fast(scope, binding, "cipherFinal", |scope, call| {
        let handle = handle(scope, call)?;
        let (output, tag) = {
            let state = &mut *handle.0.borrow_mut();
            (state.finish(), state.tag)
        };
        if let (Ok(_), Some(tag)) = (&output, tag) {
            crate::fill(scope, call.argument(scope, 1), &tag);
        }
        match output {
            Ok(bytes) if bytes.is_empty() => Ok(scope.undefined()),
            output => finish(scope, output.map(JobOutput::Bytes)),
        }
    })?;
    // False: it may not be set now.
    add(scope, binding, "cipherSetTag", |scope, call| {
        let set = handle(scope, call)?.0.borrow_mut().set_tag(&secret_bytes(scope, call, 1)?);
        finish(scope, set.map(JobOutput::Boolean))
    })?;
    // `(handle, data, bytes of the message or -1)`. False: it may not be set now.
    add(scope, binding, "cipherSetAad", |scope, call| {
        let (data, count) = (secret_bytes(scope, call, 1)?, i32_argument(scope, call, 2)?);
        let set = handle(scope, call)?.0.borrow_mut().add_data(&data, usize::try_from(count).ok());
        finish(scope, set.map(JobOutput::Boolean))
    })?;
    add_fast(scope, binding, "cipherSetPadding", |scope, call| {
        let is_on = call.argument(scope, 1).is_truthy(scope);
        let handle = handle(scope, call)?;
        let is_set = handle.0.borrow_mut().context.as_mut().is_some_and(|context| context.set_padding(is_on));
        Ok(scope.boolean(is_set))
    })
}

fn handle<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Rc<CipherHandle>, Exception<'s>> {
    let object = call.argument(scope, 0).as_object(scope);
    object.and_then(|object| object.as_native::<CipherHandle>(scope)).ok_or_else(|| wrong_handle(scope))
}

/// `(name or number, bytes of the key or -1, bytes of the vector or -1)`: [mode, name, nid, block,
/// iv, key]; undefined: there is no such cipher, or not with these lengths.
fn cipher_info<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let name = call.argument(scope, 0);
    let lengths = [i32_argument(scope, call, 1)?, i32_argument(scope, call, 2)?];
    let [key, iv] = lengths.map(|length| usize::try_from(length).ok());
    let found = match name.kind(scope) {
        rusk_jsc::Kind::Number => Cipher::find_by_nid(name.to_number(scope)? as i32),
        _ => Cipher::find(&name.to_rust_string(scope)?),
    };
    let found = found.and_then(|cipher| match cipher {
        Some(cipher) => cipher.with_lengths(key, iv),
        None => Ok(None),
    });
    let Some(info) = found.map_err(|failure| throw(scope, &failure))? else { return Ok(scope.undefined()) };
    let number = |number: usize| scope.number(number as f64);
    scope
        .array(&[
            scope.number(f64::from(info.mode)),
            scope.string(&info.name.to_ascii_lowercase()),
            scope.number(f64::from(info.nid)),
            number(info.block_bytes),
            number(info.iv_bytes),
            number(info.key_bytes),
        ])
        .map(Object::value)
}

fn find(name: &str) -> Result<Arc<Cipher>, CryptoError> {
    match Cipher::find(name)? {
        Some(cipher) => Ok(cipher),
        None => refuse(ErrorKind::Error, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher"),
    }
}

fn is_authenticated(cipher: &Cipher) -> bool {
    matches!(cipher.info.mode, GCM | CCM | OCB) || cipher.info.nid == CHACHA20_POLY1305
}

fn direction<'s>(scope: &'s Scope, call: &Call<'s>) -> Direction {
    if call.argument(scope, 0).is_truthy(scope) { Direction::Encrypt } else { Direction::Decrypt }
}

/// Of the arguments of `createCipher`. Key and vector are not copied if both are views.
fn new_state<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
) -> Result<Result<CipherState, CryptoError>, Exception<'s>> {
    let direction = direction(scope, call);
    let cipher = call.argument(scope, 1).as_object(scope);
    let cipher = cipher.and_then(|cipher| cipher.as_native::<CipherTypeHandle>(scope));
    let Some(cipher) = cipher.map(|handle| Arc::clone(&handle.0)) else { return Err(wrong_handle(scope)) };
    let tag_bytes = usize::try_from(i32_argument(scope, call, 4)?).ok();
    let [key, iv]: [Value<'s>; 2] = [2, 3].map(|index| call.argument(scope, index));
    if let (Some(key), Some(iv)) = (Bytes::of(scope, key), Bytes::of(scope, iv)) {
        return Ok(key.with_both(scope, iv, move |key, iv| {
            CipherState::start(&cipher, direction, key, Some(iv), tag_bytes)
        }));
    }
    let (key, iv) = (secret_bytes(scope, call, 2)?, optional_bytes(scope, call, 3)?);
    Ok(CipherState::start(&cipher, direction, &key, iv.as_deref(), tag_bytes))
}

fn refuse<T>(kind: ErrorKind, code: &'static str, message: impl Into<String>) -> Result<T, CryptoError> {
    Err(CryptoError::coded(kind, code, message))
}

fn refuse_tag<T>(count: usize) -> Result<T, CryptoError> {
    let message = format!("Invalid authentication tag length: {count}");
    refuse(ErrorKind::Type, "ERR_CRYPTO_INVALID_AUTH_TAG", message)
}

/// The lengths of NIST SP 800-38D.
fn is_gcm_tag(count: usize) -> bool {
    matches!(count, 4 | 8 | 12..=16)
}

impl Tag {
    /// The first bytes of a longer one.
    fn of(bytes: &[u8]) -> Tag {
        let mut tag = Tag { bytes: [0; TAG_BYTES_MAX], count: bytes.len().min(TAG_BYTES_MAX) };
        tag.bytes[..tag.count].copy_from_slice(&bytes[..tag.count]);
        tag
    }
}

impl Deref for Tag {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.count]
    }
}

impl CipherState {
    fn ended() -> CipherState {
        CipherState {
            context: None,
            direction: Direction::Encrypt,
            mode: 0,
            is_authenticated: false,
            tag_bytes: None,
            tag: None,
            is_tag_passed: false,
            has_failed: false,
            message_bytes_max: usize::MAX,
        }
    }

    fn start(
        cipher: &Arc<Cipher>,
        direction: Direction,
        key: &[u8],
        iv: Option<&[u8]>,
        tag_bytes: Option<usize>,
    ) -> Result<CipherState, CryptoError> {
        let (info, is_authenticated) = (&cipher.info, is_authenticated(cipher));
        let iv = iv.filter(|iv| !iv.is_empty());
        let is_valid = match iv.map(<[u8]>::len) {
            None => info.iv_bytes == 0,
            Some(count) if info.nid == CHACHA20_POLY1305 => count <= CHACHA20_IV_BYTES_MAX,
            Some(count) => is_authenticated || count == info.iv_bytes,
        };
        if !is_valid {
            return refuse(ErrorKind::Type, "ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
        }
        let state = CipherState::ended();
        let mut state = CipherState { direction, mode: info.mode, is_authenticated, tag_bytes, ..state };
        let mut context = CipherContext::new(cipher, direction)?;
        if is_authenticated {
            state.set_lengths(&mut context, cipher, iv.map_or(0, <[u8]>::len))?;
        }
        if !context.set_key_length(key.len())? {
            return refuse(ErrorKind::Range, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
        }
        context.start(key, iv)?;
        state.context = Some(context);
        Ok(state)
    }

    /// Lengths that the cipher begins with are not set: each takes a call of the library.
    fn set_lengths(
        &mut self,
        context: &mut CipherContext,
        cipher: &Cipher,
        iv_bytes: usize,
    ) -> Result<(), CryptoError> {
        let info = &cipher.info;
        // CCM begins with another length than the library reports.
        let is_usual = iv_bytes == info.iv_bytes && info.mode != CCM;
        if !is_usual && !context.set_iv_length(iv_bytes)? {
            return refuse(ErrorKind::Type, "ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
        }
        if info.mode == GCM {
            return match self.tag_bytes {
                Some(count) if !is_gcm_tag(count) => refuse_tag(count),
                _ => Ok(()),
            };
        }
        let is_chacha20 = info.nid == CHACHA20_POLY1305;
        let count = match self.tag_bytes {
            Some(count) => count,
            None if is_chacha20 => TAG_BYTES,
            None => {
                let message = format!("authTagLength required for {}", cipher.name);
                return refuse(ErrorKind::Type, "ERR_CRYPTO_INVALID_AUTH_TAG", message);
            }
        };
        let is_usual = is_chacha20 && count == TAG_BYTES && self.direction == Direction::Encrypt;
        if !is_usual && !context.set_tag_length(count)? {
            return refuse_tag(count);
        }
        self.tag_bytes = Some(count);
        if info.mode == CCM {
            self.message_bytes_max = match iv_bytes {
                12 => (1 << 24) - 1,
                13 => (1 << 16) - 1,
                _ => i32::MAX as usize,
            };
        }
        Ok(())
    }

    fn update(&mut self, input: &[u8]) -> Result<Vec<u8>, CryptoError> {
        if self.context.is_none() {
            return Err(CryptoError::Library { entries: Vec::new(), context: UNSUPPORTED_UPDATE.to_owned() });
        }
        self.check_message(input.len())?;
        self.pass_tag();
        let context = self.context.as_mut().expect("it was checked above");
        match context.update(input) {
            Err(_) if self.mode == CCM && self.direction == Direction::Decrypt => {
                self.has_failed = true;
                Ok(Vec::new())
            }
            result => result,
        }
    }

    /// As `update`, of a stream cipher.
    fn update_in_place(&mut self, bytes: &mut [u8]) -> Result<(), CryptoError> {
        if self.context.is_none() {
            return Err(CryptoError::Library { entries: Vec::new(), context: UNSUPPORTED_UPDATE.to_owned() });
        }
        self.pass_tag();
        self.context.as_mut().expect("it was checked above").update_in_place(bytes)
    }

    fn check_message(&self, count: usize) -> Result<(), CryptoError> {
        match self.mode == CCM && count > self.message_bytes_max {
            true => refuse(ErrorKind::Range, "ERR_CRYPTO_INVALID_MESSAGELEN", "Invalid message length"),
            false => Ok(()),
        }
    }

    /// Gives the tag to the library, once, before anything is decrypted.
    fn pass_tag(&mut self) {
        if self.direction == Direction::Decrypt
            && self.is_authenticated
            && !self.is_tag_passed
            && let (Some(context), Some(tag)) = (&mut self.context, &self.tag)
        {
            self.is_tag_passed = context.set_tag(tag);
        }
    }

    fn finish(&mut self) -> Result<Vec<u8>, CryptoError> {
        self.pass_tag();
        let Some(mut context) = self.context.take() else {
            return refuse(ErrorKind::Error, "ERR_CRYPTO_INVALID_STATE", "Invalid state");
        };
        let message = match self.is_authenticated {
            true => "Unsupported state or unable to authenticate data",
            false => "Unsupported state",
        };
        let output = match self.mode == CCM && self.direction == Direction::Decrypt {
            true if self.has_failed || !self.is_tag_passed => {
                return Err(CryptoError::Library { entries: Vec::new(), context: message.to_owned() });
            }
            true => Vec::new(),
            false => context.finish(message)?,
        };
        if self.is_authenticated && self.direction == Direction::Encrypt {
            let count = self.tag_bytes.unwrap_or(TAG_BYTES).min(TAG_BYTES_MAX);
            let mut tag = Tag { bytes: [0; TAG_BYTES_MAX], count };
            context.tag(&mut tag.bytes[..count], message)?;
            self.tag = Some(tag);
        }
        Ok(output)
    }

    fn set_tag(&mut self, tag: &[u8]) -> Result<bool, CryptoError> {
        let is_settable =
            self.context.is_some() && self.is_authenticated && self.direction == Direction::Decrypt;
        if !is_settable || self.tag.is_some() {
            return Ok(false);
        }
        let is_valid = match self.mode {
            GCM => self.tag_bytes.is_none_or(|count| count == tag.len()) && is_gcm_tag(tag.len()),
            _ => self.tag_bytes == Some(tag.len()),
        };
        if !is_valid {
            return refuse_tag(tag.len());
        }
        self.tag_bytes = Some(tag.len());
        self.tag = Some(Tag::of(tag));
        Ok(true)
    }

    fn add_data(&mut self, data: &[u8], message_bytes: Option<usize>) -> Result<bool, CryptoError> {
        if self.context.is_none() || !self.is_authenticated {
            return Ok(false);
        }
        self.pass_tag();
        if self.mode == CCM {
            let Some(count) = message_bytes else {
                let message = "options.plaintextLength required for CCM mode with AAD";
                return refuse(ErrorKind::Type, "ERR_MISSING_ARGS", message);
            };
            self.check_message(count)?;
            let context = self.context.as_mut().expect("it was checked above");
            if !context.set_message_length(count) {
                return Ok(false);
            }
        }
        let context = self.context.as_mut().expect("it was checked above");
        Ok(context.add_data(data))
    }

    /// Additional data, the whole input, the end.
    fn run_once(mut self, data: Option<&[u8]>, input: &[u8]) -> Result<Vec<u8>, CryptoError> {
        let mut input = input;
        if self.is_authenticated && self.direction == Direction::Decrypt {
            let count = self.tag_bytes.unwrap_or(TAG_BYTES);
            let Some((start, tag)) = input.split_at_checked(input.len().wrapping_sub(count)) else {
                return refuse_tag(input.len());
            };
            input = start;
            self.set_tag(tag)?;
        }
        if let Some(data) = data.filter(|data| !data.is_empty()) {
            self.add_data(data, Some(input.len()))?;
        }
        let mut output = self.update(input)?;
        output.extend(self.finish()?);
        if let (Some(tag), Direction::Encrypt) = (self.tag, self.direction) {
            output.extend_from_slice(&tag);
        }
        Ok(output)
    }
}

const UNSUPPORTED_UPDATE: &str = "Trying to add data in unsupported state";
