//! Password hashes of `Bun.password`: Argon2 (RFC 9106) in PHC's string format, bcrypt in the
//! modular crypt format; Argon2 alone for `node:crypto` where OpenSSL is too old to have it. In:
//! passwords, costs, hashes as text. Out: hashes as text, whether a password matches. Absent: other
//! versions of Argon2 than 1.3, checks of the caller's arguments.

use argon2::{Algorithm, Argon2, AssociatedData, ParamsBuilder, Version};
use base64::Engine;
use base64::alphabet;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::{NO_PAD, STANDARD_NO_PAD};
use rusk_base::sys::process;
use rusk_openssl::{SecretBytes, are_equal};
use sha2::{Digest, Sha512};

/// As Bun's.
const ARGON2_SALT_BYTES: usize = 32;
const ARGON2_HASH_BYTES: usize = 32;

const BCRYPT_SALT_BYTES: usize = 16;
/// The last of the 24 bytes is not part of the text.
const BCRYPT_HASH_BYTES: usize = 23;
const BCRYPT_SALT_CHARACTERS: usize = 22;
const BCRYPT_CHARACTERS: usize = 60;
/// A longer password is hashed before, so that its end counts too.
const BCRYPT_PASSWORD_BYTES_MAX: usize = 72;
const BCRYPT_COSTS: std::ops::RangeInclusive<u32> = 4..=31;
/// The last character of a salt has bits to spare, which some programs set.
const BCRYPT_BASE64: GeneralPurpose =
    GeneralPurpose::new(&alphabet::BCRYPT, NO_PAD.with_decode_allow_trailing_bits(true));

/// Bun's names, which are part of its error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashError {
    UnsupportedAlgorithm,
    InvalidEncoding,
    WeakParameters,
    OutOfMemory,
}

impl HashError {
    pub fn name(self) -> &'static str {
        match self {
            HashError::UnsupportedAlgorithm => "UnsupportedAlgorithm",
            HashError::InvalidEncoding => "InvalidEncoding",
            HashError::WeakParameters => "WeakParameters",
            HashError::OutOfMemory => "OutOfMemory",
        }
    }
}

/// How a new hash is made.
#[derive(Clone, Copy)]
pub enum HashMethod {
    Argon2 { variant: Algorithm, memory_kib: u32, passes: u32 },
    Bcrypt { cost: u32 },
}

/// Which algorithms a caller accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Argon2,
    Bcrypt,
}

/// The hash with a random salt, as text.
pub fn hash(password: &[u8], method: HashMethod) -> Result<String, HashError> {
    match method {
        HashMethod::Argon2 { variant, memory_kib, passes } => {
            let salt = random::<ARGON2_SALT_BYTES>();
            let costs = Costs { memory_kib, passes, lanes: 1 };
            let input = Argon2Input { message: password, nonce: &salt, ..Argon2Input::default() };
            let hash = argon2(variant, costs, input, ARGON2_HASH_BYTES)?;
            let [salt, hash] = [&salt[..], &hash[..]].map(|bytes| STANDARD_NO_PAD.encode(bytes));
            Ok(format!("${variant}$v=19$m={memory_kib},t={passes},p=1${salt}${hash}"))
        }
        HashMethod::Bcrypt { cost } => {
            let salt = random::<BCRYPT_SALT_BYTES>();
            let (text, hash) =
                (BCRYPT_BASE64.encode(salt), BCRYPT_BASE64.encode(bcrypt(password, cost, salt)));
            Ok(format!("$2b${cost:02}${text}{hash}"))
        }
    }
}

/// Whether it is the hash of this password. `family`: expected by the caller; `None`: any.
pub fn verify(password: &[u8], hash: &[u8], family: Option<Family>) -> Result<bool, HashError> {
    let text = str::from_utf8(hash).map_err(|_| HashError::InvalidEncoding)?;
    match (family_of(text), family) {
        (_, None) if family_of(text).is_none() => Err(HashError::UnsupportedAlgorithm),
        (Some(Family::Bcrypt), Some(Family::Argon2)) => Err(HashError::InvalidEncoding),
        (Some(Family::Argon2), Some(Family::Bcrypt)) => Ok(false),
        (found, wanted) => match found.or(wanted) {
            Some(Family::Bcrypt) => verify_bcrypt(password, text),
            _ => verify_argon2(password, text),
        },
    }
}

fn family_of(hash: &str) -> Option<Family> {
    let name = hash.strip_prefix('$')?.split('$').next()?;
    match name {
        _ if name.parse::<Algorithm>().is_ok() => Some(Family::Argon2),
        _ if name.starts_with('2') => Some(Family::Bcrypt),
        _ => None,
    }
}

