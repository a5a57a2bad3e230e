//! URL parser of the WHATWG URL Standard. In: strings. Out: a URL record, its serialization and the
//! offsets of its components. Absent: JavaScript's `URL`; `ext/url` has it. `URLSearchParams` is
//! JavaScript alone.

mod fast_path;
mod parser;
mod percent_encode;
mod record;

pub use fast_path::{FastUrl, parse as parse_fast, parse_relative as parse_relative_fast};
pub use parser::parse;
pub use record::{OFFSET_COUNT, UrlRecord};
