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
