//! Going back to a backup as a whole: it is copied beside the data, and takes their place at the next start.
//!
//! 1. The copy is made and checked in a temporary folder of the data folder, which then gets the name `restore`. Until
//!    then nothing has happened.
//! 2. The next start moves the files of pages, the database and the list of folders to their places, in this order. Each
//!    step is one rename and is skipped if it has been done, so that a start after a crash continues. Nothing is opened
//!    before all of them are done.
//! 3. `restore/restore.json` is removed, and then the folder with what was replaced. Damaged data, which no backup has, are
//!    moved to a folder of their own instead, in the same steps.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_base::dir_handle::DirHandle;
use fumikura_base::durable::{self, Access};
use fumikura_base::entropy::Entropy;
use fumikura_base::own_file;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::reader::BackupReadError;
use super::record::{ListedBackup, list_backups};
use super::{OTHER_FILES, assets, keep_private};
use crate::assets::{AssetFiles, BulkFiles, StoredFile};
use crate::check::{CheckError, Depth, lost_contents};
use crate::store::{StorageError, digest};
use crate::temp_names::TempNames;
use crate::wiki::{Wiki, WikiConfig};

/// Copies that are being made.
const TEMP_NAMES: TempNames = TempNames(".restore-");
/// The folder of a complete copy.
const FOLDER: &str = "restore";
const RECORD: &str = "restore.json";
/// The beginning of the names of folders with replaced data that were damaged.
const DAMAGED: &str = "damaged-";
const VERSION: u64 = 1;

/// The data can't go back to a backup. They are unchanged.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    #[error("going back to the backup was cancelled")]
    Cancelled,
    #[error(transparent)]
    Backup(#[from] BackupReadError),
    /// The copy of the backup is not what the backup was when it was made.
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<io::Error> for ReplaceError {
    fn from(error: io::Error) -> Self {
        Self::Storage(error.into())
    }
}

/// A backup that takes the place of the data at the next start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Replacement {
    version: u64,
    /// The name of the backup.
    pub name: String,
    /// The time of its state.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub taken_at: Timestamp,
    /// The folder in the data folder that will have the replaced data; `None` if they are in a backup.
    #[serde(default)]
    pub kept_as: Option<String>,
}

/// A request to go back to a backup.
#[derive(Clone, Copy)]
pub struct ReplacementRequest<'r> {
    /// The folder of all backups.
    pub backups: &'r Path,
    /// The name of the backup.
    pub name: &'r str,
    /// The data folder.
    pub data: &'r Path,
    /// The maximum size of a file of a page, in bytes.
    pub asset_limit: u64,
    /// True if the replaced data are to be kept in a folder beside the new ones: they are damaged, and in no backup.
    pub keeps_replaced: bool,
}

/// Copies a backup into the data folder, checks the copy, and lets it take the place of the data at the next start. An earlier
/// such copy is discarded. The data need not be open, nor be whole.
///
/// # Errors
/// [`ReplaceError`].
pub fn prepare_replacement(
    request: &ReplacementRequest<'_>,
    clock: &Arc<dyn Clock>,
    entropy: &Arc<dyn Entropy>,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Replacement, ReplaceError> {
    let ReplacementRequest {
        backups,
        name,
        data,
        ..
    } = *request;
    let listed = list_backups(backups)?;
    let backup = listed.iter().find(|backup| backup.name == name);
    let backup = backup.ok_or_else(|| BackupReadError::NotFound(name.to_owned()))?;
    let mut builder = TEMP_NAMES.builder();
    keep_private(&mut builder);
    let copy = builder.tempdir_in(data)?;
    copy_backup(&backup.path(backups), copy.path(), watch)?;
    let config = WikiConfig {
        database: copy.path().join("wiki.redb"),
        assets: copy.path().join("asset"),
        asset_limit: request.asset_limit,
        lock_ttl: WikiConfig::LOCK_TTL,
        open_timeout: Duration::ZERO,
    };
    verify(
        backup,
        &config,
        (Arc::clone(clock), Arc::clone(entropy)),
        watch,
    )?;
    let kept_as = request.keeps_replaced.then(|| {
        let time = clock.now().strftime("%Y-%m-%dT%H%M%SZ");
        format!("{DAMAGED}{time}")
    });
    let replacement = Replacement {
        version: VERSION,
        name: name.to_owned(),
        taken_at: backup.record.taken_at,
        kept_as,
    };
    let json = serde_json::to_vec_pretty(&replacement).map_err(io::Error::from)?;
    durable::write_file(&copy.path().join(RECORD), &json, Access::Private)?;
    discard_replacement(data)?;
    let unfinished = copy.path().file_name().unwrap_or_default();
    let folder = DirHandle::open(data)?;
    if !folder.rename_unless_taken(unfinished, &folder, FOLDER.as_ref())? {
        let taken = format!("{} is in the way", data.join(FOLDER).display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, taken).into());
    }
    // It has been moved, so there is nothing to remove.
    let _moved = copy.keep();
    folder.sync()?;
    Ok(replacement)
}

