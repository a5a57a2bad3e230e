//! How programs are made runnable.

use super::*;

fn check(before: &str, after: &str) {
    let file =
        |path: &'static str| File { path: path.into(), body: before.as_bytes().to_vec().into(), mode: 0o666 };
    let mut files = [file("a"), file("cli.js")];
    make_runnable(
        &mut files,
        &[Bin { name: "x".into(), path: "cli.js".into() }, Bin { name: "y".into(), path: "none".into() }],
    );
    assert_eq!((files[0].body.as_ref(), files[0].mode), (before.as_bytes(), 0o666));
    assert_eq!((files[1].body.as_ref(), files[1].mode), (after.as_bytes(), 0o777));
}

#[test]
fn a_shebang_loses_its_carriage_return() {
    check("#!/usr/bin/env node\r\nx\r\n", "#!/usr/bin/env node\nx\r\n");
    check("#!/usr/bin/env node\nx\r\n", "#!/usr/bin/env node\nx\r\n");
    check("x\r\n", "x\r\n");
    check("#!\r", "#!\r");
    check("", "");
    let late = format!("#!{}\r\n", "x".repeat(SHEBANG_BYTES_MAX));
    check(&late, &late);
}
