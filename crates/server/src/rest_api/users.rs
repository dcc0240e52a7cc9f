//! `/api/users`: the registered users.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use fumikura_wiki::{Language, Template, User, UserName, Wiki};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::ApiJson;
use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::prefers_japanese;
use crate::part::Part;
use crate::rest_api::Routes;

/// A registered user.
#[derive(Serialize, ToSchema)]
#[schema(as = User)]
pub(crate) struct UserDto {
    /// The user's id, a ULID.
    id: String,
    /// The user's name.
    name: String,
    /// The time of registration.
    created_at: Timestamp,
}

impl From<User> for UserDto {
    fn from(user: User) -> Self {
        Self {
            id: user.id.to_string(),
            name: user.name.to_string(),
            created_at: user.created_at,
        }
    }
}

/// A name for a user: 1 to 64 characters.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewUser {
    name: String,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(user_list, user_create))
        .routes(routes!(user_me, user_rename))
}

/// Lists the users by time of registration.
///
/// The list is empty at first.
#[utoipa::path(get, path = "/api/users", tag = "users", responses((status = 200, body = Vec<UserDto>)))]
async fn user_list(Part(wiki): Part<Wiki>) -> Result<Json<Vec<UserDto>>, ApiError> {
    let users = blocking(&wiki, |wiki| Ok(wiki.users().all()?)).await?;
    Ok(Json(users.into_iter().map(UserDto::from).collect()))
}

/// Registers a user.
///
/// The first registration creates the root page.
#[utoipa::path(post, path = "/api/users", tag = "users", request_body = NewUser, responses(
    (status = 201, body = UserDto),
    (status = 409, description = "`name_taken`", body = ErrorBody),
    (status = 422, description = "`invalid_name`", body = ErrorBody),
))]
async fn user_create(
    Part(wiki): Part<Wiki>,
    headers: HeaderMap,
    ApiJson(new): ApiJson<NewUser>,
) -> Result<(StatusCode, Json<UserDto>), ApiError> {
    let japanese = prefers_japanese(&headers);
    let user = blocking(&wiki, move |wiki| {
        let template = match wiki.settings()?.language {
            Language::En => Template::En,
            Language::Ja => Template::Ja,
            Language::System if japanese => Template::Ja,
            Language::System => Template::En,
        };
        Ok(wiki
            .users()
            .register(UserName::new(&new.name)?, template)?
            .user)
    })
    .await?;
    Ok((StatusCode::CREATED, Json(user.into())))
}

/// Returns the acting user.
#[utoipa::path(get, path = "/api/users/me", tag = "users", responses(
    (status = 200, body = UserDto),
    (status = 404, description = "`no_user`: no user has been registered yet", body = ErrorBody),
))]
async fn user_me(Part(acting): Part<ActingUser>) -> Result<Json<UserDto>, ApiError> {
    Ok(Json(blocking(&acting, |acting| acting.get()).await?.into()))
}

/// Renames the acting user.
///
/// Earlier contributions keep the old name.
#[utoipa::path(patch, path = "/api/users/me", tag = "users", request_body = NewUser, responses(
    (status = 200, body = UserDto),
    (status = 409, description = "`name_taken`", body = ErrorBody),
    (status = 422, description = "`invalid_name`", body = ErrorBody),
))]
async fn user_rename(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiJson(new): ApiJson<NewUser>,
) -> Result<Json<UserDto>, ApiError> {
    let user = blocking(&wiki, move |wiki| {
        let me = acting.get()?;
        Ok(wiki.users().rename(me.id, UserName::new(&new.name)?)?)
    })
    .await?;
    Ok(Json(user.into()))
}
