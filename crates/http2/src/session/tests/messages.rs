//! Messages between a client and a server: content, windows, trailers, pushes, limits of streams.

use super::super::HeadersCategory;
use super::*;

fn data_bytes(events: &[SessionEvent]) -> usize {
    let bytes =
        |event: &SessionEvent| if let SessionEvent::Data { bytes, .. } = event { bytes.len() } else { 0 };
    events.iter().map(bytes).sum()
}

#[test]
fn a_request_and_its_response() {
    let (mut client, mut server) = (client(), server_with(SessionOptions::default()));
    let id = client.request(get(), true, None).unwrap();
    let (_, events) = exchange(&mut client, &mut server);
    let category = HeadersCategory::Request;
    assert!(events.contains(&SessionEvent::Headers {
        stream: 1,
        category,
        ends_stream: true,
        fields: get()
    }));
    assert!(events.contains(&SessionEvent::StreamEnded { stream: 1 }));
    server.respond(id, &response(), false).unwrap();
    server.write(id, b"hello".to_vec()).unwrap();
    server.end(id, false);
    let (events, of_server) = exchange(&mut client, &mut server);
    assert!(events.contains(&SessionEvent::Data { stream: 1, bytes: b"hello".to_vec() }));
    assert!(events.contains(&SessionEvent::StreamClosed { stream: 1, code: 0 }));
    assert!(of_server.contains(&SessionEvent::Written { stream: 1, chunks: 1 }));
    assert!(of_server.contains(&SessionEvent::StreamClosed { stream: 1, code: 0 }));
}

#[test]
fn a_window_holds_data_back_until_it_is_read() {
    const BYTES: usize = 1 << 20;
    let (mut client, mut server) = (client(), server_with(SessionOptions::default()));
    let id = client.request(get(), true, None).unwrap();
    exchange(&mut client, &mut server);
    server.respond(id, &response(), false).unwrap();
    server.write(id, vec![7; BYTES]).unwrap();
    server.end(id, false);
    let (first, _) = exchange(&mut client, &mut server);
    assert_eq!(data_bytes(&first), 65_535);
    client.set_reading(id, true);
    let (rest, _) = exchange(&mut client, &mut server);
    assert_eq!(data_bytes(&rest), BYTES - 65_535);
}

#[test]
fn streams_share_the_connection() {
    let (mut client, mut server) = (client(), server_with(SessionOptions::default()));
    let ids = [1, 2, 3].map(|_| client.request(get(), true, None).unwrap());
    ids.iter().for_each(|id| client.set_reading(*id, true));
    exchange(&mut client, &mut server);
    for id in ids {
        server.respond(id, &response(), false).unwrap();
        server.write(id, vec![0; 40_000]).unwrap();
        server.end(id, false);
    }
    let bytes = server.take_output(usize::MAX);
    client.receive(&bytes, 0).unwrap();
    let order: Vec<u32> = drain(&mut client)
        .iter()
        .filter_map(|event| if let SessionEvent::Data { stream, .. } = event { Some(*stream) } else { None })
        .collect();
    assert_eq!(order[..4], [1, 3, 5, 1]);
    let (events, _) = exchange(&mut client, &mut server);
    assert!(events.contains(&SessionEvent::StreamClosed { stream: 5, code: 0 }));
}

#[test]
fn trailers_end_a_stream() {
    let (mut client, mut server) = (client(), server_with(SessionOptions::default()));
    let id = client.request(get(), false, None).unwrap();
    client.write(id, b"x".to_vec()).unwrap();
    client.end(id, true);
    let (of_client, _) = exchange(&mut client, &mut server);
    assert!(of_client.contains(&SessionEvent::TrailersWanted { stream: id }));
    client.trailers(id, &fields(&[("checksum", "1")])).unwrap();
    let (_, events) = exchange(&mut client, &mut server);
    let (category, fields) = (HeadersCategory::Headers, fields(&[("checksum", "1")]));
    assert!(events.contains(&SessionEvent::Headers { stream: id, category, ends_stream: true, fields }));
}

