//! Tests of the names of other tools.

use super::*;
use crate::flags::parse::{find_command, parse};
use crate::flags::table::FLAGS as OURS;

fn own_names() -> Vec<String> {
    let long = OURS.iter().flat_map(|spec| spec.aliases.iter().chain([&spec.long]));
    let negations = OURS.iter().filter_map(|spec| spec.negation());
    long.map(|name| (*name).to_owned()).chain(negations).collect()
}

#[test]
fn no_flag_of_rusk_is_called_another_tools() {
    let own = own_names();
    for (name, _) in FLAGS {
        assert!(!own.iter().any(|known| known == name), "--{name}");
    }
    for (name, _) in SHORT_FLAGS {
        assert!(OURS.iter().all(|spec| !spec.short.contains(name)), "-{name}");
    }
    for (name, _) in COMMANDS.iter().chain(ABSENT) {
        assert!(find_command(name).is_none(), "{name}");
    }
}

#[test]
fn a_replacement_is_a_flag_of_rusk() {
    let own = own_names();
    let flags = FLAGS.iter().map(|(_, replacement)| replacement);
    for replacement in flags.chain(SHORT_FLAGS.iter().map(|(_, replacement)| replacement)) {
        if let Flag(text) = replacement {
            let name = text.trim_start_matches("--").split('=').next().expect("a first part");
            assert!(own.iter().any(|known| known == name), "{text}");
        }
    }
    for (_, line) in COMMANDS {
        let name = line.split(' ').nth(1).expect("a command");
        assert!(find_command(name).is_some() || name == "FILE", "{line}");
    }
}

#[test]
fn tables_are_sorted_and_have_each_name_once() {
    assert!(FLAGS.is_sorted_by(|(left, _), (right, _)| left < right));
    assert!(SHORT_FLAGS.is_sorted_by(|(left, _), (right, _)| left < right));
    assert!(COMMANDS.is_sorted_by(|(left, _), (right, _)| left < right));
    assert!(ABSENT.is_sorted_by(|(left, _), (right, _)| left < right));
}

#[test]
fn an_unknown_flag_of_another_tool_has_a_hint() {
    let check = |line: &str, hint: &str| {
        let problem = parse(line.split(' ').map(Into::into)).expect_err(line);
        assert!(problem.to_string().ends_with(hint), "{line}: {problem}");
    };
    check("install --immutable", "hint: the flag of rusk is `--frozen-lockfile`");
    check("install --cache=x", "hint: the flag of rusk is `--cache-dir`");
    check("add -S left", "hint: packages are always saved; `--no-save` prevents it");
    check("install --legacy-peer-deps", "force a version");
    check("dlx vite", "hint: the command of rusk is `rusk x`");
    check("audit --fix", "hint: the command is `rusk audit fix`");
    check("ci --unsafe-perm", "hint: scripts run as the user who called rusk: leave the flag out");
    check("install --network-timeout=9", "hint: set `fetch-timeout` in .npmrc, in milliseconds");
    check("install --config.hoist=false", "hint: set it in .npmrc or bunfig.toml");
    check("install --only=production", "hint: the flag of rusk is `--production`");
    check("create --no-git app", "after its name: `rusk create NAME --flag`");
    check("remove -D left", "hint: packages are removed from every group: leave the flag out");
    check("add left --tag=next", "hint: name it with the package: `rusk add NAME@TAG`");
    check("version --patch", "hint: name the part: `rusk version patch`");
    check("audit --severity=high", "hint: the flag of rusk is `--audit-level`");
    check("token list", "`npm token` lists and revokes them");
}
