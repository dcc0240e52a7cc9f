//! All failures of a service.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use fumikura_vision::{Answer, Call, Error, MalformedReason, Mode};
use serde_json::json;

use crate::dialects::{Dialect, KEY, MODEL, Outcome, TestTimer, ask, picture, question};
use crate::server::{Reaction, Server, answer, text};

const CAT: &str = r#"{"description":"A cat."}"#;
const FIFTY_MB: u64 = 50 << 20;

fn cat() -> Result<Answer, Error> {
    Ok(Answer::Description("A cat.".into()))
}

/// Asks both dialects, and compares the result, the waits in seconds and the number of requests.
#[track_caller]
fn check(
    reactions: impl Fn(Dialect) -> Vec<Reaction>,
    expected: &Result<Answer, Error>,
    waits: &[u64],
) {
    for dialect in Dialect::ALL {
        let asked = ask(dialect, reactions(dialect));
        assert_eq!(&asked.result, expected, "{dialect:?}");
        assert_eq!(asked.waits, waits, "{dialect:?}");
        assert_eq!(
            asked.server.received().len(),
            waits.len() + 1,
            "{dialect:?}"
        );
        assert!(!format!("{:?}", asked.result).contains(KEY));
    }
}

fn bad_request(status: u16, message: &str) -> Result<Answer, Error> {
    Err(Error::BadRequest {
        status,
        message: message.into(),
    })
}

#[test]
fn bad_request_quotes_the_service() {
    let reactions = |message: &'static str| move |it: Dialect| vec![it.failure(400, message)];
    check(
        reactions("Unable to process\u{1b}\n input image."),
        &bad_request(400, "Unable to process input image."),
        &[],
    );
    check(
        |it| vec![it.failure(400, &"長".repeat(9000))],
        &bad_request(400, &"長".repeat(300)),
        &[],
    );
    check(
        |_| vec![text(413, "<html>too large</html>")],
        &bad_request(413, ""),
        &[],
    );
}

#[test]
fn rejected_key_is_unauthorized() {
    let unauthorized = |message: &str| {
        Err(Error::Unauthorized {
            message: message.into(),
        })
    };
    check(
        |it| vec![it.failure(401, "Incorrect API key: AIza*****ests")],
        &unauthorized(""),
        &[],
    );
    check(
        |it| vec![it.failure(403, &format!("{KEY} may not use this."))],
        &unauthorized("[key] may not use this."),
        &[],
    );
    let invalid = json!({"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT", "details": [
        {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"},
    ]}});
    let asked = ask(Dialect::Gemini, vec![answer(400, &invalid)]);
    assert_eq!(asked.result, unauthorized(""));
}

