//! One-time passwords of two-factor authentication: from `--otp`, typed at the terminal, or
//! obtained by approving the request in a browser.

use std::cell::RefCell;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusk_base::{Result, problem::printable};
use rusk_npm::host;
use rusk_npm::json::{self, Dialect, Node};
use rusk_registry::{ApiRequest, ApiResponse};

use super::problem;
use super::prompt;
use super::session::Session;
use rusk_screen::Screen;

/// How long a browser may take.
const APPROVAL_MAX: Duration = Duration::from_secs(300);
const PAUSE_DEFAULT: Duration = Duration::from_secs(1);
const PAUSE_MAX: Duration = Duration::from_secs(30);

pub struct OneTimePassword(RefCell<Option<String>>);

impl OneTimePassword {
    pub fn new(given: Option<&str>) -> OneTimePassword {
        OneTimePassword(RefCell::new(given.map(str::to_owned)))
    }

    pub fn header(&self) -> Option<(&'static str, String)> {
        self.0.borrow().clone().map(|password| ("npm-otp", password))
    }

    /// Whether the registry refused the request for want of one; never twice.
    pub fn is_required(&self, response: &ApiResponse) -> bool {
        let challenge = response.header("www-authenticate").unwrap_or_default().to_ascii_lowercase();
        let body = String::from_utf8_lossy(&response.body);
        response.status == 401
            && self.0.borrow().is_none()
            && (challenge.contains("otp") || body.to_ascii_lowercase().contains("one-time pass"))
    }

    /// Gets one; false when there is no terminal and no page.
    pub fn obtain(
        &self,
        session: &Session,
        request: &ApiRequest,
        response: &ApiResponse,
        screen: &mut Screen,
    ) -> Result<bool> {
        session.configuration.check_secret_channel(&request.url)?;
        let origin = host::origin_of_url(&request.url).unwrap_or_default();
        let question = format!("One-time password for {origin}: ");
        let text = String::from_utf8_lossy(&response.body);
        let root = json::parse(&text, Dialect::Strict).ok();
        let url = |key| root.as_ref().and_then(|root| root.find(key)).and_then(Node::as_str);
        let password = match (url("authUrl"), url("doneUrl")) {
            (Some(page), Some(done)) => {
                let page = printable(page);
                screen.report(&format!("Approve the request to {origin} in a browser:\n\n    {page}\n\n"));
                Some(wait_for_token(session, done)?)
            }
            _ if prompt::is_interactive() => Some(prompt::line(&question, screen)?),
            _ => None,
        };
        let obtained = password.is_some();
        *self.0.borrow_mut() = password;
        Ok(obtained)
    }
}

/// Asks until the page in the browser is done: 202 means not yet, with a pause in `retry-after`.
pub fn wait_for_token(session: &Session, done_url: &str) -> Result<String> {
    session.configuration.check_secret_channel(done_url)?;
    let start = Instant::now();
    let subject = "the approval in the browser".to_owned();
    while start.elapsed() < APPROVAL_MAX {
        let response = session.client.call(ApiRequest::get(done_url.to_owned(), subject.clone()))?;
        if response.status == 202 {
            let seconds = response.header("retry-after").and_then(|pause| pause.trim().parse().ok());
            sleep(seconds.map_or(PAUSE_DEFAULT, Duration::from_secs).min(PAUSE_MAX));
            continue;
        }
        let text = String::from_utf8_lossy(&response.body).into_owned();
        let token = json::parse(&text, Dialect::Strict).ok();
        let token = token.and_then(|root| Some(root.find("token")?.as_str()?.to_owned()));
        return token
            .ok_or_else(|| super::session::refused(&ApiRequest::get(String::new(), subject), &response));
    }
    Err(problem::approval_timeout(APPROVAL_MAX.as_secs()))
}
