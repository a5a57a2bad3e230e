//! A record is read as it was written, or ignored.

use super::*;

#[test]
fn a_written_record_is_read() {
    let program =
        Program { name: "tool".into(), package: "@s/tool".into(), target: "../@s/tool/cli.js".into() };
    let record = Record {
        name: "0123456789abcdef".into(),
        previous: Some("fedcba9876543210".into()),
        made_s: 17,
        programs: vec![program],
    };
    assert_eq!(Record::parse(&record.render()), Some(record.clone()));
    let alone = Record { previous: None, programs: Vec::new(), ..record };
    assert_eq!(Record::parse(&alone.render()), Some(alone));
}

#[test]
fn a_damaged_record_is_ignored() {
    for text in [
        "",
        "rusk x 2\nend\n",
        "rusk x 1\nmade\t1\nfolder\t0123456789abcdef\nend\n",
        "rusk x 2\nmade\t1\nfolder\t0123456789abcdef\n",
        "rusk x 2\nmade\t1\nfolder\t../../../../abcdef\nend\n",
        "rusk x 2\nmade\t-1\nfolder\t0123456789abcdef\nend\n",
        "rusk x 2\nmade\t1\nfolder\t0123456789abcdef\nprogram\ta\nend\n",
    ] {
        assert_eq!(Record::parse(text), None, "{text}");
    }
}
