//! Source text with a hundred thousand levels is parsed or rejected, and does not overflow the
//! stack.

use super::Depth;
use crate::options::{Language, Options};
use crate::script::SourceKind;
use crate::transpile::transpile_parsed;
use crate::{GlobalDeclarations, global_declarations, outline, to_javascript, top_level_awaits};

const LEVELS: usize = 100_000;

fn attempt(source: &str) -> Result<(), String> {
    let options = Options::new(Language::TypeScript, Some(SourceKind::Module));
    transpile_parsed(source, "a.ts", &options).map(|_| ()).map_err(|errors| errors.first().message.clone())
}

#[test]
fn brackets_are_refused() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("a(", ")"), ("()=>{", "}")] {
        let source = [open.repeat(LEVELS), "1".to_owned(), close.repeat(LEVELS)].concat();
        assert_eq!(attempt(&source).unwrap_err(), "Brackets are nested too deeply", "{open}");
    }
}

#[test]
fn deep_code_without_brackets_is_parsed() {
    const FEWER: usize = 10_000;
    for part in ["!", "a=", "if(a)", "a?b:", "a=>", "1+", "typeof ", "if(a){}else ", "a.b+"] {
        assert_eq!(attempt(&format!("{}a", part.repeat(FEWER))), Ok(()), "{part}");
    }
}

#[test]
fn every_entry_point_has_stack() {
    let deep = ["(".repeat(9_000), "1".to_owned(), ")".repeat(9_000)].concat();
    let deeper = "(".repeat(LEVELS);
    let options = Options::new(Language::TypeScript, None);
    assert!(to_javascript(&deep, "a.ts", &options).is_ok());
    assert!(to_javascript(&deeper, "a.ts", &options).is_err());
    assert!(outline(&deep, Language::TypeScript).is_ok());
    assert!(outline(&deeper, Language::TypeScript).is_err());
    assert_eq!(global_declarations(&format!("var a = {deep}")).variables, ["a"]);
    assert_eq!(global_declarations(&deeper), GlobalDeclarations::default());
    assert_eq!(top_level_awaits(&format!("await {deep}"), Language::JavaScript), [(1, 0)]);
    assert!(top_level_awaits(&format!("await {deeper}"), Language::JavaScript).is_empty());
}

#[test]
fn shallow_sources_use_the_current_stack() {
    let levels = |source: &str| Depth::of(source).levels;
    assert_eq!(levels("a;b;c"), 1);
    assert_eq!(levels("f(a,b,[c,d])"), 4);
    assert!(levels(&"a = b(c, d);\n".repeat(1000)) < 10);
    assert_eq!(levels(&"!".repeat(50)), 50);
}
