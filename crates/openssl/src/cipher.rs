//! Symmetric ciphers. In: a name, a key, an initialization vector, bytes. Out: bytes, the
//! authentication tag. Absent: the rules of Node about tags and their lengths.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{self, CryptoError};
use crate::library::{open, symbols};
use crate::owned::{Owned, text};
use crate::secret::wipe;
use crate::symbols::Raw;

/// `EVP_CTRL_AEAD_*` of `evp.h`.
const SET_IV_LENGTH: c_int = 0x9;
const GET_TAG: c_int = 0x10;
const SET_TAG: c_int = 0x11;
/// `EVP_CIPHER_CTX_FLAG_WRAP_ALLOW`.
const WRAP_ALLOW: c_int = 0x1;
/// Longest tag of any cipher.
pub const TAG_BYTES_MAX: usize = 16;
/// `EVP_MAX_BLOCK_LENGTH` of `evp.h`.
const BLOCK_BYTES_MAX: usize = 32;
/// `EVP_CIPH_WRAP_MODE`.
const WRAP_MODE: c_int = 0x1_0002;
/// `EVP_CIPH_STREAM_CIPHER` (ChaCha20, ChaCha20-Poly1305), `EVP_CIPH_CTR_MODE`,
/// `EVP_CIPH_GCM_MODE`: no byte of the input is kept back.
const STREAM_MODES: [c_int; 3] = [0, 5, 6];

/// A cipher of the library. A fetched one is never freed: the library caches it.
#[derive(Clone, Copy)]
struct CipherType(Raw);

// SAFETY: a cipher does not change, lives as long as the library, and may be used by any thread.
unsafe impl Send for CipherType {}
// SAFETY: as above.
unsafe impl Sync for CipherType {}

/// Ciphers that were found, by the names that programs use. To find one takes longer than to
/// encrypt some bytes with it.
static FOUND: Mutex<BTreeMap<String, Arc<Cipher>>> = Mutex::new(BTreeMap::new());
/// Names in upper and lower case are many, those that programs use are few.
const FOUND_MAX: usize = 64;

/// A cipher and what is known of it.
pub struct Cipher {
    /// Of a provider where it is known, so that no context has to look for it.
    cipher: CipherType,
    /// As the program wrote it.
    pub name: String,
    pub info: CipherInfo,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CipherInfo {
    pub name: String,
    pub nid: i32,
    /// `EVP_CIPH_*_MODE`.
    pub mode: i32,
    pub block_bytes: usize,
    pub key_bytes: usize,
    pub iv_bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Encrypt,
    Decrypt,
}

pub struct CipherContext {
    context: Owned,
    cipher: Arc<Cipher>,
    direction: Direction,
    /// The length that the key must have.
    key_bytes: usize,
    /// The library knows which cipher it is. Until a length is set it need not: the cipher is
    /// passed together with the key then.
    has_cipher: bool,
}

impl Cipher {
    /// `None`: the library has no such cipher.
    pub fn find(name: &str) -> Result<Option<Arc<Cipher>>, CryptoError> {
        let mut ciphers = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = ciphers.get(name) {
            return Ok(Some(Arc::clone(found)));
        }
        let Some(cipher) = find(name)? else { return Ok(None) };
        let found = Arc::new(Cipher { cipher: cipher.fetched(), name: name.to_owned(), info: cipher.info() });
        if ciphers.len() < FOUND_MAX {
            ciphers.insert(name.to_owned(), Arc::clone(&found));
        }
        Ok(Some(found))
    }

    pub fn find_by_nid(nid: i32) -> Result<Option<Arc<Cipher>>, CryptoError> {
        // SAFETY: any number may be passed; an unknown one gives null.
        let name = text(unsafe { (open()?.OBJ_nid2sn)(nid) });
        error::clear();
        Cipher::find(&name)
    }

    /// Whether each update gives as many bytes as it takes, so that
    /// [`CipherContext::update_in_place`] can be used.
    pub fn is_stream(&self) -> bool {
        self.info.block_bytes == 1 && STREAM_MODES.contains(&self.info.mode)
    }

    fn is_wrap(&self) -> bool {
        self.info.mode == WRAP_MODE
    }

