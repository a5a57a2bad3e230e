//! Limits against peers that make work and memory with cheap frames.

use super::*;

#[test]
fn pings_without_reading() {
    let mut server = open_server(SessionOptions { unsent_acks_max: 10, ..SessionOptions::default() });
    let results: Vec<_> = (0..11).map(|_| send(&mut server, 6, 0, 0, &[0; 8])).collect();
    assert_eq!((results[9], results[10]), (Ok(()), Err(Http2Error::Flooded)));
}

#[test]
fn settings_without_reading() {
    let mut server = open_server(SessionOptions { unsent_acks_max: 10, ..SessionOptions::default() });
    let results: Vec<_> = (0..11).map(|_| send(&mut server, 4, 0, 0, &[])).collect();
    assert_eq!((results[9], results[10]), (Ok(()), Err(Http2Error::Flooded)));
}

#[test]
fn acknowledgements_that_were_sent_do_not_count() {
    let mut server = open_server(SessionOptions { unsent_acks_max: 10, ..SessionOptions::default() });
    for _ in 0..100 {
        send(&mut server, 6, 0, 0, &[0; 8]).unwrap();
        server.take_output(usize::MAX);
    }
}

#[test]
fn too_many_settings_in_one_frame() {
    let mut server = open_server(SessionOptions::default());
    send(&mut server, 4, 0, 0, &[0; 6 * 33]).unwrap();
    assert_eq!(terminated(&mut server), Some(11));
}

#[test]
fn rapid_resets() {
    let options = SessionOptions { reset_burst: 5, resets_per_second: 1, ..SessionOptions::default() };
    let mut server = open_server(options);
    for stream in 0..6 {
        send(&mut server, 1, 5, stream * 2 + 1, &block(&get())).unwrap();
        send(&mut server, 3, 0, stream * 2 + 1, &8u32.to_be_bytes()).unwrap();
    }
    assert_eq!(terminated(&mut server), Some(2));
}

#[test]
fn continuations_without_end() {
    let mut server = open_server(SessionOptions::default());
    send(&mut server, 1, 1, 1, &block(&get())).unwrap();
    let results: Vec<_> = (0..9).map(|_| send(&mut server, 9, 0, 1, &[])).collect();
    assert_eq!((results[7], results[8]), (Ok(()), Err(Http2Error::TooManyContinuations)));
}

#[test]
fn empty_data_frames() {
    let mut server = open_server(SessionOptions { invalid_frames_max: 5, ..SessionOptions::default() });
    send(&mut server, 1, 4, 1, &block(&get())).unwrap();
    let results: Vec<_> = (0..7).map(|_| send(&mut server, 0, 0, 1, &[])).collect();
    assert_eq!((results[5], results[6]), (Ok(()), Err(Http2Error::TooManyInvalidFrames)));
}

#[test]
fn header_lists_with_too_many_or_too_large_fields() {
    let mut server = open_server(SessionOptions { header_pairs_max: 4, ..SessionOptions::default() });
    send(&mut server, 1, 5, 1, &block(&[get(), fields(&[("a", "b")])].concat())).unwrap();
    assert_eq!(closed(&mut server), Some((1, 11)));
    let mut server = open_server(SessionOptions { header_list_bytes_max: 400, ..SessionOptions::default() });
    // One field in the table, which each use makes as large again.
    let mut out = vec![0x82, 0x86, 0x84, 0x01, 1, b'a', 0x40, 1, b'x', 0x7f, 1];
    out.extend_from_slice(&[b'y'; 128]);
    out.extend_from_slice(&[0xbe; 1000]);
    send(&mut server, 1, 5, 1, &out).unwrap();
    assert_eq!(closed(&mut server), Some((1, 11)));
}

#[test]
fn streams_that_the_caller_refuses() {
    let mut server = open_server(SessionOptions { rejected_streams_max: 1, ..SessionOptions::default() });
    server.refuses_streams = true;
    send(&mut server, 1, 5, 1, &block(&get())).unwrap();
    assert_eq!(closed(&mut server), Some((1, 11)));
    assert_eq!(send(&mut server, 1, 5, 3, &block(&get())), Err(Http2Error::TooManyInvalidFrames));
}

#[test]
fn streams_above_the_limit() {
    let mut server = open_server(SessionOptions::default());
    server.settings(&[(3, 1)]).unwrap();
    send(&mut server, 1, 4, 1, &block(&get())).unwrap();
    // The peer may not know the limit yet.
    send(&mut server, 1, 4, 3, &block(&get())).unwrap();
    assert_eq!(closed(&mut server), Some((3, 7)));
    send(&mut server, 4, 1, 0, &[]).unwrap();
    send(&mut server, 1, 4, 5, &block(&get())).unwrap();
    assert_eq!(terminated(&mut server), Some(1));
}
