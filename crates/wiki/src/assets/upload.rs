//! Bringing a file: its contents are written aside, piece by piece, and become the page's in one
//! step at the end.

use std::io::Write;

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::assets::mime::Sniffer;
use crate::assets::rows::{AssetRow, named, present};
use crate::assets::{Asset, AssetError};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId, UserId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::change::AssetChange;
use crate::store::{ASSET, Read, StorageError};
use crate::wiki::Wiki;

/// A file on its way. Dropped before [`Wiki::finish_asset`], it leaves nothing behind.
pub struct AssetWriter {
    page: PageId,
    name: FileName,
    file: NamedTempFile,
    size: u64,
    limit: u64,
    sha256: Sha256,
    sniffer: Sniffer,
}

impl AssetWriter {
    /// Writes the next bytes of the contents.
    ///
    /// # Errors
    /// [`AssetError::TooLarge`] as soon as there are more than are allowed. After an error the
    /// writer is of no more use.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), AssetError> {
        self.size = self.size.saturating_add(bytes.len() as u64);
        if self.size > self.limit {
            return Err(AssetError::TooLarge(self.limit));
        }
        self.file.write_all(bytes)?;
        self.sha256.update(bytes);
        self.sniffer.feed(bytes);
        Ok(())
    }
}

impl Wiki {
    /// Begins to bring a file to a page, or to a draft. No transaction is open while its contents
    /// are written.
    ///
    /// `length` is what the contents are said to have in bytes, if that is known; more may not be
    /// written than is allowed in any case.
    ///
    /// # Errors
    /// What would be refused at the end is refused now, as far as it can be told.
    pub fn begin_asset(
        &self,
        page: PageId,
        name: FileName,
        length: Option<u64>,
    ) -> Result<AssetWriter, AssetError> {
        if length.is_some_and(|length| length > self.asset_limit) {
            return Err(AssetError::TooLarge(self.asset_limit));
        }
        self.store.read(|txn| {
            present(txn, page, self.moment())?;
            match named(txn, page, &name)? {
                Some(_) => Err(AssetError::NameTaken(name.clone())),
                None => Ok(()),
            }
        })?;
        Ok(AssetWriter {
            page,
            name,
            file: self.asset_files.begin()?,
            size: 0,
            limit: self.asset_limit,
            sha256: Sha256::new(),
            sniffer: Sniffer::new(),
        })
    }

    /// Makes what was written a file of its page. First the contents are made durable in their
    /// place, then the row: a crash between the two leaves a file without a row, which the next
    /// start sweeps away.
    ///
    /// # Errors
    /// [`AssetError::NameTaken`] when another file was faster. Nothing is left behind.
    pub fn finish_asset(&self, writer: AssetWriter, user: UserId) -> Result<Asset, AssetError> {
        let AssetWriter {
            page,
            name,
            file,
            size,
            limit: _,
            sha256,
            sniffer,
        } = writer;
        file.as_file().sync_all()?;
        let now = self.clock.now();
        let id = AssetId::generate(now, &*self.entropy);
        let _coming = self.store.in_flight.note(vec![id.to_bytes()]);
        self.asset_files.keep(file.into_temp_path(), id)?;
        let info = AssetInfo {
            original_name: name.clone(),
            file_name: name,
            mime: sniffer.mime(),
            size,
            created_at: now,
            sha256: sha256.finalize().into(),
            user,
            state: AssetState::Live,
        };
        let entered = self.store.write(|txn| {
            present(txn, page, self.moment())?;
            let row = AssetRow {
                id,
                info,
                page: None,
            };
            row.enter(txn, page, AssetChange::Added)?;
            Asset::read(txn, id)
        });
        entered.inspect_err(|_| self.unlink_unless_known(id))
    }

    /// After a commit that failed nobody knows whether it happened, until the database is asked.
    fn unlink_unless_known(&self, id: AssetId) {
        let known = self
            .store
            .read(|txn| Ok::<_, StorageError>(txn.get(ASSET, &id.to_bytes())?.is_some()));
        match known {
            Ok(true) => {}
            Ok(false) => self.asset_files.unlink(id),
            Err(error) => tracing::warn!(%id, "a file is left for the next start: {error}"),
        }
    }
}