/// `$argon2id$v=19$m=65536,t=2,p=1$salt$hash`.
fn verify_argon2(password: &[u8], text: &str) -> Result<bool, HashError> {
    let parts: Vec<&str> = text.split('$').collect();
    let (name, costs, salt, hash) = match parts[..] {
        ["", name, "v=19", costs, salt, hash] | ["", name, costs, salt, hash] => (name, costs, salt, hash),
        _ => return Err(HashError::InvalidEncoding),
    };
    let variant = name.parse::<Algorithm>().map_err(|_| HashError::InvalidEncoding)?;
    let costs = Costs::parse(costs).ok_or(HashError::InvalidEncoding)?;
    let decode = |text| STANDARD_NO_PAD.decode(text).map_err(|_| HashError::InvalidEncoding);
    let (salt, hash) = (decode(salt)?, decode(hash)?);
    let input = Argon2Input { message: password, nonce: &salt, ..Argon2Input::default() };
    match argon2(variant, costs, input, hash.len()) {
        Ok(made) => Ok(are_equal(&made, &hash)),
        // No password has a hash with such costs.
        Err(HashError::WeakParameters) => Ok(false),
        Err(other) => Err(other),
    }
}

#[derive(Clone, Copy)]
pub struct Costs {
    pub memory_kib: u32,
    pub passes: u32,
    pub lanes: u32,
}

/// What is hashed. Secret and associated data may be empty; the latter has at most 32 bytes.
#[derive(Clone, Copy, Default)]
pub struct Argon2Input<'a> {
    pub message: &'a [u8],
    pub nonce: &'a [u8],
    pub secret: &'a [u8],
    pub associated_data: &'a [u8],
}

impl Costs {
    /// `m=65536,t=2,p=1`.
    fn parse(text: &str) -> Option<Costs> {
        let mut parts = text.split(',');
        let mut next = |prefix| parts.next()?.strip_prefix(prefix)?.parse::<u32>().ok();
        let costs = Costs { memory_kib: next("m=")?, passes: next("t=")?, lanes: next("p=")? };
        parts.next().is_none().then_some(costs)
    }
}

pub fn argon2(
    variant: Algorithm,
    costs: Costs,
    input: Argon2Input<'_>,
    count: usize,
) -> Result<SecretBytes, HashError> {
    let Argon2Input { message, nonce, secret, associated_data } = input;
    let data = AssociatedData::new(associated_data).map_err(|_| HashError::WeakParameters)?;
    let mut params = ParamsBuilder::new();
    params.m_cost(costs.memory_kib).t_cost(costs.passes).p_cost(costs.lanes).output_len(count).data(data);
    let params = params.build().map_err(|_| HashError::WeakParameters)?;
    let hasher = Argon2::new_with_secret(secret, variant, Version::V0x13, params);
    let mut hash = vec![0; count];
    match hasher.and_then(|hasher| hasher.hash_password_into(message, nonce, &mut hash)) {
        Ok(()) => Ok(SecretBytes::new(hash)),
        Err(argon2::Error::OutOfMemory) => Err(HashError::OutOfMemory),
        Err(_) => Err(HashError::WeakParameters),
    }
}

/// `$2b$10$`, then salt and hash.
fn verify_bcrypt(password: &[u8], text: &str) -> Result<bool, HashError> {
    let mut parts = text.split('$').skip(1);
    let mut next = || parts.next().ok_or(HashError::InvalidEncoding);
    let (version, cost, rest) = (next()?, next()?, next()?);
    let is_version = matches!(version, "2a" | "2b" | "2x" | "2y");
    if !is_version || cost.len() != 2 || text.len() != BCRYPT_CHARACTERS {
        return Err(HashError::InvalidEncoding);
    }
    let cost: u32 = cost.parse().map_err(|_| HashError::InvalidEncoding)?;
    if !BCRYPT_COSTS.contains(&cost) {
        return Err(HashError::WeakParameters);
    }
    let (salt, hash) = rest.split_at_checked(BCRYPT_SALT_CHARACTERS).ok_or(HashError::InvalidEncoding)?;
    let decode = |text: &str| BCRYPT_BASE64.decode(text).map_err(|_| HashError::InvalidEncoding);
    let salt: [u8; BCRYPT_SALT_BYTES] = decode(salt)?.try_into().map_err(|_| HashError::InvalidEncoding)?;
    Ok(are_equal(&bcrypt(password, cost, salt), &decode(hash)?))
}

fn bcrypt(password: &[u8], cost: u32, salt: [u8; BCRYPT_SALT_BYTES]) -> [u8; BCRYPT_HASH_BYTES] {
    let mut key = match password.len() {
        0..=BCRYPT_PASSWORD_BYTES_MAX => password.to_vec(),
        _ => Sha512::digest(password).as_slice().to_vec(),
    };
    // The byte that ends a string of C counts, if there is room for it.
    if key.len() < BCRYPT_PASSWORD_BYTES_MAX {
        key.push(0);
    }
    let key = SecretBytes::new(key);
    let mut hash = [0; BCRYPT_HASH_BYTES];
    hash.copy_from_slice(&bcrypt::bcrypt(cost, salt, &key)[..BCRYPT_HASH_BYTES]);
    hash
}

fn random<const COUNT: usize>() -> [u8; COUNT] {
    let mut bytes = [0; COUNT];
    process::fill_random(&mut bytes).expect("getrandom(2) does not fail without a signal");
    bytes
}

#[cfg(test)]
mod tests;
