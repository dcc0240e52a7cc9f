//! The application's settings: flags take precedence over the environment, and the environment over the file.

mod amount;
mod environment;
mod file;
mod limiter;
mod range;
mod vision;

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use fumikura_base::dirs::{AppDirs, NoHome};
use fumikura_image::Limits;
use fumikura_thumbs::{Capacity, WorkerConfig};
use fumikura_wiki::{UserName, WikiConfig};
use sha2::{Digest, Sha256};

use environment::Environment;
use file::ConfigFile;
pub use file::read_config;
pub(crate) use file::{
    cache_folder_moved, remember_cache_folder, remember_cache_limit, remember_port, remembered_port,
};
pub use limiter::LimiterConfig;
pub use vision::{VisionConfig, VisionDialect, VisionFile};
pub(crate) use vision::{VisionSetting, default_address, read_command};

/// The address to listen on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// A TCP address of the loopback; port 0 selects a free one.
    Tcp(SocketAddr),
    /// The loopback port in the configuration file, so that the page's origin stays the same from launch to
    /// launch. If it is taken, another port is used for this launch.
    RememberedPort,
    /// A Unix socket.
    Unix(PathBuf),
}

/// The flags of the command line. `None` if a flag is absent.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// `--data`: the folder of persistent data.
    pub data: Option<PathBuf>,
    /// `--cache`: the folder of data that can be regenerated.
    pub cache: Option<PathBuf>,
    /// `--addr`.
    pub listen: Option<Listen>,
    /// `--host`: additional names under which a reverse proxy reaches the server.
    pub hosts: Vec<String>,
    /// `--own-host`: true if browsers get a host name of the server's own.
    pub own_host: Option<bool>,
    /// `--allow`: folders that may be read.
    pub allow: Vec<PathBuf>,
    /// `--user`: the acting user, registered at the start if no user exists.
    pub user: Option<String>,
    /// The absolute path of the `fumi` program that decodes pictures; None decodes them in this process. It
    /// is not a flag: the program that starts the application sets it.
    pub thumb_worker: Option<PathBuf>,
}

/// The settings of the application.
#[derive(Debug, Clone)]
pub struct Config {
    /// The folder of persistent data: the wiki's database, assets, roots.
    pub data_dir: PathBuf,
    /// The folder of data that can be regenerated.
    pub cache_dir: PathBuf,
    /// The thumbnails' folder, usually `thumbs` in the cache.
    pub thumbs_dir: PathBuf,
    /// The folder that still contains the thumbnails, if another one was chosen.
    pub thumbs_moving_from: Option<PathBuf>,
    /// True if the environment or a flag sets the thumbnails' folder, so that it can't be changed.
    pub is_thumbs_dir_fixed: bool,
    /// The configuration file that a user may edit.
    pub config_file: PathBuf,
    /// The address to listen on.
    pub listen: Listen,
    /// Additional names under which a reverse proxy reaches the server.
    pub hosts: Vec<String>,
    /// True if browsers get a host name of the server's own, so that their cookies reach no other port.
    pub own_host: bool,
    /// Folders that may be read, in addition to those that users opened.
    pub allow: Vec<PathBuf>,
    /// True if `/get` and `/queue` answer other users of this machine too, for the folders of `allow`.
    pub other_users: bool,
    /// The acting user.
    pub user: Option<UserName>,
    /// The lifetime of a lock that is not renewed.
    pub lock_ttl: Duration,
    /// The maximum size of a file that belongs to a page, in bytes.
    pub asset_limit: u64,
    /// The maximum size of an imported archive, in bytes. Its unpacked size may be ten times as large.
    pub import_limit: u64,
    /// The time to retry while another process has the data open.
    pub open_timeout: Duration,
    /// The number of thumbnails made at the same time; None: half the processors.
    pub workers: Option<usize>,
    /// The maximum number of queued thumbnails.
    pub queue_size: usize,
    /// The capacity of the thumbnails' folder.
    pub capacity: Capacity,
    /// True if the environment sets the capacity's limit, so that it can't be changed.
    pub is_limit_fixed: bool,
    /// The limits of decoding one picture.
    pub limits: Limits,
    /// The processes that decode pictures; None decodes them in this process.
    pub worker: Option<WorkerConfig>,
    /// The maximum size of the thumbnails in memory, in bytes.
    pub thumbs_memory: u64,
    /// The trash of the home folder. Other disks have their own.
    pub home_trash: Option<PathBuf>,
    /// The key of the thumbnail server's two endpoints.
    pub secret: Option<Secret>,
    /// The number of expired artifacts of the cache removed at the same time; 0 removes none.
    pub ttl_workers: usize,
    /// The rate limiter.
    pub limiter: LimiterConfig,
    /// The service that describes pictures.
    pub vision: VisionConfig,
}

