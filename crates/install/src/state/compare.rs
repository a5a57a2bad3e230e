//! A record against what is on disk. In: a record, the project, open. Out: what of it is certain. A
//! folder that was whole when its mark was taken, and has the same mark, still holds what it held:
//! what lies right in it is not looked at. So of a project that stands as it was made, folders of
//! places are looked at, and no places.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::os::fd::BorrowedFd;

use rusk_base::sys::many::Means;

use super::seen::Seen;
use super::{
    AS_FOLDER, CLOCK_STEP_NS, HEAD, KIND, Mark, STRANGER, SURE, WHOLE, above, folder, is_ours, leads_there,
    parse_kind, strangers,
};
use crate::layout::Kind;
use crate::plan::{Installed, Knowledge, Programs};

pub fn compare(record: &folder::Found, project: BorrowedFd<'_>) -> Installed {
    let Some((kind, lines)) = parse(&record.text) else { return Installed::default() };
    let (mut places, mut marks) = (Vec::new(), HashMap::new());
    let (mut programs, mut unchanged) = (Programs::AsLinked, Vec::new());
    let mut changed: BTreeSet<&str> = BTreeSet::new();
    let mut links: Vec<(&str, &str)> = Vec::new();
    let looks = Looks::take(project, &lines);
    // Of one folder there are many lines, and of the folders around it more.
    let (mut folder, mut reached, mut is_reached) = ("", "", true);
    for line in &lines {
        if line.folder() != folder {
            folder = line.folder();
            is_reached =
                above(line.path()).all(|folder| is_within(reached, folder) || looks.is_folder(folder));
            reached = if is_reached { folder } else { "" };
        }
        match *line {
            _ if !is_reached => {}
            Line::Link { path, stamp } => links.push((path, stamp)),
            Line::Place { path, stamp, mark } => {
                if let Some(mark) = Mark::parse(mark).filter(|mark| looks.is_place(path, *mark)) {
                    places.push((path.to_owned(), stamp.to_owned()));
                    marks.insert(path.to_owned(), mark);
                }
            }
            Line::Folder { path, mark, certainty } => {
                let found = looks.seen.mark_of_folder(path);
                let is_old = || found.is_some_and(|found| found.time_ns + CLOCK_STEP_NS < record.written_ns);
                let sure = looks.seen.find_surely(path, mark).filter(|_| certainty != Certainty::Aged);
                let is_same = sure.is_some() || certainty == Certainty::Aged && found == Some(mark);
                if path.ends_with("/.bin") {
                    programs = if is_same { programs } else { Programs::Changed };
                } else if is_same && (sure.is_some() || is_old()) {
                    unchanged.extend(sure.map(|found| (path.to_owned(), *found)));
                } else if looks.is_folder(path) {
                    changed.insert(path);
                }
            }
        }
    }
    for (path, stamp) in links {
        if !changed.contains(folder_of(path)) || leads_there(project, path, stamp) {
            places.push((path.to_owned(), stamp.to_owned()));
        }
    }
    // At once: one by one, each would be compared with others of long names that begin alike.
    let mut places: BTreeMap<String, String> = places.into_iter().collect();
    for folder in changed {
        let found = strangers(project, folder, &places);
        places.extend(found.into_iter().map(|stranger| (stranger, STRANGER.to_owned())));
    }
    let unchanged = unchanged.into_iter().collect();
    Installed { places, marks, unchanged, programs, knowledge: Knowledge::Whole, kind }
}

/// How many places a record names; `None` for one that is not whole.
pub fn places_of(text: &str) -> Option<usize> {
    let (_, lines) = parse(text)?;
    Some(lines.iter().filter(|line| !matches!(line, Line::Folder { .. })).count())
}

/// What a record says.
enum Line<'a> {
    Place {
        path: &'a str,
        stamp: &'a str,
        mark: &'a str,
    },
    /// To another place.
    Link {
        path: &'a str,
        stamp: &'a str,
    },
    /// One that holds places, or links to programs.
    Folder {
        path: &'a str,
        mark: Mark,
        certainty: Certainty,
    },
}

/// What the mark of a folder says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    /// That nothing was put into it or taken out, if it was old enough when it was noted.
    Aged,
    /// That nothing was put into it or taken out since it was noted.
    Sure,
    /// Besides, that it held what the record says.
    Whole,
}

