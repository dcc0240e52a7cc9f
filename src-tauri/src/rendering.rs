//! The rendering of the window: the usual one, and simpler ones for systems on which it shows nothing.

use std::env;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use tauri::{Manager, WebviewWindow};

use crate::arguments::ShellArguments;
use crate::failure::{Decision, blank_window};
use crate::language::Language;
use crate::page::WindowPage;
use crate::{close, dialogs, messages, platform};

/// A way to draw the window for a system on which the usual one shows nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rendering {
    /// Buffers are copied instead of shared with the graphics card.
    NoDmabuf,
    /// The processor draws everything.
    NoCompositing,
}

/// The variables that make WebKit's processes render more simply (WebKitGTK, "Environment Variables"), from the first
/// step to the last.
const STEPS: [(Rendering, &str); 2] = [
    (Rendering::NoDmabuf, "WEBKIT_DISABLE_DMABUF_RENDERER"),
    (Rendering::NoCompositing, "WEBKIT_DISABLE_COMPOSITING_MODE"),
];
/// The variable by which a process knows that the one before showed nothing.
const CHANGED: &str = "FUMIKURA_RENDERING_CHANGED";

/// The limits of the watch.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// The time within which the server must answer with a page.
    answer: Duration,
    /// The time from then on within which the page must be drawn.
    draw: Duration,
    /// The interval of the checks whether a hidden window is seen again.
    seen: Duration,
    /// The further time until a message is shown, if there is no simpler rendering: the computer may be busy.
    last: Duration,
}

const LIMITS: Limits = Limits {
    answer: Duration::from_secs(30),
    draw: Duration::from_secs(10),
    seen: Duration::from_secs(1),
    last: Duration::from_secs(20),
};

/// The outcome of the watch for the first drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The page was drawn.
    Drawn,
    /// Nothing was drawn: a simpler rendering may help.
    Simplify(Rendering),
    /// Nothing was drawn in the simplest rendering.
    Blank,
}

/// The request of a window that shows nothing to start again.
pub(crate) type RenderingRestart = Arc<OnceLock<Rendering>>;

/// Chooses the rendering by the environment, before WebKit starts. Variables that are already set are unchanged.
///
/// Without a graphics card, acceleration is emulated by the processor: without it, a page appears in half the time. Set
/// this early, WebKit searches less, although it still loads an EGL driver.
///
/// Must be called while the process has a single thread.
#[expect(
    unsafe_code,
    reason = "WebKit reads these settings from the environment alone, which no library changes"
)]
pub(crate) fn choose(arguments: &ShellArguments) {
    for name in variables(remembered(arguments), platform::has_graphics_card()) {
        if env::var_os(name).is_none() {
            // SAFETY: the caller promises that no other thread can read the environment at the same time.
            unsafe { env::set_var(name, "1") };
        }
    }
}

/// Returns the rendering that an earlier start needed.
fn remembered(arguments: &ShellArguments) -> Option<Rendering> {
    let text = own_file::read_to_string(&file(arguments)?, own_file::VALUE).ok()?;
    let found = STEPS.iter().find(|(_, name)| *name == text.trim());
    found.map(|(rendering, _)| *rendering)
}

/// Remembers a rendering for all later starts.
fn remember(rendering: Rendering, arguments: &ShellArguments) -> io::Result<()> {
    let file = file(arguments).ok_or(ErrorKind::NotFound)?;
    let name = variable(rendering);
    durable::write_file(
        &file,
        format!(
            "{name}
"
        )
        .as_bytes(),
        Access::Private,
    )
}

/// Returns the file of the rendering, in the cache: losing it costs one slow start.
fn file(arguments: &ShellArguments) -> Option<PathBuf> {
    Some(arguments.cache_folder()?.join("rendering"))
}

fn variable(rendering: Rendering) -> &'static str {
    match rendering {
        Rendering::NoDmabuf => STEPS[0].1,
        Rendering::NoCompositing => STEPS[1].1,
    }
}

