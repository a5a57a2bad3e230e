//! Coverage as one HTML page that needs nothing else. In: files. Out: the page: a table, and the
//! source of each file with counts.

use super::{CoverageSums, CoveredPart, FileCoverage};

/// Name of the page in the directory of reports.
pub const FILE_NAME: &str = "index.html";

const STYLE: &str = "body{font:14px/1.4 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}\
    table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right}\
    td:first-child,th:first-child{text-align:left}\
    pre{line-height:1.35;overflow-x:auto}pre span{display:block}\
    .n{color:#777;display:inline-block;width:9em;text-align:right;padding-right:1em;user-select:none}\
    .y{background:#dfd}.x{background:#fdd}.b{background:#ffd}\
    @media(prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8cf}\
    .y{background:#131}.x{background:#411}.b{background:#441}}";

pub fn render(files: &[FileCoverage]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Coverage</title>\n\
         <style>{STYLE}</style>\n<h1>Coverage</h1>\n<table>\n\
         <tr><th>File<th>Functions<th>Lines<th>Branches\n"
    );
    page.push_str(&row("All files".to_owned(), CoverageSums::all(files)));
    for (index, file) in files.iter().enumerate() {
        let link = format!("<a href=\"#f{index}\">{}</a>", escape(&file.path));
        page.push_str(&row(link, file.sums()));
    }
    page.push_str("</table>\n");
    for (index, file) in files.iter().enumerate() {
        page.push_str(&format!("<h2 id=\"f{index}\">{}</h2>\n<pre>", escape(&file.path)));
        for (text, number) in file.source.lines().zip(1..) {
            page.push_str(&line(file, number, text));
        }
        page.push_str("</pre>\n");
    }
    page.push_str("</html>\n");
    page
}

fn row(name: String, sums: CoverageSums) -> String {
    let cell =
        |part: CoveredPart| format!("<td>{:.2} % ({}/{})", part.ratio() * 100.0, part.covered, part.total);
    format!("<tr><td>{name}{}{}{}\n", cell(sums.functions), cell(sums.lines), cell(sums.branches))
}

fn line(file: &FileCoverage, number: u32, text: &str) -> String {
    let is_partial = file.branches.iter().any(|arm| arm.line == number && arm.count == 0);
    let (class, count) = match file.lines.get(&number) {
        Some(0) => (" class=\"x\"", "0×".to_owned()),
        Some(count) if is_partial => (" class=\"b\"", format!("{count}×")),
        Some(count) => (" class=\"y\"", format!("{count}×")),
        None => ("", String::new()),
    };
    format!(
        "<span{class}><span class=\"n\" style=\"display:inline-block\">{count} {number}</span>{}\n</span>",
        escape(text)
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
