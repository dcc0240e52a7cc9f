//! Going back to a backup when the database can't be opened.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use fumikura_base::clock::{Clock, SystemClock};
use fumikura_base::entropy::{Entropy, SystemEntropy};
use fumikura_wiki::{
    ListedBackup, OpenError, ReplaceError, Replacement, ReplacementRequest, list_backups,
    prepare_replacement,
};

use crate::config::Config;
use crate::start::StartError;

/// Lets a backup take the place of data that can't be opened, at the next start. They are kept in a folder beside it.
///
/// # Errors
/// [`ReplaceError`]. Nothing has changed then.
pub fn replace_damaged_data(config: &Config, name: &str) -> Result<Replacement, ReplaceError> {
    let request = ReplacementRequest {
        backups: &config.backups(),
        name,
        data: &config.data_dir,
        asset_limit: config.asset_limit,
        keeps_replaced: true,
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
    let watch = &mut |_, _| ControlFlow::Continue(());
    prepare_replacement(&request, &clock, &entropy, watch)
}

/// Returns the error of a start, with the way back to a backup if the database is damaged.
pub(crate) fn start_error(error: OpenError, config: &Config) -> StartError {
    let command = match error.is_damage() {
        true => command(&config.data_dir, &config.backups()),
        false => None,
    };
    match command {
        Some(command) => StartError::Damaged {
            source: Box::new(error),
            command,
        },
        None => error.into(),
    }
}

/// Fails if the database is gone, or empty, although other data of a wiki are beside it.
pub(crate) fn check_present(config: &Config) -> Result<(), StartError> {
    let failed = |source| StartError::Folder {
        path: config.data_dir.clone(),
        source,
    };
    let database = config.database();
    match fs::symlink_metadata(&database) {
        Ok(metadata) if !metadata.is_file() || metadata.len() > 0 => return Ok(()),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    // The database is made before any of these.
    let has_files = !is_empty(&config.assets()).map_err(failed)?
        || !is_empty(&config.search()).map_err(failed)?;
    let command = command(&config.data_dir, &config.backups());
    match has_files || command.is_some() {
        true => Err(StartError::Missing { database, command }),
        false => Ok(()),
    }
}

/// Returns true if a folder has no entries, or does not exist.
fn is_empty(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().transpose()?.is_none()),
        // A file in its place is not of this program.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(true)
        }
        Err(error) => Err(error),
    }
}

/// Returns the backups to which the data can go back, the newest proved one first.
#[must_use]
pub fn restorable_backups(config: &Config) -> Vec<ListedBackup> {
    listed(&config.backups())
}

fn listed(backups: &Path) -> Vec<ListedBackup> {
    let mut listed = list_backups(backups).unwrap_or_else(|error| {
        tracing::warn!("{} can't be read: {error}", backups.display());
        Vec::new()
    });
    listed.sort_by_key(|backup| backup.record.proved_at.is_none());
    listed
}

/// Returns the command that goes back to the newest proved backup of a data folder; `None` if there is no backup.
fn command(data: &Path, backups: &Path) -> Option<String> {
    let listed = listed(backups);
    let name = &listed.first()?.name;
    let data = data.display().to_string().replace('\'', r"'\''");
    Some(format!("fumi backup restore {name} --all --data '{data}'"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Overrides;

    fn config(folder: &Path) -> Config {
        Config::load(Overrides {
            data: Some(folder.join("data")),
            cache: Some(folder.join("cache")),
            ..Overrides::default()
        })
        .unwrap()
    }

    #[test]
    fn missing_database_beside_other_data_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path());
        check_present(&config).unwrap();
        fs::create_dir_all(config.assets()).unwrap();
        check_present(&config).unwrap();
        fs::create_dir(config.assets().join("01")).unwrap();
        for contents in [None, Some("")] {
            if let Some(text) = contents {
                fs::write(config.database(), text).unwrap();
            }
            let missing = check_present(&config).unwrap_err();
            assert!(
                matches!(&missing, StartError::Missing { command: None, .. }),
                "{missing}"
            );
        }
        fs::write(config.database(), "a database").unwrap();
        check_present(&config).unwrap();
    }
}
