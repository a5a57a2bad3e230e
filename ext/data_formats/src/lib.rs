//! JSON with comments, TOML, YAML. In: a text. Out: JSON text that js/internal/data_formats.js
//! makes values of; or a SyntaxError with the place. Absent: the formats (`rusk_data_formats`).

use rusk_jsc::{ErrorKind, Exception, Object, Scope};

use rusk_data_formats::{self as data_formats, Fault};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};

type Parse = fn(&str) -> Result<String, Fault>;

rusk_runtime::extension!("data_formats", [("data_formats", make)]);

fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    let formats: [(&str, Parse); 3] =
        [("jsonc", data_formats::jsonc), ("toml", data_formats::toml), ("yaml", data_formats::yaml)];
    for (name, parse) in formats {
        add(scope, natives, name, move |scope, call| {
            let text = call.argument(scope, 0).to_rust_string(scope)?;
            parse(&text).map(|json| scope.string(&json)).map_err(|fault| refuse(scope, &fault))
        })?;
    }
    Ok(natives)
}

fn refuse<'s>(scope: &'s Scope, fault: &Fault) -> Exception<'s> {
    let Fault { message, line, column } = fault;
    Exception::new(scope, ErrorKind::Syntax, &format!("{message} ({line}:{column})"))
}