/// A text that is never displayed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Creates a secret.
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// An invalid setting.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A value is not allowed.
    #[error("{name} is “{value}”, but must be {allowed}")]
    BadValue {
        /// The flag, variable or key.
        name: String,
        /// The value.
        value: String,
        /// The allowed values.
        allowed: &'static str,
    },
    /// The configuration file can't be read.
    #[error("{} can't be read: {reason}", .path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// No folder for data is known.
    #[error(transparent)]
    NoHome(#[from] NoHome),
}

impl ConfigError {
    fn bad(name: &str, value: impl fmt::Display, allowed: &'static str) -> Self {
        Self::BadValue {
            name: name.to_owned(),
            value: value.to_string(),
            allowed,
        }
    }
}

/// The default length of the thumbnails' queue (docs/spec/thumbnails.md, Capacity).
const QUEUE_SIZE: usize = 1024;
/// The default number of expired artifacts removed at the same time.
const TTL_WORKERS: usize = 2;
/// The default maximum size of the thumbnails in memory: 32 MiB.
const THUMBS_MEMORY: u64 = 32 * 1024 * 1024;
/// The default maximum size of an archive: 10 GiB.
const IMPORT_LIMIT: u64 = 10 * 1024 * 1024 * 1024;
const ADDRESS_FORM: &str = "a loopback address with a port, such as 127.0.0.1:0, or unix:///path";

impl Config {
    /// Combines the command line, the environment of this process and the configuration file.
    ///
    /// # Errors
    /// [`ConfigError`] names the first invalid value.
    pub fn load(overrides: Overrides) -> Result<Self, ConfigError> {
        Self::resolve(overrides, &Environment::of_the_process())
    }

    fn resolve(flags: Overrides, environment: &Environment) -> Result<Self, ConfigError> {
        let dirs = match (&flags.data, &flags.cache) {
            // If both folders are given, the home folder is not needed.
            (Some(data), Some(cache)) => AppDirs {
                data: data.clone(),
                cache: cache.clone(),
                config: data.clone(),
            },
            _ => AppDirs::of_the_user()?,
        };
        let config_file = AppDirs::of_the_user()
            .map_or(dirs.config, |own| own.config)
            .join("config.toml");
        let file = ConfigFile::read(&config_file)?;
        let is_thumbs_dir_fixed = flags.cache.is_some() || environment.cache_dir().is_some();
        let cache_dir = flags.cache.unwrap_or(dirs.cache);
        let chosen = match is_thumbs_dir_fixed {
            true => None,
            false => file.thumbnails.folder()?,
        };
        let listen = match flags.listen.or(environment.listen()?) {
            Some(listen) => listen,
            None => file
                .listen()?
                .unwrap_or(Listen::Tcp(SocketAddr::from(([127, 0, 0, 1], 0)))),
        };
        let user = flags.user.as_deref().map(read_user).transpose()?;
        let allow = [flags.allow, environment.allowed_dirs(), file.allow.clone()].concat();
        let allow = absolute(allow)?;
        let worker_limits = file.thumbnails.worker_limits()?;
        let worker = flags.thumb_worker.map(|program| WorkerConfig {
            limits: worker_limits,
            ..WorkerConfig::new(program)
        });
        Ok(Self {
            data_dir: flags.data.unwrap_or(dirs.data),
            thumbs_moving_from: chosen.as_ref().and_then(|_| file.thumbnails.moving_from()),
            thumbs_dir: environment
                .cache_dir()
                .or(chosen)
                .unwrap_or_else(|| cache_dir.join("thumbs")),
            is_thumbs_dir_fixed,
            cache_dir,
            config_file,
            listen,
            hosts: [flags.hosts, file.hosts.clone()].concat(),
            own_host: flags.own_host.or(file.own_host).unwrap_or(true),
            allow,
            other_users: file.other_users,
            user,
            lock_ttl: file.lock_ttl()?.unwrap_or(WikiConfig::LOCK_TTL),
            asset_limit: file.asset_limit()?.unwrap_or(WikiConfig::ASSET_LIMIT),
            import_limit: file.import_limit()?.unwrap_or(IMPORT_LIMIT),
            open_timeout: WikiConfig::OPEN_TIMEOUT,
            workers: environment.workers()?.or(file.thumbnails.workers()?),
            queue_size: environment
                .queue_size()?
                .or(file.thumbnails.queue_size()?)
                .unwrap_or(QUEUE_SIZE),
            capacity: capacity(environment, &file)?,
            is_limit_fixed: environment.cache_limit()?.is_some(),
            limits: file.thumbnails.limits()?,
            worker,
            thumbs_memory: file.thumbnails.memory()?.unwrap_or(THUMBS_MEMORY),
            home_trash: fumikura_fileops::home_trash(),
            secret: environment.secret(),
            ttl_workers: environment
                .ttl_workers()?
                .or(file.thumbnails.ttl_workers()?)
                .unwrap_or(TTL_WORKERS),
            limiter: environment.limiter()?,
            vision: environment.vision(file.vision.read()?)?,
        })
    }

