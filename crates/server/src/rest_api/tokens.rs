//! `/api/tokens`: the access tokens of other programs.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use fumikura_wiki::UserName;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::{ApiJson, ApiPath};
use crate::auth::{AccessToken, AccessTokenId, MAX_TOKENS, NewToken, Scope};
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Authority;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::services::TokenCare;

/// The longest name of a token, in characters.
const MAX_NAME: usize = 100;
/// The longest validity of a token, in days.
const MAX_DAYS: u32 = 366;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// An access token, without its secret.
#[derive(Serialize, ToSchema)]
#[schema(as = AccessToken)]
struct TokenDto {
    /// The token's id, a ULID.
    id: String,
    /// The name by which the user recognizes the program.
    name: String,
    scopes: BTreeSet<Scope>,
    /// The user on whose behalf the program acts; null if the user is gone.
    user_name: Option<String>,
    created_at: Timestamp,
    expires_at: Timestamp,
}

/// The access tokens.
#[derive(Serialize, ToSchema)]
#[schema(as = AccessTokenList)]
struct TokenListDto {
    /// The tokens, the latest first.
    items: Vec<TokenDto>,
}

/// An access token to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewAccessToken)]
struct NewTokenDto {
    /// The name by which the user recognizes the program: 1 to 100 characters.
    name: String,
    /// The rights, at least one.
    scopes: BTreeSet<Scope>,
    /// The number of days until it expires, 1 to 366.
    days: u32,
    /// The user on whose behalf the program acts; the acting user by default.
    user: Option<String>,
}

/// A new access token.
#[derive(Serialize, ToSchema)]
#[schema(as = CreatedAccessToken)]
struct CreatedTokenDto {
    /// The token, which is never shown again.
    token: String,
    about: TokenDto,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(token_list, token_create))
        .routes(routes!(token_revoke))
}

/// Lists the access tokens that have not expired.
#[utoipa::path(get, path = "/api/tokens", tag = "entry", responses((status = 200, body = TokenListDto)))]
async fn token_list(Part(care): Part<TokenCare>) -> Result<Json<TokenListDto>, ApiError> {
    let items = blocking(&care, |care| {
        let tokens = care.auth.tokens.list(care.clock.now());
        tokens.into_iter().map(|token| care.dto(token)).collect()
    });
    let items: Vec<TokenDto> = items.await?;
    Ok(Json(TokenListDto { items }))
}

/// Creates an access token.
///
/// Requires the desktop window or the Bearer token.
#[utoipa::path(post, path = "/api/tokens", tag = "entry", request_body = NewTokenDto, responses(
    (status = 201, body = CreatedTokenDto),
    (status = 403, description = "`window_required`", body = ErrorBody),
    (status = 404, description = "`no_user`", body = ErrorBody),
    (status = 422, description = "`invalid_name`; `invalid_value`: no scope, a wrong number of days, or too many tokens", body = ErrorBody),
    (status = 507, description = "`disk_full`", body = ErrorBody),
))]
async fn token_create(
    Part(care): Part<TokenCare>,
    authority: Authority,
    ApiJson(new): ApiJson<NewTokenDto>,
) -> Result<(StatusCode, Json<CreatedTokenDto>), ApiError> {
    if authority != Authority::Owner {
        return Err(ApiError::new(
            ErrorCode::WindowRequired,
            "create access tokens in the desktop window, or by “fumi token create”",
        ));
    }
    let created = blocking(&care, move |care| care.create(new)).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

/// Revokes an access token.
#[utoipa::path(delete, path = "/api/tokens/{id}", tag = "entry", params(("id" = String, Path)), responses(
    (status = 204, description = "It is refused from now on"),
    (status = 404, description = "`token_not_found`", body = ErrorBody),
    (status = 507, description = "`disk_full`: it is still valid", body = ErrorBody),
))]
async fn token_revoke(
    Part(care): Part<TokenCare>,
    ApiPath(id): ApiPath<AccessTokenId>,
) -> Result<StatusCode, ApiError> {
    let revoked = blocking(&care, move |care| {
        care.auth.tokens.revoke(id).map_err(|error| failed(&error))
    });
    match revoked.await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::new(
            ErrorCode::TokenNotFound,
            "there is no such access token",
        )),
    }
}

impl TokenCare {
    fn dto(&self, token: AccessToken) -> Result<TokenDto, ApiError> {
        let users = self.wiki.users().all()?;
        let user = users.into_iter().find(|user| user.id == token.user);
        Ok(TokenDto {
            id: token.id.to_string(),
            name: token.name,
            scopes: token.scopes,
            user_name: user.map(|user| user.name.to_string()),
            created_at: token.created_at,
            expires_at: token.expires_at,
        })
    }

    fn create(&self, new: NewTokenDto) -> Result<CreatedTokenDto, ApiError> {
        let NewTokenDto {
            name,
            scopes,
            days,
            user,
        } = new;
        let name = name.trim().to_owned();
        let length = name.chars().count();
        if !(1..=MAX_NAME).contains(&length) || name.chars().any(char::is_control) {
            let message = format!("a name has 1 to {MAX_NAME} characters on one line");
            return Err(ApiError::new(ErrorCode::InvalidName, message));
        }
        if scopes.is_empty() {
            return Err(invalid("choose at least one scope".to_owned()));
        }
        if !(1..=MAX_DAYS).contains(&days) {
            return Err(invalid(format!(
                "a token is valid for 1 to {MAX_DAYS} days"
            )));
        }
        let user = match user {
            None => self.acting.get()?,
            Some(name) => {
                let name = UserName::new(&name)?;
                let found = self.wiki.users().named(&name)?;
                let missing =
                    || ApiError::new(ErrorCode::NoUser, format!("there is no user {name}"));
                found.ok_or_else(missing)?
            }
        };
        let now = self.clock.now();
        let new = NewToken {
            name,
            scopes,
            user: user.id,
            expires_at: now + DAY * days,
        };
        let created = self.auth.tokens.create(new, now, &*self.entropy);
        match created.map_err(|error| failed(&error))? {
            Some((token, about)) => Ok(CreatedTokenDto {
                token,
                about: self.dto(about)?,
            }),
            None => Err(invalid(format!(
                "there are {MAX_TOKENS} access tokens already; revoke one first"
            ))),
        }
    }
}

fn invalid(message: String) -> ApiError {
    ApiError::new(ErrorCode::InvalidValue, message)
}

fn failed(error: &std::io::Error) -> ApiError {
    let message = "The access tokens can't be written";
    ApiError::internal(ErrorCode::StorageFailed, message, error)
}
