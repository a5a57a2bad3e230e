//! Errors when the engine is missing or unusable.

use rusk_jsc::{Engine, EngineError, Options};

#[test]
fn a_missing_engine_is_reported_with_the_names_that_were_tried() {
    let path = "/nowhere/libjavascriptcoregtk-4.1.so.0";
    let options = Options { library: Some(path.into()), ..Options::default() };
    let Err(EngineError::NotFound { tried, dlerror: said }) = Engine::load(&options) else {
        panic!("it is not there")
    };
    assert_eq!(tried, [path]);
    assert!(said.contains(path), "{said}");
}

#[test]
fn a_library_that_is_another_one_lacks_a_function() {
    let options = Options { library: Some("libc.so.6".into()), ..Options::default() };
    assert_eq!(
        Engine::load(&options).err(),
        Some(EngineError::MissingFunction { function: "jsc_get_major_version" })
    );
}
