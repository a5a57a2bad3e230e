//! Which sessions arguments select.

use super::*;

fn sessions(arguments: &str) -> Result<Vec<Session>, String> {
    let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
    parse(&arguments).map(|plan| plan.sessions)
}

#[test]
fn without_a_selection_every_fixture_and_place_is_measured() {
    let all = sessions("--rounds 1").unwrap();
    for fixture in fixture::COMMITTED {
        let own: Vec<&Session> = all.iter().filter(|session| session.fixture == *fixture).collect();
        for network in [Network::Unthrottled, Network::Throttled] {
            assert!(own.iter().any(|session| session.network == network), "{fixture}, {network:?}");
        }
        assert!(own.iter().any(|session| session.scenarios.len() == scenario::PUBLISHED.len()), "{fixture}");
    }
    assert!(all.iter().any(|session| session.directory == files::target()));
    assert!(all.iter().all(|session| (session.rounds, session.slow_rounds) == (1, 1)));
    assert!(all.iter().any(|session| session.tools.contains(&"npm")), "npm takes part");
}

#[test]
fn complete_is_every_fixture_place_and_line_with_every_tool() {
    let all = sessions("--complete").unwrap();
    for fixture in fixture::COMMITTED {
        let own = all.iter().filter(|session| session.fixture == *fixture && session.tools.contains(&"yarn"));
        assert_eq!(own.count(), 4, "{fixture}");
    }
}

#[test]
fn a_selection_is_measured_alone() {
    let found =
        sessions("--fixture server --scenario cache --scenario nothing --tools bun,rusk --throttle on")
            .unwrap();
    let [session] = found.as_slice() else { panic!("{} sessions", found.len()) };
    assert_eq!((session.fixture.as_str(), session.network), ("server", Network::Throttled));
    assert_eq!(session.tools, ["rusk", "bun"]);
    let names: Vec<&str> = session.scenarios.iter().map(|scenario| scenario.name).collect();
    assert_eq!(names, ["cache", "nothing"]);
    assert!(sessions("--in src").unwrap()[0].directory.is_absolute());
    assert_eq!(sessions("--throttle on --throttle off --fixture server --fixture large").unwrap().len(), 4);
}

#[test]
fn variants_are_measured_where_they_differ_or_where_they_are_named() {
    let (nothing, warm) = (scenario::find("nothing").unwrap(), scenario::find("cache+lockfile").unwrap());
    let found = sessions("--throttle off").unwrap();
    assert!(found[0].has("bun-isolated", warm) && !found[0].has("bun-isolated", nothing));
    assert!(found[0].has("bun", nothing));
    assert!(sessions("--tools bun-isolated").unwrap()[0].has("bun-isolated", nothing));
    let floor = &sessions("--tools floor").unwrap()[0];
    assert!(floor.has("floor", warm) && floor.has("floor", scenario::find("lockfile").unwrap()));
    assert!(!floor.has("floor", nothing) && !floor.has("floor", scenario::find("all-three").unwrap()));
}

#[test]
fn what_is_not_known_is_refused() {
    for arguments in [
        "--in memory",
        "--tools gulp",
        "--scenario warm",
        "--fixture thousand",
        "--throttle half",
        "--rounds",
        "--quick 1",
    ] {
        assert!(sessions(arguments).is_err(), "{arguments}");
    }
}

/// Each published scenario is measured, once.
#[test]
fn the_nine_are_known() {
    for name in scenario::PUBLISHED {
        assert!(scenario::find(name).is_some(), "{name}");
    }
    assert_eq!(scenario::ALL.len(), scenario::PUBLISHED.len() + 1);
}