    /// The same with another length of the key or of the vector; `None`: it does not have it.
    pub fn with_lengths(
        self: &Arc<Self>,
        key_bytes: Option<usize>,
        iv_bytes: Option<usize>,
    ) -> Result<Option<CipherInfo>, CryptoError> {
        let mut context = CipherContext::new(self, Direction::Encrypt)?;
        let mut info = self.info.clone();
        if let Some(count) = key_bytes {
            if !context.set_key_length(count)? {
                return Ok(None);
            }
            info.key_bytes = count;
        }
        if let Some(count) = iv_bytes {
            info.iv_bytes = count;
            let CipherInfo { mode, nid, iv_bytes, .. } = self.info;
            let is_settable = matches!(mode, 6 | 7 | 0x1_0003) || nid == 1018;
            // For CCM the library takes what is left of 15 bytes.
            let is_accepted = if mode == 7 { (7..=13).contains(&count) } else { true };
            let is_same = count == iv_bytes;
            if !(is_same || is_settable && is_accepted && context.set_iv_length(count)?) {
                return Ok(None);
            }
        }
        error::clear();
        Ok(Some(info))
    }
}

fn find(name: &str) -> Result<Option<CipherType>, CryptoError> {
    let symbols = open()?;
    let Ok(name) = CString::new(name) else { return Ok(None) };
    // SAFETY: the name ends in NUL; null and an empty query mean the default.
    let found = unsafe {
        let known = (symbols.EVP_get_cipherbyname)(name.as_ptr());
        if known.is_null() {
            (symbols.EVP_CIPHER_fetch)(ptr::null_mut(), name.as_ptr(), ptr::null())
        } else {
            known
        }
    };
    error::clear();
    Ok((!found.is_null()).then_some(CipherType(found)))
}

impl CipherType {
    /// The same of a provider; itself if no provider has it, which using it will report.
    fn fetched(self) -> CipherType {
        let symbols = symbols();
        // SAFETY: the cipher lives as long as the library, and so does its name.
        let fetched = unsafe {
            let name = (symbols.EVP_CIPHER_get0_name)(self.0);
            (symbols.EVP_CIPHER_fetch)(ptr::null_mut(), name, ptr::null())
        };
        error::clear();
        if fetched.is_null() { self } else { CipherType(fetched) }
    }

    fn info(self) -> CipherInfo {
        let symbols = symbols();
        // SAFETY: the cipher lives as long as the library.
        unsafe {
            let nid = (symbols.EVP_CIPHER_get_nid)(self.0);
            let short = text((symbols.OBJ_nid2sn)(nid));
            let own = text((symbols.EVP_CIPHER_get0_name)(self.0));
            CipherInfo {
                name: if nid == 0 { own } else { short },
                nid,
                mode: (symbols.EVP_CIPHER_get_mode)(self.0),
                block_bytes: (symbols.EVP_CIPHER_get_block_size)(self.0).max(0) as usize,
                key_bytes: (symbols.EVP_CIPHER_get_key_length)(self.0).max(0) as usize,
                iv_bytes: (symbols.EVP_CIPHER_get_iv_length)(self.0).max(0) as usize,
            }
        }
    }
}

/// A cipher of the library for another function of it, by name; null: there is none.
pub(crate) fn raw_cipher(name: &str) -> Result<Raw, CryptoError> {
    Ok(find(name)?.map_or(ptr::null_mut(), |cipher| cipher.0))
}

/// The names of all ciphers that the library can use, sorted by bytes.
pub fn cipher_names() -> Result<Vec<String>, CryptoError> {
    unsafe extern "C" fn list(_: Raw, from: *const c_char, _: *const c_char, target: *mut c_void) {
        // An alias has no cipher here.
        if from.is_null() {
            return;
        }
        // SAFETY: `target` is the vector below, which is alive and not used meanwhile; the name
        // ends in NUL.
        unsafe { (*target.cast::<Vec<String>>()).push(CStr::from_ptr(from).to_string_lossy().into_owned()) }
    }
    let symbols = open()?;
    let mut names: Vec<String> = Vec::new();
    // SAFETY: the callback is called before the function returns, with this vector.
    unsafe { (symbols.EVP_CIPHER_do_all_sorted)(list, (&raw mut names).cast()) };
    names.retain(|name| is_usable(name));
    names.sort_unstable();
    names.dedup();
    error::clear();
    Ok(names)
}

/// Whether a provider has the cipher: some names are of ciphers that no provider has.
fn is_usable(name: &str) -> bool {
    let (Ok(name), symbols) = (CString::new(name), symbols()) else { return false };
    // SAFETY: the name ends in NUL; a fetched cipher is freed once.
    unsafe {
        let cipher = (symbols.EVP_get_cipherbyname)(name.as_ptr());
        if cipher.is_null() {
            return false;
        }
        let own = (symbols.EVP_CIPHER_get0_name)(cipher);
        let fetched = (symbols.EVP_CIPHER_fetch)(ptr::null_mut(), own, ptr::null());
        if fetched.is_null() {
            return false;
        }
        (symbols.EVP_CIPHER_free)(fetched);
    }
    true
}

impl CipherContext {
    /// A context without a key yet.
    pub fn new(cipher: &Arc<Cipher>, direction: Direction) -> Result<CipherContext, CryptoError> {
        let symbols = open()?;
        // SAFETY: the function takes no argument.
        let raw = unsafe { (symbols.EVP_CIPHER_CTX_new)() };
        let context = Owned::new(raw, symbols.EVP_CIPHER_CTX_free, "out of memory")?;
        if cipher.is_wrap() {
            // SAFETY: the context is alive.
            unsafe { (symbols.EVP_CIPHER_CTX_set_flags)(context.raw(), WRAP_ALLOW) };
        }
        let cipher = Arc::clone(cipher);
        Ok(CipherContext { context, key_bytes: cipher.info.key_bytes, cipher, direction, has_cipher: false })
    }

