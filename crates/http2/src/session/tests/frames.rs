//! Frames by hand, by the sections that h2spec lists: what a peer may not send, and how the server
//! answers.

use super::*;

/// Frames, and the code of the GOAWAY frame that answers them.
fn connection_error(frames: &[(u8, u8, u32, &[u8])], code: u32) {
    let mut server = open_server(SessionOptions::default());
    for (kind, flags, stream, payload) in frames {
        send(&mut server, *kind, *flags, *stream, payload).unwrap();
    }
    assert_eq!(terminated(&mut server), Some(code), "{frames:?}");
}

/// Frames of stream 1, and the code that it is reset with.
fn stream_error(frames: &[(u8, u8, &[u8])], code: u32) {
    let mut server = open_server(SessionOptions::default());
    for (kind, flags, payload) in frames {
        send(&mut server, *kind, *flags, 1, payload).unwrap();
    }
    assert_eq!(closed(&mut server), Some((1, code)), "{frames:?}");
}

fn malformed(request: &[(&str, &str)]) {
    stream_error(&[(1, 5, &block(&fields(request)))], 1);
}

#[test]
fn section_3_4_preface() {
    let mut server = server_with(SessionOptions::default());
    assert_eq!(server.receive(b"GET / HTTP/1.1\r\n", 0), Err(Http2Error::BadClientMagic));
    let mut server = server_with(SessionOptions::default());
    server.receive(PREFACE, 0).unwrap();
    send(&mut server, 6, 0, 0, &[0; 8]).unwrap();
    assert_eq!(terminated(&mut server), Some(1));
}

#[test]
fn section_4_frames() {
    let headers = block(&get());
    connection_error(&[(0, 0, 1, &[0; 16_385])], 6);
    connection_error(&[(1, 5, 1, &[0x80])], 9);
    connection_error(&[(1, 1, 1, &headers), (2, 0, 1, &[0, 0, 0, 0, 1])], 1);
    connection_error(&[(1, 1, 1, &headers), (9, 4, 3, &[])], 1);
    // An unknown type is ignored, but not within a header block.
    connection_error(&[(0xff, 0, 0, &[1]), (1, 1, 1, &headers), (0xff, 0, 0, &[])], 1);
}

#[test]
fn section_5_1_states() {
    let headers = block(&get());
    for kind in [0, 3, 8] {
        connection_error(&[(kind, 0, 1, &[0, 0, 0, 1])], 1);
    }
    connection_error(&[(9, 4, 1, &[])], 1);
    connection_error(&[(1, 5, 1, &headers), (0, 1, 1, b"x")], 5);
    connection_error(&[(1, 5, 1, &headers), (1, 5, 1, &headers)], 5);
    connection_error(&[(1, 5, 2, &headers)], 1);
}

#[test]
fn section_5_1_frames_after_the_end_of_both_halves() {
    for (kind, payload) in [(0, b"x".to_vec()), (1, block(&get()))] {
        let mut server = open_server(SessionOptions::default());
        send(&mut server, 1, 5, 1, &block(&get())).unwrap();
        server.respond(1, &response(), true).unwrap();
        send(&mut server, kind, 5, 1, &payload).unwrap();
        assert_eq!(terminated(&mut server), Some(5), "{kind}");
    }
}

#[test]
fn section_5_1_frames_after_a_reset_of_the_peer() {
    connection_error(&[(1, 4, 1, &block(&get())), (3, 0, 1, &[0, 0, 0, 8]), (0, 1, 1, b"x")], 5);
}

#[test]
fn section_5_1_frames_after_a_reset_are_ignored() {
    let mut server = open_server(SessionOptions::default());
    send(&mut server, 1, 4, 1, &block(&get())).unwrap();
    server.reset_stream(1, 8);
    for (kind, payload) in [(0, &b"x"[..]), (8, &[0, 0, 0, 1]), (3, &[0; 4])] {
        send(&mut server, kind, 0, 1, payload).unwrap();
    }
    assert_eq!(terminated(&mut server), None);
}

#[test]
fn section_5_3_a_stream_cannot_depend_on_itself() {
    connection_error(&[(2, 0, 1, &[0, 0, 0, 1, 5])], 1);
}

