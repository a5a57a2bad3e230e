//! Tests of `extension`.

use super::*;

const SUPPORT: DeflateSupport =
    DeflateSupport { server_keeps_context: false, client_keeps_context: false, server_window_bits: 15 };
const BOTH: DeflateSupport =
    DeflateSupport { server_keeps_context: true, client_keeps_context: true, server_window_bits: 15 };

fn response(header: &str, support: DeflateSupport) -> Option<String> {
    accept_offer(header, support).map(|(_, response)| response)
}

#[test]
fn a_server_answers_the_first_offer_that_it_can_accept() {
    let check = |header: &str, expected: Option<&str>| {
        assert_eq!(response(header, BOTH).as_deref(), expected, "{header}");
    };
    check("permessage-deflate", Some("permessage-deflate"));
    check("x-other, permessage-deflate; client_max_window_bits", Some("permessage-deflate"));
    check("permessage-deflate; unknown", None);
    check("permessage-deflate; unknown, permessage-deflate", Some("permessage-deflate"));
    check("permessage-deflate; server_max_window_bits=8", None);
    check(
        "permessage-deflate; server_max_window_bits = \"10\"",
        Some("permessage-deflate; server_max_window_bits=10"),
    );
    check("permessage-deflate; server_max_window_bits", None);
    check("permessage-deflate; server_max_window_bits=16", None);
    check("permessage-deflate; server_max_window_bits=010", None);
    check("permessage-deflate; client_max_window_bits=+9", None);
    check("permessage-deflate; client_max_window_bits; client_max_window_bits", None);
    check("permessage-deflate; server_no_context_takeover=1", None);
    check(
        "permessage-deflate; server_no_context_takeover",
        Some("permessage-deflate; server_no_context_takeover"),
    );
    check("", None);
    assert_eq!(
        response("permessage-deflate", SUPPORT).as_deref(),
        Some("permessage-deflate; server_no_context_takeover; client_no_context_takeover")
    );
}

#[test]
fn a_client_reads_the_response() {
    assert_eq!(accept_response(""), Ok(None));
    let all = "permessage-deflate; server_no_context_takeover; client_no_context_takeover; \
               server_max_window_bits=12; client_max_window_bits=11";
    assert_eq!(
        accept_response(all),
        Ok(Some(DeflateParameters {
            server_keeps_context: false,
            client_keeps_context: false,
            server_window_bits: 12,
            client_window_bits: 11
        }))
    );
    for wrong in [
        "x-other",
        "permessage-deflate; unknown",
        "permessage-deflate, permessage-deflate",
        "permessage-deflate; client_max_window_bits",
        "permessage-deflate; client_max_window_bits=8",
        "permessage-deflate; server_max_window_bits=7",
    ] {
        assert!(accept_response(wrong).is_err(), "{wrong}");
    }
}
