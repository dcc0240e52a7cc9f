//! A test app in a temporary folder, on a manual clock, and ways to send it requests.

mod answer;
mod call;
mod document;
mod jobs;
pub(crate) mod pictures;
pub(crate) mod wiki;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;
use fumikura_server::{
    Address, App, Capacity, Client, Commands, Config, LimiterConfig, Limits, Listen, PeerUser,
    VisionConfig,
};
use fumikura_wiki::{Depth, UserName};
use jiff::Timestamp;
use parking_lot::Mutex;
use serde_json::Value;

pub(crate) use answer::Answer;
pub(crate) use call::Call;

/// The port that the server believes to have.
pub(crate) const PORT: u16 = 4321;
/// The default host of requests.
pub(crate) const HOST: &str = "127.0.0.1:4321";
/// The duration of a lock.
pub(crate) const LOCK: Duration = Duration::from_secs(300);
/// The initial time of the clock.
pub(crate) const NOON: &str = "2026-11-18T12:00:00Z";

/// A test app for one test. Its integrity is checked when it is dropped.
pub(crate) struct TestApp {
    pub(crate) inner: Arc<App>,
    pub(crate) clock: Arc<ManualClock>,
    commands: Commands,
    router: Router,
    folder: Arc<tempfile::TempDir>,
    /// Faults that the test causes on purpose, by a part of their words.
    expected: Mutex<Vec<&'static str>>,
}

impl Drop for TestApp {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let mut faults = self.inner.wiki().check(Depth::Tables).unwrap().faults;
        let expected = self.expected.lock();
        for words in expected.iter() {
            let found = faults.iter().any(|fault| fault.words.contains(words));
            assert!(found, "{words:?} was not found among {faults:#?}");
        }
        faults.retain(|fault| !expected.iter().any(|words| fault.words.contains(words)));
        assert!(faults.is_empty(), "{faults:#?}");
    }
}

impl TestApp {
    /// Opens one with a user, Aya, and thereby a root page.
    pub(crate) fn new() -> Self {
        Self::with(|config| config.user = name("Aya"))
    }

    /// Opens one without a user.
    pub(crate) fn empty() -> Self {
        Self::with(|_| {})
    }

