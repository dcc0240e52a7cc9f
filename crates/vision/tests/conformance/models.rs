//! Lists of models.

use fumikura_vision::{Call, Error, MalformedReason, Model};
use serde_json::json;

use crate::dialects::{Dialect, KEY, TestTimer};
use crate::server::{Reaction, Server, answer, text};

fn list(dialect: Dialect, reactions: Vec<Reaction>) -> (Result<Vec<Model>, Error>, Server) {
    let server = Server::start(reactions);
    let service = dialect.service(&server.url(), TestTimer::new());
    (service.models(&Call::default()), server)
}

fn ids(models: &[Model]) -> Vec<&str> {
    models.iter().map(|model| model.id.as_str()).collect()
}

#[test]
fn models_that_can_answer_are_listed() {
    for dialect in Dialect::ALL {
        let (models, _) = list(dialect, dialect.models());
        assert_eq!(ids(&models.unwrap()), ["a", "b"], "{dialect:?}");
    }
}

#[test]
fn gemini_lists_page_by_page_with_names() {
    let (models, server) = list(Dialect::Gemini, Dialect::Gemini.models());
    let names: Vec<String> = models.unwrap().into_iter().map(|it| it.name).collect();
    assert_eq!(names, ["Model A", "b"]);
    let received = server.received();
    let targets: Vec<&str> = received.iter().map(|it| it.target.as_str()).collect();
    assert_eq!(
        targets,
        [
            "/v1beta/models?pageSize=1000",
            "/v1beta/models?pageSize=1000&pageToken=page%2F2"
        ]
    );
    for request in &received {
        assert_eq!(request.method, "GET");
        assert_eq!(request.header("x-goog-api-key"), Some(KEY));
    }
}

#[test]
fn endless_pages_are_not_followed() {
    let page = || {
        answer(
            200,
            &json!({"models": [{"name": "models/a", "supportedGenerationMethods": ["generateContent"]}], "nextPageToken": "again"}),
        )
    };
    let (models, server) = list(Dialect::Gemini, (0..10).map(|_| page()).collect());
    assert_eq!(models.unwrap().len(), 10);
    assert_eq!(server.received().len(), 10);
}

#[test]
fn openai_lists_at_the_configured_address() {
    let (models, server) = list(Dialect::OpenAi, Dialect::OpenAi.models());
    assert_eq!(models.unwrap()[0].name, "a");
    let received = &server.received()[0];
    assert_eq!(
        (received.method.as_str(), received.target.as_str()),
        ("GET", "/v1/models")
    );
    assert_eq!(
        received.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
}

#[test]
fn server_without_models_lists_none() {
    let (models, _) = list(
        Dialect::OpenAi,
        vec![answer(200, &json!({"object": "list", "data": null}))],
    );
    assert_eq!(models, Ok(Vec::new()));
    let (models, _) = list(Dialect::Gemini, vec![answer(200, &json!({}))]);
    assert_eq!(models, Ok(Vec::new()));
}

#[test]
fn failed_list_is_an_error_without_a_model() {
    for dialect in Dialect::ALL {
        let (models, _) = list(dialect, vec![dialect.failure(401, "no")]);
        assert_eq!(
            models,
            Err(Error::Unauthorized {
                message: String::new()
            })
        );
        let (models, _) = list(dialect, vec![dialect.failure(404, "not here")]);
        assert_eq!(
            models,
            Err(Error::BadRequest {
                status: 404,
                message: "not here".into()
            })
        );
        let (models, _) = list(dialect, vec![text(200, "<html>")]);
        assert_eq!(
            models,
            Err(Error::MalformedAnswer(MalformedReason::NotJson))
        );
    }
}
