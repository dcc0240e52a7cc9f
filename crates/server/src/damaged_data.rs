//! Going back to a backup when the database can't be opened.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use fumikura_base::clock::{Clock, SystemClock};
use fumikura_base::entropy::{Entropy, SystemEntropy};
use fumikura_wiki::{
    OpenError, ReplaceError, Replacement, ReplacementRequest, list_backups, prepare_replacement,
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

/// Returns the command that goes back to the newest proved backup of a data folder; `None` if there is no backup.
fn command(data: &Path, backups: &Path) -> Option<String> {
    let listed = list_backups(backups).unwrap_or_else(|error| {
        tracing::warn!("{} can't be read: {error}", backups.display());
        Vec::new()
    });
    let proved = listed
        .iter()
        .find(|backup| backup.record.proved_at.is_some());
    let name = &proved.or(listed.first())?.name;
    let data = data.display().to_string().replace('\'', r"'\''");
    Some(format!("fumi backup restore {name} --all --data '{data}'"))
}