/// Returns the variables of a rendering.
fn variables(remembered: Option<Rendering>, has_graphics_card: bool) -> Vec<&'static str> {
    let last = match (remembered, has_graphics_card) {
        (Some(Rendering::NoDmabuf), true) => 1,
        (None, true) => 0,
        (Some(Rendering::NoCompositing), _) | (_, false) => 2,
    };
    STEPS.iter().take(last).map(|(_, name)| *name).collect()
}

/// Returns the next simpler rendering.
fn simpler(is_set: impl Fn(&str) -> bool) -> Option<(Rendering, &'static str)> {
    STEPS.into_iter().find(|(_, name)| !is_set(name))
}

/// Returns true if WebKit takes the variable as set.
fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| value != "0")
}

/// Watches for the first drawing of the page. If nothing is drawn, the window closes, and `restart` gets a simpler
/// rendering; without one, a window says so.
pub(crate) async fn watch(window: WebviewWindow, restart: RenderingRestart) {
    let page = window.state::<WindowPage>();
    let is_seen = || window.is_visible().unwrap_or(false) && !window.is_minimized().unwrap_or(true);
    let verdict = judge(&page, is_seen, is_set, LIMITS).await;
    let owner = window.clone();
    let handled = window.run_on_main_thread(move || match verdict {
        Verdict::Drawn => report_change(&owner),
        Verdict::Simplify(rendering) => {
            // Nothing else sets it.
            let _first = restart.set(rendering);
            close::end(&owner);
        }
        Verdict::Blank => show_blank_window(&owner),
    });
    if let Err(error) = handled {
        tracing::error!(%error, "the main thread does not answer");
    }
}

/// Waits for the first drawing, and decides what follows from it.
async fn judge(
    page: &WindowPage,
    is_seen: impl Fn() -> bool,
    is_set: impl Fn(&str) -> bool,
    limits: Limits,
) -> Verdict {
    if is_drawn(page, is_seen, limits).await {
        return Verdict::Drawn;
    }
    tracing::error!("the window shows nothing");
    match simpler(is_set) {
        Some((rendering, _)) => Verdict::Simplify(rendering),
        None if page.is_drawn_within(limits.last).await => Verdict::Drawn,
        None => Verdict::Blank,
    }
}

/// Waits until something is drawn. Returns false if nothing is in time in a window that is seen: in a hidden one nothing is
/// ever drawn, so the time to draw begins when it is seen again.
async fn is_drawn(page: &WindowPage, is_seen: impl Fn() -> bool, limits: Limits) -> bool {
    if page.wait_until_drawn(limits.answer, limits.draw).await {
        return true;
    }
    while !is_seen() {
        while !is_seen() {
            if page.is_drawn_within(limits.seen).await {
                return true;
            }
        }
        if page.is_drawn_within(limits.draw).await {
            return true;
        }
    }
    false
}

fn show_blank_window(window: &WebviewWindow) {
    let notice = blank_window(
        Language::of_the_user(window),
        &window.state::<ShellArguments>(),
    );
    let owner = window.clone();
    notice.show(move |decision| match decision {
        Decision::Quit => close::end(&owner),
        Decision::Again | Decision::Folder(_) => {}
    });
}

/// Tells the user that the window is drawn in another way from now on.
fn report_change(window: &WebviewWindow) {
    if env::var_os(CHANGED).is_none() {
        return;
    }
    let language = Language::of_the_user(window);
    let (heading, text) = messages::rendering_changed(language);
    if let Err(error) = dialogs::show_message(window, heading, text) {
        tracing::warn!(%error, "the message about the rendering can't be shown");
    }
}

/// Remembers a rendering for all later starts, and starts again with it. Returns only on failure.
pub(crate) fn restart(rendering: Rendering, arguments: &ShellArguments) -> io::Error {
    tracing::warn!(?rendering, "starting again with a simpler rendering");
    if let Err(error) = remember(rendering, arguments) {
        tracing::warn!(%error, "the rendering can't be remembered");
    }
    platform::restart_with(
        env::args_os().skip(1).collect(),
        restart_variables(rendering),
    )
}

