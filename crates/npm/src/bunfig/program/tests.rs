//! What bunfig.toml says to programs.

use super::Program;

#[test]
fn keys_of_programs_are_read_and_others_are_reported() {
    let text = "preload = ['./a.ts', 'b']\nsmol = true\nbogus = 1\n[define]\nFOO = \"'x'\"\n'process.env.A' = \"1\"\n\
                [env]\nfile = false\n[install]\nexact = true\n[loader]\n'.x' = 'ts'\n";
    let program = Program::parse(text).expect("it is TOML");
    assert_eq!(program.preloads, ["./a.ts", "b"]);
    let mut defines = program.defines;
    defines.sort();
    assert_eq!(defines, [("FOO".into(), "'x'".into()), ("process.env.A".into(), "1".into())]);
    assert_eq!(program.reads_env, Some(false));
    let mut unknown = program.unknown;
    unknown.sort();
    assert_eq!(unknown, ["bogus", "loader"]);
}

#[test]
fn one_preload_is_a_list_and_env_may_be_a_word() {
    let program = Program::parse("preload = './a.ts'\nenv = true").expect("it is TOML");
    assert_eq!((program.preloads, program.reads_env), (vec!["./a.ts".to_owned()], Some(true)));
}

#[test]
fn values_of_another_kind_are_refused() {
    for text in
        ["preload = 5", "preload = [1]", "define = 1", "[define]\nA = 1", "env = 'no'", "[env]\nfile = 1"]
    {
        assert_eq!(Program::parse(text).expect_err(text).code(), "bunfig-kind", "{text}");
    }
    assert_eq!(Program::parse("preload = [").expect_err("it is no TOML").code(), "bunfig-syntax");
}

#[test]
fn depth_port_and_jsx_are_read() {
    let numbers = |text: &str| {
        let program = Program::parse(text).expect(text);
        assert_eq!(program.unknown, Vec::<String>::new(), "{text}");
        (program.console_depth, program.port)
    };
    assert_eq!(numbers("[console]\ndepth = 3\n[serve]\nport = 0x10"), (Some(3), Some(16)));
    assert_eq!(numbers("[console]\ndepth = -1\n[serve]\nport = 99999"), (Some(0), Some(65535)));
    assert_eq!(numbers("[console]\ndepth = 2.9"), (Some(2), None));
    assert_eq!(numbers("console = 2\n[serve.static]\nplugins = []"), (None, None));
    let text = "jsx = 'react-jsxDEV'\njsxFactory = 'h'\njsxFragment = 'F'\njsxImportSource = 'preact'";
    let jsx = Program::parse(text).expect(text).jsx;
    let read = [jsx.runtime, jsx.factory, jsx.fragment, jsx.import_source].map(Option::unwrap_or_default);
    assert_eq!(read, ["react-jsxdev", "h", "F", "preact"]);
    assert_eq!(Program::parse("jsx = 1\njsxFactory = 2").expect("bun ignores it").jsx, Default::default());
    let loaders = Program::parse("[loader]\n'.svg' = 'text'").expect("a table of strings").loaders;
    assert_eq!(loaders, [(".svg".to_owned(), "text".to_owned())]);
    for text in [
        "[console]\ndepth = '2'",
        "[serve]\nport = 'x'",
        "jsx = 'preserve'",
        "jsx = 'react-jsxdev'",
        "loader = 1",
    ] {
        assert_eq!(Program::parse(text).expect_err(text).code(), "bunfig-kind", "{text}");
    }
}
