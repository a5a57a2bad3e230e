//! `url()` in the styles within a page: elements and attributes. In: the text of styles. Out: the
//! text with what the caller changed. Absent: the rest of the grammar, which stays as it is.

/// Calls `visit` for each URL; what it returns stands in its place. `None`: nothing changed.
pub(super) fn rewrite(text: &str, visit: &mut dyn FnMut(&str) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    let mut is_changed = false;
    while let Some((start, url, end)) = find(rest) {
        match visit(url) {
            Some(new) => {
                out.push_str(&rest[..start]);
                out.push_str(&format!("url('{}')", new.replace('\\', "\\\\").replace('\'', "\\'")));
                is_changed = true;
            }
            None => out.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    is_changed.then_some(out)
}

/// Where the next `url()` begins, what it names, and where it ends.
fn find(text: &str) -> Option<(usize, &str, usize)> {
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let start = from + lower[from..].find("url(")?;
        let open = start + "url(".len();
        let is_whole = !lower[..start]
            .ends_with(|before: char| before.is_ascii_alphanumeric() || matches!(before, '-' | '_'));
        let inner = text[open..].trim_start();
        let begin = text.len() - inner.len();
        let (url, after) = match inner.chars().next()? {
            quote @ ('"' | '\'') => {
                let length = inner[1..].find(quote)?;
                (&inner[1..=length], begin + length + 2)
            }
            _ => {
                let length = inner.find(')')?;
                (inner[..length].trim_end(), begin + length)
            }
        };
        let end = after + text[after..].find(')')? + 1;
        if is_whole && !url.contains('\\') {
            return Some((start, url, end));
        }
        from = end;
    }
}

#[cfg(test)]
mod tests;
