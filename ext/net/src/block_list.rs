//! Block lists: `internalBinding('block_list')`. In: addresses as strings, families. Out: addresses
//! in libuv's notation; a list, which the threads of a program share. Absent: validation of
//! arguments (js/internal/net).

use std::rc::Rc;
use std::sync::Arc;

use rusk_jsc::{Call, ErrorKind, Exception, Object, Outcome, Scope};

use rusk_block_list::{BlockList, Family, Rule, parse, render};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{string_argument, u32_argument};

/// The native object that JavaScript holds; threads share the list.
#[derive(Clone, Default)]
pub struct SharedBlockList(pub Arc<BlockList>);

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "create", |scope, _| Ok(scope.native(SharedBlockList::default()).value()))?;
    // Arguments: string, is IPv6. Returns the normalized address, or undefined if it is invalid.
    add(scope, binding, "address", |scope, call| {
        let address = parse(&string_argument(scope, call, 0)?, family(scope, call, 1));
        Ok(address.map_or(scope.undefined(), |address| scope.string(&render(address))))
    })?;
    // Arguments: list, address, is IPv6.
    add(scope, binding, "addAddress", |scope, call| {
        let Some(address) = parse(&string_argument(scope, call, 1)?, family(scope, call, 2)) else {
            return Ok(scope.boolean(false));
        };
        add_rule(scope, call, Rule::Address(address))
    })?;
    // Arguments: list, start, is IPv6, end, is IPv6.
    add(scope, binding, "addRange", |scope, call| {
        let start = parse(&string_argument(scope, call, 1)?, family(scope, call, 2));
        let end = parse(&string_argument(scope, call, 3)?, family(scope, call, 4));
        match (start, end) {
            (Some(start), Some(end)) => add_rule(scope, call, Rule::Range(start, end)),
            _ => Ok(scope.boolean(false)),
        }
    })?;
    // Arguments: list, network, is IPv6, prefix length.
    add(scope, binding, "addSubnet", |scope, call| {
        let prefix = u32_argument(scope, call, 3)?;
        match parse(&string_argument(scope, call, 1)?, family(scope, call, 2)) {
            Some(network) => add_rule(scope, call, Rule::Subnet(network, prefix)),
            None => Ok(scope.boolean(false)),
        }
    })?;
    // Arguments: list, address, is IPv6.
    add(scope, binding, "check", |scope, call| {
        let address = parse(&string_argument(scope, call, 1)?, family(scope, call, 2));
        let list = list(scope, call)?;
        Ok(scope.boolean(address.is_some_and(|address| list.0.contains(address))))
    })?;
    add(scope, binding, "rules", |scope, call| {
        let rules = list(scope, call)?.0.rules();
        let rules: Vec<_> = rules.iter().map(|rule| scope.string(rule)).collect();
        scope.array(&rules).map(Object::value)
    })?;
    Ok(binding)
}

fn list<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Rc<SharedBlockList>, Exception<'s>> {
    let list = call.argument(scope, 0).as_object(scope).and_then(|list| list.as_native(scope));
    list.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "Illegal invocation"))
}

fn family<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Family {
    if call.argument(scope, index).is_truthy(scope) { Family::V6 } else { Family::V4 }
}

/// Returns false if the end of a range is before its start.
fn add_rule<'s>(scope: &'s Scope, call: &Call<'s>, rule: Rule) -> Outcome<'s> {
    let list = list(scope, call)?;
    Ok(scope.boolean(list.0.add(rule).is_ok()))
}