    /// Returns the path of the wiki's database.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.data_dir.join("wiki.redb")
    }

    /// Returns the folder of the files that belong to pages (docs/spec/wiki.md, Files).
    #[must_use]
    pub fn assets(&self) -> PathBuf {
        self.data_dir.join("asset")
    }

    /// Returns the folder of the folder indexes.
    #[must_use]
    pub fn folder_indexes(&self) -> PathBuf {
        self.cache_dir.join("folders")
    }

    /// Returns the folder of the expiry index. It belongs to one data folder, because its groups are the roots of that
    /// folder, and servers with other data may use the same cache.
    #[must_use]
    pub fn expiry_index(&self) -> PathBuf {
        let data = self.data_dir.canonicalize();
        let data = data.unwrap_or_else(|_| self.data_dir.clone());
        let name = hex::encode(&Sha256::digest(data.as_os_str().as_encoded_bytes())[..8]);
        self.cache_dir.join("ttl").join(name)
    }

    /// Returns the folder of albums.
    #[must_use]
    pub fn albums(&self) -> PathBuf {
        self.data_dir.join("albums")
    }

    /// Returns the program's own hash folder.
    #[must_use]
    pub fn hashes(&self) -> PathBuf {
        self.data_dir.join("hashes")
    }

    /// Returns the folder of the full-text index.
    #[must_use]
    pub fn search(&self) -> PathBuf {
        self.data_dir.join("search")
    }

    /// Returns the default folder of backups.
    #[must_use]
    pub fn backups(&self) -> PathBuf {
        self.data_dir.join("backups")
    }
}

/// Returns the capacity of the cache. The two ratios are checked together, wherever each is set.
fn capacity(environment: &Environment, file: &ConfigFile) -> Result<Capacity, ConfigError> {
    let default = Capacity::default();
    let limit = environment.cache_limit()?.or(file.thumbnails.limit()?);
    let high = environment.gc_high()?.or(file.thumbnails.high()?);
    let low = environment.gc_low()?.or(file.thumbnails.low()?);
    let high = high.unwrap_or(default.high());
    let low = low.unwrap_or(default.low());
    Capacity::new(limit.unwrap_or(default.limit()), high, low).ok_or_else(|| {
        ConfigError::bad(
            "ESTELLE_GC_LOW_RATIO (or thumbnails.gc_low_ratio)",
            low,
            "less than ESTELLE_GC_HIGH_RATIO (or thumbnails.gc_high_ratio)",
        )
    })
}

/// Resolves relative paths against the working directory.
fn absolute(paths: Vec<PathBuf>) -> Result<Vec<PathBuf>, ConfigError> {
    let one = |path: PathBuf| {
        std::path::absolute(&path).map_err(|_| {
            ConfigError::bad("an allowed folder", path.display(), "the path of a folder")
        })
    };
    paths.into_iter().map(one).collect()
}

fn read_user(name: &str) -> Result<UserName, ConfigError> {
    UserName::new(name).map_err(|_| {
        ConfigError::bad(
            "--user",
            name,
            "a name of 1 to 64 characters, without control characters",
        )
    })
}

impl FromStr for Listen {
    type Err = ConfigError;

    /// Parses `IP:PORT` or `unix:///path`. Only loopback addresses are allowed.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || ConfigError::bad("the address", text, ADDRESS_FORM);
        if let Some(path) = text.strip_prefix("unix://") {
            return if path.starts_with('/') {
                Ok(Self::Unix(path.into()))
            } else {
                Err(bad())
            };
        }
        let address = text.replace("localhost:", "127.0.0.1:");
        let address: SocketAddr = address.parse().map_err(|_| bad())?;
        if address.ip().is_loopback() {
            Ok(Self::Tcp(address))
        } else {
            Err(bad())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[track_caller]
    fn refused(outcome: Result<Config, ConfigError>, part: &str) {
        let message = outcome.unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }

    fn flags(folder: &tempfile::TempDir) -> Overrides {
        Overrides {
            data: Some(folder.path().join("data")),
            cache: Some(folder.path().join("cache")),
            ..Overrides::default()
        }
    }

    #[test]
    fn flag_overrides_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let environment =
            Environment::from([("ESTELLE_ADDR", "127.0.0.1:7001"), ("ESTELLE_WORKERS", "3")]);
        let config = Config::resolve(flags(&folder), &environment).unwrap();
        assert_eq!(
            config.listen,
            Listen::Tcp("127.0.0.1:7001".parse().unwrap())
        );
        assert_eq!(config.workers, Some(3));
        let listen = Some("unix:///run/fumikura.sock".parse().unwrap());
        let config = Config::resolve(
            Overrides {
                listen,
                ..flags(&folder)
            },
            &environment,
        )
        .unwrap();
        assert_eq!(config.listen, Listen::Unix("/run/fumikura.sock".into()));
    }

