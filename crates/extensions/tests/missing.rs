//! A machine without the engine, in a process of its own: one line, and what to install.

use rusk_jsc::Options;
use rusk_runtime::{Runtime, Settings};

#[test]
fn a_missing_engine_is_one_line_with_the_package() {
    let engine =
        Options { library: Some("/nowhere/libjavascriptcoregtk-4.1.so.0".into()), ..Options::default() };
    let problem =
        Runtime::new(Settings { engine, ..rusk_extensions::settings() }).err().expect("it is not there");
    let text = problem.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "error[no-engine]: JavaScriptCore is not installed: cannot open `/nowhere/libjavascriptcoregtk-4.1.so.0`"
    );
    assert_eq!(
        lines.last(),
        Some(&"hint: install it: `apt install libjavascriptcoregtk-4.1-0`, elsewhere `webkit2gtk-4.1`")
    );
}
