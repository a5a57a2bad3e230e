//! Tests that the completions contain the tables.

use super::*;

#[test]
fn every_shell_knows_every_command_and_flag() {
    for shell in ["bash", "zsh", "fish"] {
        let script = script(shell);
        for spec in COMMANDS {
            assert!(script.contains(spec.name), "{shell}: {}", spec.name);
        }
        for spec in FLAGS {
            let spelled =
                if shell == "fish" { format!(" -l {} ", spec.long) } else { format!("--{}", spec.long) };
            assert!(script.contains(&spelled), "{shell}: {}", spec.long);
        }
    }
}

#[test]
fn a_quote_does_not_end_the_text() {
    assert_eq!(single_quoted("project's"), "'project'\\''s'");
    assert_eq!(single_quoted_fish("project's"), "'project\\'s'");
}