    #[test]
    fn invalid_value_is_reported_with_allowed_values() {
        let folder = tempfile::tempdir().unwrap();
        let with =
            |name, value| Config::resolve(flags(&folder), &Environment::from([(name, value)]));
        refused(with("ESTELLE_ADDR", "0.0.0.0:80"), "loopback");
        refused(with("ESTELLE_WORKERS", "0"), "ESTELLE_WORKERS is “0”");
        refused(with("ESTELLE_QUEUE_SIZE", "many"), "a whole number");
        let user = Some("\u{202e}".to_owned());
        refused(
            Config::resolve(
                Overrides {
                    user,
                    ..flags(&folder)
                },
                &Environment::from([]),
            ),
            "--user",
        );
    }

    #[test]
    fn thumbnail_server_is_configured_by_environment() {
        let folder = tempfile::tempdir().unwrap();
        let environment = Environment::from([
            ("ESTELLE_ALLOWED_DIRS", "/photographs::/scans"),
            ("ESTELLE_CACHE_DIR", "/var/cache/thumbs"),
            ("ESTELLE_QUEUE_SIZE", "7"),
            ("ESTELLE_CACHE_LIMIT", "500MB"),
            ("ESTELLE_GC_HIGH_RATIO", "0.8"),
            ("ESTELLE_GC_LOW_RATIO", "0.5"),
        ]);
        let config = Config::resolve(flags(&folder), &environment).unwrap();
        let allowed: [&Path; 2] = ["/photographs".as_ref(), "/scans".as_ref()];
        assert_eq!(config.allow, allowed);
        assert_eq!(config.thumbs_dir, Path::new("/var/cache/thumbs"));
        assert_eq!(config.queue_size, 7);
        let capacity = config.capacity;
        assert_eq!(capacity.limit(), 500 << 20);
        assert_eq!((capacity.high(), capacity.low()), (0.8, 0.5));

        let usual = Config::resolve(flags(&folder), &Environment::from([])).unwrap();
        assert_eq!((usual.workers, usual.queue_size), (None, 1024));
        let capacity = usual.capacity;
        assert_eq!(capacity.limit(), 1 << 30);
        assert_eq!((capacity.high(), capacity.low()), (0.9, 0.75));
    }

    #[test]
    fn low_ratio_must_be_below_high_ratio() {
        let folder = tempfile::tempdir().unwrap();
        for high in ["0.75", "0.5"] {
            let environment = Environment::from([("ESTELLE_GC_HIGH_RATIO", high)]);
            refused(
                Config::resolve(flags(&folder), &environment),
                "ESTELLE_GC_LOW_RATIO",
            );
        }
    }

    #[test]
    fn worker_program_comes_from_the_overrides() {
        let folder = tempfile::tempdir().unwrap();
        let resolve = |flags| Config::resolve(flags, &Environment::from([])).unwrap();
        assert_eq!(resolve(flags(&folder)).worker, None);
        let overrides = Overrides {
            thumb_worker: Some("/usr/bin/fumi".into()),
            ..flags(&folder)
        };
        let expected = WorkerConfig::new("/usr/bin/fumi".into());
        assert_eq!(resolve(overrides).worker, Some(expected));
    }

    #[test]
    fn own_host_is_used_unless_turned_off() {
        let folder = tempfile::tempdir().unwrap();
        let resolve = |own_host| {
            let flags = Overrides {
                own_host,
                ..flags(&folder)
            };
            let config = Config::resolve(flags, &Environment::from([]));
            config.unwrap().own_host
        };
        assert!(resolve(None));
        assert!(!resolve(Some(false)));
    }

    #[test]
    fn a_secret_is_never_shown() {
        assert_eq!(
            format!("{:?}", Secret::new("open sesame".into())),
            "Secret(…)"
        );
    }
}
