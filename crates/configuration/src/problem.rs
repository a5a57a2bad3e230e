//! Errors of a configuration.

use rusk_base::problem::Problem;

/// The URL itself is not shown: it may contain a secret.
pub(crate) fn registry_url(source: &str) -> Problem {
    Problem::new(
        "registry-address",
        format!("`{source}` is not a registry URL, expected `https://host/path/`"),
    )
}

/// A value of a key of `.npmrc` that rusk does not ignore, because the key protects.
pub(crate) fn npmrc_value(key: &str, found: &str, expected: &str) -> Problem {
    Problem::new("npmrc-value", format!("`{key}` is `{found}`, expected {expected}"))
}

pub(crate) fn no_cache_dir() -> Problem {
    Problem::new("no-cache-dir", "no cache directory is configured, and the home directory is unknown")
        .hint("set `RUSK_CACHE_DIR`, or pass `--cache-dir`")
}

/// `host`: where a project's configuration would send the variable `name`.
pub(crate) fn variable_sent(name: &str, host: &str) -> Problem {
    let message = format!("the project's configuration would send `{name}` of the environment to `{host}`");
    Problem::new("variable-sent", message).note("no setting of yours names that host").hint(format!(
        "if you trust it, add `trusted-registries[]={host}` to your own .npmrc; at a terminal, rusk asks"
    ))
}

/// As [`variable_sent`], by plain HTTP to a host that the user's own settings name by https.
pub(crate) fn variable_sent_plainly(name: &str, host: &str) -> Problem {
    let message =
        format!("the project's configuration would send `{name}` of the environment to `{host}` unencrypted");
    Problem::new("variable-sent", message)
        .note("your own settings name that host with `https:`")
        .hint("write `https:` in the project's configuration")
}

pub(crate) fn secret_by_plain_http(host: &str) -> Problem {
    Problem::new("secret-exposed", format!("`{host}` gets no password or token by plain HTTP"))
        .note("the registry's URL begins with `http:`; another setting, or the default, says `https:`")
        .hint(format!("pass `--registry` with the `https:` URL of `{host}`"))
}

/// `key`: of a project's file.
pub(crate) fn secret_by_project_network(host: &str, key: &str) -> Problem {
    Problem::new("secret-exposed", format!("no secret is sent to `{host}`: the project sets `{key}`"))
        .note("the author of the project could read it")
        .hint("run it outside of the project, or set `trust-project-network=true` in your own .npmrc")
}
