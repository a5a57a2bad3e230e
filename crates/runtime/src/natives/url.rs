//! Addresses, as the standard of the web reads them. In: texts. Out: the address written out, and where its parts begin and end,
//! in one call; what a setter makes of it; domains. Absent: getters, which are slices that JavaScript takes; searches as lists.

use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Object, Outcome, Scope};
use url::{Host as HostName, Url, quirks};

use super::{Host, add, object};

/// Words of the array that `parse` fills, see [`parts`].
const WORDS: usize = 9;

pub(crate) fn make<'s>(scope: &'s Scope, _: &Host) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "parse", |scope, call| {
        let found = parse(scope, call)?;
        tell(scope, call, 2, found)
    })?;
    add(scope, natives, "canParse", |scope, call| Ok(scope.boolean(parse(scope, call)?.is_some())))?;
    add(scope, natives, "set", |scope, call| {
        let (href, part) = (text(scope, call, 0)?, text(scope, call, 1)?);
        let value = text(scope, call, 2)?;
        let found = Url::parse(&href).ok().and_then(|mut url| set(&mut url, &part, &value).then_some(url));
        tell(scope, call, 3, found)
    })?;
    add(scope, natives, "domainToAscii", |scope, call| {
        let host = HostName::parse(&text(scope, call, 0)?);
        Ok(scope.text(&host.map_or_else(|_| String::new(), |host| host.to_string())))
    })?;
    add(scope, natives, "domainToUnicode", |scope, call| {
        Ok(scope.text(&quirks::domain_to_unicode(&text(scope, call, 0)?)))
    })?;
    Ok(natives)
}

/// `(text, base)`; the base may be left out.
fn parse<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<Url>, Exception<'s>> {
    let input = text(scope, call, 0)?;
    let base = call.argument(scope, 1);
    if base.is_undefined(scope) {
        return Ok(Url::parse(&input).ok());
    }
    let base = Url::parse(&base.to_text(scope)?);
    Ok(base.ok().and_then(|base| base.join(&input).ok()))
}

/// Whether the address is to be another one. What a setter does not take, it passes over.
fn set(url: &mut Url, part: &str, value: &str) -> bool {
    match part {
        "protocol" => quirks::set_protocol(url, value).is_ok(),
        "username" => quirks::set_username(url, value).is_ok(),
        "password" => quirks::set_password(url, value).is_ok(),
        "host" => quirks::set_host(url, value).is_ok(),
        "hostname" => quirks::set_hostname(url, value).is_ok(),
        "port" => quirks::set_port(url, value).is_ok(),
        "pathname" => {
            quirks::set_pathname(url, value);
            true
        }
        "search" => {
            quirks::set_search(url, value);
            true
        }
        "hash" => {
            quirks::set_hash(url, value);
            true
        }
        _ => false,
    }
}

/// The address, its parts in the array at `at`; undefined where there is none.
fn tell<'s>(scope: &'s Scope, call: &Call<'s>, at: usize, found: Option<Url>) -> Outcome<'s> {
    let Some(url) = found else { return Ok(scope.undefined()) };
    let words = Bytes::of(scope, call.argument(scope, at));
    let words = words.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "an array of words is wanted"))?;
    let parts = parts(&url).map(u32::to_ne_bytes);
    words.lend(scope, |words| {
        words.chunks_exact_mut(4).zip(&parts).for_each(|(place, part)| place.copy_from_slice(part));
    });
    Ok(scope.text(url.as_str()))
}

/// Where parts begin or end, in letters, all of which are ASCII: behind the scheme's colon; the username, its end, the password's end;
/// the host, its end; the path, its end; the query's end.
fn parts(url: &Url) -> [u32; WORDS] {
    let href = url.as_str();
    let scheme = url.scheme().len() + 1;
    let user = if href[scheme..].starts_with("//") && url.has_authority() { scheme + 2 } else { scheme };
    let user_end = user + url.username().len();
    let password_end = user_end + url.password().map_or(0, |password| password.len() + 1);
    let host = password_end + usize::from(password_end > user);
    let host_end = host + url.host_str().map_or(0, str::len);
    let query_end = href.len() - url.fragment().map_or(0, |fragment| fragment.len() + 1);
    let path_end = query_end - url.query().map_or(0, |query| query.len() + 1);
    let path = path_end - url.path().len();
    [scheme, user, user_end, password_end, host, host_end, path, path_end, query_end]
        .map(|place| u32::try_from(place).unwrap_or(u32::MAX))
}

fn text<'s>(scope: &'s Scope, call: &Call<'s>, at: usize) -> Result<String, Exception<'s>> {
    call.argument(scope, at).to_text(scope)
}
