//! `fumi page edit` and `append`: changes of the text of a page.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use fumikura_base::own_file;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};

use super::merge::{Sides, has_marks, merge};
use super::{id_of, path_of};
use crate::client::{Answer, Client, Common, Refusal, percent_encode, print, text};
use crate::interruption::EXIT_INTERRUPTED;
use crate::output;

/// The time between two renewals of an edit lock, which lasts five minutes.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(60);
/// The number of attempts to append to a page that others change at the same time.
const APPEND_ATTEMPTS: usize = 10;
/// The longest name of a page, in bytes, that names the file in the editor.
const LONGEST_NAME: usize = 200;
/// The largest text that is read from the editor, in bytes. The server accepts less.
const LARGEST_TEXT: u64 = 256 << 20;

/// The text of a page at a version.
struct PageText {
    text: String,
    /// The version, for `If-Match`; empty for a draft.
    etag: String,
}

impl PageText {
    fn get(client: &Client, id: &str) -> anyhow::Result<(Self, String)> {
        let answer = client.send("GET", &format!("api/pages/{id}/source"))?;
        let etag = answer.header("etag")?.to_owned();
        let revision = answer.header("x-page-revision")?.to_owned();
        let text = String::from_utf8(answer.body).context("the page's text is not UTF-8")?;
        Ok((Self { text, etag }, revision))
    }

    /// Returns the headers that name this version as the one that was read.
    fn headers(&self) -> Vec<(&'static str, String)> {
        match self.etag.trim_matches('"').split_once('-') {
            None => Vec::new(),
            Some((_, digest)) => vec![
                ("if-match", self.etag.clone()),
                ("x-page-read", digest.to_owned()),
            ],
        }
    }
}

/// The edit of a page: its lock, and the text that the editor began with.
///
/// The data are opened for each step alone, so that the window can start while the editor is open, and a server can end.
pub(super) struct Edit<'a> {
    common: &'a Common,
    path: String,
    id: String,
    /// The token of the lock; none if the lock was lost.
    token: Mutex<Option<String>>,
    base: Mutex<PageText>,
}

impl<'a> Edit<'a> {
    /// Locks a page. A page that does not exist begins as a draft.
    pub(super) fn begin(common: &'a Common, path: &str, take_over: bool) -> anyhow::Result<Self> {
        let client = Client::open(common)?;
        let (id, locked, base) = match id_of(&client, path) {
            Ok(id) => {
                let address = format!("api/pages/{id}/lock?take_over={take_over}");
                let locked = client.send("POST", &address)?;
                // Under the lock, the text stays as it is.
                let (base, _) = PageText::get(&client, &id)?;
                (id, locked, base)
            }
            Err(error) if is_free(&error) => {
                let address = format!("api/pages?path={}", percent_encode(path));
                let created = client.send("POST", &address)?;
                let id = text(&created.json()?, "id").to_owned();
                let base = PageText {
                    text: String::new(),
                    etag: String::new(),
                };
                (id, created, base)
            }
            Err(error) => return Err(error),
        };
        let token = Mutex::new(Some(token_of(&locked)?));
        Ok(Self {
            common,
            path: path.to_owned(),
            id,
            token,
            base: Mutex::new(base),
        })
    }

