//! Coverage in the format of lcov (geninfo(1)). In: files. Out: the tracefile.

use super::FileCoverage;

/// Name of the tracefile in the directory of reports.
pub const FILE_NAME: &str = "lcov.info";

pub fn render(files: &[FileCoverage]) -> String {
    files.iter().map(record).collect()
}

fn record(file: &FileCoverage) -> String {
    let sums = file.sums();
    let mut text = format!("TN:\nSF:{}\n", file.path);
    for (index, function) in file.functions.iter().enumerate() {
        text.push_str(&format!("FN:{},{}\n", function.line, unique(index, &function.name)));
    }
    for (index, function) in file.functions.iter().enumerate() {
        text.push_str(&format!("FNDA:{},{}\n", function.count, unique(index, &function.name)));
    }
    text.push_str(&format!("FNF:{}\nFNH:{}\n", sums.functions.total, sums.functions.covered));
    let mut arm = 0;
    for (index, branch) in file.branches.iter().enumerate() {
        let is_next = index > 0 && file.branches[index - 1].group == branch.group;
        arm = if is_next { arm + 1 } else { 0 };
        text.push_str(&format!("BRDA:{},{},{arm},{}\n", branch.line, branch.group, branch.count));
    }
    text.push_str(&format!("BRF:{}\nBRH:{}\n", sums.branches.total, sums.branches.covered));
    for (line, count) in &file.lines {
        text.push_str(&format!("DA:{line},{count}\n"));
    }
    text.push_str(&format!("LF:{}\nLH:{}\nend_of_record\n", sums.lines.total, sums.lines.covered));
    text
}

/// Functions of one name are distinguished by their number; a comma would end the name.
fn unique(index: usize, name: &str) -> String {
    format!("{}#{index}", name.replace([',', '\n', '\r'], "_"))
}