    /// Tells the library which cipher it is, which lengths need.
    fn prepare(&mut self) -> Result<(), CryptoError> {
        if self.has_cipher {
            return Ok(());
        }
        self.initialize(ptr::null(), ptr::null())?;
        self.has_cipher = true;
        Ok(())
    }

    /// `key`, `iv`: null, or as long as the context expects.
    fn initialize(&mut self, key: *const u8, iv: *const u8) -> Result<(), CryptoError> {
        error::clear();
        let is_encrypting = c_int::from(self.direction == Direction::Encrypt);
        // -1 keeps the direction.
        let (cipher, direction) = match self.has_cipher {
            true => (ptr::null_mut(), -1),
            false => (self.cipher.cipher.0, is_encrypting),
        };
        // SAFETY: the context is alive, the cipher is or is null; the callers guarantee the rest.
        let made = unsafe {
            let init = symbols().EVP_CipherInit_ex;
            init(self.context.raw(), cipher, ptr::null_mut(), key, iv, direction)
        };
        if made == 1 { Ok(()) } else { Err(CryptoError::take("Failed to initialize cipher")) }
    }

    pub fn set_key_length(&mut self, count: usize) -> Result<bool, CryptoError> {
        if count == self.key_bytes {
            return Ok(true);
        }
        self.prepare()?;
        // SAFETY: the context is alive.
        let is_set =
            unsafe { (symbols().EVP_CIPHER_CTX_set_key_length)(self.context.raw(), int(count)) == 1 };
        if is_set {
            self.key_bytes = count;
        }
        Ok(is_set)
    }

    pub fn set_iv_length(&mut self, count: usize) -> Result<bool, CryptoError> {
        self.prepare()?;
        Ok(self.control(SET_IV_LENGTH, count, ptr::null_mut()))
    }

    pub fn set_tag_length(&mut self, count: usize) -> Result<bool, CryptoError> {
        self.prepare()?;
        Ok(self.control(SET_TAG, count, ptr::null_mut()))
    }

    pub fn set_tag(&mut self, tag: &[u8]) -> bool {
        let mut copy = tag.to_vec();
        self.control(SET_TAG, tag.len(), copy.as_mut_ptr())
    }

    /// Writes the tag of what was encrypted; the target is at most [`TAG_BYTES_MAX`] long.
    pub fn tag(&mut self, target: &mut [u8], context: &'static str) -> Result<(), CryptoError> {
        error::clear();
        match self.control(GET_TAG, target.len(), target.as_mut_ptr()) {
            true => Ok(()),
            false => Err(CryptoError::take(context)),
        }
    }

    fn control(&mut self, request: c_int, number: usize, bytes: *mut u8) -> bool {
        // SAFETY: the context is alive; `bytes` is null or has `number` bytes at least.
        unsafe {
            (symbols().EVP_CIPHER_CTX_ctrl)(self.context.raw(), request, int(number), bytes.cast()) == 1
        }
    }

