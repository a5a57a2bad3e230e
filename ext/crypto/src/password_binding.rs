//! Password hashes for JavaScript. In: passwords, costs that JavaScript has checked, a callback.
//! Out: a hash as text; whether a password matches; the name of an error. With a callback the work
//! runs on the thread pool.

use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope, Value};
use rusk_openssl::SecretBytes;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::add;
use rusk_runtime::values::{string_argument, u32_argument};

use super::bytes_of;
use super::password::{self, Family, HashError, HashMethod};

const BCRYPT: &str = "bcrypt";

/// The result of a job: a hash, or whether the password matches.
enum Answer {
    Hash(String),
    Match(bool),
}

pub fn add_to<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // `(password, algorithm, memory in KiB or cost of bcrypt, passes, callback)`: a hash.
    add(scope, binding, "passwordHash", |scope, call| {
        let password = secret(scope, call, 0)?;
        let (name, first, second) =
            (string_argument(scope, call, 1)?, u32_argument(scope, call, 2)?, u32_argument(scope, call, 3)?);
        let method = match name.parse() {
            Ok(variant) => HashMethod::Argon2 { variant, memory_kib: first, passes: second },
            Err(_) => HashMethod::Bcrypt { cost: first },
        };
        run(scope, call.argument(scope, 4), move || password::hash(&password, method).map(Answer::Hash))
    })?;
    // `(password, hash, algorithm or undefined, callback)`: whether they match.
    add(scope, binding, "passwordVerify", |scope, call| {
        let (password, hash) = (secret(scope, call, 0)?, bytes_of(scope, call.argument(scope, 1))?);
        let family = match call.argument(scope, 2).is_undefined(scope) {
            true => None,
            false if string_argument(scope, call, 2)? == BCRYPT => Some(Family::Bcrypt),
            false => Some(Family::Argon2),
        };
        run(scope, call.argument(scope, 3), move || {
            password::verify(&password, &hash, family).map(Answer::Match)
        })
    })
}

fn secret<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<SecretBytes, Exception<'s>> {
    bytes_of(scope, call.argument(scope, index)).map(SecretBytes::new)
}

/// Returns `[error, answer]`, or calls back with them.
fn run<'s>(
    scope: &'s Scope,
    callback: Value<'s>,
    job: impl FnOnce() -> Result<Answer, HashError> + Send + 'static,
) -> Outcome<'s> {
    if callback.is_undefined(scope) {
        return scope.array(&values(scope, job())).map(Object::value);
    }
    let callback = Root::new(scope, callback);
    RuntimeState::current().handle.queue_work(job, move |scope, answer: Result<Answer, HashError>| {
        let function = callback.value(scope).as_function(scope).expect("JavaScript passes a function");
        function.call(scope, &values(scope, answer)).map(|_| ())
    });
    Ok(scope.undefined())
}

fn values<'s>(scope: &'s Scope, answer: Result<Answer, HashError>) -> [Value<'s>; 2] {
    match answer {
        Ok(Answer::Hash(hash)) => [scope.undefined(), scope.string(&hash)],
        Ok(Answer::Match(is_match)) => [scope.undefined(), scope.boolean(is_match)],
        Err(error) => [scope.string(error.name()), scope.undefined()],
    }
}