#[test]
fn echoed_key_is_masked() {
    let spaced: Vec<String> = KEY.chars().map(String::from).collect();
    let spaced = spaced.join(" ");
    check(
        |it| vec![it.failure(404, &format!("no model for {spaced}"))],
        &gone("no model for [key]"),
        &[],
    );
    check(
        |it| vec![it.failure(400, &format!("{}{KEY}", "a ".repeat(145)))],
        &bad_request(400, &format!("{}[key]", "a ".repeat(145))),
        &[],
    );
    let echo = format!(r#"{{"description":"It is {spaced}."}}"#);
    let masked = Ok(Answer::Description("It is [key].".into()));
    check(|it| vec![answer(200, &it.written(&echo))], &masked, &[]);
    let redirect = |_| {
        let location = ("Location", format!("https://{KEY}.example/"));
        vec![Reaction::Answer {
            status: 307,
            headers: vec![location],
            body: Vec::new(),
        }]
    };
    let to = "[key].example".into();
    check(redirect, &Err(Error::Redirected { to }), &[]);
}

#[test]
fn unknown_model_is_gone() {
    check(
        |it| vec![it.failure(404, "models/test-model-1 is not found")],
        &gone("models/test-model-1 is not found"),
        &[],
    );
    check(|_| vec![text(404, "404 page not found")], &gone(""), &[]);
}

fn gone(message: &str) -> Result<Answer, Error> {
    Err(Error::ModelGone {
        model: MODEL.into(),
        message: message.into(),
    })
}

#[test]
fn minute_limit_is_waited_for_once() {
    let limited = |seconds| {
        Err(Error::RateLimited {
            retry_after: Some(Duration::from_secs(seconds)),
            per_day: false,
        })
    };
    check(
        |it| vec![it.minute_limit(7), answer(200, &it.written(CAT))],
        &cat(),
        &[7],
    );
    check(
        |it| vec![it.minute_limit(7), it.minute_limit(9)],
        &limited(9),
        &[7],
    );
    check(|it| vec![it.minute_limit(37)], &limited(37), &[]);
    let unnamed = Err(Error::RateLimited {
        retry_after: None,
        per_day: false,
    });
    check(
        |it| vec![it.failure(429, "slow down"), text(429, "")],
        &unnamed,
        &[2],
    );
}

#[test]
fn daily_limit_is_not_retried() {
    let limited = Err(Error::RateLimited {
        retry_after: Some(Duration::from_secs(3)),
        per_day: true,
    });
    check(|it| vec![it.day_limit()], &limited, &[]);
}

#[test]
fn missing_credit_is_not_retried() {
    let out = Err(Error::OutOfCredit {
        message: "Check your plan.".into(),
    });
    check(|it| vec![it.failure(402, "Check your plan.")], &out, &[]);
    let quota = json!({"error": {"message": "Check your plan.", "type": "insufficient_quota", "code": "insufficient_quota"}});
    let asked = ask(Dialect::OpenAi, vec![answer(429, &quota)]);
    assert_eq!((asked.result, asked.waits), (out, vec![]));
}

#[test]
fn failure_of_the_service_is_retried_once() {
    let failed = |status, message: &str| {
        Err(Error::ServiceError {
            status,
            message: message.into(),
        })
    };
    check(
        |it| vec![it.failure(500, "oh"), answer(200, &it.written(CAT))],
        &cat(),
        &[1],
    );
    check(
        |it| vec![it.failure(500, "oh"), it.failure(503, "overloaded")],
        &failed(503, "overloaded"),
        &[1],
    );
    check(
        |_| vec![text(502, "<html>"), text(502, "<html>")],
        &failed(502, ""),
        &[1],
    );
}

fn closed() -> Result<Answer, Error> {
    Err(Error::Unreachable {
        host: "127.0.0.1".into(),
        reason: "the connection was closed before the whole answer".into(),
    })
}

#[test]
fn closed_connection_is_retried_once() {
    check(|_| vec![Reaction::Close, Reaction::Close], &closed(), &[1]);
    check(
        |it| vec![Reaction::Close, answer(200, &it.written(CAT))],
        &cat(),
        &[1],
    );
    check(
        |it| {
            let whole = it.written(CAT).to_string().into_bytes();
            vec![Reaction::Cut(whole.clone()), Reaction::Cut(whole)]
        },
        &closed(),
        &[1],
    );
}

#[test]
fn service_that_does_not_run_is_unreachable() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for dialect in Dialect::ALL {
        let timer = TestTimer::new();
        let service = dialect.service(&url, Arc::clone(&timer));
        let result = service.scan(&picture(), &question(Mode::Describe), &Call::default());
        assert!(
            matches!(&result, Err(Error::Unreachable { reason, .. }) if reason.contains("refused")),
            "{result:?}"
        );
        assert_eq!(timer.waits(), [1]);
    }
}