#[test]
fn section_6_lengths_and_streams() {
    let headers = block(&get());
    let padded = [&[200][..], &headers].concat();
    for (frames, code) in [
        ((0, 0, 0, &b"x"[..]), 1),
        ((1, 5, 0, &headers[..]), 1),
        ((1, 13, 1, &padded[..]), 1),
        ((2, 0, 0, &[0; 5]), 1),
        ((2, 0, 1, &[0; 4]), 6),
        ((3, 0, 0, &[0; 4]), 1),
        ((4, 1, 0, &[0]), 6),
        ((4, 0, 1, &[]), 1),
        ((4, 0, 0, &[0; 3]), 6),
        ((4, 0, 0, &[0, 2, 0, 0, 0, 2]), 1),
        ((4, 0, 0, &[0, 4, 0x80, 0, 0, 0]), 3),
        ((4, 0, 0, &[0, 5, 0, 0, 0x3f, 0xff]), 1),
        ((4, 1, 0, &[]), 1),
        ((5, 4, 1, &[0, 0, 0, 2]), 1),
        ((6, 0, 0, &[0; 6]), 6),
        ((6, 0, 1, &[0; 8]), 1),
        ((7, 0, 1, &[0; 8]), 1),
        ((8, 0, 0, &[0; 4]), 1),
        ((8, 0, 0, &[0; 3]), 6),
        ((8, 0, 0, &[0x7f, 0xff, 0xff, 0xff]), 3),
    ] {
        connection_error(&[frames], code);
    }
    stream_error(&[(1, 5, &headers), (8, 0, &[0; 4])], 1);
    stream_error(&[(1, 5, &headers), (8, 0, &[0x7f, 0xff, 0xff, 0xff])], 3);
}

#[test]
fn section_6_9_windows_may_become_negative() {
    let mut server = open_server(SessionOptions::default());
    send(&mut server, 1, 5, 1, &block(&get())).unwrap();
    server.respond(1, &response(), false).unwrap();
    server.take_output(usize::MAX);
    server.write(1, vec![0; 10]).unwrap();
    send(&mut server, 4, 0, 0, &[0, 4, 0, 0, 0, 3]).unwrap();
    let window = |server: &Http2Session| server.stream_state(1).unwrap().3.remote_size;
    assert_eq!(window(&server), 3);
    server.take_output(usize::MAX);
    send(&mut server, 4, 0, 0, &[0, 4, 0, 0, 0, 2]).unwrap();
    assert_eq!(window(&server), -1);
    send(&mut server, 8, 0, 1, &2u32.to_be_bytes()).unwrap();
    // The acknowledgement of settings, and one byte.
    assert_eq!(server.take_output(usize::MAX).len(), 9 + 10);
}

#[test]
fn section_8_malformed_requests() {
    let [method, scheme, path, host] =
        [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "a")];
    for request in [
        &[method, scheme, path, host, ("X-Upper", "a")][..],
        &[method, scheme, path, host, (":unknown", "a")],
        &[method, scheme, path, host, (":status", "200")],
        &[method, scheme, path, ("a", "b"), host],
        &[method, scheme, path, host, ("connection", "close")],
        &[method, scheme, path, host, ("te", "gzip")],
        &[method, scheme, (":path", ""), host],
        &[method, scheme, host],
        &[method, path, host],
        &[scheme, path, host],
        &[method, method, scheme, path, host],
        &[method, scheme, path],
        &[(":method", "CONNECT"), scheme, path, host],
        &[method, scheme, path, host, (":protocol", "websocket")],
    ] {
        malformed(request);
    }
}

#[test]
fn section_8_1_content_length() {
    let request = [get(), fields(&[("content-length", "3")])].concat();
    stream_error(&[(1, 5, &block(&request))], 1);
    stream_error(&[(1, 4, &block(&request)), (0, 1, b"ab")], 1);
    stream_error(&[(1, 4, &block(&request)), (0, 0, b"abcd")], 1);
}

#[test]
fn section_8_1_trailers() {
    let headers = block(&get());
    stream_error(&[(1, 4, &headers), (1, 4, &block(&fields(&[("a", "b")])))], 1);
    stream_error(&[(1, 4, &headers), (1, 5, &block(&fields(&[(":method", "GET")])))], 1);
}

#[test]
fn frames_may_arrive_in_pieces() {
    let mut bytes = PREFACE.to_vec();
    write_frame(&mut bytes, 4, 0, 0, &[0, 3, 0, 0, 0, 9]);
    write_frame(&mut bytes, 1, 4, 1, &block(&get()));
    write_frame(&mut bytes, 0, 1, 1, b"content");
    let mut whole = server_with(SessionOptions::default());
    whole.receive(&bytes, 0).unwrap();
    let mut pieces = server_with(SessionOptions::default());
    bytes.iter().for_each(|byte| pieces.receive(&[*byte], 0).unwrap());
    assert_eq!(drain(&mut whole), drain(&mut pieces));
    assert_eq!(whole.remote_settings().concurrent_streams_max, 9);
}
