//! The completions hold the table.

use super::*;

#[test]
fn every_shell_knows_every_command_and_flag() {
    for shell in ["bash", "zsh", "fish"] {
        let script = script(shell);
        for row in COMMANDS {
            assert!(script.contains(row.name), "{shell}: {}", row.name);
        }
        for row in FLAGS {
            let spelled =
                if shell == "fish" { format!(" -l {} ", row.long) } else { format!("--{}", row.long) };
            assert!(script.contains(&spelled), "{shell}: {}", row.long);
        }
    }
}

#[test]
fn a_quote_does_not_end_the_text() {
    assert_eq!(single_quoted("project's"), "'project'\\''s'");
    assert_eq!(single_quoted_fish("project's"), "'project\\'s'");
}