#[test]
fn answer_that_is_no_json_is_malformed() {
    let malformed = |reason| Err(Error::MalformedAnswer(reason));
    let not_json = malformed(MalformedReason::NotJson);
    check(
        |it| vec![answer(200, &it.written(r#"{"description":"A c"#))],
        &not_json,
        &[],
    );
    check(
        |it| {
            let whole = it.written(CAT).to_string();
            vec![text(200, &whole[..whole.len() / 2])]
        },
        &not_json,
        &[],
    );
    check(|_| vec![text(200, "<html>Log in</html>")], &not_json, &[]);
    check(|_| vec![text(200, "")], &not_json, &[]);
    check(|_| vec![text(204, "")], &not_json, &[]);
    check(
        |it| vec![answer(200, &it.written("Here is: A cat."))],
        &not_json,
        &[],
    );
    let wrong = malformed(MalformedReason::WrongFields);
    check(
        |it| vec![answer(200, &it.written(r#"{"text":"A cat."}"#))],
        &wrong,
        &[],
    );
    check(|_| vec![text(200, "[]")], &wrong, &[]);
    check(
        |it| vec![text(200, &format!("\u{feff}{}", it.written(CAT)))],
        &cat(),
        &[],
    );
}

#[test]
fn code_fence_is_accepted() {
    check(
        |it| vec![answer(200, &it.written(&format!("```json\n{CAT}\n```")))],
        &cat(),
        &[],
    );
}

#[test]
fn answer_that_was_cut_off_is_malformed() {
    let cut = Err(Error::MalformedAnswer(MalformedReason::CutShort));
    check(
        |it| {
            vec![answer(
                200,
                &it.ended(r#"{"description":"A c"#, it.length_reason()),
            )]
        },
        &cut,
        &[],
    );
}

#[test]
fn empty_answer_is_a_failure() {
    for dialect in Dialect::ALL {
        for body in dialect.empty() {
            let asked = ask(dialect, vec![answer(200, &body)]);
            assert_eq!(asked.result, Err(Error::EmptyAnswer), "{body}");
        }
    }
}

#[test]
fn refusal_has_its_reason() {
    for dialect in Dialect::ALL {
        for (body, reason) in dialect.refusals() {
            let Outcome { result, waits, .. } = ask(dialect, vec![answer(200, &body)]);
            let expected = Error::Refused {
                reason: reason.into(),
            };
            assert_eq!((result, waits), (Err(expected), vec![]));
        }
    }
}

#[test]
fn error_with_status_200_is_a_bad_request() {
    for error in [
        json!("Unexpected endpoint"),
        json!({"message": "Unexpected endpoint"}),
    ] {
        let asked = ask(Dialect::OpenAi, vec![answer(200, &json!({"error": error}))]);
        assert_eq!(asked.result, bad_request(200, "Unexpected endpoint"));
    }
    // The description has the status.
    let error = json!({"error": {"code": 404, "message": "no such model", "status": "NOT_FOUND"}});
    let asked = ask(Dialect::Gemini, vec![answer(200, &error)]);
    assert_eq!(asked.result, gone("no such model"));
}

/// The forms of answers in fixtures/answers.json (our own work), with the result for a person.
#[test]
fn answers_of_servers_are_understood() {
    let cases: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../fixtures/answers.json")).unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let status = case["status"].as_u64().unwrap_or(200);
        let reaction = text(status.try_into().unwrap(), case["body"].as_str().unwrap());
        let found = match ask(Dialect::OpenAi, vec![reaction]).result {
            Ok(Answer::Description(description)) => format!("description: {description}"),
            Err(error) => format!("message: {}", error.service_message().unwrap()),
            other => panic!("{other:?}"),
        };
        assert_eq!(found, case["right"], "{case}");
    }
}

#[test]
fn content_in_parts_is_joined() {
    let mut body = Dialect::OpenAi.written("");
    body["choices"][0]["message"]["content"] = json!([{"type": "text", "text": "{\"description\":"}, {"type": "text", "text": "\"A cat.\"}"}]);
    assert_eq!(ask(Dialect::OpenAi, vec![answer(200, &body)]).result, cat());
}

#[test]
fn fifty_megabytes_are_not_read() {
    for (status, expected) in [(200, "answer_too_large"), (400, "bad_request")] {
        for dialect in Dialect::ALL {
            let flood = Reaction::Flood {
                status,
                bytes: FIFTY_MB,
            };
            let asked = ask(dialect, vec![flood]);
            assert_eq!(asked.result.unwrap_err().code(), expected);
            // The excess is the content of the socket buffers.
            assert!(asked.server.finish() < FIFTY_MB / 2);
        }
    }
}

#[test]
fn redirect_is_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        for dialect in Dialect::ALL {
            let other = Server::start(Vec::new());
            let elsewhere = format!(
                "http://localhost:{}/v1",
                other.url().rsplit_once(':').unwrap().1
            );
            let redirect = |location: &str| Reaction::Answer {
                status,
                headers: vec![("Location", location.to_owned())],
                body: Vec::new(),
            };
            let redirected = |to: &str| Err(Error::Redirected { to: to.into() });
            let asked = ask(dialect, vec![redirect(&elsewhere)]);
            assert_eq!(
                (asked.result, asked.waits),
                (redirected("localhost"), vec![])
            );
            assert_eq!(other.connections(), 0);
            let asked = ask(dialect, vec![redirect("/elsewhere")]);
            assert_eq!(asked.result, redirected("127.0.0.1"));
        }
    }
}

#[test]
fn silent_service_times_out() {
    let check = |dialect: Dialect| {
        let server = Server::start(vec![Reaction::Hang]);
        let service = dialect.service(&server.url(), TestTimer::new());
        // Long enough for the request to arrive on a busy machine.
        let call = Call {
            budget: Duration::from_secs(5),
            ..Call::default()
        };
        let result = service.scan(&picture(), &question(Mode::Describe), &call);
        assert_eq!(result, Err(Error::TimedOut { after: call.budget }));
        assert_eq!(server.received().len(), 1);
    };
    thread::scope(|scope| {
        for dialect in Dialect::ALL {
            scope.spawn(move || check(dialect));
        }
    });
}

#[test]
fn cancel_ends_a_request_in_flight() {
    for dialect in Dialect::ALL {
        let server = Server::start(vec![Reaction::Hang]);
        let service = dialect.service(&server.url(), TestTimer::new());
        let call = Call::default();
        let asking = thread::spawn({
            let call = call.clone();
            move || service.scan(&picture(), &question(Mode::Describe), &call)
        });
        server.wait_for_request();
        call.cancel.cancel();
        assert_eq!(asking.join().unwrap(), Err(Error::Cancelled));
        assert_eq!(server.received().len(), 1);
        let again = dialect.service(&server.url(), TestTimer::new());
        let result = again.scan(&picture(), &question(Mode::Describe), &call);
        assert_eq!(result, Err(Error::Cancelled));
        assert_eq!(server.connections(), 1);
    }
}
