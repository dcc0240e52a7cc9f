//! The configuration file `config.toml`: settings that a user edits, and the port and thumbnail folder that
//! the program writes.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use fumikura_image::Limits;
use fumikura_thumbs::WorkerLimits;
use serde::Deserialize;
use toml_edit::DocumentMut;

use super::range::{PIXELS, QUEUE, SECONDS, TTL_WORKERS, WORKERS};
use super::vision::VisionTable;
use super::{ConfigError, Listen, amount};

/// The maximum for the limits of files and archives, in bytes.
const MAX_LIMIT: u64 = 1 << 40;

/// The file's contents. An unknown key is an error, because it is likely a typing error.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ConfigFile {
    /// The port of the window. The program writes it.
    port: Option<u16>,
    addr: Option<String>,
    pub(super) hosts: Vec<String>,
    pub(super) own_host: Option<bool>,
    pub(super) allow: Vec<PathBuf>,
    pub(super) other_users: bool,
    lock_ttl_seconds: Option<u64>,
    asset_limit_bytes: Option<u64>,
    import_limit_bytes: Option<u64>,
    pub(super) thumbnails: Thumbnails,
    pub(super) vision: VisionTable,
}

/// The table `[thumbnails]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Thumbnails {
    workers: Option<usize>,
    queue_size: Option<usize>,
    folder: Option<PathBuf>,
    moving_from: Option<PathBuf>,
    ttl_workers: Option<usize>,
    cache_limit: Option<String>,
    memory_limit: Option<String>,
    gc_high_ratio: Option<f64>,
    gc_low_ratio: Option<f64>,
    max_pixels: Option<usize>,
    decode_memory: Option<String>,
    decode_seconds: Option<usize>,
}

impl Thumbnails {
    pub(super) fn workers(&self) -> Result<Option<usize>, ConfigError> {
        let check = |number| WORKERS.check("thumbnails.workers", number);
        self.workers.map(check).transpose()
    }

    pub(super) fn queue_size(&self) -> Result<Option<usize>, ConfigError> {
        let check = |number| QUEUE.check("thumbnails.queue_size", number);
        self.queue_size.map(check).transpose()
    }

    /// Returns the folder of the thumbnails.
    pub(super) fn folder(&self) -> Result<Option<PathBuf>, ConfigError> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        match folder.is_absolute() {
            true => Ok(Some(folder.clone())),
            false => Err(ConfigError::bad(
                "thumbnails.folder",
                folder.display(),
                "an absolute path",
            )),
        }
    }

    /// Returns the folder that still contains the thumbnails.
    pub(super) fn moving_from(&self) -> Option<PathBuf> {
        self.moving_from.clone()
    }

    pub(super) fn ttl_workers(&self) -> Result<Option<usize>, ConfigError> {
        let check = |number| TTL_WORKERS.check("thumbnails.ttl_workers", number);
        self.ttl_workers.map(check).transpose()
    }

    pub(super) fn limit(&self) -> Result<Option<u64>, ConfigError> {
        let read = |text: &String| amount::bytes("thumbnails.cache_limit", text);
        self.cache_limit.as_ref().map(read).transpose()
    }

    pub(super) fn memory(&self) -> Result<Option<u64>, ConfigError> {
        let read = |text: &String| amount::bytes("thumbnails.memory_limit", text);
        self.memory_limit.as_ref().map(read).transpose()
    }

    pub(super) fn high(&self) -> Result<Option<f64>, ConfigError> {
        let check = |ratio: f64| amount::ratio("thumbnails.gc_high_ratio", &ratio.to_string());
        self.gc_high_ratio.map(check).transpose()
    }

    pub(super) fn low(&self) -> Result<Option<f64>, ConfigError> {
        let check = |ratio: f64| amount::ratio("thumbnails.gc_low_ratio", &ratio.to_string());
        self.gc_low_ratio.map(check).transpose()
    }

    /// Returns the limits of decoding one picture.
    pub(super) fn limits(&self) -> Result<Limits, ConfigError> {
        let mut limits = Limits::default();
        if let Some(pixels) = self.max_pixels {
            limits.pixels = PIXELS.check("thumbnails.max_pixels", pixels)? as u64;
        }
        Ok(limits)
    }

    /// Returns the limits of a process that decodes one picture.
    pub(super) fn worker_limits(&self) -> Result<WorkerLimits, ConfigError> {
        let mut limits = WorkerLimits::default();
        if let Some(text) = &self.decode_memory {
            limits.memory = amount::memory("thumbnails.decode_memory", text)?;
        }
        if let Some(seconds) = self.decode_seconds {
            let seconds = SECONDS.check("thumbnails.decode_seconds", seconds)? as u64;
            limits.wall = Duration::from_secs(seconds);
            limits.cpu = Duration::from_secs(seconds.div_ceil(2));
        }
        Ok(limits)
    }
}

