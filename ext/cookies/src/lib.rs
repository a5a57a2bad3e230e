//! Cookies and CSRF tokens: `Bun.Cookie`, `Bun.CookieMap`, `Bun.CSRF`. This extension is written in
//! JavaScript alone.

rusk_runtime::extension!("cookies", []);
