//! `rusk remove`: the names to take out of package.json.

use rusk_install::Request;
use rusk_install::request::Edit;

use super::request;
use crate::flags::Invocation;

pub fn request(invocation: &Invocation) -> Request {
    request::with_edit(invocation, Edit::Remove { names: invocation.operands.clone() })
}