    /// Opens the editor, and saves the text.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let folder = tempfile::tempdir().context("couldn't create a temporary folder")?;
        let file = folder.path().join(file_name(&self.path));
        let edited = self.edit(&file);
        if edited.is_err() {
            let released = self.release();
            if is_unsaved(&file, &self.base.lock().text) {
                let kept = folder.keep().join(file_name(&self.path));
                output::notice(&format!("your text is in {}", kept.display()));
            }
            released?;
        }
        edited
    }

    fn edit(&self, file: &Path) -> anyhow::Result<()> {
        let mut shown = self.base.lock().text.clone();
        loop {
            write(file, &shown)?;
            self.wait_for_editor(file)?;
            let mine = read(file)?;
            if mine == self.base.lock().text {
                self.release()?;
                let line = format!("{} is unchanged", self.path);
                return print(
                    self.common.json,
                    &json!({"id": self.id, "revision": null}),
                    &line,
                );
            }
            if mine == shown && has_marks(&mine) {
                bail!("the conflicts of {} are not settled", self.path);
            }
            match self.save(mine)? {
                None => return Ok(()),
                Some(marked) => shown = marked,
            }
        }
    }

    /// Saves a text. If the page was changed meanwhile, the changes are merged; if they conflict, returns the text
    /// with the marked conflicts.
    fn save(&self, mut mine: String) -> anyhow::Result<Option<String>> {
        loop {
            let client = Client::open(self.common)?;
            let refused = match self.put(&client, &mine) {
                Ok(saved) => {
                    self.report(&client, &saved)?;
                    return Ok(None);
                }
                Err(error) => error,
            };
            match Refusal::of(&refused).map(Refusal::code) {
                // Someone took the lock over, or it expired; the version decides.
                Some("lock_invalid" | "not_locked") if self.token.lock().take().is_some() => {
                    continue;
                }
                Some("precondition_failed") => {}
                _ => return Err(refused),
            }
            let (theirs, revision) = PageText::get(&client, &self.id)?;
            let sides = Sides {
                mine: "your text",
                theirs: &format!("revision {revision}"),
            };
            let merged = merge(&self.base.lock().text, &mine, &theirs.text, &sides);
            *self.base.lock() = theirs;
            if merged.conflicts > 0 {
                let places = match merged.conflicts {
                    1 => "1 place in the text is".to_owned(),
                    count => format!("{count} places in the text are"),
                };
                output::notice(&format!(
                    "{} was changed meanwhile; {places} marked with <<<<<<< and >>>>>>>",
                    self.path
                ));
                return Ok(Some(merged.text));
            }
            output::notice(&format!(
                "{} was changed meanwhile; the changes were merged",
                self.path
            ));
            mine = merged.text;
        }
    }

    fn put(&self, client: &Client, text: &str) -> anyhow::Result<Value> {
        let mut headers = self.base.lock().headers();
        headers.push(("content-type", "text/markdown".to_owned()));
        headers.extend(self.authentication());
        put(client, &self.id, &headers, text)
    }

    fn report(&self, client: &Client, saved: &Value) -> anyhow::Result<()> {
        let path = path_of(client, &self.id)?;
        report(self.common.json, &self.id, &path, saved)
    }

    fn authentication(&self) -> Option<(&'static str, String)> {
        let token = self.token.lock().clone()?;
        Some(("x-lock-authentication", format!("token={token}")))
    }

    /// Ends the lock, and with it a draft.
    fn release(&self) -> anyhow::Result<()> {
        let Some((name, value)) = self.authentication() else {
            return Ok(());
        };
        let client = Client::open(self.common)?;
        let address = format!("api/pages/{}/lock", self.id);
        match client.ask("DELETE", &address, &[(name, &value)], b"") {
            // A lock that has ended already needs no release.
            Err(error) if Refusal::of(&error).is_none() => Err(error),
            _ => Ok(()),
        }
    }

    /// Runs the editor, and renews the lock until it ends.
    fn wait_for_editor(&self, file: &Path) -> anyhow::Result<()> {
        let (stop, stopped) = mpsc::channel::<()>();
        let ended = thread::scope(|scope| {
            scope.spawn(move || {
                while stopped.recv_timeout(RENEWAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    self.renew();
                }
            });
            let ended = run_editor(file);
            drop(stop);
            ended
        });
        let ended = ended?;
        if !ended.success() {
            bail!("the editor failed ({ended}); nothing was saved");
        }
        Ok(())
    }

    /// Renews the lock. A failure is not reported: the next renewal may succeed, and saving copes without a lock.
    fn renew(&self) {
        let Some((name, value)) = self.authentication() else {
            return;
        };
        let address = format!("api/pages/{}/lock", self.id);
        let renewed = Client::open(self.common)
            .and_then(|client| client.ask("PUT", &address, &[(name, &value)], b""))
            .and_then(|renewed| token_of(&renewed));
        match renewed {
            Ok(token) => *self.token.lock() = Some(token),
            Err(error) if Refusal::of(&error).is_some() => *self.token.lock() = None,
            Err(_) => {}
        }
    }
}

/// Appends a text to a page, after a line break.
pub(super) fn append(client: &Client, json: bool, path: &str, added: &[u8]) -> anyhow::Result<()> {
    let added = str::from_utf8(added).context("the text is not UTF-8")?;
    let id = id_of(client, path)?;
    let mut attempts = 0;
    loop {
        let (page, _) = PageText::get(client, &id)?;
        let mut headers = page.headers();
        headers.push(("content-type", "text/markdown".to_owned()));
        match put(client, &id, &headers, &joined(&page.text, added)) {
            Ok(saved) => return report(json, &id, &path_of(client, &id)?, &saved),
            Err(error) => {
                attempts += 1;
                let code = Refusal::of(&error).map(Refusal::code);
                if code != Some("precondition_failed") || attempts == APPEND_ATTEMPTS {
                    return Err(error);
                }
            }
        }
    }
}

