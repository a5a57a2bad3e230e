//! Tests of bun's spelling of commands.

use super::expand;

fn check(line: &str, expected: &str) {
    let found = expand(line.split_whitespace().map(Into::into).collect());
    let found: Vec<_> = found.iter().map(|word| word.to_string_lossy()).collect();
    assert_eq!(found.join(" "), expected);
}

#[test]
fn commands_of_bun_are_ours() {
    check("pm pack --dry-run", "pack --dry-run");
    check("pm version patch", "version patch");
    check("pm whoami", "whoami");
    check("pm cache", "cache dir");
    check("pm cache --cache-dir x", "cache dir --cache-dir x");
    check("pm cache rm left", "cache rm left");
    check("pm cache rm", "cache clear");
    check("pm cache rm --json", "cache clear --json");
    check("pm scan", "audit");
    check("pm trust --all", "approve --all");
    check("pm untrusted", "approve");
    check("pm pkg get name", "pkg get name");
}

#[test]
fn the_help_of_a_command_of_bun_is_that_of_ours() {
    check("help pm trust", "help approve");
    check("help pm cache", "help cache");
    for line in ["help pm", "help pm nonsense", "help dir", "help add"] {
        check(line, line);
    }
}

#[test]
fn what_is_absent_is_one_word() {
    let found = expand(["pm", "hash-string", "get", "name"].map(Into::into).to_vec());
    assert_eq!(found, ["pm hash-string"]);
}

#[test]
fn other_arguments_stay() {
    for line in ["", "pm", "pm nonsense", "install pm", "run pm pack"] {
        check(line, line);
    }
}
