//! A local service that describes pictures, in OpenAI's dialect.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};

/// The service. Its thread ends with the test's process.
pub struct VisionService {
    port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    requests: Vec<Value>,
    /// The heads of all requests, with their headers.
    heads: Vec<String>,
    models: Vec<String>,
    /// The status and the body of every answer to a question.
    answer: Option<(u16, Value)>,
}

impl VisionService {
    /// Starts it on a free port of the loopback. It describes every picture as a cat on a sofa.
    ///
    /// # Errors
    /// Fails if there is no free port.
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let state = Arc::new(Mutex::new(State::default()));
        let service = Self {
            port,
            state: Arc::clone(&state),
        };
        service.set_content(&json!({"description": "A cat on a sofa."}));
        service.set_models(&["small-eye", "large-eye"]);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that breaks off gets no answer; the test sees that.
                let _broken = serve(stream, &state);
            }
        });
        Ok(service)
    }

    /// Returns its base address.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Answers every question with this content.
    pub fn set_content(&self, content: &Value) {
        let message = json!({"role": "assistant", "content": content.to_string()});
        let choices = json!([{"index": 0, "finish_reason": "stop", "message": message}]);
        self.set_answer(200, json!({"choices": choices}));
    }

    /// Answers every question with this status and body.
    pub fn set_answer(&self, status: u16, body: Value) {
        lock(&self.state).answer = Some((status, body));
    }

    /// Lists these models.
    pub fn set_models(&self, ids: &[&str]) {
        lock(&self.state).models = ids.iter().map(|id| (*id).to_owned()).collect();
    }

    /// Returns the heads of all requests so far, with their headers.
    #[must_use]
    pub fn heads(&self) -> Vec<String> {
        lock(&self.state).heads.clone()
    }

    /// Returns the questions so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Value> {
        lock(&self.state).requests.clone()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock()
}

fn serve(mut stream: TcpStream, state: &Mutex<State>) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head)? == 0 {
            return Ok(());
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.parse().ok()).flatten()
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let mut state = lock(state);
    state.heads.push(head.clone());
    let (status, answer) = if head.starts_with("GET /v1/models ") {
        let models: Vec<Value> = state.models.iter().map(|id| json!({"id": id})).collect();
        (200, json!({"data": models}))
    } else {
        state.requests.push(serde_json::from_slice(&body)?);
        let unset = (500, Value::Null);
        state.answer.clone().unwrap_or(unset)
    };
    drop(state);
    let answer = answer.to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        answer.len()
    );
    stream.write_all(format!("{head}{answer}").as_bytes())
}
