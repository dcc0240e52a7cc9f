//! The application behind the window: opened on a separate thread while the window system starts, closed
//! after the window.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use fumikura_server::{ANSWERING_THREADS, App, Client, Commands, Config, ErrorBody, ErrorCode};
use parking_lot::Mutex;
use serde_json::Value;
use tauri::Url;
use tokio::runtime::{self, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::failure::ShellFailure;
use crate::signals;

/// The time limits of the server for its requests in progress, and of the tasks that still run after that.
const FINISH_TIMEOUT: Duration = Duration::from_millis(2_000);
const ABANDON_TIMEOUT: Duration = Duration::from_millis(500);

/// Creates the runtime of all asynchronous work: the server, the commands, the timers.
pub(crate) fn runtime() -> std::io::Result<Runtime> {
    runtime::Builder::new_multi_thread()
        .worker_threads(ANSWERING_THREADS)
        .thread_name("fumikura")
        .on_thread_start(signals::unblock)
        .enable_all()
        .build()
}

/// An app handle that is being opened.
pub(crate) struct OpenTask(thread::JoinHandle<Result<(Backend, ServerTask), ShellFailure>>);

/// A handle on the running application, for windows and commands.
#[derive(Clone)]
pub(crate) struct Backend {
    app: Arc<App>,
    commands: Arc<Commands>,
    address: Url,
    /// The window as a client of the server, as of its last entrance.
    window: Arc<Mutex<Client>>,
}

/// The server's task, and the means to stop it.
pub(crate) struct ServerTask {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl OpenTask {
    /// Begins to open the data and to listen.
    pub(crate) fn begin(config: Config, runtime: &Runtime) -> std::io::Result<Self> {
        let handle = runtime.handle().clone();
        let opening = thread::Builder::new().name("opening".to_owned());
        Ok(Self(opening.spawn(move || {
            // The threads and processes that start here receive signals.
            signals::unblock();
            open(config, &handle)
        })?))
    }

    /// Waits until the application is open, or has failed to open.
    pub(crate) fn wait(self) -> Result<(Backend, ServerTask), ShellFailure> {
        self.0
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn open(config: Config, runtime: &runtime::Handle) -> Result<(Backend, ServerTask), ShellFailure> {
    // The data is opened first: a second start waits there until it has found the first process, and changes
    // nothing.
    let app = App::open(config.clone())?;
    let bound = fumikura_server::bind(&config)?;
    let address =
        Url::parse(&bound.base()).expect("BUG: the server's own address is not an address");
    let (stop, stopped) = oneshot::channel();
    let ending = async {
        // A dropped sender also means that the shell is ending.
        let _ending = stopped.await;
    };
    let serving = fumikura_server::serve(Arc::clone(&app), bound, ending);
    let running = runtime.block_on(serving).map_err(ShellFailure::System)?;
    let task = runtime.spawn(async move {
        if let Err(error) = running.finished().await {
            tracing::error!(%error, "the server stopped");
        }
    });
    tracing::debug!("the application is open");
    let backend = Backend {
        commands: Arc::new(Commands::new(Arc::clone(&app))),
        app,
        address,
        window: Arc::default(),
    };
    Ok((backend, ServerTask { stop, task }))
}

impl Backend {
    /// Returns the server's address; its origin is the window's.
    pub(crate) fn address(&self) -> &Url {
        &self.address
    }

    /// Returns an address that signs the window in, once, and redirects to a page of the application.
    pub(crate) fn entrance(&self, page: &str) -> Url {
        let (url, client) = self.app.entrance(self.address.as_str());
        *self.window.lock() = client;
        let mut url = Url::parse(&url).expect("BUG: the server's own address is not an address");
        url.query_pairs_mut().append_pair("next", page);
        url
    }

    /// Returns the language of the settings as the interface names it: `system`, `en` or `ja`.
    pub(crate) fn language_setting(&self) -> Option<String> {
        let settings = self.app.wiki().settings();
        let settings = settings
            .inspect_err(|error| tracing::warn!(%error, "the settings can't be read"))
            .ok()?;
        let name = serde_json::to_value(settings.language).ok()?;
        name.as_str().map(str::to_owned)
    }

    /// Returns the application, for the commands of the page.
    pub(crate) fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Runs a command of the server for the window. Returns the answer in JSON, or the body of an error.
    pub(crate) async fn run(&self, command: &str, args: Value) -> Result<String, Value> {
        self.commands.run(command, args, &self.window()).await
    }

    fn window(&self) -> Client {
        let window = self.window.lock();
        window.clone()
    }

    /// Issues a grant for the window's page to use a file or folder that the user chose.
    pub(crate) fn grant(&self, path: PathBuf) -> String {
        self.app.grant(path, self.window())
    }

    /// Opens a folder, or a picture in its folder. Returns its address, or the reason why it cannot be opened.
    pub(crate) async fn open_place(&self, place: &Path) -> Result<String, Box<ErrorBody>> {
        let (app, place) = (Arc::clone(&self.app), place.to_owned());
        let opened =
            tauri::async_runtime::spawn_blocking(move || app.local_files().open_place(&place))
                .await;
        opened.unwrap_or_else(|error| Err(Box::new(ErrorBody::new(ErrorCode::Internal, error))))
    }
}

impl ServerTask {
    /// Stops the server: new work is refused, work in progress is finished or abandoned.
    pub(crate) fn end(self, runtime: Runtime) {
        // If the receiver is gone, the task has ended already.
        let _ended = self.stop.send(());
        let finished =
            runtime.block_on(async { tokio::time::timeout(FINISH_TIMEOUT, self.task).await });
        if finished.is_err() {
            tracing::warn!("some requests were left unfinished");
        }
        runtime.shutdown_timeout(ABANDON_TIMEOUT);
    }
}
