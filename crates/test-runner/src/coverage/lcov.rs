//! Coverage in the format of lcov (geninfo(1)). In: files. Out: the tracefile.

use std::collections::{BTreeMap, HashSet};

use super::{CoveredArm, CoveredFunction, FileCoverage};

/// Name of the tracefile in the directory of reports.
pub const FILE_NAME: &str = "lcov.info";

pub fn render(files: &[FileCoverage]) -> String {
    files.iter().map(record).collect()
}

fn record(file: &FileCoverage) -> String {
    let sums = file.sums();
    let mut text = format!("TN:\nSF:{}\n", file.path);
    let names = unique_names(file);
    for (function, name) in file.functions.iter().zip(&names) {
        text.push_str(&format!("FN:{},{name}\n", function.line));
    }
    for (function, name) in file.functions.iter().zip(&names) {
        text.push_str(&format!("FNDA:{},{name}\n", function.count));
    }
    text.push_str(&format!("FNF:{}\nFNH:{}\n", sums.functions.total, sums.functions.covered));
    push_branches(&mut text, file);
    text.push_str(&format!("BRF:{}\nBRH:{}\n", sums.branches.total, sums.branches.covered));
    for (line, count) in &file.lines {
        text.push_str(&format!("DA:{line},{count}\n"));
    }
    text.push_str(&format!("LF:{}\nLH:{}\nend_of_record\n", sums.lines.total, sums.lines.covered));
    text
}

/// Arms of one branch are numbered; a branch that was not reached has `-`. Their line is one with
/// a count of its own, where the statement begins: programs that read the file refuse others.
fn push_branches(text: &mut String, file: &FileCoverage) {
    let mut branches: BTreeMap<u32, Vec<&CoveredArm>> = BTreeMap::new();
    for arm in &file.branches {
        branches.entry(arm.group).or_default().push(arm);
    }
    for (group, arms) in branches {
        let first = arms.iter().map(|arm| arm.line).min().unwrap_or_default();
        let line = file.lines.range(..=first).next_back().map_or(first, |(line, _)| *line);
        let is_reached = arms.iter().any(|arm| arm.count > 0);
        for (number, arm) in arms.iter().enumerate() {
            let count = if is_reached { arm.count.to_string() } else { "-".to_owned() };
            text.push_str(&format!("BRDA:{line},{group},{number},{count}\n"));
        }
    }
}

/// Functions whose name another one has are distinguished by their line, or by their number. A
/// comma would end a name.
fn unique_names(file: &FileCoverage) -> Vec<String> {
    let mut used = HashSet::new();
    let name = |(index, function): (usize, &CoveredFunction)| {
        let plain = function.name.replace([',', '\n', '\r'], "_");
        let candidates = [plain.clone(), format!("{plain}:{}", function.line), format!("{plain}#{index}")];
        let unique = candidates.into_iter().find(|name| used.insert(name.clone()));
        unique.unwrap_or_else(|| format!("{plain}#{index}"))
    };
    file.functions.iter().enumerate().map(name).collect()
}