/// Opens a copy of a backup, and checks that it is whole. A database of an earlier schema is upgraded.
fn verify(
    backup: &ListedBackup,
    config: &WikiConfig,
    (clock, entropy): (Arc<dyn Clock>, Arc<dyn Entropy>),
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(), ReplaceError> {
    let is_current = crate::store::Store::open_read_only(&config.database)
        .map_err(BackupReadError::from)?
        .is_some();
    let wiki = Wiki::open(config, clock, entropy).map_err(BackupReadError::from)?;
    if is_current && hex::encode(wiki.store.read(digest)?) != backup.record.rows_sha256 {
        let reason = "the rows of its database are not those that were copied";
        return Err(ReplaceError::Damaged(reason.to_owned()));
    }
    let mut lost = HashSet::new();
    for id in wiki.store.read(assets)? {
        match wiki.asset_files.open(id) {
            Ok(_) => {}
            // Its contents were lost before the backup was made, or in it: the rest is worth going back to.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                lost.insert(lost_contents(id));
            }
            Err(error) => return Err(error.into()),
        }
    }
    let checked = wiki.check_with_progress(Depth::Everything, watch);
    let report = checked.map_err(|error| match error {
        CheckError::Cancelled => ReplaceError::Cancelled,
        CheckError::Storage(error) => error.into(),
    })?;
    let mut faults = report.faults.iter();
    match faults.find(|fault| !lost.contains(&fault.words)) {
        Some(fault) if backup.record.proved_at.is_some() => {
            Err(ReplaceError::Damaged(fault.to_string()))
        }
        Some(_) | None => Ok(()),
    }
}

