//! `rusk update`: which names move, and how far.

use rusk_install::Request;
use rusk_install::request::{Edit, Reach};

use super::request;
use crate::flags::{Flag, Invocation};

pub fn request(invocation: &Invocation) -> Request {
    let reach = if invocation.is_on(Flag::Latest) { Reach::ToLatest } else { Reach::InRange };
    request::with_edit(invocation, Edit::Update { names: invocation.operands.clone(), reach })
}
