//! Errors of provenance statements.

use rusk_base::Problem;
use rusk_npm::json::{self, Dialect};

use super::statement::Service;

/// Longer answers are cut in errors.
const SAID_MAX: usize = 200;

pub fn no_service() -> Problem {
    Problem::new(
        "provenance-service",
        "a provenance statement can be signed only by a job of GitHub or GitLab",
    )
    .hint("publish from such a job, or pass a signed statement with `--provenance-file`")
}

pub fn no_identity(service: Service) -> Problem {
    let problem = Problem::new(
        "provenance-service",
        "the job may not ask for an identity token for a provenance statement",
    );
    match service {
        Service::GitHub => problem.hint("give the job the permission `id-token: write`"),
        Service::GitLab => {
            problem.hint("add `SIGSTORE_ID_TOKEN` with the audience `sigstore` to the job's `id_tokens`")
        }
    }
}

pub fn identity_refused(reason: &str) -> Problem {
    Problem::new("provenance-service", format!("no provenance statement can be signed: {reason}"))
}

pub fn unreadable_identity() -> Problem {
    Problem::new("provenance-service", "the identity token for the provenance statement names no subject")
}

/// With what the service says.
pub fn service_refused(subject: &str, status: u16, body: &[u8]) -> Problem {
    let text = String::from_utf8_lossy(body);
    let problem = Problem::new("provenance-service", format!("Sigstore refused {subject}: {status}"));
    match json::parse(&text, Dialect::Strict).ok().as_ref().and_then(|root| root.find("message")?.as_str()) {
        Some(said) => {
            let said: String = said.chars().filter(|said| !said.is_control()).take(SAID_MAX).collect();
            problem.note(format!("it says: {said}"))
        }
        None => problem,
    }
}

pub fn unreadable_answer(subject: &str) -> Problem {
    Problem::new("provenance-service", format!("Sigstore's answer has not {subject}"))
}

/// ring has no random bytes.
pub fn no_signature() -> Problem {
    Problem::new("provenance-service", "the provenance statement cannot be signed: no random bytes")
}

pub fn invalid_file(path: &str, reason: &str) -> Problem {
    Problem::new("provenance-file", format!("`{path}` is no provenance of this package: {reason}"))
}
