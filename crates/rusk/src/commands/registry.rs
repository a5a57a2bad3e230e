//! Commands that talk to a registry's API: publishing, dist-tags, deprecation, logins. In: an
//! invocation and the configuration of the current directory. Out: requests, and what they
//! answered.

pub mod deprecate;
pub mod dist_tag;
pub mod login;
pub mod one_time_password;
pub mod problem;
pub mod prompt;
pub mod publish;
pub mod session;
