//! The error of every command, and the exit code that it ends with.

use std::{fmt, io, process::ExitCode};

/// Result of a command.
pub(crate) type Result<T = (), E = Error> = core::result::Result<T, E>;

/// Why a command did not succeed, in words for the person who typed it.
#[derive(Debug)]
pub(crate) enum Error {
    /// The command line is wrong; exit code 2.
    Usage(String),
    /// The command ran and failed; exit code 1.
    Failed(String),
}

impl Error {
    /// A failure with `message`.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }

    /// A usage error with `message`, which names what is wrong and where help is.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// The process's exit code for this error.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Failed(_) => ExitCode::FAILURE,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Failed(message) => f.write_str(message),
        }
    }
}

impl core::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<xshell::Error> for Error {
    fn from(error: xshell::Error) -> Self {
        Self::failed(error.to_string())
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::failed(format!("unexpected JSON: {error}"))
    }
}