/// Returns the variables of the next process: its rendering, and that it should say so.
fn restart_variables(rendering: Rendering) -> [(&'static str, String); 2] {
    [variable(rendering), CHANGED].map(|name| (name, "1".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const DMABUF: &str = STEPS[0].1;
    const COMPOSITING: &str = STEPS[1].1;

    #[test]
    fn rendering_gets_simpler_step_by_step() {
        assert_eq!(simpler(|_| false), Some(STEPS[0]));
        assert_eq!(simpler(|name| name == DMABUF), Some(STEPS[1]));
        assert_eq!(simpler(|_| true), None);
    }

    const SHORT: Limits = Limits {
        answer: Duration::from_millis(5),
        draw: Duration::from_millis(5),
        seen: Duration::from_millis(5),
        last: Duration::from_millis(5),
    };
    const LONG: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn blank_window_is_restarted_twice_then_reported() {
        let page = WindowPage::default();
        page.set_answered();
        let after = |set: &'static [&str]| judge(&page, || true, |name| set.contains(&name), SHORT);
        assert_eq!(after(&[]).await, Verdict::Simplify(Rendering::NoDmabuf));
        let second = after(&[DMABUF]).await;
        assert_eq!(second, Verdict::Simplify(Rendering::NoCompositing));
        assert_eq!(after(&[DMABUF, COMPOSITING]).await, Verdict::Blank);
    }

    #[tokio::test]
    async fn late_page_of_the_simplest_rendering_counts() {
        let page = WindowPage::default();
        page.set_answered();
        let limits = Limits {
            last: LONG,
            ..SHORT
        };
        // The variables are asked for once the usual time is over.
        let is_set = |_: &str| {
            page.set_drawn();
            true
        };
        let judged = judge(&page, || true, is_set, limits);
        assert_eq!(judged.await, Verdict::Drawn);
    }

    #[test]
    fn restart_says_that_the_rendering_changed() {
        let variables = restart_variables(Rendering::NoDmabuf);
        assert_eq!(variables.map(|(name, _)| name), [DMABUF, CHANGED]);
        let variables = restart_variables(Rendering::NoCompositing);
        assert_eq!(variables.map(|(name, _)| name), [COMPOSITING, CHANGED]);
    }

    #[tokio::test]
    async fn hidden_window_is_judged_when_seen_again() {
        let page = WindowPage::default();
        page.set_answered();
        assert!(!is_drawn(&page, || true, SHORT).await);

        let checks = Cell::new(0);
        let seen_later = || {
            checks.set(checks.get() + 1);
            checks.get() > 3
        };
        assert!(!is_drawn(&page, seen_later, SHORT).await);
        assert!(checks.get() > 3, "the watch goes on until it is seen");

        let drawn_when_asked = || {
            page.set_drawn();
            false
        };
        let limits = Limits {
            seen: LONG,
            ..SHORT
        };
        assert!(is_drawn(&page, drawn_when_asked, limits).await);
    }

    #[test]
    fn rendering_is_remembered() {
        let cache = tempfile::tempdir().unwrap();
        let arguments = ShellArguments {
            cache: Some(cache.path().to_owned()),
            ..ShellArguments::default()
        };
        assert_eq!(remembered(&arguments), None);
        for (rendering, _) in STEPS {
            remember(rendering, &arguments).unwrap();
            assert_eq!(remembered(&arguments), Some(rendering));
        }
        std::fs::write(cache.path().join("rendering"), "another").unwrap();
        assert_eq!(remembered(&arguments), None);
    }

    #[test]
    fn remembered_rendering_has_its_variables() {
        assert!(variables(None, true).is_empty());
        assert_eq!(variables(Some(Rendering::NoDmabuf), true), [DMABUF]);
        let all = [DMABUF, COMPOSITING];
        assert_eq!(variables(Some(Rendering::NoCompositing), true), all);
        assert_eq!(variables(None, false), all);
        assert_eq!(variables(Some(Rendering::NoDmabuf), false), all);
    }
}
