//! What answers.

use super::{Request, Response};

/// Answers requests.
pub(crate) trait Handler: Sync {
    /// The answer to a well-formed request. To a `HEAD` it is that to a `GET`, whose body is left out.
    fn answer(&self, request: &Request<'_>) -> Response;

    /// Told of each answer, also of those that refuse what was no request.
    fn answered(&self, response: &Response);
}