fn copy_backup(
    backup: &Path,
    copy: &Path,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(), ReplaceError> {
    let mut database = own_file::open_users(&backup.join("wiki.redb"))?;
    durable::write_from(&copy.join("wiki.redb"), &mut database, Access::Private)?;
    for name in OTHER_FILES {
        match own_file::open_users(&backup.join(name)) {
            Ok(mut file) => durable::write_from(&copy.join(name), &mut file, Access::Private)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    durable::create_folder(&copy.join("asset"), Access::Private)?;
    let from = AssetFiles::new(backup.join("asset"));
    let to = AssetFiles::new(copy.join("asset"));
    let mut to = BulkFiles::new(&to);
    let mut stored = Vec::new();
    from.walk(|file| match file {
        StoredFile::Whole(id, _) => stored.push(id),
        StoredFile::Unfinished(_) => {}
    })?;
    stored.sort_unstable();
    let total = stored.len() as u64;
    for (id, done) in stored.into_iter().zip(1..) {
        // The files are never links: a damaged file of the data must not damage the backup.
        to.copy(&from, id)?;
        if watch(done, total).is_break() {
            return Err(ReplaceError::Cancelled);
        }
    }
    to.finish()?;
    Ok(())
}

/// Returns the backup that takes the place of the data at the next start.
///
/// # Errors
/// Errors of the file system.
pub fn pending_replacement(data: &Path) -> io::Result<Option<Replacement>> {
    let json = match own_file::read(&data.join(FOLDER).join(RECORD), own_file::SETTINGS) {
        Ok(json) => json,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let replacement: Replacement = serde_json::from_slice(&json)?;
    if replacement.version != VERSION {
        let message = format!("{RECORD} has version {}", replacement.version);
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    if let Some(name) = &replacement.kept_as
        && (!name.starts_with(DAMAGED) || name.contains('/'))
    {
        let message = format!("{RECORD} names {name:?} as the folder of the replaced data");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(Some(replacement))
}

/// Discards the copy of a backup that would take the place of the data, and the remains of unfinished ones.
///
/// # Errors
/// Errors of the file system.
pub fn discard_replacement(data: &Path) -> io::Result<()> {
    let folder = DirHandle::open(data)?;
    match fs::remove_file(data.join(FOLDER).join(RECORD)) {
        Ok(()) => durable::sync_folder(&data.join(FOLDER))?,
        Err(error) if is_missing(&error) => {}
        Err(error) => return Err(error),
    }
    match folder.remove_tree(FOLDER.as_ref()) {
        Ok(()) => folder.sync(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// The result of a check for a pending replacement at the start.
#[derive(Debug, PartialEq, Eq)]
pub enum ReplacedData {
    Unchanged,
    /// The data are those of a backup now. What was derived from the earlier data must be removed.
    Replaced(Replacement),
    /// Another process has the data open, or is replacing them.
    InUse,
}

/// Puts a pending backup in the place of the data, before they are opened. `derived` are folders that were made from the
/// earlier data, and are removed.
///
/// # Errors
/// Errors of the file system. The next start continues.
pub fn replace_data(data: &Path, derived: &[PathBuf]) -> io::Result<ReplacedData> {
    let Some(replacement) = pending_replacement(data)? else {
        sweep(data)?;
        return Ok(ReplacedData::Unchanged);
    };
    let staged = data.join(FOLDER);
    let record = own_file::open(&staged.join(RECORD), own_file::SETTINGS)?;
    if is_locked(&record) {
        return Ok(ReplacedData::InUse);
    }
    let database = match own_file::open_with(
        &data.join("wiki.redb"),
        File::options().read(true).write(true),
    ) {
        Ok(database) => Some(database),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        // Whatever is in its place is kept.
        Err(_) if replacement.kept_as.is_some() => None,
        Err(error) => return Err(error),
    };
    // The lock is held until everything is in its place.
    if database.as_ref().is_some_and(is_locked) {
        return Ok(ReplacedData::InUse);
    }
    let kept = replacement.kept_as.as_ref().map(|name| data.join(name));
    if let Some(kept) = &kept {
        durable::create_folder(kept, Access::Private)?;
    }
    let wiki = [("asset", Some("asset.old")), ("wiki.redb", None)];
    for (name, old) in wiki.into_iter().chain(OTHER_FILES.map(|name| (name, None))) {
        let (place, replacing) = (data.join(name), staged.join(name));
        // A start after a crash does not take the new one for the old.
        if !exists(&replacing)? {
            continue;
        }
        match (&kept, old) {
            (Some(kept), _) => rename_existing(&place, &kept.join(name))?,
            (None, Some(old)) => rename_existing(&place, &staged.join(old))?,
            (None, None) => {}
        }
        rename_existing(&replacing, &place)?;
    }
    if let Some(kept) = &kept {
        durable::sync_folder(kept)?;
    }
    durable::sync_folder(&staged)?;
    durable::sync_folder(data)?;
    for folder in derived {
        match fs::remove_dir_all(folder) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    discard_replacement(data)?;
    tracing::info!("the data are those of the backup {} now", replacement.name);
    if let Some(kept) = kept {
        tracing::info!("the damaged data are kept in {}", kept.display());
    }
    Ok(ReplacedData::Replaced(replacement))
}

/// Locks a file for this process. Returns true if another one has locked it; some file systems have no locks.
fn is_locked(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

fn exists(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn rename_existing(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        renamed => renamed,
    }
}

/// Removes the remains of interrupted copies, and of data that were replaced.
fn sweep(data: &Path) -> io::Result<()> {
    let folder = match DirHandle::open(data) {
        Ok(folder) => folder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in folder.entries()? {
        let is_rest = TEMP_NAMES.has(&entry.name) || entry.name == FOLDER;
        if is_rest && entry.is_folder() {
            folder.remove_tree(&entry.name)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use fumikura_base::clock::SystemClock;
    use fumikura_base::entropy::SystemEntropy;
    use jiff::tz::TimeZone;

    use super::*;
    use crate::backup::{BackupCause, BackupRequest};
    use crate::fixture::{self, TestWiki, amend, config, file_with};
    use crate::id::{AssetId, PageId};
    use crate::path::PagePath;

    /// A data folder with a page and a file that were changed after a backup.
    struct Fixture {
        data: tempfile::TempDir,
        test: TestWiki,
        page: PageId,
        file: AssetId,
        name: String,
    }

    impl Fixture {
        fn new() -> Self {
            let data = tempfile::tempdir().unwrap();
            let test = TestWiki::at(data.path());
            let page = fixture::page(&test.wiki, test.user, "/a", "old");
            let file = file_with(&test.wiki, page, test.user, "p.png", b"picture");
            fs::write(data.path().join("roots.json"), "old").unwrap();
            let request = BackupRequest {
                backups: &data.path().join("backups"),
                cause: BackupCause::Request,
                add: &|folder| {
                    fs::write(folder.join("albums.json"), "old")?;
                    fs::write(folder.join("roots.json"), "old")
                },
                zone: TimeZone::UTC,
            };
            let made = test
                .wiki
                .backups()
                .make(&request, &mut |_, _| ControlFlow::Continue(()));
            let name = made.unwrap().path.file_name().unwrap().to_owned();
            amend(&test.wiki, page, test.user, "new");
            test.wiki.assets().delete(file).unwrap();
            test.wiki.assets().purge(file).unwrap();
            fs::write(data.path().join("roots.json"), "new").unwrap();
            fs::create_dir(data.path().join("search")).unwrap();
            Self {
                data,
                test,
                page,
                file,
                name: name.into_string().unwrap(),
            }
        }

        fn data(&self) -> &Path {
            self.data.path()
        }

        fn prepare(&self) -> Result<Replacement, ReplaceError> {
            self.prepare_keeping(false)
        }

        fn prepare_keeping(&self, keeps_replaced: bool) -> Result<Replacement, ReplaceError> {
            let request = ReplacementRequest {
                backups: &self.data().join("backups"),
                name: &self.name,
                data: self.data(),
                asset_limit: WikiConfig::ASSET_LIMIT,
                keeps_replaced,
            };
            let clock: Arc<dyn Clock> = self.test.clock.clone();
            let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
            let watch = &mut |_, _| ControlFlow::Continue(());
            prepare_replacement(&request, &clock, &entropy, watch)
        }

        /// Starts with the data of a fixture whose wiki was closed, and returns its text and its file.
        fn start(data: &Path, page: PageId, file: AssetId) -> (String, bool, String) {
            let derived = [data.join("search")];
            replace_data(data, &derived).unwrap();
            let clock = Arc::new(SystemClock::new());
            let wiki = Wiki::open(&config(data), clock, Arc::new(SystemEntropy));
            let test = wiki.unwrap();
            let text = test.pages().source(page, None).unwrap().source;
            let has_file = test.assets().open(file).is_ok();
            let faults = test.check(Depth::Everything).unwrap().faults;
            assert_eq!(faults, []);
            let roots = fs::read_to_string(data.join("roots.json")).unwrap();
            let albums = fs::read_to_string(data.join("albums.json")).ok();
            assert_eq!(albums.as_deref(), (roots == "old").then_some("old"));
            (text, has_file, roots)
        }
    }

    fn old() -> (String, bool, String) {
        ("old".to_owned(), true, "old".to_owned())
    }

    #[test]
    fn backup_takes_the_place_of_the_data() {
        let fixture = Fixture::new();
        let prepared = fixture.prepare().unwrap();
        assert_eq!(pending_replacement(fixture.data()).unwrap(), Some(prepared));
        assert_eq!(
            replace_data(fixture.data(), &[]).unwrap(),
            ReplacedData::InUse
        );
        let Fixture {
            data,
            test,
            page,
            file,
            ..
        } = fixture;
        drop(test);
        let found = Fixture::start(data.path(), page, file);
        assert_eq!(found, old());
        assert!(!data.path().join("search").exists());
        assert!(!data.path().join("restore").exists());
        assert_eq!(pending_replacement(data.path()).unwrap(), None);
    }

    #[test]
    fn start_after_a_crash_continues() {
        let steps: [(&str, &str); 5] = [
            ("asset", "restore/asset.old"),
            ("restore/asset", "asset"),
            ("restore/wiki.redb", "wiki.redb"),
            ("restore/roots.json", "roots.json"),
            ("search", "gone"),
        ];
        for done in 0..=steps.len() {
            let fixture = Fixture::new();
            fixture.prepare().unwrap();
            let Fixture {
                data,
                test,
                page,
                file,
                ..
            } = fixture;
            drop(test);
            for (from, to) in &steps[..done] {
                fs::rename(data.path().join(from), data.path().join(to)).unwrap();
            }
            assert_eq!(
                Fixture::start(data.path(), page, file),
                old(),
                "{done} steps were done"
            );
        }
    }

    const KEPT: &str = "damaged-2026-11-18T120000Z";

    #[test]
    fn damaged_data_are_kept_beside_the_backup() {
        let steps: [(&str, &str); 6] = [
            ("asset", "KEPT/asset"),
            ("restore/asset", "asset"),
            ("wiki.redb", "KEPT/wiki.redb"),
            ("restore/wiki.redb", "wiki.redb"),
            ("roots.json", "KEPT/roots.json"),
            ("restore/roots.json", "roots.json"),
        ];
        for done in 0..=steps.len() {
            let fixture = Fixture::new();
            let other = file_with(
                &fixture.test.wiki,
                fixture.page,
                fixture.test.user,
                "q.png",
                b"later",
            );
            let prepared = fixture.prepare_keeping(true).unwrap();
            assert_eq!(prepared.kept_as.as_deref(), Some(KEPT));
            let Fixture {
                data,
                test,
                page,
                file,
                ..
            } = fixture;
            drop(test);
            let data = data.path();
            fs::write(data.join("wiki.redb"), "damaged").unwrap();
            if done > 0 {
                fs::create_dir(data.join(KEPT)).unwrap();
            }
            for (from, to) in &steps[..done] {
                let to = to.replace("KEPT", KEPT);
                fs::rename(data.join(from), data.join(to)).unwrap();
            }
            assert_eq!(Fixture::start(data, page, file), old(), "{done} steps");
            let kept = data.join(KEPT);
            let read = |name: &str| fs::read_to_string(kept.join(name)).unwrap();
            assert_eq!(
                (read("wiki.redb"), read("roots.json")),
                ("damaged".to_owned(), "new".to_owned())
            );
            let stored = AssetFiles::new(kept.join("asset"));
            assert!(stored.open(other).is_ok());
            assert!(!data.join("restore").exists());
        }
    }

    #[test]
    fn lost_database_is_replaced() {
        let fixture = Fixture::new();
        fixture.prepare_keeping(true).unwrap();
        let Fixture {
            data,
            test,
            page,
            file,
            ..
        } = fixture;
        drop(test);
        fs::remove_file(data.path().join("wiki.redb")).unwrap();
        assert_eq!(Fixture::start(data.path(), page, file), old());
        assert!(data.path().join(KEPT).join("roots.json").exists());
    }

    #[test]
    fn replaced_data_stay_in_the_data_folder() {
        let fixture = Fixture::new();
        fixture.prepare_keeping(true).unwrap();
        let record = fixture.data().join("restore/restore.json");
        let json = fs::read_to_string(&record).unwrap();
        fs::write(&record, json.replace("damaged-", "../damaged-")).unwrap();
        let refused = pending_replacement(fixture.data()).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn discarded_backup_changes_nothing() {
        let fixture = Fixture::new();
        fixture.prepare().unwrap();
        // Another choice takes the place of the first.
        fixture.prepare().unwrap();
        discard_replacement(fixture.data()).unwrap();
        let Fixture {
            data,
            test,
            page,
            file,
            ..
        } = fixture;
        drop(test);
        let left = data.path().join(".restore-a1B2c3D4e5F6.tmp");
        fs::create_dir(&left).unwrap();
        let found = Fixture::start(data.path(), page, file);
        assert_eq!(found, ("new".to_owned(), false, "new".to_owned()));
        assert!(!left.exists());
    }

    #[test]
    fn damaged_backup_is_never_put_in_place() {
        let fixture = Fixture::new();
        let (_, relative) = fixture.test.wiki.asset_files.place(fixture.file);
        let backup = fixture.data().join("backups").join(&fixture.name);
        let file = backup.join("asset").join(relative);
        fs::write(&file, "pictur?").unwrap();
        let refused = fixture.prepare();
        assert!(
            matches!(refused, Err(ReplaceError::Damaged(_))),
            "{refused:?}"
        );
        fs::write(backup.join("wiki.redb"), "no database").unwrap();
        let refused = fixture.prepare();
        assert!(
            matches!(refused, Err(ReplaceError::Backup(_))),
            "{refused:?}"
        );
        assert_eq!(pending_replacement(fixture.data()).unwrap(), None);
        let at = PagePath::new("/a").unwrap();
        assert!(fixture.test.wiki.pages().resolve(&at).is_ok());
    }
    #[test]
    fn backup_of_an_earlier_schema_is_upgraded() {
        let fixture = Fixture::new();
        let packed = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/fixtures/wiki/schema-4.redb.gz"
        );
        let mut earlier = Vec::new();
        let mut packed = flate2::read::GzDecoder::new(File::open(packed).unwrap());
        io::copy(&mut packed, &mut earlier).unwrap();
        let backup = fixture.data().join("backups").join(&fixture.name);
        fs::write(backup.join("wiki.redb"), &earlier).unwrap();

        let backups = fixture.data().join("backups");
        let parts = fixture.test.wiki.backups();
        let reader = parts.open(&backups, &fixture.name).unwrap();
        let pages = parts.pages(&reader, "", (None, 1)).unwrap();
        assert_eq!(pages.pages.len(), 1);
        drop(reader);
        fixture.prepare().unwrap();
        assert!(fs::read(backup.join("wiki.redb")).unwrap() == earlier);
        let Fixture { data, test, .. } = fixture;
        drop(test);
        replace_data(data.path(), &[]).unwrap();
        let (clock, entropy) = (Arc::new(SystemClock::new()), Arc::new(SystemEntropy));
        let wiki = Wiki::open(&config(data.path()), clock, entropy).unwrap();
        // Neither the backup nor the data has more than the database needs.
        for folder in [data.path(), &backup] {
            assert!(!folder.join("wiki.redb.schema-4").exists());
        }
        let mut faults = wiki.check(Depth::Tables).unwrap().faults;
        // The files of the fixture are elsewhere.
        faults.retain(|fault| fault.place != "asset/");
        assert_eq!(faults, []);
    }
}