#[test]
fn a_pushed_response() {
    let (mut client, mut server) = (client(), server_with(SessionOptions::default()));
    let id = client.request(get(), true, None).unwrap();
    exchange(&mut client, &mut server);
    let pushed = server.push_promise(id, &get()).unwrap();
    server.respond(pushed, &response(), true).unwrap();
    let (events, of_server) = exchange(&mut client, &mut server);
    assert!(events.contains(&SessionEvent::PushPromise { stream: id, promised: 2, fields: get() }));
    let category = HeadersCategory::PushResponse;
    assert!(events.contains(&SessionEvent::Headers {
        stream: 2,
        category,
        ends_stream: true,
        fields: response()
    }));
    assert!(of_server.contains(&SessionEvent::StreamClosed { stream: 2, code: 0 }));
}

#[test]
fn informational_responses_are_before_the_final_one() {
    let (mut client, mut server) = (client(), server_with(SessionOptions::default()));
    let id = client.request(get(), true, None).unwrap();
    exchange(&mut client, &mut server);
    server.inform(id, &fields(&[(":status", "103")])).unwrap();
    server.respond(id, &response(), true).unwrap();
    let (events, _) = exchange(&mut client, &mut server);
    let categories: Vec<HeadersCategory> = events
        .iter()
        .filter_map(
            |event| if let SessionEvent::Headers { category, .. } = event { Some(*category) } else { None },
        )
        .collect();
    assert_eq!(categories, [HeadersCategory::Response, HeadersCategory::Headers]);
}

#[test]
fn requests_wait_for_the_limit_of_the_server() {
    let (mut client, mut server) =
        (client(), Http2Session::new(SessionRole::Server, SessionOptions::default()));
    server.settings(&[(3, 1)]).unwrap();
    exchange(&mut client, &mut server);
    let ids = [1, 2].map(|_| client.request(get(), true, None).unwrap());
    let (_, events) = exchange(&mut client, &mut server);
    assert_eq!(events.iter().filter(|event| matches!(event, SessionEvent::Headers { .. })).count(), 1);
    server.respond(ids[0], &response(), true).unwrap();
    let (_, events) = exchange(&mut client, &mut server);
    assert!(events.iter().any(|event| matches!(event, SessionEvent::Headers { stream: 3, .. })));
}

#[test]
fn a_large_header_list_is_continued() {
    let (mut client, mut server) = (client(), server_with(SessionOptions::default()));
    let value = "~".repeat(40_000);
    let request = [get(), fields(&[("x-large", &value)])].concat();
    client.request(request.clone(), true, None).unwrap();
    let (_, events) = exchange(&mut client, &mut server);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, SessionEvent::Headers { fields, .. } if *fields == request))
    );
    let too_large = [get(), fields(&[("x-large", &"~".repeat(70_000))])].concat();
    client.request(too_large, true, None).unwrap();
    let (stream, kind, error) = (3, 1, Http2Error::FrameSize);
    assert!(drain(&mut client).contains(&SessionEvent::FrameNotSent { stream, kind, error }));
}

#[test]
fn padded_frames_carry_the_same_content() {
    for padding in [super::super::PaddingStrategy::Aligned, super::super::PaddingStrategy::Max] {
        let (mut client, mut server) =
            (client(), server_with(SessionOptions { padding, ..SessionOptions::default() }));
        let id = client.request(get(), true, None).unwrap();
        client.set_reading(id, true);
        exchange(&mut client, &mut server);
        server.respond(id, &response(), false).unwrap();
        server.write(id, vec![1; 100_001]).unwrap();
        server.end(id, false);
        let (events, _) = exchange(&mut client, &mut server);
        assert_eq!(data_bytes(&events), 100_001);
        assert!(events.contains(&SessionEvent::StreamClosed { stream: id, code: 0 }));
    }
}

#[test]
fn goaway_refuses_later_requests() {
    let (mut client, mut server) = (client(), server_with(SessionOptions::default()));
    client.request(get(), true, None).unwrap();
    exchange(&mut client, &mut server);
    server.goaway(0, 1, b"bye");
    client.request(get(), true, None).unwrap();
    let (events, _) = exchange(&mut client, &mut server);
    assert!(events.contains(&SessionEvent::GoAway { code: 0, last_stream: 1, opaque: b"bye".to_vec() }));
    assert!(events.contains(&SessionEvent::StreamClosed { stream: 3, code: 7 }));
}
