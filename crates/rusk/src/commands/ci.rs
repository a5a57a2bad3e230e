//! `rusk ci`: what the lockfile pins, into a fresh node_modules.

use rusk_install::Request;
use rusk_install::request::{Edit, Goal};

use super::request;
use crate::flags::Invocation;

pub fn request(invocation: &Invocation) -> Request {
    Request { goal: Goal::Clean, ..request::with_edit(invocation, Edit::None) }
}
