//! A local service that describes pictures, in OpenAI's dialect.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// The service. Its thread ends with the test's process.
pub(crate) struct Service {
    port: u16,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    requests: Vec<Value>,
    /// The status and the body of every answer to a question.
    answer: Option<(u16, Value)>,
}

impl Service {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Mutex::new(Shared::default()));
        let service = Self {
            port,
            shared: Arc::clone(&shared),
        };
        service.says(&json!({"description": "A cat on a sofa."}));
        thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &shared);
            }
        });
        service
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Answers every question with this content.
    pub(crate) fn says(&self, content: &Value) {
        let message = json!({"role": "assistant", "content": content.to_string()});
        let choices = json!([{"index": 0, "finish_reason": "stop", "message": message}]);
        self.answers(200, json!({"choices": choices}));
    }

    /// Answers every question with this status and body.
    pub(crate) fn answers(&self, status: u16, body: Value) {
        self.shared.lock().unwrap().answer = Some((status, body));
    }

    /// The questions so far.
    pub(crate) fn requests(&self) -> Vec<Value> {
        self.shared.lock().unwrap().requests.clone()
    }
}

fn serve(stream: TcpStream, shared: &Mutex<Shared>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.parse().unwrap())
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    let (status, answer) = if head.starts_with("GET /v1/models ") {
        (
            200,
            json!({"data": [{"id": "small-eye"}, {"id": "large-eye"}]}),
        )
    } else {
        let mut shared = shared.lock().unwrap();
        shared.requests.push(serde_json::from_slice(&body).unwrap());
        shared.answer.clone().unwrap()
    };
    let answer = answer.to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        answer.len()
    );
    // A client that has given up is none of the service's business.
    let mut stream = stream;
    let _gone = stream.write_all(format!("{head}{answer}").as_bytes());
}