impl<'a> Line<'a> {
    /// `None` for what says nothing of a path of ours.
    fn parse(line: &'a str) -> Option<Line<'a>> {
        let mut fields = line.split('\t');
        let path = fields.next().filter(|path| is_ours(path))?;
        match (fields.next()?, fields.next(), fields.next()) {
            (stamp, Some(AS_FOLDER), None) => Some(Line::Link { path, stamp }),
            (stamp, Some(mark), None) => Some(Line::Place { path, stamp, mark }),
            (mark, None, _) => {
                let (certainty, mark) = match (mark.strip_prefix(WHOLE), mark.strip_prefix(SURE)) {
                    (Some(mark), _) => (Certainty::Whole, mark),
                    (None, Some(mark)) => (Certainty::Sure, mark),
                    (None, None) => (Certainty::Aged, mark),
                };
                Some(Line::Folder { path, mark: Mark::parse(mark)?, certainty })
            }
            _ => None,
        }
    }

    fn path(&self) -> &'a str {
        match self {
            Line::Place { path, .. } | Line::Link { path, .. } | Line::Folder { path, .. } => path,
        }
    }

    fn folder(&self) -> &'a str {
        folder_of(self.path())
    }

    /// A folder that was whole, and its mark.
    fn whole(&self) -> Option<(&'a str, Mark)> {
        match *self {
            Line::Folder { path, mark, certainty: Certainty::Whole } => Some((path, mark)),
            _ => None,
        }
    }
}

/// The layout and the lines of a record that is whole.
fn parse(text: &str) -> Option<(Kind, Vec<Line<'_>>)> {
    let lines = text.strip_prefix(HEAD)?.strip_prefix('\n')?.strip_suffix("end\n")?.lines();
    let kind = lines.clone().find_map(|line| line.strip_prefix(KIND)?.strip_prefix('\t'));
    Some((kind.map_or(Kind::default(), parse_kind), lines.filter_map(Line::parse).collect()))
}

pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a path is a folder or lies in it.
fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What was looked at, and what need not be.
struct Looks<'a> {
    seen: Seen<'a>,
    /// Folders that hold what they held.
    unchanged: HashSet<&'a str>,
}

impl<'a> Looks<'a> {
    fn take(project: BorrowedFd<'_>, lines: &[Line<'a>]) -> Looks<'a> {
        let whole: HashMap<&str, Mark> = lines.iter().filter_map(Line::whole).collect();
        let mut seen = Seen::default();
        seen.look(project, to_look_at(lines, &|folder| whole.contains_key(folder)), Means::LeastTime);
        let is_unchanged =
            |(folder, mark): (&&'a str, &Mark)| seen.find_surely(folder, *mark).map(|_| *folder);
        let unchanged: HashSet<&str> = whole.iter().filter_map(is_unchanged).collect();
        if unchanged.len() < whole.len() {
            let rest = to_look_at(lines, &|folder| unchanged.contains(folder));
            seen.look(project, rest, Means::LeastTime);
        }
        Looks { seen, unchanged }
    }

    fn holds_the_same(&self, folder: &str) -> bool {
        self.unchanged.contains(folder)
    }

    /// What was not looked at lies in a folder that holds what it held, or is not there.
    fn is_folder(&self, path: &str) -> bool {
        if self.seen.has(path) { self.seen.is_folder(path) } else { self.holds_the_same(folder_of(path)) }
    }

    fn is_place(&self, path: &str, mark: Mark) -> bool {
        match self.seen.has(path) {
            true => self.seen.mark_of_place(path) == Some(mark),
            false => self.holds_the_same(folder_of(path)),
        }
    }
}

/// Every folder that has a mark; of places, and of folders above anything, those that do not lie in
/// one of `known`.
fn to_look_at<'a>(lines: &[Line<'a>], known: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let mut paths = Vec::new();
    let mut last = "";
    for line in lines {
        let folder = line.folder();
        if folder != last {
            let is_next = |above: &&str| !is_within(last, above) && !known(folder_of(above));
            paths.extend(above(line.path()).filter(is_next));
            last = folder;
        }
        match line {
            Line::Folder { path, .. } => paths.push(*path),
            Line::Place { path, .. } if !known(line.folder()) => paths.push(*path),
            Line::Place { .. } | Line::Link { .. } => {}
        }
    }
    paths
}
