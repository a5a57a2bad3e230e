//! Work of the library, now or on the thread pool. In: a closure. Out: its result as a value, or an
//! error with Node's properties, thrown or passed to the callback.

use std::sync::Arc;

use rusk_jsc::{Bytes, Call, ErrorKind as ErrorClass, Exception, Object, Outcome, Root, Scope, Value};
use rusk_openssl::{CryptoError, ErrorEntry, ErrorKind, KeyHandle, KeyMaterial, SecretBytes};
use rusk_runtime::RuntimeState;

pub enum JobOutput {
    Nothing,
    Boolean(bool),
    Bytes(Vec<u8>),
    Secret(SecretBytes),
    Key(KeyMaterial),
    /// A shared secret and its encapsulation.
    Pair(SecretBytes, Vec<u8>),
}

impl JobOutput {
    pub fn into_value(self, scope: &Scope) -> Outcome<'_> {
        match self {
            JobOutput::Nothing => Ok(scope.undefined()),
            JobOutput::Boolean(value) => Ok(scope.boolean(value)),
            JobOutput::Bytes(bytes) => Bytes::from_vec(scope, bytes).map(Object::value),
            JobOutput::Secret(bytes) => Bytes::from_vec(scope, bytes.to_vec()).map(Object::value),
            JobOutput::Key(key) => Ok(scope.native(KeyHandle(Arc::new(key))).value()),
            JobOutput::Pair(secret, wrapped) => {
                let secret = Bytes::from_vec(scope, secret.to_vec())?;
                let wrapped = Bytes::from_vec(scope, wrapped)?;
                scope.array(&[secret.value(), wrapped.value()]).map(Object::value)
            }
        }
    }
}

/// On the thread pool if there is a callback at `index`; it is called with an error or null, and
/// the result.
pub fn run_job<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
    job: impl FnOnce() -> Result<JobOutput, CryptoError> + Send + 'static,
) -> Outcome<'s> {
    let callback = call.argument(scope, index);
    if callback.is_undefined(scope) {
        return super::finish(scope, job());
    }
    let callback = Root::new(scope, callback);
    RuntimeState::current().handle.queue_work(job, move |scope, result: Result<JobOutput, CryptoError>| {
        let function = callback.value(scope).as_function(scope).expect("JavaScript passes a function");
        let arguments: [Value<'_>; 2] = match result {
            Ok(output) => [scope.null(), output.into_value(scope)?],
            Err(failure) => [throw(scope, &failure).value(), scope.undefined()],
        };
        function.call(scope, &arguments).map(|_| ())
    });
    Ok(scope.undefined())
}

/// The error that Node makes of a failure.
pub fn throw<'s>(scope: &'s Scope, failure: &CryptoError) -> Exception<'s> {
    let class = match failure {
        CryptoError::Coded { kind: ErrorKind::Type, .. } => ErrorClass::Type,
        CryptoError::Coded { kind: ErrorKind::Range, .. } => ErrorClass::Range,
        _ => ErrorClass::Error,
    };
    let exception = Exception::new(scope, class, &failure.to_string());
    let Some(error) = exception.value().as_object(scope) else { return exception };
    match decorate(scope, error, failure) {
        Ok(()) => exception,
        Err(thrown) => thrown,
    }
}

fn decorate<'s>(scope: &'s Scope, error: Object<'s>, failure: &CryptoError) -> Result<(), Exception<'s>> {
    match failure {
        CryptoError::Unavailable(_) => {
            error.set_property(scope, "code", scope.string("ERR_FEATURE_UNAVAILABLE_ON_PLATFORM"))
        }
        CryptoError::Coded { code, .. } => error.set_property(scope, "code", scope.string(code)),
        CryptoError::Library { entries, .. } => match entries.split_first() {
            Some((first, rest)) => decorate_with_entries(scope, error, first, rest),
            None => Ok(()),
        },
    }
}

fn decorate_with_entries<'s>(
    scope: &'s Scope,
    error: Object<'s>,
    first: &ErrorEntry,
    rest: &[ErrorEntry],
) -> Result<(), Exception<'s>> {
    if !rest.is_empty() {
        let lines: Vec<_> = rest.iter().rev().map(|entry| scope.string(&entry.message)).collect();
        error.set_property(scope, "opensslErrorStack", scope.array(&lines)?.value())?;
    }
    if !first.library.is_empty() {
        error.set_property(scope, "library", scope.string(&first.library))?;
    }
    if !first.reason.is_empty() {
        error.set_property(scope, "reason", scope.string(&first.reason))?;
    }
    match first.code() {
        Some(code) => error.set_property(scope, "code", scope.string(&code)),
        None => Ok(()),
    }
}