impl ConfigFile {
    /// Reads the file. A missing file is an empty one.
    pub(super) fn read(path: &Path) -> Result<Self, ConfigError> {
        let bad = |reason: String| ConfigError::BadFile {
            path: path.to_owned(),
            reason,
        };
        match own_file::read_users(path, own_file::SETTINGS) {
            Ok(text) => Self::parse(&text).map_err(|error| bad(one_line(&error, &text))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(bad(error.to_string())),
        }
    }

    fn parse(text: &str) -> Result<Self, toml_edit::de::Error> {
        toml_edit::de::from_str(text)
    }

    pub(super) fn listen(&self) -> Result<Option<Listen>, ConfigError> {
        self.addr.as_deref().map(str::parse).transpose()
    }

    pub(super) fn lock_ttl(&self) -> Result<Option<Duration>, ConfigError> {
        match self.lock_ttl_seconds {
            None => Ok(None),
            Some(seconds @ 1..=86_400) => Ok(Some(Duration::from_secs(seconds))),
            Some(other) => Err(ConfigError::bad(
                "lock_ttl_seconds",
                other,
                "a number of seconds from 1 to 86400",
            )),
        }
    }

    pub(super) fn asset_limit(&self) -> Result<Option<u64>, ConfigError> {
        limit("asset_limit_bytes", self.asset_limit_bytes)
    }

    pub(super) fn import_limit(&self) -> Result<Option<u64>, ConfigError> {
        limit("import_limit_bytes", self.import_limit_bytes)
    }
}

fn limit(name: &str, bytes: Option<u64>) -> Result<Option<u64>, ConfigError> {
    match bytes {
        None => Ok(None),
        Some(bytes @ 1..=MAX_LIMIT) => Ok(Some(bytes)),
        Some(other) => Err(ConfigError::bad(
            name,
            other,
            "a number of bytes from 1 to 1099511627776 (1 TiB)",
        )),
    }
}

/// Reads all values of a configuration file, for the fuzz targets. Each is refused or within its bounds.
pub fn read_config(text: &str) {
    let Ok(file) = ConfigFile::parse(text) else {
        return;
    };
    let limits = [file.asset_limit(), file.import_limit()];
    for bytes in limits.into_iter().filter_map(Result::ok).flatten() {
        assert!((1..=MAX_LIMIT).contains(&bytes), "{bytes}");
    }
    if let Ok(Some(lock_ttl)) = file.lock_ttl() {
        assert!((1..=86_400).contains(&lock_ttl.as_secs()), "{lock_ttl:?}");
    }
    let thumbnails = &file.thumbnails;
    for share in [thumbnails.high(), thumbnails.low()] {
        if let Ok(Some(share)) = share {
            assert!(share.is_finite(), "{share}");
        }
    }
    if let Ok(limits) = thumbnails.worker_limits() {
        assert!(limits.cpu <= limits.wall, "{limits:?}");
    }
    // Other values have types of their own that check them.
    let _ = (file.listen(), thumbnails.folder(), thumbnails.limits());
}

/// Returns the port in the file.
pub(crate) fn remembered_port(path: &Path) -> Result<Option<u16>, ConfigError> {
    Ok(ConfigFile::read(path)?.port)
}

/// Writes the port to the file and preserves everything else.
pub(crate) fn remember_port(path: &Path, port: u16) -> std::io::Result<()> {
    edit(path, |document| {
        document["port"] = toml_edit::value(i64::from(port));
    })
}

/// Writes the limit of the thumbnail cache to the file.
pub(crate) fn remember_cache_limit(path: &Path, bytes: u64) -> std::io::Result<()> {
    edit(path, |document| {
        let table = document
            .entry("thumbnails")
            .or_insert(toml_edit::Item::Table(toml_edit::Table::new()));
        table["cache_limit"] = toml_edit::value(bytes.to_string());
    })
}

/// Writes the new folder of the thumbnails, and the folder that still contains them.
pub(crate) fn remember_cache_folder(path: &Path, to: &str, from: &str) -> std::io::Result<()> {
    edit(path, |document| {
        let table = document
            .entry("thumbnails")
            .or_insert(toml_edit::Item::Table(toml_edit::Table::new()));
        table["folder"] = toml_edit::value(to);
        table["moving_from"] = toml_edit::value(from);
    })
}

/// Records that the thumbnails have been moved.
pub(crate) fn cache_folder_moved(path: &Path) -> std::io::Result<()> {
    edit(path, |document| {
        if let Some(table) = document
            .get_mut("thumbnails")
            .and_then(toml_edit::Item::as_table_like_mut)
        {
            table.remove("moving_from");
        }
    })
}

/// Returns the place and the reason of a syntax error. TOML's own message draws the line in letters of equal width, which
/// a window does not have.
fn one_line(error: &toml_edit::de::Error, text: &str) -> String {
    let reason = error.message();
    let before = error.span().and_then(|span| text.get(..span.start));
    let Some(before) = before else {
        return reason.to_owned();
    };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default();
    let column = column.chars().count() + 1;
    format!("line {line}, column {column}: {reason}")
}

/// Edits the file and preserves everything else.
fn edit(path: &Path, change: impl FnOnce(&mut DocumentMut)) -> std::io::Result<()> {
    let text = match own_file::read_users(path, own_file::SETTINGS) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let mut document: DocumentMut = text.parse().map_err(std::io::Error::other)?;
    change(&mut document);
    if let Some(folder) = path.parent() {
        durable::create_folder(folder, Access::Private)?;
    }
    // A symbolic link to a file elsewhere is preserved; its target is edited.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    durable::write_file(&path, document.to_string().as_bytes(), Access::Private)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn bad_file_is_described_in_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        let check = |text: &str, expected: &str| {
            fs::write(&path, text).unwrap();
            let error = ConfigFile::read(&path).unwrap_err().to_string();
            let (_, reason) = error.split_once("can't be read: ").unwrap();
            assert!(reason.starts_with(expected), "{reason}");
            assert!(!reason.contains('\n'), "{reason}");
        };
        check(
            "addr = \"a\"\nhosts = [",
            "line 2, column 10: unclosed array",
        );
        check("# 写真\nnone = 1", "line 2, column 1: unknown field `none`");
        check("addr = 1", "line 1, column 8: invalid type");
    }

    #[test]
    fn the_port_is_written_without_touching_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/config.toml");
        remember_port(&path, 4001).unwrap();
        assert_eq!(remembered_port(&path).unwrap(), Some(4001));
        fs::write(
            &path,
            "# mine\nallow = [\"/pictures\"]\n\n[thumbnails]\nworkers = 2\n",
        )
        .unwrap();
        remember_port(&path, 4002).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with("# mine\nallow = [\"/pictures\"]\n"),
            "{text}"
        );
        assert_eq!(remembered_port(&path).unwrap(), Some(4002));
    }

    #[test]
    fn cache_limit_is_written_without_touching_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        for before in ["", "# mine\n[thumbnails]\nworkers = 2 # two\n"] {
            fs::write(&path, before).unwrap();
            remember_cache_limit(&path, 5_000_000_000).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.starts_with(before), "{text}");
            let file = ConfigFile::read(&path).unwrap();
            assert_eq!(file.thumbnails.limit().unwrap(), Some(5_000_000_000));
        }
    }

    #[test]
    fn symlinked_file_is_changed_at_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let (kept, path) = (
            folder.path().join("kept.toml"),
            folder.path().join("config.toml"),
        );
        fs::write(&kept, "# mine\n").unwrap();
        std::os::unix::fs::symlink(&kept, &path).unwrap();
        remember_port(&path, 4001).unwrap();
        assert!(path.is_symlink());
        assert_eq!(remembered_port(&kept).unwrap(), Some(4001));
    }

    #[test]
    fn file_numbers_have_the_bounds_of_the_environment() {
        let thumbnails = |text| {
            toml_edit::de::from_str::<ConfigFile>(text)
                .unwrap()
                .thumbnails
        };
        let refused = |outcome: Result<_, ConfigError>, expected: &str| {
            let message = outcome.map(drop).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        };
        let zero = thumbnails("[thumbnails]\nworkers = 0\nqueue_size = 0");
        refused(zero.workers(), "thumbnails.workers is “0”");
        refused(zero.queue_size(), "thumbnails.queue_size is “0”");
        let limit = |text| toml_edit::de::from_str::<ConfigFile>(text).unwrap();
        let zero = limit("asset_limit_bytes = 0");
        refused(zero.asset_limit().map(|_| None), "asset_limit_bytes is “0”");
        let zero = limit("import_limit_bytes = 0");
        refused(
            zero.import_limit().map(|_| None),
            "import_limit_bytes is “0”",
        );
        let most = limit("asset_limit_bytes = 1099511627776");
        assert_eq!(most.asset_limit().unwrap(), Some(1 << 40));
        let most = thumbnails("[thumbnails]\nworkers = 256\nqueue_size = 1000000");
        assert_eq!(most.workers().unwrap(), Some(256));
        assert_eq!(most.queue_size().unwrap(), Some(1_000_000));
    }

    #[test]
    fn documented_keys_are_exactly_the_accepted_ones() {
        // The error for an unknown key lists the known ones.
        let known = |text: &str| -> Vec<String> {
            let refusal = toml_edit::de::from_str::<ConfigFile>(text).unwrap_err();
            let (_, names) = refusal.message().split_once("expected one of").unwrap();
            let names = names.split('`').skip(1).step_by(2);
            names.map(str::to_owned).collect()
        };
        let tables = ["thumbnails", "vision"];
        let in_tables = tables.into_iter().flat_map(|table| {
            let keys = known(&format!("[{table}]\nx = 1")).into_iter();
            keys.map(move |key| format!("{table}.{key}"))
        });
        let known: BTreeSet<String> = known("x = 1")
            .into_iter()
            .filter(|key| !tables.contains(&key.as_str()))
            .chain(in_tables)
            .collect();
        let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/STORAGE.md");
        let document = fs::read_to_string(document).unwrap();
        let (_, section) = document.split_once("\n## Configuration").unwrap();
        let described: BTreeSet<String> = section
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
            .map(str::to_owned)
            .collect();
        assert_eq!(described, known);
    }

    #[test]
    fn decoding_limits_are_configurable() {
        let thumbnails = |text| {
            let text = format!("[thumbnails]\n{text}");
            toml_edit::de::from_str::<ConfigFile>(&text)
                .unwrap()
                .thumbnails
        };
        let none = thumbnails("");
        assert_eq!(none.limits().unwrap(), Limits::default());
        assert_eq!(none.worker_limits().unwrap(), WorkerLimits::default());
        let all = "max_pixels = 5000\ndecode_memory = \"1 GB\"\ndecode_seconds = 9";
        let all = thumbnails(all);
        assert_eq!(all.limits().unwrap().pixels, 5000);
        let limits = all.worker_limits().unwrap();
        assert_eq!(limits.memory, 1 << 30);
        assert_eq!((limits.wall.as_secs(), limits.cpu.as_secs()), (9, 5));
        for (text, expected) in [
            (
                "decode_memory = \"511MB\"",
                "thumbnails.decode_memory is “511MB”",
            ),
            ("decode_seconds = 0", "thumbnails.decode_seconds is “0”"),
        ] {
            let message = thumbnails(text).worker_limits().unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
        let none = thumbnails("max_pixels = 0").limits().unwrap_err();
        assert!(none.to_string().starts_with("thumbnails.max_pixels is “0”"));
    }

    #[test]
    fn unknown_key_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, "alow = []").unwrap();
        assert!(
            ConfigFile::read(&path)
                .unwrap_err()
                .to_string()
                .contains("alow")
        );
    }
}
