//! What stands in the environment, and where programs are found.

use super::*;

fn caller(variables: &[(&str, &str)]) -> Caller {
    Caller {
        current_dir: "/started/here".into(),
        variables: variables.iter().map(|(name, value)| (name.into(), value.into())).collect(),
        user_agent: "rusk/0.1.0 linux x64".to_owned(),
        program: Some("/bin/rusk".into()),
        command: Some("run-script"),
        own_node: None,
    }
}

fn environment(package_dir: &str, version: &str, caller: &Caller) -> Environment {
    Environment::of(&Setting {
        project_dir: Path::new("/p"),
        package_dir: Path::new(package_dir),
        identity: Some(Identity { name: Some("app"), version: Some(version), config: &[] }),
        caller,
    })
}

fn value<'a>(environment: &'a Environment, name: &str) -> Option<&'a str> {
    let mut found = environment.variables().iter().filter(|(own, _)| own == name);
    let value = found.next().and_then(|(_, value)| value.to_str());
    assert!(found.next().is_none(), "`{name}` stands twice");
    value
}

#[test]
fn a_package_is_described() {
    let environment =
        environment("/p/a", "1.0.0", &caller(&[("KEPT", "kept"), ("PATH", "/nowhere"), ("PWD", "/x")]));
    let check = |name: &str, expected: &str| assert_eq!(value(&environment, name), Some(expected), "{name}");
    check("KEPT", "kept");
    check("PATH", "/p/a/node_modules/.bin:/p/node_modules/.bin:/nowhere:/bin");
    check("PWD", "/p/a");
    check("INIT_CWD", "/started/here");
    check("npm_command", "run-script");
    check("npm_config_local_prefix", "/p");
    check("npm_config_user_agent", "rusk/0.1.0 linux x64");
    check("npm_execpath", "/bin/rusk");
    check("npm_package_json", "/p/a/package.json");
    check("npm_package_name", "app");
    check("npm_package_version", "1.0.0");
    assert_eq!(value(&environment, "npm_node_execpath"), None);
    assert_eq!(environment.variables().len(), 11);
}

#[test]
fn what_an_outer_run_said_of_itself_is_left_out() {
    let outer = [
        ("npm_package_name", "outer"),
        ("npm_package_config_port", "1"),
        ("npm_lifecycle_event", "outer"),
        ("npm_execpath", "/outer"),
        ("npm_config_registry", "kept"),
    ];
    let environment = environment("/p", "1.0.0", &caller(&outer));
    assert_eq!(value(&environment, "npm_package_name"), Some("app"));
    assert_eq!(value(&environment, "npm_package_config_port"), None);
    assert_eq!(value(&environment, "npm_lifecycle_event"), None);
    assert_eq!(value(&environment, "npm_execpath"), Some("/bin/rusk"));
    assert_eq!(value(&environment, "npm_config_registry"), Some("kept"));
}

#[test]
fn a_script_leaves_nothing_to_the_next() {
    let mut environment = environment("/p", "1.0.0", &caller(&[]));
    environment.set_script("prebuild", "a");
    environment.set_script("build", "b");
    assert_eq!(value(&environment, "npm_lifecycle_event"), Some("build"));
    assert_eq!(value(&environment, "npm_lifecycle_script"), Some("b"));
}

#[test]
fn the_configuration_of_the_package_is_there() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let config = [pair("port", "80"), pair("a=b", "c"), pair("d", "e\0")];
    let identity = Identity { name: None, version: None, config: &config };
    let caller = caller(&[]);
    let (project_dir, package_dir) = (Path::new("/p"), Path::new("/p"));
    let environment =
        Environment::of(&Setting { project_dir, package_dir, identity: Some(identity), caller: &caller });
    let names = environment.variables().iter().filter(|(name, _)| name.to_string_lossy().contains("config_"));
    let names: Vec<&OsStr> = names.map(|(name, _)| name.as_os_str()).collect();
    assert_eq!(names, ["npm_config_local_prefix", "npm_config_user_agent", "npm_package_config_port"]);
    assert_eq!(value(&environment, "npm_package_config_port"), Some("80"));
}

#[test]
fn a_directory_in_front_counts_first() {
    let mut environment = environment("/p", "1.0.0", &caller(&[("PATH", "/nowhere")]));
    environment.prepend_path("/bin".into());
    assert_eq!(value(&environment, "PATH"), Some("/bin:/p/node_modules/.bin:/nowhere:/bin"));
    assert_eq!(environment.find_local(OsStr::new("sh")), Some("/bin/sh".into()));
}

#[test]
fn the_own_directory_is_last_and_there_once() {
    let environment = environment("/p", "1.0.0", &caller(&[("PATH", "/bin:/nowhere")]));
    assert_eq!(value(&environment, "PATH"), Some("/p/node_modules/.bin:/bin:/nowhere"));
}

#[test]
fn bytes_that_no_variable_holds_are_left_out() {
    let environment = environment("/p", "1\0", &caller(&[]));
    assert_eq!(value(&environment, "npm_package_version"), None);
}

#[test]
fn variables_that_are_no_text_are_kept() {
    let mut caller = caller(&[]);
    let odd = (OsString::from("ODD"), OsStr::from_bytes(b"\xff").to_owned());
    caller.variables.push(odd.clone());
    assert!(environment("/p", "1.0.0", &caller).variables().contains(&odd));
}

#[test]
fn a_program_is_a_file_that_may_be_executed() {
    let path = format!("{}:/nowhere:/bin", std::env::temp_dir().display());
    let environment = environment("/p", "1.0.0", &caller(&[("PATH", &path)]));
    assert_eq!(environment.find_program(OsStr::new("sh")), Some("/bin/sh".into()));
    assert_eq!(environment.find_program(OsStr::new(".")), None);
    assert_eq!(environment.find_program(OsStr::new("rusk-no-such-program")), None);
    assert_eq!(environment.find_local(OsStr::new("sh")), None);
}
