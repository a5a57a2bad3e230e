//! Freshness lifetimes of response headers.

use hyper::header::HeaderValue;

use super::*;

fn check(cache_control: &str, age: Option<&str>, expected: u64) {
    let mut headers = HeaderMap::new();
    headers.insert(CACHE_CONTROL, HeaderValue::from_str(cache_control).expect(cache_control));
    if let Some(age) = age {
        headers.insert(AGE, HeaderValue::from_str(age).expect(age));
    }
    assert_eq!(fresh_s(&headers), expected, "{cache_control}");
}

#[test]
fn max_age_less_age() {
    check("public, max-age=300", None, 300);
    check("public, max-age=300", Some("20"), 280);
    check("Max-Age = \"60\"", None, 60);
    check("max-age=300", Some("400"), 0);
    check("max-age=99999999", None, FRESH_MAX_S);
}

#[test]
fn no_cache_and_no_lifetime_are_stale() {
    check("no-cache, max-age=300", None, 0);
    check("max-age=300, no-store", None, 0);
    check("private", None, 0);
    check("max-age=soon", None, 0);
}

#[test]
fn what_cannot_be_revalidated_lasts_for_some_minutes() {
    assert_eq!(fresh_s(&HeaderMap::new()), UNSTATED_FRESH_S);
    for validator in [ETAG, LAST_MODIFIED, EXPIRES] {
        let headers: HeaderMap = [(validator, HeaderValue::from_static("0"))].into_iter().collect();
        assert_eq!(fresh_s(&headers), 0);
    }
}
