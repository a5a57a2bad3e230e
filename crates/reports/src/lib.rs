//! Reports about installs and traced programs: the HTML page of a timeline (`--timeline`), the JSON
//! and HTML of `rusk trace`, and the text that they share with the terminal. In: values of the
//! installer and the tracer. Out: text and files. Absent: the terminal.

mod problem;
pub mod text;
pub mod timeline;
pub mod trace;
