//! User and group IDs (credentials(7)): a part of `internalBinding('process')`. In: IDs, names.
//! Out: IDs and names; `undefined` where a name or an ID is unknown.

use rusk_base::sys::credentials::{self, IdKind};
use rusk_jsc::{Exception, Object, Outcome, Scope};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::add;
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{errno_result, i32_argument, number_list, string_argument, u32_argument};

rusk_runtime::shared_constants! {
    /// Kinds of IDs for `setId`, and their indexes in `ids`.
    mod id_kind: i32 {
        UID = 0,
        EUID = 1,
        GID = 2,
        EGID = 3,
    }
}

pub(super) fn add_to<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_constants(scope, binding, "idKind", id_kind::ALL)?;
    add(scope, binding, "ids", |scope, _| list(scope, &credentials::ids()))?;
    add(scope, binding, "groups", |scope, _| list(scope, &credentials::groups().unwrap_or_default()))?;
    add(scope, binding, "setId", |scope, call| {
        let kind = match i32_argument(scope, call, 0)? {
            id_kind::UID => IdKind::User,
            id_kind::EUID => IdKind::EffectiveUser,
            id_kind::GID => IdKind::Group,
            _ => IdKind::EffectiveGroup,
        };
        RuntimeState::current().change_process();
        errno_result(scope, credentials::set_id(kind, u32_argument(scope, call, 1)?))
    })?;
    add(scope, binding, "setGroups", |scope, call| {
        let groups = number_list(scope, call.argument(scope, 0))?;
        let groups: Vec<u32> = groups.into_iter().map(|group| group as u32).collect();
        RuntimeState::current().change_process();
        errno_result(scope, credentials::set_groups(&groups))
    })?;
    add(scope, binding, "initGroups", |scope, call| {
        errno_result(
            scope,
            credentials::initgroups(&string_argument(scope, call, 0)?, u32_argument(scope, call, 1)?),
        )
    })?;
    add(scope, binding, "findUser", |scope, call| {
        let result = credentials::find_user(&string_argument(scope, call, 0)?).ok().flatten();
        Ok(result.map_or(scope.undefined(), |user| scope.number(user.user.into())))
    })?;
    add(scope, binding, "findGroup", |scope, call| {
        let result = credentials::find_group(&string_argument(scope, call, 0)?).ok().flatten();
        Ok(result.map_or(scope.undefined(), |group| scope.number(group.into())))
    })?;
    add(scope, binding, "userName", |scope, call| {
        let result = credentials::user(u32_argument(scope, call, 0)?).ok().flatten();
        Ok(result.map_or(scope.undefined(), |user| scope.string(&user.name)))
    })
}

fn list<'s>(scope: &'s Scope, numbers: &[u32]) -> Outcome<'s> {
    let numbers: Vec<_> = numbers.iter().map(|number| scope.number((*number).into())).collect();
    scope.array(&numbers).map(Object::value)
}
