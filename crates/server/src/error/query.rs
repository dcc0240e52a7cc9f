//! Conversions of faults of search queries to responses.

use fumikura_search::QueryError;
use serde::Serialize;
use utoipa::ToSchema;

use super::{ApiError, ErrorCode};

/// The fault of a search query, for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QueryFault {
    /// It is too long.
    TooLong,
    /// A regular expression is invalid or too large.
    Regex {
        /// The fault of the expression, in English.
        reason: String,
        /// The number of the character at which it is, from 1.
        at: Option<usize>,
    },
    /// A regular expression comes without a path.
    RegexWithoutPath,
    /// A date can't be read.
    Date {
        /// The typed date.
        date: String,
    },
    /// The value of `rating:` or `size:` can't be read.
    Value {
        /// `rating` or `size`.
        field: String,
        /// The typed value.
        value: String,
    },
    /// There is no such type of pictures.
    Type {
        /// The typed value.
        value: String,
        /// The names of all types.
        types: String,
    },
    /// There is no such album.
    Album {
        /// The typed name, or the id.
        album: String,
    },
}

impl From<QueryError> for ApiError {
    fn from(error: QueryError) -> Self {
        let mut answer = Self::new(ErrorCode::InvalidValue, &error);
        answer.body.query_fault = Some(match error {
            QueryError::TooLong => QueryFault::TooLong,
            QueryError::Regex { reason, at } => QueryFault::Regex { reason, at },
            QueryError::RegexWithoutPath => QueryFault::RegexWithoutPath,
            QueryError::Date(date) => QueryFault::Date { date },
            QueryError::Value { field, value } => QueryFault::Value {
                field: field.to_owned(),
                value,
            },
            QueryError::Type { value, types } => QueryFault::Type { value, types },
            QueryError::Album(album) => QueryFault::Album { album },
        });
        answer
    }
}
