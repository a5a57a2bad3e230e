//! The part of `internalBinding('process')` about users and groups. In: numbers, names. Out:
//! numbers; `undefined` where nobody has a name.

use rusk_base::sys::credentials::{self, IdKind};
use rusk_jsc::{Exception, Object, Outcome, Scope};

use rusk_runtime::bindings::add;
use rusk_runtime::values::{errno, id, int, numbers, text};

pub(super) fn add_to<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, natives, "ids", |scope, _| list(scope, &credentials::ids()))?;
    add(scope, natives, "groups", |scope, _| list(scope, &credentials::groups().unwrap_or_default()))?;
    add(scope, natives, "setId", |scope, call| {
        let which = match int(scope, call, 0)? {
            0 => IdKind::User,
            1 => IdKind::EffectiveUser,
            2 => IdKind::Group,
            _ => IdKind::EffectiveGroup,
        };
        errno(scope, credentials::set_id(which, id(scope, call, 1)?))
    })?;
    add(scope, natives, "setGroups", |scope, call| {
        let groups = numbers(scope, call.argument(scope, 0))?;
        let groups: Vec<u32> = groups.into_iter().map(|group| group as u32).collect();
        errno(scope, credentials::set_groups(&groups))
    })?;
    add(scope, natives, "initGroups", |scope, call| {
        errno(scope, credentials::initgroups(&text(scope, call, 0)?, id(scope, call, 1)?))
    })?;
    add(scope, natives, "findUser", |scope, call| {
        let found = credentials::find_user(&text(scope, call, 0)?).ok().flatten();
        Ok(found.map_or(scope.undefined(), |user| scope.number(user.user.into())))
    })?;
    add(scope, natives, "findGroup", |scope, call| {
        let found = credentials::find_group(&text(scope, call, 0)?).ok().flatten();
        Ok(found.map_or(scope.undefined(), |group| scope.number(group.into())))
    })?;
    add(scope, natives, "userName", |scope, call| {
        let found = credentials::user(id(scope, call, 0)?).ok().flatten();
        Ok(found.map_or(scope.undefined(), |user| scope.string(&user.name)))
    })
}

fn list<'s>(scope: &'s Scope, numbers: &[u32]) -> Outcome<'s> {
    let numbers: Vec<_> = numbers.iter().map(|number| scope.number((*number).into())).collect();
    scope.array(&numbers).map(Object::value)
}