    /// Opens one with a changed configuration.
    pub(crate) fn with(change: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("pictures")).unwrap();
        Self::open(Arc::new(folder), change)
    }

    fn open(folder: Arc<tempfile::TempDir>, change: impl FnOnce(&mut Config)) -> Self {
        Self::open_at(NOON.parse().unwrap(), folder, change)
    }

    fn open_at(
        now: Timestamp,
        folder: Arc<tempfile::TempDir>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let mut config = config(folder.path());
        change(&mut config);
        let address = Address::port(PORT, &config.hosts);
        let clock = Arc::new(ManualClock::new(now));
        let time = Arc::clone(&clock);
        let app = App::open_with(config, time, Arc::new(SeededEntropy::new(1))).unwrap();
        let label = app.own_host_label();
        let router = app.router(address.with_own_host(label.as_deref()));
        Self {
            commands: Commands::new(Arc::clone(&app)),
            inner: app,
            clock,
            router,
            folder,
            expected: Mutex::default(),
        }
    }

    /// Expects a fault that the test causes on purpose: one whose words contain this must be found at the
    /// end, and others that contain it are accepted.
    pub(crate) fn expect_fault(&self, words: &'static str) {
        self.expected.lock().push(words);
    }

    /// Restarts on the same data, with a changed configuration.
    pub(crate) fn restart(self, change: impl FnOnce(&mut Config)) -> Self {
        let folder = Arc::clone(&self.folder);
        drop(self);
        Self::open(folder, change)
    }

    /// Restarts on the same data while the clock shows this time after noon.
    pub(crate) fn restart_after(self, noon: Duration) -> Self {
        let folder = Arc::clone(&self.folder);
        drop(self);
        let start: Timestamp = NOON.parse().unwrap();
        Self::open_at(start + noon, folder, |_| {})
    }

    /// Returns the folder that contains everything of this application.
    pub(crate) fn base_dir(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Returns a folder that is empty at first, and no root unless the test makes it one.
    pub(crate) fn pictures(&self) -> PathBuf {
        self.folder.path().join("pictures")
    }

    /// Advances the clock.
    pub(crate) fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    pub(crate) fn get(&self, path: &str) -> Call {
        self.call("GET", path)
    }

    pub(crate) fn post(&self, path: &str) -> Call {
        self.call("POST", path)
    }

    pub(crate) fn put(&self, path: &str) -> Call {
        self.call("PUT", path)
    }

    pub(crate) fn patch(&self, path: &str) -> Call {
        self.call("PATCH", path)
    }

    pub(crate) fn delete(&self, path: &str) -> Call {
        self.call("DELETE", path)
    }

    /// Returns a request with the Bearer and the right host.
    pub(crate) fn call(&self, method: &str, path: &str) -> Call {
        let bearer = format!("Bearer {}", self.inner.bearer());
        self.unauthenticated(method, path)
            .header("authorization", &bearer)
    }

    /// Returns a request of a program of the server's user with nothing but the right host.
    pub(crate) fn unauthenticated(&self, method: &str, path: &str) -> Call {
        self.bare(method, path)
            .header("host", HOST)
            .by(PeerUser::own())
    }

    /// Returns a request of another user with nothing but the right host.
    pub(crate) fn stranger(&self, method: &str, path: &str) -> Call {
        self.unauthenticated(method, path).by(other_user())
    }

    /// Returns a request of a browser with a session.
    pub(crate) fn with_session(&self, cookie: &str, method: &str, path: &str) -> Call {
        self.unauthenticated(method, path).header("cookie", cookie)
    }

    /// Returns a request without any headers.
    pub(crate) fn bare(&self, method: &str, path: &str) -> Call {
        Call::new(self.router.clone(), method, path)
    }

    /// Logs a browser in. Returns its `Cookie` header.
    pub(crate) async fn log_in(&self) -> String {
        self.log_in_by(&self.login_path()).await
    }

    /// Runs a command of a window. Returns the answer, or the body of the error.
    pub(crate) async fn command(
        &self,
        window: &Client,
        name: &str,
        args: Value,
    ) -> Result<Value, Value> {
        let answer = self.commands.run(name, args, window).await?;
        Ok(serde_json::from_str(&answer).unwrap())
    }

    /// Opens a window. Returns it as the server knows it, and its `Cookie` header.
    pub(crate) async fn window(&self) -> (Client, String) {
        let (entrance, client) = self.inner.entrance("/");
        (client, self.log_in_by(&entrance).await)
    }

    async fn log_in_by(&self, entrance: &str) -> String {
        let entered = self.unauthenticated("GET", entrance).send().await;
        entered.is(200);
        let cookie = entered.header("set-cookie").unwrap();
        cookie.split(';').next().unwrap().to_owned()
    }

    /// Returns a one-time address, without its host.
    pub(crate) fn login_path(&self) -> String {
        self.inner.login_url("/")
    }
}

/// Returns a user other than the server's.
pub(crate) fn other_user() -> PeerUser {
    PeerUser::new(54_321)
}

/// Replaces the values of the `hidden` fields, which differ from run to run, for a snapshot.
pub(crate) fn redacted(mut value: Value, hidden: &[&str]) -> Value {
    match &mut value {
        Value::Object(fields) => {
            for (name, value) in fields {
                *value = match hidden.contains(&name.as_str()) {
                    true => Value::String(format!("[{name}]")),
                    false => redacted(value.take(), hidden),
                };
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = redacted(item.take(), hidden);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    value
}

/// Returns a user name for a configuration.
pub(crate) fn name(name: &str) -> Option<UserName> {
    Some(UserName::new(name).unwrap())
}

/// Returns a configuration with everything in `folder`, isolated from the machine.
pub(crate) fn config(folder: &std::path::Path) -> Config {
    Config {
        data_dir: folder.join("data"),
        cache_dir: folder.join("cache"),
        thumbs_dir: folder.join("cache/thumbs"),
        config_file: folder.join("config.toml"),
        listen: Listen::Tcp(([127, 0, 0, 1], 0).into()),
        hosts: Vec::new(),
        own_host: false,
        allow: Vec::new(),
        other_users: false,
        user: None,
        lock_ttl: LOCK,
        asset_limit: 1 << 20,
        import_limit: 4 << 20,
        // A process that another test is starting may have inherited the lock of the data, for a moment.
        open_timeout: Duration::from_secs(5),
        workers: Some(1),
        queue_size: 16,
        capacity: Capacity::default(),
        is_limit_fixed: false,
        thumbs_moving_from: None,
        is_thumbs_dir_fixed: false,
        ttl_workers: 2,
        limits: Limits::default(),
        worker: None,
        thumbs_memory: 1 << 20,
        home_trash: Some(folder.join("bin")),
        secret: None,
        limiter: LimiterConfig::default(),
        vision: VisionConfig::default(),
    }
}
