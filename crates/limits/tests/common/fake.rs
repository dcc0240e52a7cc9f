//! A server that speaks the protocol of Redis and answers what a test wants.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use parking_lot::Mutex;

/// The server. Its threads end with the process.
pub(crate) struct FakeRedis {
    port: u16,
    commands: Arc<Mutex<Vec<Vec<String>>>>,
}

impl FakeRedis {
    /// Starts a server that answers each command with the bytes of `answer`.
    pub(crate) fn start(answer: impl Fn(&[String]) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let commands = Arc::<Mutex<Vec<Vec<String>>>>::default();
        let log = Arc::clone(&commands);
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for client in listener.incoming() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                // The client closes the connection when it is satisfied.
                thread::spawn(move || drop(serve(&client.unwrap(), &log, &*answer)));
            }
        });
        Self { port, commands }
    }

    /// Returns an address with a password.
    pub(crate) fn url(&self, password: &str) -> String {
        format!("redis://:{password}@127.0.0.1:{}/", self.port)
    }

    /// Returns the arguments of all commands with a name.
    pub(crate) fn commands(&self, name: &str) -> Vec<Vec<String>> {
        let commands = self.commands.lock();
        let named = commands.iter().filter(|command| command[0] == name);
        named.map(|command| command[1..].to_vec()).collect()
    }
}

fn serve(
    client: &TcpStream,
    log: &Mutex<Vec<Vec<String>>>,
    answer: &dyn Fn(&[String]) -> String,
) -> io::Result<()> {
    let mut input = BufReader::new(client);
    while let Some(count) = number(&mut input, '*')? {
        let mut command = Vec::new();
        for _ in 0..count {
            let length = number(&mut input, '$')?.ok_or(io::ErrorKind::UnexpectedEof)?;
            let mut part = vec![0; length + 2];
            input.read_exact(&mut part)?;
            command.push(String::from_utf8_lossy(&part[..length]).into_owned());
        }
        log.lock().push(command.clone());
        let mut output = client;
        output.write_all(answer(&command).as_bytes())?;
    }
    Ok(())
}

/// Reads a line with a number behind a sign; `None` at the end.
fn number(input: &mut impl BufRead, sign: char) -> io::Result<Option<usize>> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let number = line.trim_end().strip_prefix(sign);
    Ok(number.and_then(|number| number.parse().ok()))
}
