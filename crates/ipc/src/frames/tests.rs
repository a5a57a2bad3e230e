//! Messages, however the bytes of them come.

use super::*;

/// All of it at once, byte by byte, and in pieces of three.
#[track_caller]
fn check(form: Form, bytes: &[u8], messages: &[&[u8]], ended: Result<bool, Flaw>) {
    for size in [bytes.len().max(1), 1, 3] {
        let (mut frames, mut found) = (Frames::new(form), Vec::new());
        let mut outcome = Ok(());
        for piece in bytes.chunks(size) {
            outcome = outcome.and_then(|()| frames.cut(piece, |message, _| found.push(message.to_vec())));
        }
        assert_eq!(found, messages, "in pieces of {size}");
        assert_eq!(outcome.map(|()| frames.is_within()), ended, "in pieces of {size}");
    }
}

#[test]
fn lines_are_messages() {
    check(Form::Lines, b"", &[], Ok(false));
    check(Form::Lines, b"{}\n[1]\n\n\"x", &[b"{}", b"[1]", b""], Ok(true));
    check(Form::Lines, b"1\n", &[b"1"], Ok(false));
}

#[test]
fn lengths_stand_before_messages() {
    let bytes = [0, 0, 0, 2, 0xff, 15, 0, 0, 0, 0, 0, 0, 0, 3, 7];
    check(Form::Lengths, &bytes, &[&[0xff, 15], &[]], Ok(true));
    check(Form::Lengths, &[0, 0, 1], &[], Ok(true));
}

#[test]
fn buns_messages_have_a_kind() {
    let bytes = [1, 2, 0, 0, 0, 2, 1, 0, 0, 0, 9, 3, 1, 0, 0, 0, 8, 2, 0, 0, 0, 0];
    check(Form::Kinds, &bytes, &[&[9], &[]], Ok(false));
    check(Form::Kinds, &[7, 0, 0, 0, 0], &[], Err(Flaw::UnknownKind(7)));
}

#[test]
fn lengths_that_nobody_sends_are_refused_at_once() {
    check(Form::Lengths, &[0xff; 9], &[], Err(Flaw::TooLong));
    check(Form::Lengths, &[0x20, 0, 0, 1], &[], Err(Flaw::TooLong));
    check(Form::Lengths, &[0x20, 0, 0, 0], &[], Ok(true));
    check(Form::Kinds, &[2, 0xff, 0xff, 0xff, 0xff], &[], Err(Flaw::TooLong));
}

#[test]
fn a_length_that_is_promised_takes_no_memory() {
    let mut frames = Frames::new(Form::Lengths);
    frames.cut(&[0x20, 0, 0, 0, 1, 2, 3], |_, _| panic!("it is not whole")).expect("it may come");
    assert!(frames.rest.capacity() < 4096);
}

#[test]
fn a_line_that_never_ends_is_refused() {
    let mut frames = Frames::new(Form::Lines);
    let piece = vec![b' '; 64 << 20];
    let outcomes: Vec<_> = (0..9).map(|_| frames.cut(&piece, |_, _| panic!("no line ended"))).collect();
    assert_eq!(outcomes[7], Ok(()));
    assert_eq!(outcomes[8], Err(Flaw::TooLong));
}

#[test]
fn what_bun_says_first_is_known_where_nodes_form_is_spoken() {
    check(Form::Lengths, &BUN_GREETING, &[], Err(Flaw::Foreign));
}

#[test]
fn memory_of_a_long_message_is_given_back() {
    let mut frames = Frames::new(Form::Lengths);
    let length = 8_u32 << 20;
    let mut found = 0;
    frames.cut(&length.to_be_bytes(), |_, _| found += 1).expect("a length");
    for _ in 0..8 {
        frames.cut(&vec![0; 1 << 20], |message, _| found += message.len()).expect("a message");
    }
    assert_eq!((found, frames.is_within()), (8 << 20, false));
    assert!(frames.rest.capacity() <= KEPT_BYTES_MAX);
}

#[test]
fn a_message_is_sent_as_it_is_read() {
    for form in [Form::Lines, Form::Lengths, Form::Kinds] {
        let bytes = form.framed(b"abc").expect("it is short");
        check(form, &bytes, &[b"abc"], Ok(false));
    }
}
