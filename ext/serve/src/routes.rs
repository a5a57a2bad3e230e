//! Routes of a server: added one by one, then put in place together. In: a path, a method, a
//! target. Absent: matching (`rusk-http-server`).

use std::path::PathBuf;
use std::rc::Rc;

use rusk_http_server::{
    Directory, FileFields, FileResponse, Route, RouteTarget, SliceMeaning, StaticResponse,
};
use rusk_jsc::{Call, Exception, Kind, Object, Scope};
use rusk_runtime::bindings::add;
use rusk_runtime::values::{i32_argument, negative_errno, string_argument, string_list};

use crate::flag;
use crate::responses::{HeadArguments, latin1, push_body};
use crate::servers::of_call;

pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // Arguments: server, path, index of the method or -1, number of the handler; -1: none, as if
    // there were no route.
    add(scope, binding, "addHandlerRoute", |scope, call| {
        let number = i32_argument(scope, call, 3)?;
        let target = u32::try_from(number).map_or(RouteTarget::Fallback, RouteTarget::Handler);
        add_route(scope, call, 1, 2, target)?;
        Ok(scope.undefined())
    })?;
    // Arguments: server, nothing, status, reason, fields, flags, body, ETag or undefined, path,
    // method.
    add(scope, binding, "addStaticRoute", |scope, call| {
        let arguments = HeadArguments::of(scope, call)?;
        let mut body = Vec::new();
        push_body(scope, call.argument(scope, 6), &mut body);
        let etag = call.argument(scope, 7);
        let etag = (!etag.is_undefined(scope)).then(|| latin1(scope, etag));
        let response = StaticResponse::new(&arguments.head(), body, etag);
        add_route(scope, call, 8, 9, RouteTarget::Static(Rc::new(response)))?;
        Ok(scope.undefined())
    })?;
    // Arguments: server, nothing, status, reason, fields, flags, path of the file, start, end,
    // path, method.
    add(scope, binding, "addFileRoute", |scope, call| {
        let arguments = HeadArguments::of(scope, call)?;
        let response = FileResponse {
            path: PathBuf::from(string_argument(scope, call, 6)?),
            status: arguments.status,
            sets: file_flags(arguments.flags),
            reason: arguments.reason,
            fields: arguments.fields,
            start: optional_number(scope, call, 7)?.unwrap_or(0),
            end: optional_number(scope, call, 8)?,
            slice: SliceMeaning::Resource,
        };
        add_route(scope, call, 9, 10, RouteTarget::File(Rc::new(response)))?;
        Ok(scope.undefined())
    })?;
    // Arguments: server, path of the route, path of the directory, extensions and content types in
    // turn. Returns 0 or an errno.
    add(scope, binding, "addDirectoryRoute", |scope, call| {
        let (route, path) = (string_argument(scope, call, 1)?, string_argument(scope, call, 2)?);
        let types = string_list(scope, call.argument(scope, 3))?;
        let pairs = types.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        match Directory::open(&PathBuf::from(path), &route, pairs) {
            Ok(directory) => {
                add_route(scope, call, 1, 4, RouteTarget::Directory(Rc::new(directory)))?;
                Ok(scope.number(0.0))
            }
            Err(errno) => Ok(scope.number(negative_errno(errno))),
        }
    })?;
    add(scope, binding, "commitRoutes", |scope, call| {
        if let Some(entry) = of_call(scope, call) {
            let routes = entry.new_routes.take();
            entry.server.borrow_mut().set_routes(routes);
        }
        Ok(scope.undefined())
    })
}

/// `path`, `method`: where they are in the call's arguments. Without a method all are meant.
fn add_route<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    path: usize,
    method: usize,
    target: RouteTarget,
) -> Result<(), Exception<'s>> {
    let path = string_argument(scope, call, path)?;
    let method = optional_number(scope, call, method)?.map(|method| method as usize);
    if let Some(entry) = of_call(scope, call) {
        entry.new_routes.borrow_mut().add(Route { path: &path, method, target });
    }
    Ok(())
}

/// `None`: undefined, negative or infinite.
pub fn optional_number<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Option<u64>, Exception<'s>> {
    let value = call.argument(scope, index);
    if value.kind(scope) != Kind::Number {
        return Ok(None);
    }
    let number = value.to_number(scope)?;
    Ok((number.is_finite() && number >= 0.0).then_some(number as u64))
}

pub fn file_flags(flags: u32) -> FileFields {
    FileFields {
        has_date: flags & flag::HAS_DATE != 0,
        has_last_modified: flags & flag::HAS_LAST_MODIFIED != 0,
        has_etag: flags & flag::HAS_ETAG != 0,
        closes: flags & flag::CLOSES != 0,
    }
}