    /// Sets key and vector; the caller set the length of the vector if it is not the usual one.
    pub fn start(&mut self, key: &[u8], iv: Option<&[u8]>) -> Result<(), CryptoError> {
        if key.len() != self.key_bytes {
            return Err(CryptoError::take("the key has another length"));
        }
        self.initialize(key.as_ptr(), iv.map_or(ptr::null(), <[u8]>::as_ptr))?;
        self.has_cipher = true;
        Ok(())
    }

    pub fn set_padding(&mut self, is_on: bool) -> bool {
        // SAFETY: the context is alive.
        unsafe { (symbols().EVP_CIPHER_CTX_set_padding)(self.context.raw(), c_int::from(is_on)) == 1 }
    }

    /// Additional data of an authenticated mode.
    pub fn add_data(&mut self, data: &[u8]) -> bool {
        let mut written = 0;
        // SAFETY: the context is alive; a null target means additional data.
        let result = unsafe {
            let update = symbols().EVP_CipherUpdate;
            update(self.context.raw(), ptr::null_mut(), &raw mut written, data.as_ptr(), int(data.len()))
        };
        result == 1
    }

    /// The length of the message, which CCM needs before additional data.
    pub fn set_message_length(&mut self, count: usize) -> bool {
        let mut written = 0;
        // SAFETY: the context is alive; null for both means the length.
        let result = unsafe {
            let update = symbols().EVP_CipherUpdate;
            update(self.context.raw(), ptr::null_mut(), &raw mut written, ptr::null(), int(count))
        };
        result == 1
    }

    /// The output for some more input.
    pub fn update(&mut self, input: &[u8]) -> Result<Vec<u8>, CryptoError> {
        error::clear();
        let symbols = symbols();
        let mut count = c_int::try_from(input.len())
            .ok()
            .and_then(|count| count.checked_add(int(2 * self.cipher.info.block_bytes.max(1))))
            .ok_or_else(|| CryptoError::take("the input is too long"))?;
        let (update, raw) = (symbols.EVP_CipherUpdate, self.context.raw());
        if self.cipher.is_wrap() && self.direction == Direction::Encrypt {
            let mut needed = 0;
            // SAFETY: the context is alive; with a null target, wrapping returns the length.
            let known =
                unsafe { update(raw, ptr::null_mut(), &raw mut needed, input.as_ptr(), int(input.len())) };
            if known != 1 {
                return Err(CryptoError::take(UNSUPPORTED));
            }
            count = count.max(needed);
        }
        let mut output = vec![0_u8; count as usize];
        let mut written = 0;
        // SAFETY: the target has room for the input and two blocks, more than an update writes;
        // for wrapping, what the library asked for.
        let result =
            unsafe { update(raw, output.as_mut_ptr(), &raw mut written, input.as_ptr(), int(input.len())) };
        if result != 1 {
            wipe(&mut output);
            return Err(CryptoError::take(UNSUPPORTED));
        }
        output.truncate(written.max(0) as usize);
        Ok(output)
    }

    /// Replaces input of a stream cipher by the output.
    pub fn update_in_place(&mut self, bytes: &mut [u8]) -> Result<(), CryptoError> {
        if !self.cipher.is_stream() {
            return Err(CryptoError::take(UNSUPPORTED));
        }
        error::clear();
        let (first, mut written) = (bytes.as_mut_ptr(), 0);
        // SAFETY: the context is alive; a stream cipher writes what it reads, at the same place.
        let result = unsafe {
            let update = symbols().EVP_CipherUpdate;
            update(self.context.raw(), first, &raw mut written, first, int(bytes.len()))
        };
        if result == 1 { Ok(()) } else { Err(CryptoError::take(UNSUPPORTED)) }
    }

    /// The last output.
    pub fn finish(&mut self, context: &'static str) -> Result<Vec<u8>, CryptoError> {
        error::clear();
        let mut output = [0_u8; BLOCK_BYTES_MAX];
        let mut written = 0;
        // SAFETY: the target has room for a block of any cipher.
        let result = unsafe {
            (symbols().EVP_CipherFinal_ex)(self.context.raw(), output.as_mut_ptr(), &raw mut written)
        };
        if result != 1 {
            return Err(CryptoError::take(context));
        }
        Ok(output[..written.max(0) as usize].to_vec())
    }
}

const UNSUPPORTED: &str = "Trying to add data in unsupported state";

fn int(count: usize) -> c_int {
    c_int::try_from(count).unwrap_or(c_int::MAX)
}
