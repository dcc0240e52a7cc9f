//! The life of the process, from start to end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use fumikura_base::allocator;
use fumikura_server::{Config, Overrides};
use tauri::{App, Context, Manager};
use tauri_plugin_window_state::StateFlags;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{self, Receiver, UnboundedReceiver};

use crate::arguments::ShellArguments;
use crate::backend::{self, Backend, OpenTask};
use crate::failure::{self, ShellFailure};
use crate::instance::HandOver;
use crate::notification::{self, Notifications};
use crate::page::WindowPage;
use crate::rendering::{self, RenderingRestart};
use crate::window::WebData;
use crate::{
    close, commands, dialogs, instance, logging, panics, places, platform, signals, window,
};

/// The number of retries of a start that found a first process which did not respond.
const TRIES: u32 = 5;
/// The pause before a retry.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// Runs the application until its window has closed.
#[must_use]
pub fn run() -> ExitCode {
    let arguments = ShellArguments::parse();
    rendering::choose(&arguments);
    allocator::limit_free_memory();
    logging::start(&arguments);
    if let Some(place) = &arguments.report_panic {
        return report_panic(&arguments, place);
    }
    let faults = panics::watch(&arguments);
    if let Some([html, pdf]) = arguments.print_html.as_deref() {
        return print(html, pdf);
    }
    match start(&arguments, faults) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(again) = failure.report(&arguments) {
                let failed = ShellFailure::System(platform::restart(again, 0));
                // A closed standard error cannot be reported anywhere else.
                let _closed = writeln!(io::stderr(), "fumikura: {failed}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Shows that an earlier process ended because of a fault, and starts the application again if the user asks for it.
fn report_panic(arguments: &ShellArguments, place: &str) -> ExitCode {
    if !failure::report_panic(arguments, place) {
        return ExitCode::SUCCESS;
    }
    let failed = ShellFailure::System(platform::restart(arguments.options(), 0));
    // A closed standard error cannot be reported anywhere else.
    let _closed = writeln!(io::stderr(), "fumikura: {failed}");
    ExitCode::FAILURE
}

/// Prints an HTML file for a command line, which reports the reason of a failure.
fn print(html: &Path, pdf: &Path) -> ExitCode {
    let printed = platform::require_display()
        .map_err(|error| format!("no display is available: {error}"))
        .and_then(|()| dialogs::print_html(html, pdf));
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // A closed standard error cannot be reported anywhere else.
            let _closed = writeln!(io::stderr(), "{reason}");
            ExitCode::FAILURE
        }
    }
}

fn start(arguments: &ShellArguments, faults: Receiver<String>) -> Result<(), ShellFailure> {
    let working_dir = std::env::current_dir().map_err(ShellFailure::System)?;
    if let Some(addresses) = arguments.as_addresses(&working_dir) {
        return Err(ShellFailure::System(platform::restart(addresses, 0)));
    }
    tracing::debug!("starting");
    let config = Config::load(Overrides {
        thumb_worker: Some(platform::sibling_program("fumi").map_err(ShellFailure::System)?),
        ..arguments.overrides()
    })?;
    signals::defer().map_err(ShellFailure::System)?;
    let runtime = backend::runtime().map_err(ShellFailure::System)?;
    tauri::async_runtime::set(runtime.handle().clone());

    let web_data = config.cache_dir.join("webview");
    let (hand_over, later) = mpsc::unbounded_channel();
    let single_instance = instance::single_instance(&config.data_dir, hand_over);
    let opening = OpenTask::begin(config, &runtime).map_err(ShellFailure::System)?;
    platform::require_display().map_err(ShellFailure::NoDisplay)?;
    let app = tauri::Builder::default()
        .plugin(single_instance)
        .plugin(window_state())
        .manage(WindowPage::default())
        .manage(close::CloseState::default())
        .manage(Notifications::default())
        .invoke_handler(commands::handler())
        .build(context());
    let app = match app {
        // The first process was killed or is ending, and the bus has not noticed yet.
        Err(tauri::Error::PluginInitialization(..)) if platform::tries() < TRIES => {
            std::thread::sleep(RETRY_DELAY);
            let arguments = std::env::args_os().skip(1).collect();
            let again = platform::restart(arguments, platform::tries() + 1);
            return Err(ShellFailure::System(again));
        }
        app => app?,
    };
    tracing::debug!("the window system is ready");

    let (backend, serving) = opening.wait().inspect_err(|_failure| {
        // A later start must not hand its paths to this process.
        tauri_plugin_single_instance::destroy(&app);
    })?;
    let request = HandOver::of(arguments, &working_dir);
    app.manage(arguments.clone());
    runtime.spawn(panics::show_first(app.handle().clone(), faults));
    let restart = RenderingRestart::default();
    let outcome = show(app, &runtime, backend, request, web_data, later, &restart);
    serving.end(runtime);
    match restart.get() {
        Some(rendering) => {
            let failed = rendering::restart(*rendering, arguments);
            Err(ShellFailure::System(failed))
        }
        None => outcome,
    }
}

/// Opens a window for the application, and returns when all have closed.
fn show(
    app: App,
    runtime: &Runtime,
    backend: Backend,
    request: HandOver,
    web_data: PathBuf,
    later: UnboundedReceiver<HandOver>,
    restart: &RenderingRestart,
) -> Result<(), ShellFailure> {
    let handle = app.handle().clone();
    let notify = move |found| notification::hashes_found(&handle, found);
    backend.app().hashes().listen(notify);
    let opened = runtime.block_on(places::open(&backend, request));
    app.manage(backend);
    app.manage(WebData(web_data));
    app.manage(Arc::clone(restart));
    window::grant_commands(app.handle())?;
    places::show_window(app.handle(), &opened)?;
    runtime.spawn(places::handle_later_starts(
        app.handle().clone(),
        opened,
        later,
    ));
    runtime.spawn(signals::close_on_signal(app.handle().clone()));
    app.run_return(|_app, _event| {});
    Ok(())
}

/// Stores the window's position and size between launches.
fn window_state() -> tauri::plugin::TauriPlugin<tauri::Wry> {
    let flags =
        StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED | StateFlags::FULLSCREEN;
    tauri_plugin_window_state::Builder::new()
        .with_state_flags(flags)
        .with_filename("window-state.json")
        .build()
}

/// Returns Tauri's configuration of the application.
fn context() -> Context {
    let mut context = tauri::generate_context!();
    // Tauri names its folders after the identifier. This makes them the application's own folders.
    "fumikura".clone_into(&mut context.config_mut().identifier);
    context
}