/// True if the error is that no page is at a path, or was there.
pub(super) fn is_free(error: &anyhow::Error) -> bool {
    let refusal = Refusal::of(error);
    refusal.is_some_and(|refusal| {
        let body = refusal.body();
        refusal.code() == "page_not_found"
            && body["moved_to"].is_null()
            && body["page_id"].is_null()
    })
}

fn put(client: &Client, id: &str, headers: &[(&str, String)], text: &str) -> anyhow::Result<Value> {
    let headers: Vec<_> = headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let address = format!("api/pages/{id}/source");
    client
        .ask("PUT", &address, &headers, text.as_bytes())?
        .json()
}

fn report(json: bool, id: &str, path: &str, saved: &Value) -> anyhow::Result<()> {
    for warning in saved["warnings"].as_array().into_iter().flatten() {
        let link = text(warning, "link");
        output::notice(&format!("{link} may lead to another page than meant"));
    }
    let revision = &saved["revision"];
    let line = format!("Saved {path} as revision {revision}");
    let value = json!({"id": id, "path": path, "revision": revision});
    print(json, &value, &line)
}

fn joined(page: &str, added: &str) -> String {
    let mut text = page.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text += added;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn token_of(answer: &Answer) -> anyhow::Result<String> {
    let lock = answer.header("x-page-lock")?;
    let token = lock.split("token=").nth(1).context("a lock has a token")?;
    Ok(token.to_owned())
}

/// Returns the name of the file in the editor: the last part of the page's path.
fn file_name(path: &str) -> PathBuf {
    let name = path.rsplit('/').next().unwrap_or_default();
    let usable = !name.is_empty() && name.len() <= LONGEST_NAME;
    format!("{}.md", if usable { name } else { "page" }).into()
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    let written = own_file::replace(file, text.as_bytes());
    written.with_context(|| format!("couldn't write {}", file.display()))
}

fn read(file: &Path) -> anyhow::Result<String> {
    let read = own_file::read(file, LARGEST_TEXT);
    let read = read.with_context(|| format!("couldn't read {}", file.display()))?;
    String::from_utf8(read).context("the text is not UTF-8")
}

/// True if a file has a text that would be lost with it.
fn is_unsaved(file: &Path, base: &str) -> bool {
    own_file::read(file, LARGEST_TEXT).is_ok_and(|text| text != base.as_bytes())
}

/// Runs the editor that the user has chosen, and waits for its end.
fn run_editor(file: &Path) -> anyhow::Result<ExitStatus> {
    let chosen = ["VISUAL", "EDITOR"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|editor| !editor.is_empty());
    let editor = chosen.unwrap_or_else(|| "vi".into());
    // As git does: the variable is a command with arguments.
    let mut script = OsString::from("exec ");
    script.push(&editor);
    script.push(" \"$@\"");
    let is_open = Arc::new(AtomicBool::new(true));
    leave_interrupts_to_editor(Arc::clone(&is_open))?;
    let status = Command::new("sh")
        .arg("-c")
        .arg(script)
        .arg(&editor)
        .arg(file)
        .status();
    is_open.store(false, Ordering::Relaxed);
    status.with_context(|| format!("couldn't start the editor {}", editor.display()))
}

/// Ignores interrupts from the terminal, which the editor gets as well, while the editor is open.
fn leave_interrupts_to_editor(is_open: Arc<AtomicBool>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    let entered = runtime.enter();
    let mut interrupt = signal(SignalKind::interrupt())?;
    drop(entered);
    thread::spawn(move || {
        runtime.block_on(async {
            while interrupt.recv().await.is_some() {
                if !is_open.load(Ordering::Relaxed) {
                    std::process::exit(EXIT_INTERRUPTED.into());
                }
            }
        });
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appended_text_begins_and_ends_a_line() {
        assert_eq!(joined("", "a"), "a\n");
        assert_eq!(joined("a", "b\n"), "a\nb\n");
        assert_eq!(joined("a\n", "\nb"), "a\n\nb\n");
    }

    #[test]
    fn file_is_named_after_the_page() {
        assert_eq!(file_name("/旅/京都"), Path::new("京都.md"));
        assert_eq!(file_name("/"), Path::new("page.md"));
        assert_eq!(file_name(&"a".repeat(300)), Path::new("page.md"));
    }
}
