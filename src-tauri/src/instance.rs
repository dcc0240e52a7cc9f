//! A single process for each data folder: a second start hands its request to the first process and ends.

use std::path::{Path, PathBuf};

use clap::Parser;
use sha2::{Digest, Sha256};
use tauri::Wry;
use tauri::plugin::TauriPlugin;
use tokio::sync::mpsc::UnboundedSender;

use crate::arguments::{PageCommand, ShellArguments};

/// The request of a start. A second start hands it to the first process, which also brings its window to the front.
#[derive(Debug, Default)]
pub(crate) struct HandOver {
    /// The path of the page to show.
    pub(crate) page: Option<String>,
    /// The folders and pictures to open.
    pub(crate) places: Vec<PathBuf>,
    /// The command of the page to run.
    pub(crate) command: Option<PageCommand>,
}

impl HandOver {
    /// Returns the request of these arguments; paths are resolved against `working_dir`.
    pub(crate) fn of(arguments: &ShellArguments, working_dir: &Path) -> Self {
        Self {
            page: arguments.page().map(str::to_owned),
            places: arguments.places(working_dir),
            command: arguments.page_command(),
        }
    }
}

/// Finds the running process for the same data, and listens for later starts.
pub(crate) fn single_instance(
    data_dir: &Path,
    later: UnboundedSender<HandOver>,
) -> TauriPlugin<Wry> {
    tauri_plugin_single_instance::Builder::new()
        .dbus_id(bus_name(data_dir))
        .callback(move |_app, arguments, working_dir| {
            // The second process has parsed the arguments already, so they are valid.
            let request = ShellArguments::try_parse_from(arguments)
                .map(|arguments| HandOver::of(&arguments, Path::new(&working_dir)))
                .unwrap_or_default();
            // The receiver is gone when this process is ending.
            let _ending = later.send(request);
        })
        .build()
}

/// Returns the name of a data folder on the session bus: a start with `--data` is a separate application.
fn bus_name(data_dir: &Path) -> String {
    let hash = Sha256::digest(real(data_dir).as_os_str().as_encoded_bytes());
    format!("app.fumikura.Fumikura.D{}", hex::encode(&hash[..8]))
}

/// Returns the path without symbolic links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let resolve = |ancestor: &Path| {
        let rest = path.strip_prefix(ancestor).ok()?;
        // Collected again, because joining an empty rest adds a slash.
        Some(
            ancestor
                .canonicalize()
                .ok()?
                .join(rest)
                .components()
                .collect(),
        )
    };
    path.ancestors()
        .find_map(resolve)
        .unwrap_or_else(|| path.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bus_name_is_stable_when_folder_is_created() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("real")).unwrap();
        std::os::unix::fs::symlink("real", home.path().join("link")).unwrap();
        let data = home.path().join("link/fumikura/data");
        let before = bus_name(&data);
        std::fs::create_dir_all(&data).unwrap();
        assert_eq!(bus_name(&data), before);
        assert_eq!(bus_name(&home.path().join("real/fumikura/data")), before);
        assert_ne!(bus_name(&home.path().join("real/fumikura")), before);
    }

    #[test]
    fn bus_name_is_valid() {
        let name = bus_name(Path::new("/"));
        assert!(
            name.split('.')
                .all(|part| part.starts_with(|first: char| first.is_ascii_alphabetic()))
        );
        assert!(
            name.chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '.')
        );
    }
}
